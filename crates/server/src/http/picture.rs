//! Draws the picture of an invitation. It has no texts, so that it needs no fonts and shows nothing that people have
//! written.

use baize_engine::definition::{CardFace, Preview};
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Point, RadialGradient, Rect,
    Shader, SpreadMode, Stroke, Transform,
};

/// Width and height in pixels, as chats expect them.
pub const SIZE: (u32, u32) = (1200, 630);

/// Upper bound on the cards and on the dice of a picture.
const MAX_CARDS: usize = 5;
const MAX_DICE: usize = 5;
/// Upper bound on the seats of a picture. For a larger table the picture has this many seats, and as large a share of them is filled.
const MAX_SEATS: u32 = 20;

const CARD: (f32, f32) = (170.0, 238.0);
const PAPER: Color4 = (0xff, 0xfa, 0xf0);
const EDGE: Color4 = (0xa8, 0x98, 0x78);
const BRASS: Color4 = (0xd8, 0xab, 0x54);
const RIM: Color4 = (0x6b, 0x44, 0x26);
const INK: Color4 = (0x1b, 0x20, 0x30);
const RED: Color4 = (0xb8, 0x20, 0x2f);

type Color4 = (u8, u8, u8);

/// What a picture shows.
pub struct InvitationPreview {
    pub cloth: String,
    pub preview: Preview,
    /// How many are seated, and how many seats there are.
    pub seated: Option<(u32, u32)>,
}

/// The lit, the usual and the deep colour of a cloth, and the colour of the backs on it, as in the client's theme.
fn cloth(name: &str) -> [Color4; 4] {
    match name {
        "blue" => [(0x2f, 0x74, 0xa3), (0x1d, 0x51, 0x77), (0x0d, 0x2a, 0x42), (0xa3, 0x55, 0x2a)],
        "red" => [(0xa8, 0x46, 0x4f), (0x86, 0x30, 0x3a), (0x46, 0x13, 0x1a), (0x1f, 0x35, 0x58)],
        "purple" => [(0x71, 0x53, 0x95), (0x54, 0x3a, 0x74), (0x2a, 0x1a, 0x40), (0x0f, 0x5a, 0x5c)],
        "slate" => [(0x5d, 0x6d, 0x7b), (0x43, 0x50, 0x5c), (0x1f, 0x27, 0x2e), (0x23, 0x26, 0x2b)],
        "wood" => [(0x9a, 0x6c, 0x42), (0x7a, 0x52, 0x30), (0x3d, 0x25, 0x13), (0x1c, 0x4a, 0x3d)],
        _ => [(0x2b, 0x8a, 0x5f), (0x1c, 0x6a, 0x47), (0x0d, 0x3b, 0x27), (0x8d, 0x22, 0x31)],
    }
}

/// The picture as a PNG; none if there is no memory for it.
pub fn draw(shown: &InvitationPreview) -> Option<Vec<u8>> {
    let mut canvas = Canvas { pixels: Pixmap::new(SIZE.0, SIZE.1)? };
    let [lit, usual, deep, back] = cloth(&shown.cloth);
    let (width, height) = (SIZE.0 as f32, SIZE.1 as f32);
    canvas.pixels.fill(color((0x12, 0x24, 0x1c), 255));
    let table = rounded(30.0, 30.0, width - 60.0, height - 60.0, 250.0)?;
    canvas.stroke(&table, RIM, 36.0, Transform::identity());
    canvas.fill_shaded(&table, felt(lit, usual, deep)?);
    canvas.stroke(&table, BRASS, 4.0, Transform::identity());
    if let Some((seated, seats)) = shown.seated {
        draw_seats(&mut canvas, seated, seats)?;
    }
    let faces: Vec<&CardFace> = spread(&shown.preview.faces, MAX_CARDS);
    let dice: usize = shown.preview.dice.iter().map(|dice| dice.count as usize).sum();
    match (faces.is_empty(), dice) {
        (true, 0) => draw_fan(&mut canvas, &[], back, height / 2.0)?,
        (true, dice) => draw_dice(&mut canvas, dice, height / 2.0, 120.0)?,
        (false, 0) => draw_fan(&mut canvas, &faces, back, height / 2.0)?,
        (false, dice) => {
            draw_dice(&mut canvas, dice, 205.0, 84.0)?;
            draw_fan(&mut canvas, &faces, back, 400.0)?;
        }
    }
    canvas.pixels.encode_png().ok()
}

