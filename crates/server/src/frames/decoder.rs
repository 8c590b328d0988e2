//! Assembles messages from the bytes that arrive.

use super::{FrameError, Incoming};
use baize_protocol::limits::FRAME_BYTES;

/// Decodes a client's frames and assembles messages of at most `MAX` bytes.
///
/// While they are incomplete, it keeps a frame's head (14 bytes), a control frame's body (125) and a message (`MAX`),
/// and nothing else; after a close frame or an error it keeps nothing. It reports an error as early as possible: it
/// does not wait for the end of an invalid frame, or of text that can't become UTF-8.
#[derive(Debug, Default)]
pub struct Decoder<const MAX: usize = FRAME_BYTES> {
    /// The incomplete frame and message; none between messages.
    partial: Option<Box<Partial>>,
    over: bool,
}

impl<const MAX: usize> Decoder<MAX> {
    /// Returns the next message or control frame that the input completes, and removes its bytes from the input. Returns none
    /// when the input is used up.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<Incoming> {
        if self.over {
            *input = &[];
        }
        if input.is_empty() {
            return None;
        }
        let mut partial = self.partial.take().map_or_else(Partial::default, |partial| *partial);
        let found = partial.next(input, MAX).unwrap_or_else(|error| Some(Incoming::Failed(error)));
        self.over = matches!(found, Some(Incoming::Close(_) | Incoming::Failed(_)));
        if !self.over && !partial.is_empty() {
            self.partial = Some(Box::new(partial));
        }
        found
    }

    /// Whether a close frame or an error has ended the input.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

/// The incomplete frame and message.
#[derive(Debug, Default)]
struct Partial {
    head: [u8; HEAD],
    /// How many bytes of the head have arrived.
    head_bytes: usize,
    /// The frame whose head is complete.
    frame: Option<PartialFrame>,
    /// The body of a control frame, which may come between the fragments of a message.
    control: Vec<u8>,
    message: Option<Message>,
}

/// The longest head: two bytes, a length of eight, a mask of four.
const HEAD: usize = 14;
/// The longest body of a control frame.
const CONTROL: u8 = 125;

#[derive(Debug)]
struct PartialFrame {
    last: bool,
    opcode: u8,
    mask: [u8; 4],
    /// Bytes of the body that have arrived, and that are missing.
    taken: usize,
    left: usize,
}

#[derive(Debug)]
struct Message {
    text: bool,
    bytes: Vec<u8>,
    /// This many bytes are known to be valid UTF-8.
    checked: usize,
    frames: usize,
}

impl Partial {
    fn is_empty(&self) -> bool {
        self.head_bytes == 0 && self.frame.is_none() && self.message.is_none()
    }

    fn next(&mut self, input: &mut &[u8], most: usize) -> Result<Option<Incoming>, FrameError> {
        loop {
            let mut frame = match self.frame.take() {
                Some(frame) => frame,
                None => match self.read_head(input, most)? {
                    Some(frame) => frame,
                    None => return Ok(None),
                },
            };
            self.read_body(&mut frame, input)?;
            if frame.left > 0 {
                self.frame = Some(frame);
                return Ok(None);
            }
            if let Some(incoming) = self.finish(&frame)? {
                return Ok(Some(incoming));
            }
        }
    }

    /// Continues a head byte by byte, and refuses it at the first invalid byte.
    fn read_head(&mut self, input: &mut &[u8], most: usize) -> Result<Option<PartialFrame>, FrameError> {
        while let Some((byte, rest)) = input.split_first() {
            *input = rest;
            self.head[self.head_bytes] = *byte;
            self.head_bytes += 1;
            match self.head_bytes {
                1 => self.check_opcode()?,
                2 => self.check_mask_and_length()?,
                _ => {}
            }
            let extended = match self.head[1] & 0x7f {
                126 => 2,
                127 => 8,
                _ => 0,
            };
            if self.head_bytes == 2 + extended {
                self.check_length(most)?;
            }
            if self.head_bytes == 2 + extended + 4 {
                return Ok(Some(self.begin_frame(extended)));
            }
        }
        Ok(None)
    }

    /// Refuses reserved bits, because no extension was negotiated, fragmented control frames, and a new message within
    /// a message.
    fn check_opcode(&self) -> Result<(), FrameError> {
        let (last, reserved, opcode) = (self.head[0] & 0x80 != 0, self.head[0] & 0x70, self.head[0] & 0x0f);
        let expected = match opcode {
            0 => self.message.is_some(),
            1 | 2 => self.message.is_none(),
            8..=10 => last,
            _ => false,
        };
        (expected && reserved == 0).then_some(()).ok_or(FrameError::Protocol)
    }

