//! Rewrites texts for their reader: “You take the trick” instead of “Player 2 takes the trick”.

use crate::sentence::Sentence;
use baize_engine::view::{Piece, RichText};

/// Rewrites a text for the player at seat `you`, whom it calls “you”. Without such a player the text stays as it is.
pub fn address(text: &RichText, you: Option<u8>) -> RichText {
    let mut said = Sentence::default();
    let mut addressed = false;
    for piece in &text.0 {
        let spoken_to = matches!(piece, Piece::Seat(seat) if Some(*seat) == you);
        match piece {
            Piece::Seat(_) if spoken_to => said.text(if said.begins_sentence() { "You" } else { "you" }),
            Piece::Text(text) if addressed => said.text(&in_second_person(text)),
            Piece::Text(text) => said.text(text),
            piece => said.piece(piece.clone()),
        }
        addressed = spoken_to;
    }
    said.finish()
}

/// Rewrites the text after a name so that it fits after “You”: ` takes` becomes ` take`, `'s` becomes `r`.
fn in_second_person(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("'s").or_else(|| text.strip_prefix("’s")) {
        return format!("r{rest}");
    }
    let Some(after) = text.strip_prefix(' ') else { return text.to_owned() };
    let end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
    let (verb, rest) = after.split_at(end);
    let plain = match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        "always" | "as" | "plus" | "versus" | "this" => verb.to_owned(),
        _ => {
            let stem = |ending: &str| verb.strip_suffix(ending);
            let sibilant = |stem: &&str| ["ch", "sh", "ss", "x", "zz", "o"].iter().any(|end| stem.ends_with(end));
            match (stem("ies"), stem("es").filter(sibilant), stem("s").filter(|stem| !stem.ends_with('s'))) {
                (Some(stem), _, _) if stem.len() > 1 => format!("{stem}y"),
                (_, Some(stem), _) | (_, _, Some(stem)) => stem.to_owned(),
                _ => verb.to_owned(),
            }
        }
    };
    format!(" {plain}{rest}")
}

#[cfg(test)]
mod tests {
    use super::{address, in_second_person};
    use baize_engine::view::{Piece, RichText};

    #[test]
    fn only_the_reader_is_called_you() {
        let text = RichText(vec![Piece::Seat(1), Piece::Text(" takes 7♠ from ".into()), Piece::Seat(0)]);
        assert_eq!(address(&text, None), text);
        assert_eq!(address(&text, Some(0)).0[1..], [Piece::Text(" takes 7♠ from you".into())]);
        let cut = RichText(vec![Piece::Text("CUT! ".into()), Piece::Seat(1), Piece::Text(" cuts".into())]);
        assert_eq!(address(&cut, Some(1)).0, [Piece::Text("CUT! You cut".into())]);
        assert_eq!(address(&text, Some(1)).0, [Piece::Text("You take 7♠ from ".into()), Piece::Seat(0)]);
        assert_eq!(
            address(&RichText(vec![Piece::Seat(0), Piece::Text("’s hand".into())]), Some(0)).0,
            [Piece::Text("Your hand".into())]
        );
    }

    #[test]
    fn verbs_follow_the_person() {
        for (third, second) in [
            (" takes the trick", " take the trick"),
            (" passes", " pass"),
            (" goes out, and wins", " go out, and wins"),
            (" is out", " are out"),
            (" has 3 points", " have 3 points"),
            (" carries on", " carry on"),
            ("'s turn", "r turn"),
            (" ties", " tie"),
            (" always wins", " always wins"),
            (" played 3", " played 3"),
            (", well done", ", well done"),
        ] {
            assert_eq!(in_second_person(third), second);
        }
    }
}