/// At most `most` of the items, at equal distances.
fn spread<T>(items: &[T], most: usize) -> Vec<&T> {
    let count = items.len().min(most);
    (0..count).map(|i| &items[(2 * i + 1) * items.len() / (2 * count)]).collect()
}

/// Seats stand on an ellipse around the middle; those that are taken are filled.
fn draw_seats(canvas: &mut Canvas, seated: u32, seats: u32) -> Option<()> {
    let shown = seats.clamp(1, MAX_SEATS);
    let taken = (u64::from(seated) * u64::from(shown)).div_ceil(u64::from(seats.max(1))) as u32;
    for seat in 0..shown {
        let turn = std::f32::consts::TAU * (seat as f32 / shown as f32) + std::f32::consts::FRAC_PI_2;
        let (x, y) = (600.0 + 478.0 * turn.cos(), 315.0 + 222.0 * turn.sin());
        let circle = PathBuilder::from_circle(x, y, 27.0)?;
        match seat < taken {
            true => {
                canvas.fill(&circle, BRASS, 255, Transform::identity());
                canvas.fill(&PathBuilder::from_circle(x, y - 8.0, 8.5)?, INK, 235, Transform::identity());
                let mut body = PathBuilder::new();
                body.move_to(x - 15.0, y + 17.0);
                body.cubic_to(x - 14.0, y - 3.0, x + 14.0, y - 3.0, x + 15.0, y + 17.0);
                body.close();
                canvas.fill(&body.finish()?, INK, 235, Transform::identity());
            }
            false => {
                canvas.fill(&circle, (0, 0, 0), 60, Transform::identity());
                canvas.stroke(&circle, PAPER, 3.0, Transform::identity());
            }
        }
    }
    Some(())
}

/// A fan of cards around the middle: the faces, or three backs if there are none.
fn draw_fan(canvas: &mut Canvas, faces: &[&CardFace], back: Color4, y: f32) -> Option<()> {
    let count = if faces.is_empty() { 3 } else { faces.len() };
    for i in 0..count {
        let step = i as f32 - (count as f32 - 1.0) / 2.0;
        // All cards turn around one point far below them, like a hand.
        let at = Transform::from_rotate_at(step * 6.5, 600.0, y + 900.0)
            .pre_translate(600.0 - CARD.0 / 2.0, y - CARD.1 / 2.0);
        // The shadow lets cards stand out from each other.
        let sheet = rounded(0.0, 0.0, CARD.0, CARD.1, 18.0)?;
        canvas.fill(&sheet, (0, 0, 0), 70, at.pre_translate(4.0, 6.0));
        canvas.fill(&sheet, PAPER, 255, at);
        canvas.stroke(&sheet, EDGE, 2.0, at);
        match faces.get(i) {
            Some(face) => draw_face(canvas, face, at)?,
            None => {
                let inside = rounded(10.0, 10.0, CARD.0 - 20.0, CARD.1 - 20.0, 12.0)?;
                canvas.fill(&inside, back, 255, at);
            }
        }
    }
    Some(())
}

fn draw_face(canvas: &mut Canvas, face: &CardFace, at: Transform) -> Option<()> {
    let suit = face.attributes.get("suit").and_then(|word| suit_path(word));
    let rank = face.attributes.get("rank").cloned().or_else(|| face.number.map(|number| number.to_string()));
    let place = face.sign.as_ref().map_or(0, |sign| usize::from(sign.place));
    let ink = match face.attributes.get("suit").map(String::as_str) {
        Some("♥" | "♦") => RED,
        Some(_) => INK,
        None => SIGN_COLOURS[place % SIGN_COLOURS.len()],
    };
    let is_text = matches!(face.template.as_str(), "text" | "prompt") || rank.is_none() && suit.is_none();
    if is_text {
        if face.template == "prompt" {
            canvas.fill(&rounded(0.0, 0.0, CARD.0, CARD.1, 18.0)?, INK, 255, at);
        }
        let line = if face.template == "prompt" { PAPER } else { ink };
        for (i, width) in [118.0, 100.0, 112.0, 64.0].into_iter().enumerate() {
            let bar = rounded(26.0, 40.0 + 34.0 * i as f32, width, 13.0, 6.0)?;
            canvas.fill(&bar, line, 200, at);
        }
        return Some(());
    }
    if let Some(rank) = &rank {
        let size = if suit.is_some() { 8.0 } else { 19.0 };
        let corner = if suit.is_some() { (20.0, 20.0) } else { centre_of(rank, size) };
        draw_word(canvas, rank, size, at.pre_translate(corner.0, corner.1), ink)?;
    }
    if let Some(suit) = suit {
        canvas.fill(&suit, ink, 255, at.pre_translate(CARD.0 / 2.0 - 45.0, CARD.1 / 2.0 - 30.0).pre_scale(0.9, 0.9));
        canvas.fill(&suit, ink, 255, at.pre_translate(20.0, 78.0).pre_scale(0.32, 0.32));
    }
    Some(())
}

