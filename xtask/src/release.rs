//! `cargo xtask release VERSION`: sets versions and changes, builds archives, commits and tags. It pushes nothing.

use crate::changelog::{self, Version};
use crate::command::{Command, Purpose};
use crate::dist;
use crate::process::{cargo, output, root, run as run_program};
use std::fs;
use std::process::Command as Program;
use std::time::{SystemTime, UNIX_EPOCH};

pub const COMMAND: Command = Command {
    name: "release",
    purpose: Purpose::Publish,
    arguments: "VERSION [--dry-run]",
    summary: "set versions and changes, build the archives, commit and tag",
    details: &[
        "1. The tree must be clean, the tag new, and `## Unreleased` in CHANGELOG.md must not be empty.",
        "2. That section becomes VERSION with today's date, and every file that names the version is changed.",
        "3. `cargo xtask dist` builds the archives; the changes are put beside them.",
        "4. All of it is committed and tagged as vVERSION. Nothing is pushed.",
        "",
        "--dry-run  say what would be changed, and change nothing",
        "",
        "It does not run the tests: `cargo xtask test` comes first.",
    ],
    run,
};

/// Files that contain the version: the text before it, and how often it occurs.
const VERSIONED_FILES: [(&str, &str, usize); 5] = [
    ("Cargo.toml", "version = \"", 1),
    ("web/package.json", "\"version\": \"", 1),
    ("web/package-lock.json", "\"version\": \"", 2),
    ("editors/vscode/package.json", "\"version\": \"", 1),
    ("CITATION.cff", "\nversion: ", 1),
];

fn run(args: &[&str]) -> Result<(), String> {
    let dry = args.contains(&"--dry-run");
    let words: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--dry-run").collect();
    let [version] = words[..] else { return Err("name the version: cargo xtask release 1.2.3".into()) };
    let version = Version::read(version).ok_or("a version is three numbers: 1.2.3")?;
    let tag = format!("v{version}");
    if !output(&mut git(&["tag", "--list", &tag]))?.is_empty() {
        return Err(format!("the tag {tag} is there already"));
    }
    let changed = output(&mut git(&["status", "--porcelain"]))?;
    match (changed.is_empty(), dry) {
        (true, _) => {}
        (false, true) => eprintln!("the tree is not clean, which a release would refuse:\n{changed}"),
        (false, false) => return Err(format!("the tree is not clean:\n{changed}")),
    }
    let Changes { files, notes } = changes(version, &date(SystemTime::now()))?;
    for (file, _) in &files {
        eprintln!("changes {file}");
    }
    if dry {
        eprintln!("would build the archives, commit and tag {tag}, with these changes:\n\n{notes}");
        return Ok(());
    }
    for (file, text) in &files {
        fs::write(root().join(file), text).map_err(|error| format!("{file}: {error}"))?;
    }
    // Writes the version into the lock file and leaves the versions of other crates unchanged.
    cargo(&["update", "--workspace", "--offline"])?;
    let folder =
        dist::build().map_err(|error| format!("{error}\nnothing is committed; `git restore .` takes it back"))?;
    fs::write(folder.join("CHANGES.md"), &notes).map_err(|error| format!("CHANGES.md: {error}"))?;
    run_program(&mut git(&["commit", "--all", "--message", &format!("release: {version}")]))?;
    run_program(&mut git(&[
        "tag",
        "--annotate",
        &tag,
        "--cleanup=verbatim",
        "--message",
        &format!("{tag}\n\n{notes}"),
    ]))?;
    eprintln!("ready in {}; publish it with `git push --follow-tags`", folder.display());
    Ok(())
}

fn git(args: &[&str]) -> Program {
    let mut git = Program::new("git");
    git.args(args).current_dir(root());
    git
}

/// The changes that a release makes.
struct Changes {
    /// Files with their new text.
    files: Vec<(&'static str, String)>,
    /// The message of the tag.
    notes: String,
}

fn changes(version: Version, date: &str) -> Result<Changes, String> {
    let read = |file: &str| fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"));
    let old = dist::version()?;
    let mut files = Vec::new();
    for (file, before, times) in VERSIONED_FILES {
        let mut text =
            replace_version(&read(file)?, before, times, old, version).map_err(|why| format!("{file}: {why}"))?;
        if file == "CITATION.cff" {
            text = set_release_date(&text, date);
        }
        files.push((file, text));
    }
    let (text, notes) = changelog::release(&read("CHANGELOG.md")?, version, date)?;
    files.push(("CHANGELOG.md", text));
    Ok(Changes { files, notes })
}

/// Replaces the version after the first `times` occurrences of `before`.
fn replace_version(text: &str, before: &str, times: usize, old: Version, new: Version) -> Result<String, String> {
    let (from, to) = (format!("{before}{old}"), format!("{before}{new}"));
    let found = text.matches(&from).count();
    if found < times { Err(format!("does not name version {old}")) } else { Ok(text.replacen(&from, &to, times)) }
}

/// Sets the release date of the citation.
fn set_release_date(text: &str, date: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("date-released:"));
    lines.map(|line| format!("{line}\n")).collect::<String>() + &format!("date-released: {date}\n")
}

/// The date in UTC, such as `2026-11-17`.
fn date(now: SystemTime) -> String {
    let mut days = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_file_names_the_version() {
        let Changes { files, notes } = changes(Version(9, 9, 9), "2030-01-02").unwrap();
        for (file, text) in &files {
            assert!(text.contains("9.9.9"), "{file}");
        }
        assert_eq!(files.len(), VERSIONED_FILES.len() + 1);
        assert!(!notes.is_empty());
    }

    #[test]
    fn lock_file_of_the_client_keeps_the_versions_of_others() {
        let text = r#"{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}, "other": {"version": "0.1.0"}}}"#;
        let new = replace_version(text, "\"version\": \"", 2, Version(0, 1, 0), Version(0, 2, 0)).unwrap();
        assert_eq!(new.matches("0.2.0").count(), 2);
        assert!(new.ends_with(r#""other": {"version": "0.1.0"}}}"#));
        assert!(replace_version("nothing", "version: ", 1, Version(0, 1, 0), Version(0, 2, 0)).is_err());
    }

    #[test]
    fn citation_has_one_date() {
        let once = set_release_date("title: Baize\nversion: 0.2.0\n", "2030-01-02");
        assert_eq!(set_release_date(&once, "2031-01-02"), "title: Baize\nversion: 0.2.0\ndate-released: 2031-01-02\n");
    }

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, text) in [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_794_873_600, "2026-11-17")] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