    /// Refuses frames that are not masked, and long control frames.
    fn check_mask_and_length(&self) -> Result<(), FrameError> {
        let (masked, length) = (self.head[1] & 0x80 != 0, self.head[1] & 0x7f);
        (masked && (!self.is_control() || length <= CONTROL)).then_some(()).ok_or(FrameError::Protocol)
    }

    /// Refuses a length that is not in its shortest form, has the top bit set, or is too large.
    fn check_length(&mut self, most: usize) -> Result<(), FrameError> {
        let length = self.length();
        let shortest = match self.head[1] & 0x7f {
            126 => length > u64::from(CONTROL),
            127 => length > u64::from(u16::MAX) && length >> 63 == 0,
            _ => true,
        };
        if !shortest {
            return Err(FrameError::Protocol);
        }
        if self.is_control() {
            return Ok(());
        }
        // Empty fragments count too; otherwise a message could go on for ever.
        let (before, frames) = self.message.as_ref().map_or((0, 0), |message| (message.bytes.len(), message.frames));
        match length > (most - before) as u64 || frames >= most {
            true => Err(FrameError::TooLarge),
            false => Ok(()),
        }
    }

    fn is_control(&self) -> bool {
        self.head[0] & 0x08 != 0
    }

    fn length(&self) -> u64 {
        let big_endian = |bytes: &[u8]| bytes.iter().fold(0, |length, byte| length << 8 | u64::from(*byte));
        match self.head[1] & 0x7f {
            126 => big_endian(&self.head[2..4]),
            127 => big_endian(&self.head[2..10]),
            short => u64::from(short),
        }
    }

    fn begin_frame(&mut self, extended: usize) -> PartialFrame {
        let mut mask = [0; 4];
        mask.copy_from_slice(&self.head[2 + extended..][..4]);
        let (last, opcode) = (self.head[0] & 0x80 != 0, self.head[0] & 0x0f);
        // The length was checked against the limit of a message.
        let left = self.length() as usize;
        self.head_bytes = 0;
        if matches!(opcode, 1 | 2) {
            self.message = Some(Message { text: opcode == 1, bytes: Vec::new(), checked: 0, frames: 0 });
        }
        PartialFrame { last, opcode, mask, taken: 0, left }
    }

    fn read_body(&mut self, frame: &mut PartialFrame, input: &mut &[u8]) -> Result<(), FrameError> {
        let (body, rest) = input.split_at(frame.left.min(input.len()));
        *input = rest;
        let mut mask = frame.mask;
        mask.rotate_left(frame.taken % 4);
        frame.taken += body.len();
        frame.left -= body.len();
        match &mut self.message {
            Some(message) if frame.opcode < 8 => {
                extend_unmasked(&mut message.bytes, body, mask);
                // A complete message is checked when it becomes a string.
                match message.text && !(frame.last && frame.left == 0) {
                    true => message.check(),
                    false => Ok(()),
                }
            }
            _ => {
                extend_unmasked(&mut self.control, body, mask);
                Ok(())
            }
        }
    }

    /// The message or control frame that this frame completes, if any.
    fn finish(&mut self, frame: &PartialFrame) -> Result<Option<Incoming>, FrameError> {
        match frame.opcode {
            8 => return Ok(Some(Incoming::Close(parse_close(&self.control)?))),
            9 => return Ok(Some(Incoming::Ping(std::mem::take(&mut self.control)))),
            10 => {
                self.control = Vec::new();
                return Ok(Some(Incoming::Pong));
            }
            _ => {}
        }
        let Some(mut message) = self.message.take() else { return Ok(None) };
        message.frames += 1;
        if !frame.last {
            self.message = Some(message);
            return Ok(None);
        }
        match message.text {
            true => {
                String::from_utf8(message.bytes).map(|text| Some(Incoming::Text(text))).or(Err(FrameError::NotUtf8))
            }
            false => Ok(Some(Incoming::Binary(message.bytes))),
        }
    }
}

impl Message {
    /// Refuses bytes that can't become UTF-8 any more.
    fn check(&mut self) -> Result<(), FrameError> {
        match std::str::from_utf8(&self.bytes[self.checked..]) {
            Ok(text) => self.checked += text.len(),
            Err(error) if error.error_len().is_none() => self.checked += error.valid_up_to(),
            Err(_) => return Err(FrameError::NotUtf8),
        }
        Ok(())
    }
}