const SIGN_COLOURS: [Color4; 6] = [
    (0x1a, 0x5f, 0xb4),
    (0xb8, 0x20, 0x2f),
    (0x17, 0x71, 0x3f),
    (0xb0, 0x6a, 0x00),
    (0x6a, 0x2f, 0x8f),
    (0x1b, 0x20, 0x30),
];

/// Where a word begins that stands in the middle of a card.
fn centre_of(word: &str, size: f32) -> (f32, f32) {
    let width = word.chars().count() as f32 * 5.0 * size - size;
    ((CARD.0 - width) / 2.0, (CARD.1 - 6.0 * size) / 2.0)
}

/// Draws the letters and digits of ranks as lines, on a grid of 4 by 6.
fn draw_word(canvas: &mut Canvas, word: &str, size: f32, at: Transform, ink: Color4) -> Option<()> {
    let mut lines = PathBuilder::new();
    for (i, letter) in word.chars().take(3).enumerate() {
        for line in strokes(letter) {
            for (n, (x, y)) in line.iter().enumerate() {
                let (x, y) = (size * (x + 5.0 * i as f32), size * y);
                if n == 0 { lines.move_to(x, y) } else { lines.line_to(x, y) }
            }
        }
    }
    // A word of other letters has no lines.
    if let Some(path) = lines.finish() {
        canvas.stroke(&path, ink, size, at);
    }
    Some(())
}

type Polyline = &'static [(f32, f32)];

fn strokes(letter: char) -> &'static [Polyline] {
    match letter {
        '0' => &[&[
            (0.0, 1.0),
            (1.0, 0.0),
            (3.0, 0.0),
            (4.0, 1.0),
            (4.0, 5.0),
            (3.0, 6.0),
            (1.0, 6.0),
            (0.0, 5.0),
            (0.0, 1.0),
        ]],
        '1' => &[&[(1.0, 1.2), (2.2, 0.0), (2.2, 6.0)], &[(0.9, 6.0), (3.5, 6.0)]],
        '2' => &[&[(0.0, 1.2), (1.0, 0.0), (3.0, 0.0), (4.0, 1.2), (4.0, 2.3), (0.0, 6.0), (4.0, 6.0)]],
        '3' => &[&[
            (0.0, 0.0),
            (4.0, 0.0),
            (1.8, 2.5),
            (3.2, 2.6),
            (4.0, 3.6),
            (4.0, 5.0),
            (3.0, 6.0),
            (1.0, 6.0),
            (0.0, 5.2),
        ]],
        '4' => &[&[(3.0, 6.0), (3.0, 0.0), (0.0, 4.0), (4.0, 4.0)]],
        '5' => &[&[
            (4.0, 0.0),
            (0.4, 0.0),
            (0.2, 2.6),
            (2.8, 2.4),
            (4.0, 3.4),
            (4.0, 5.0),
            (3.0, 6.0),
            (1.0, 6.0),
            (0.0, 5.2),
        ]],
        '6' => &[&[
            (3.6, 0.0),
            (1.4, 0.8),
            (0.0, 3.0),
            (0.0, 5.0),
            (1.0, 6.0),
            (3.0, 6.0),
            (4.0, 5.0),
            (4.0, 3.8),
            (3.0, 2.8),
            (1.0, 2.8),
            (0.0, 3.8),
        ]],
        '7' => &[&[(0.0, 0.0), (4.0, 0.0), (1.6, 6.0)]],
        '8' => &[
            &[
                (1.0, 2.8),
                (0.2, 2.0),
                (0.2, 0.8),
                (1.0, 0.0),
                (3.0, 0.0),
                (3.8, 0.8),
                (3.8, 2.0),
                (3.0, 2.8),
                (1.0, 2.8),
            ],
            &[(1.0, 2.8), (0.0, 3.8), (0.0, 5.0), (1.0, 6.0), (3.0, 6.0), (4.0, 5.0), (4.0, 3.8), (3.0, 2.8)],
        ],
        '9' => &[&[
            (0.4, 6.0),
            (2.6, 5.2),
            (4.0, 3.0),
            (4.0, 1.0),
            (3.0, 0.0),
            (1.0, 0.0),
            (0.0, 1.0),
            (0.0, 2.2),
            (1.0, 3.2),
            (3.0, 3.2),
            (4.0, 2.2),
        ]],
        'A' => &[&[(0.0, 6.0), (2.0, 0.0), (4.0, 6.0)], &[(0.8, 4.0), (3.2, 4.0)]],
        'J' => &[&[(1.2, 0.0), (3.4, 0.0), (3.4, 4.8), (2.4, 6.0), (1.0, 6.0), (0.0, 4.8)]],
        'K' => &[&[(0.3, 0.0), (0.3, 6.0)], &[(4.0, 0.0), (0.3, 3.8)], &[(1.7, 2.5), (4.0, 6.0)]],
        'Q' => &[
            &[
                (1.0, 0.0),
                (3.0, 0.0),
                (4.0, 1.0),
                (4.0, 5.0),
                (3.0, 6.0),
                (1.0, 6.0),
                (0.0, 5.0),
                (0.0, 1.0),
                (1.0, 0.0),
            ],
            &[(2.6, 4.4), (4.2, 6.6)],
        ],
        _ => &[],
    }
}

