//! Reads `CHANGELOG.md`: a heading `## Unreleased`, then one `## VERSION (DATE)` for each version, newest first.

use std::fmt;

/// The heading of the changes that are not released yet.
pub const UNRELEASED: &str = "Unreleased";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
        let version = Self(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Section<'a> {
    pub title: &'a str,
    pub body: &'a str,
}

impl Section<'_> {
    /// The version and date of the heading. None for `Unreleased`.
    pub fn version(&self) -> Option<(Version, &str)> {
        let (version, date) = self.title.split_once(" (")?;
        Some((Version::read(version)?, date.strip_suffix(')')?))
    }
}

/// All sections, from the top.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = heading(rest) {
        let from = &rest[at + 3..];
        let (title, body) = from.split_once('\n').unwrap_or((from, ""));
        let end = heading(body).unwrap_or(body.len());
        found.push(Section { title: title.trim(), body: body[..end].trim() });
        rest = &body[end..];
    }
    found
}

/// The position of the next section's heading.
fn heading(text: &str) -> Option<usize> {
    if text.starts_with("## ") { Some(0) } else { text.find("\n## ").map(|at| at + 1) }
}

/// Turns the unreleased section into one of this version. Returns the new text of the file, and the notes for the tag.
pub fn release(text: &str, version: Version, date: &str) -> Result<(String, String), String> {
    let sections = sections(text);
    let top = sections.first().filter(|section| section.title == UNRELEASED);
    let top = top.ok_or("CHANGELOG.md does not begin with `## Unreleased`")?;
    if top.body.is_empty() {
        return Err("nothing is under `## Unreleased` in CHANGELOG.md".into());
    }
    if let Some((newest, _)) = sections.iter().find_map(Section::version)
        && newest >= version
    {
        return Err(format!("{version} is not above {newest}, the newest version in CHANGELOG.md"));
    }
    let heading = format!("## {UNRELEASED}\n");
    let released = text.replacen(&heading, &format!("{heading}\n## {version} ({date})\n"), 1);
    Ok((released, top.body.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# Changes\n\nIntroduction.\n\n## Unreleased\n\n- new\n- newer\n\n## 0.1.0 (2026-11-16)\n\n- old\n";

    #[test]
    fn sections_have_titles_bodies_and_versions() {
        let found = sections(TEXT);
        assert_eq!(found[0], Section { title: "Unreleased", body: "- new\n- newer" });
        assert_eq!(found[1].version(), Some((Version(0, 1, 0), "2026-11-16")));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn release_names_what_was_unreleased_and_leaves_an_empty_section() {
        let (text, notes) = release(TEXT, Version(0, 2, 0), "2026-11-17").unwrap();
        assert_eq!(notes, "- new\n- newer");
        let found = sections(&text);
        assert_eq!(found[0], Section { title: "Unreleased", body: "" });
        assert_eq!(found[1], Section { title: "0.2.0 (2026-11-17)", body: "- new\n- newer" });
        assert_eq!(found[2].title, "0.1.0 (2026-11-16)");
        assert!(release(&text, Version(0, 3, 0), "2026-11-18").unwrap_err().contains("nothing"));
    }

    #[test]
    fn release_refuses_a_version_that_is_not_above() {
        for version in [Version(0, 1, 0), Version(0, 0, 9)] {
            assert!(release(TEXT, version, "2026-11-17").unwrap_err().contains("not above"));
        }
        assert!(release("# Changes\n", Version(1, 0, 0), "2026-11-17").is_err());
    }

    #[test]
    fn versions_have_three_numbers() {
        assert_eq!(Version::read("1.20.3"), Some(Version(1, 20, 3)));
        for wrong in ["1.2", "1.2.3.4", "v1.2.3", "1.2.x", ""] {
            assert_eq!(Version::read(wrong), None, "{wrong}");
        }
        assert!(Version(0, 10, 0) > Version(0, 9, 9));
    }

    #[test]
    fn our_changelog_is_in_order() {
        let text = std::fs::read_to_string(crate::process::root().join("CHANGELOG.md")).unwrap();
        let found = sections(&text);
        assert_eq!(found[0].title, UNRELEASED);
        let versions: Vec<Version> =
            found[1..].iter().map(|section| section.version().expect(section.title).0).collect();
        assert!(versions.windows(2).all(|pair| pair[0] > pair[1]), "{versions:?}");
        assert_eq!(versions[0].to_string(), env!("CARGO_PKG_VERSION"), "the newest version is that of Cargo.toml");
    }
}
