//! Commands, and the help about them.

use std::fmt::Write;

/// A command of `cargo xtask`.
pub struct Command {
    pub name: &'static str,
    pub purpose: Purpose,
    /// The arguments, as the help shows them.
    pub arguments: &'static str,
    /// One line for the list of commands.
    pub summary: &'static str,
    /// Further lines for `cargo xtask help NAME`.
    pub details: &'static [&'static str],
    pub run: fn(&[&str]) -> Result<(), String>,
}

/// The purpose of a command. The help lists the commands under these headings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Play,
    Develop,
    Verify,
    Publish,
}

impl Purpose {
    pub const ALL: [Purpose; 4] = [Purpose::Play, Purpose::Develop, Purpose::Verify, Purpose::Publish];

    fn title(self) -> &'static str {
        match self {
            Purpose::Play => "To play",
            Purpose::Develop => "While you change something",
            Purpose::Verify => "To find out whether everything holds, and how fast it is",
            Purpose::Publish => "To publish",
        }
    }
}

impl Command {
    /// The text of `cargo xtask help NAME`.
    pub fn help(&self) -> String {
        let mut out = format!("cargo xtask {} {}", self.name, self.arguments).trim_end().to_owned();
        out += &format!("\n\n{}\n", self.summary);
        for (at, line) in self.details.iter().enumerate() {
            let gap = if at == 0 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}{line}");
        }
        out
    }
}

/// Finds a command by its name. The error about an unknown name lists the known ones.
pub fn find<'a>(commands: &'a [Command], name: &str) -> Result<&'a Command, String> {
    commands.iter().find(|command| command.name == name).ok_or_else(|| {
        let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
        format!("there is no command `{name}`; there are {}", names.join(", "))
    })
}

/// The text of `cargo xtask`: all commands under their purposes.
pub fn overview(commands: &[Command]) -> String {
    let width = commands.iter().map(|command| command.name.len()).max().unwrap_or_default();
    let mut out = String::new();
    for purpose in Purpose::ALL {
        let _ = writeln!(out, "{}", purpose.title());
        for command in commands.iter().filter(|command| command.purpose == purpose) {
            let _ = writeln!(out, "  cargo xtask {:width$}  {}", command.name, command.summary);
        }
        out.push('\n');
    }
    out += "More about one of them: cargo xtask help NAME\n";
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::COMMANDS;
    use std::collections::BTreeSet;

    #[test]
    fn overview_lists_every_command_once() {
        let text = overview(COMMANDS);
        for command in COMMANDS {
            let listed = text.lines().filter(|line| line.split_whitespace().nth(2) == Some(command.name)).count();
            assert_eq!(listed, 1, "{}:\n{text}", command.name);
        }
    }

    #[test]
    fn every_file_with_a_command_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let mut declared = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
            if std::fs::read_to_string(file).unwrap_or_default().contains("\npub const COMMAND: Command") {
                declared.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
            }
        }
        let listed: BTreeSet<String> = COMMANDS.iter().map(|command| command.name.to_owned()).collect();
        assert_eq!(declared, listed);
    }

    #[test]
    fn names_are_unique_and_lines_fit_a_terminal() {
        let names: BTreeSet<&str> = COMMANDS.iter().map(|command| command.name).collect();
        assert_eq!(names.len(), COMMANDS.len());
        let helps = COMMANDS.iter().map(Command::help).chain([overview(COMMANDS)]);
        for line in helps.flat_map(|help| help.lines().map(str::to_owned).collect::<Vec<_>>()) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn unknown_command_is_answered_with_the_known_ones() {
        let error = find(COMMANDS, "tset").err().unwrap();
        assert!(error.contains("tset") && error.contains("regenerate"), "{error}");
    }
}
