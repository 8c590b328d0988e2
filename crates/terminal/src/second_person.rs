//! Rewrites texts for their reader: “You take the trick” instead of “Player 2 takes the trick”.

/// Rewrites the text after a name so that it fits after “You”: ` takes` becomes ` take`, `'s` becomes `r`.
pub(crate) fn in_second_person(text: &str) -> String {
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
    use super::in_second_person;

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