/// Parses the body of a close frame: nothing, or a permitted code and a reason.
fn parse_close(body: &[u8]) -> Result<Option<(u16, String)>, FrameError> {
    let (code, reason) = match body {
        [] => return Ok(None),
        [high, low, reason @ ..] => (u16::from_be_bytes([*high, *low]), reason),
        [_] => return Err(FrameError::Protocol),
    };
    // 1004 is reserved; 1005, 1006 and 1015 must not appear in a frame (RFC 6455, 7.4).
    if !matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999) {
        return Err(FrameError::Protocol);
    }
    let reason = std::str::from_utf8(reason).or(Err(FrameError::NotUtf8))?;
    Ok(Some((code, reason.to_owned())))
}

/// Appends the body without its mask, which begins at the body's first byte. It copies first and then works on eight bytes at a
/// time. Working byte by byte took a fiftieth of all instructions of a move.
fn extend_unmasked(plain: &mut Vec<u8>, body: &[u8], mask: [u8; 4]) {
    let start = plain.len();
    plain.extend_from_slice(body);
    let [a, b, c, d] = mask;
    let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    let (words, rest) = plain[start..].as_chunks_mut::<8>();
    for word in words {
        *word = (u64::from_ne_bytes(*word) ^ wide).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::decode;

    /// A frame as a client sends it.
    fn sent(first: u8, body: &[u8]) -> Vec<u8> {
        let mask = [7, 99, 0, 255];
        let mut out = vec![first];
        match u8::try_from(body.len()) {
            Ok(short @ ..=125) => out.push(0x80 | short),
            _ => {
                out.push(0x80 | 126);
                out.extend((body.len() as u16).to_be_bytes());
            }
        }
        out.extend(mask);
        out.extend(body.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
        out
    }

    #[test]
    fn frames_are_put_together_however_they_arrive() {
        let long = "ü".repeat(300);
        let bytes = [
            sent(0x81, b"hello"),
            sent(0x01, b"in "),
            sent(0x89, b"still there?"),
            sent(0x00, b"three "),
            sent(0x80, b"parts"),
            sent(0x81, long.as_bytes()),
            sent(0x82, b"\x00\xff"),
            sent(0x8a, b""),
            sent(0x88, b"\x03\xe8bye"),
            sent(0x81, b"too late"),
        ]
        .concat();
        for step in [1, 2, 3, 7, 64, bytes.len()] {
            let expected = [
                Incoming::Text("hello".into()),
                Incoming::Ping(b"still there?".to_vec()),
                Incoming::Text("in three parts".into()),
                Incoming::Text(long.clone()),
                Incoming::Binary(b"\x00\xff".to_vec()),
                Incoming::Pong,
                Incoming::Close(Some((1000, "bye".into()))),
            ];
            let pieces: Vec<&[u8]> = bytes.chunks(step).collect();
            assert_eq!(decode(&pieces), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn an_idle_decoder_holds_nothing() {
        let mut decoder: Decoder = Decoder::default();
        let bytes = [sent(0x01, b"a"), sent(0x89, b"b"), sent(0x80, b"c")].concat();
        for piece in bytes.chunks(1) {
            let mut rest = piece;
            while decoder.next(&mut rest).is_some() {}
        }
        assert!(decoder.partial.is_none());
        let mut wrong = &[0xff; 4096][..];
        assert_eq!(decoder.next(&mut wrong), Some(Incoming::Failed(FrameError::Protocol)));
        let mut more = &[0xff; 4096][..];
        assert_eq!(decoder.next(&mut more), None);
        assert!(decoder.partial.is_none() && more.is_empty() && decoder.is_over());
    }

    /// A fragment may be empty, but the number of fragments is bounded.
    #[test]
    fn the_number_of_fragments_of_a_message_is_bounded() {
        let endless = [sent(0x01, b""), sent(0x00, b"").repeat(FRAME_BYTES)].concat();
        assert_eq!(decode(&[&endless]), [Incoming::Failed(FrameError::TooLarge)]);
        let many = [sent(0x01, b"a"), sent(0x00, b"a").repeat(FRAME_BYTES - 2), sent(0x80, b"a")].concat();
        assert_eq!(decode(&[&many]), [Incoming::Text("a".repeat(FRAME_BYTES))]);
    }
}