/// A suit's sign in a square of 100; none for other words.
fn suit_path(word: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let stem = |path: &mut PathBuilder| {
        path.move_to(50.0, 58.0);
        path.cubic_to(49.0, 78.0, 45.0, 88.0, 34.0, 94.0);
        path.line_to(66.0, 94.0);
        path.cubic_to(55.0, 88.0, 51.0, 78.0, 50.0, 58.0);
        path.close();
    };
    match word {
        "♠" => {
            path.move_to(50.0, 4.0);
            path.cubic_to(58.0, 24.0, 94.0, 36.0, 94.0, 60.0);
            path.cubic_to(94.0, 82.0, 62.0, 84.0, 50.0, 64.0);
            path.cubic_to(38.0, 84.0, 6.0, 82.0, 6.0, 60.0);
            path.cubic_to(6.0, 36.0, 42.0, 24.0, 50.0, 4.0);
            path.close();
            stem(&mut path);
        }
        "♥" => {
            path.move_to(50.0, 94.0);
            path.cubic_to(36.0, 72.0, 4.0, 56.0, 4.0, 32.0);
            path.cubic_to(4.0, 6.0, 40.0, 2.0, 50.0, 28.0);
            path.cubic_to(60.0, 2.0, 96.0, 6.0, 96.0, 32.0);
            path.cubic_to(96.0, 56.0, 64.0, 72.0, 50.0, 94.0);
            path.close();
        }
        "♦" => {
            path.move_to(50.0, 2.0);
            path.line_to(84.0, 50.0);
            path.line_to(50.0, 98.0);
            path.line_to(16.0, 50.0);
            path.close();
        }
        "♣" => {
            path.push_circle(50.0, 26.0, 22.0);
            path.push_circle(26.0, 58.0, 22.0);
            path.push_circle(74.0, 58.0, 22.0);
            stem(&mut path);
        }
        _ => return None,
    }
    path.finish()
}

fn draw_dice(canvas: &mut Canvas, count: usize, y: f32, size: f32) -> Option<()> {
    let count = count.clamp(1, MAX_DICE);
    for i in 0..count {
        let step = i as f32 - (count as f32 - 1.0) / 2.0;
        let tilt = [-9.0, 6.0, -4.0, 10.0, -7.0][i % 5];
        let x = 600.0 + step * size * 1.35;
        let at = Transform::from_rotate_at(tilt, x, y).pre_translate(x - size / 2.0, y - size / 2.0);
        let die = rounded(0.0, 0.0, size, size, size * 0.18)?;
        canvas.fill(&die, (0, 0, 0), 70, at.pre_translate(4.0, 6.0));
        canvas.fill(&die, PAPER, 255, at);
        for (across, down) in pips([5, 2, 6, 3, 4][i % 5]) {
            let dot = PathBuilder::from_circle(size * across, size * down, size * 0.09)?;
            canvas.fill(&dot, INK, 255, at);
        }
    }
    Some(())
}

/// Where the dots of a die lie.
fn pips(face: u8) -> Vec<(f32, f32)> {
    let (low, mid, high) = (0.27, 0.5, 0.73);
    let mut dots = Vec::new();
    if face % 2 == 1 {
        dots.push((mid, mid));
    }
    if face >= 2 {
        dots.extend([(low, low), (high, high)]);
    }
    if face >= 4 {
        dots.extend([(low, high), (high, low)]);
    }
    if face == 6 {
        dots.extend([(low, mid), (high, mid)]);
    }
    dots
}

struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    fn fill(&mut self, path: &Path, ink: Color4, alpha: u8, at: Transform) {
        let paint = Paint { shader: Shader::SolidColor(color(ink, alpha)), anti_alias: true, ..Paint::default() };
        self.pixels.fill_path(path, &paint, FillRule::Winding, at, None);
    }

    fn fill_shaded(&mut self, path: &Path, shader: Shader) {
        let paint = Paint { shader, anti_alias: true, ..Paint::default() };
        self.pixels.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    fn stroke(&mut self, path: &Path, ink: Color4, width: f32, at: Transform) {
        let paint = Paint { shader: Shader::SolidColor(color(ink, 255)), anti_alias: true, ..Paint::default() };
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixels.stroke_path(path, &paint, &stroke, at, None);
    }
}

fn color((red, green, blue): Color4, alpha: u8) -> Color {
    Color::from_rgba8(red, green, blue, alpha)
}

fn felt(lit: Color4, usual: Color4, deep: Color4) -> Option<Shader<'static>> {
    let stops = [(0.0, lit), (0.5, usual), (1.0, deep)];
    let stops = stops.into_iter().map(|(at, ink)| GradientStop::new(at, color(ink, 255))).collect();
    let (focus, centre) = (Point::from_xy(600.0, 220.0), Point::from_xy(600.0, 260.0));
    RadialGradient::new(focus, 0.0, centre, 680.0, stops, SpreadMode::Pad, Transform::identity())
}

/// A rectangle with round corners.
fn rounded(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
    let area = Rect::from_xywh(x, y, width, height)?;
    let radius = radius.min(width / 2.0).min(height / 2.0);
    // The distance of a control point from the corner of a quarter of a circle.
    let bend = radius * 0.448;
    let (left, top, right, bottom) = (area.left(), area.top(), area.right(), area.bottom());
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - bend, top, right, top + bend, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - bend, right - bend, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + bend, bottom, left, bottom - bend, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + bend, left + bend, top, left + radius, top);
    path.close();
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::definition::PreviewDice;

    fn shown(dice: u32, seated: Option<(u32, u32)>) -> InvitationPreview {
        let dice =
            (dice > 0).then_some(PreviewDice { dice: "die".into(), count: dice, low: 1, high: 6, faces: Vec::new() });
        let preview = Preview { dice: dice.into_iter().collect(), ..Preview::default() };
        InvitationPreview { cloth: "red".into(), preview, seated }
    }

    #[test]
    fn a_picture_is_a_png_that_shows_how_many_seats_are_taken() {
        let one = draw(&shown(0, Some((1, 8)))).unwrap();
        let two = draw(&shown(0, Some((2, 8)))).unwrap();
        assert_eq!(&one[..8], b"\x89PNG\r\n\x1a\n");
        assert!(one != two && one.len() < 200_000, "{}", one.len());
    }

    #[test]
    fn numbers_beyond_any_table_draw_a_bounded_picture() {
        for seated in [Some((0, 0)), Some((u32::MAX, u32::MAX)), Some((u32::MAX, 1)), None] {
            assert!(draw(&shown(u32::MAX, seated)).is_some());
        }
    }
}
