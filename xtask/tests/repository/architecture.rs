//! Compares `docs/ARCHITECTURE.md` with the workspace: the picture of all crates is made from Cargo's metadata.

use crate::sources::all_sources;
use crate::workspace::{Crate, REGENERATE, Resolved, crates, read, root};
use std::collections::{BTreeMap, BTreeSet};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
const BEGIN: &str = "<!-- crates: written by `cargo xtask regenerate repository` -->\n";
const END: &str = "<!-- end of crates -->\n";
/// Width of the picture, in characters.
const WIDTH: usize = 142;

struct Layer {
    title: &'static str,
    /// The folder of each crate, and what the crate is in a few words.
    crates: &'static [(&'static str, &'static str)],
}

impl Layer {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.crates.iter().map(|(name, _)| *name)
    }
}

/// The layers from top to bottom. A crate uses crates of its own layer or of the layers below.
const LAYERS: [Layer; 4] = [
    Layer {
        title: "for developers and tests; not in the program",
        crates: &[
            ("xtask", "the commands of developers"),
            ("fuzz", "random bytes for every reader"),
            ("laws", "random rules files, held to all laws"),
            ("test-servers", "starts a Postgres and a Redis"),
        ],
    },
    Layer { title: "the program", crates: &[("cli", "the commands of `baize`")] },
    Layer {
        title: "shells: sockets, disks, clocks, threads",
        crates: &[("server", "HTTP, WebSocket, tasks, nodes"), ("store", "logs in SQLite and Postgres")],
    },
    PURE,
];

const PURE: Layer = Layer {
    title: "pure: no IO, no clock, no thread",
    crates: &[
        ("bot-table", "a table with bots at it"),
        ("room", "one table as a state machine"),
        ("scenarios", "tests of games, as data"),
        ("terminal", "views as text, answers as a list"),
        ("narrator", "what happened, in words"),
        ("bots", "players that search"),
        ("protocol", "messages of client and server"),
        ("engine", "plays programs, makes views"),
        ("rules", "the language: file to program"),
        ("packs", "text cards as data"),
        ("rows", "what is stored, as plain data"),
    ],
};

/// Packages that do IO, ask the operating system for something or start threads.
const IO: [&str; 17] = [
    "axum",
    "getrandom",
    "hyper",
    "hyper-util",
    "libsqlite3-sys",
    "mio",
    "postgres-protocol",
    "rand",
    "rayon",
    "redis",
    "rusqlite",
    "rustix",
    "socket2",
    "tempfile",
    "tokio",
    "tokio-postgres",
    "ureq",
];

#[test]
fn the_picture_shows_every_crate_and_every_arrow() {
    let wanted = picture(&crates());
    let text = read(DOCUMENT);
    let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{DOCUMENT} has no line {BEGIN}"));
    let (found, after) = rest.split_once(END).unwrap_or_else(|| panic!("{DOCUMENT} has no line {END}"));
    if std::env::var_os(REGENERATE).is_some() {
        return std::fs::write(root().join(DOCUMENT), format!("{before}{BEGIN}{wanted}{END}{after}")).unwrap();
    }
    assert!(
        found == wanted,
        "the picture in {DOCUMENT} is not true (`cargo xtask regenerate repository` writes it):\n{}",
        differences(found, &wanted)
    );
}

#[test]
fn every_crate_is_in_one_layer() {
    let listed: Vec<&str> = LAYERS.iter().flat_map(Layer::names).collect();
    let all = crates();
    for name in all.keys() {
        let count = listed.iter().filter(|listed| *listed == name).count();
        assert_eq!(count, 1, "write crate {name} into exactly one of LAYERS in xtask/tests/repository/architecture.rs");
    }
    for name in listed {
        assert!(all.contains_key(name), "there is no crate {name}: take it out of LAYERS");
    }
}

#[test]
fn no_crate_uses_a_layer_above_its_own() {
    for (name, krate) in crates() {
        for used in &krate.dependencies {
            assert!(
                layer(&name) <= layer(used),
                "{name} ({}) must not depend on {used} ({})",
                LAYERS[layer(&name)].title,
                LAYERS[layer(used)].title
            );
        }
    }
}

#[test]
fn pure_crates_are_built_of_nothing_that_does_io() {
    let resolved = Resolved::read();
    for name in PURE.names() {
        let below = resolved.below(name);
        let found: Vec<&&str> = IO.iter().filter(|io| below.contains(**io)).collect();
        assert!(found.is_empty(), "{name} is a pure crate and is built of {found:?}");
    }
    // The list finds packages below crates that do IO, so it is able to find something.
    assert!(resolved.below("server").contains("tokio") && resolved.below("store").contains("rusqlite"));
}

#[test]
fn every_crate_has_its_place_in_the_code_map() {
    let text = read(DOCUMENT);
    for (name, krate) in crates() {
        let folder = krate.folder.strip_prefix(root()).unwrap().display().to_string();
        let heading = text.lines().any(|line| line.starts_with("### ") && line.contains(&format!("`{folder}`")));
        assert!(heading, "{DOCUMENT} has no heading `### `{folder}`: …` that says what {name} is");
    }
}

#[test]
fn tables_of_modules_are_complete() {
    let text = read(DOCUMENT);
    let mut faults = Vec::new();
    for section in text.split("\n### `crates/").skip(1) {
        let section = section.split("\n## ").next().unwrap();
        let name = section.split('`').next().unwrap();
        let Some((_, table)) = section.split_once("| Module | Idea |\n|---|---|\n") else { continue };
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let listed: BTreeSet<&str> =
            rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
        let modules: BTreeSet<&str> =
            all_sources()[name].iter().filter_map(|source| Some(source.module.first()?.as_str())).collect();
        faults.extend(listed.difference(&modules).map(|module| format!("{name} has no module {module}")));
        faults.extend(
            modules.difference(&listed).map(|module| format!("{name}: the table does not say what {module} is")),
        );
    }
    assert!(faults.is_empty(), "{DOCUMENT}:\n{}", faults.join("\n"));
}

fn layer(name: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.names().any(|other| other == name))
        .unwrap_or_else(|| panic!("{name} is in no layer"))
}

/// Draws a box for each layer, from top to bottom. Each line is a crate with arrows to crates further down; arrows of tests are in a
/// box of their own.
fn picture(crates: &BTreeMap<String, Crate>) -> String {
    let order: Vec<&str> = LAYERS.iter().flat_map(|layer| sorted(layer, crates)).map(|(name, _)| name).collect();
    let names = |set: &BTreeSet<String>| {
        let found: Vec<&str> = order.iter().filter(|name| set.contains(**name)).copied().collect();
        found.join(" ")
    };
    let line = |text: String| format!("│  {text:<width$}│\n", width = WIDTH - 4);
    let head = |title: &str| format!("┌─ {title} {}┐\n", "─".repeat(WIDTH - 5 - title.chars().count()));
    let foot = format!("└{}┘\n", "─".repeat(WIDTH - 2));
    let mut text = "```text\n".to_owned();
    for layer in &LAYERS {
        text += &head(layer.title);
        for (name, what) in sorted(layer, crates) {
            let arrows = Some(names(&crates[name].dependencies)).filter(|names| !names.is_empty());
            let arrows = arrows.map(|names| format!("──► {names}")).unwrap_or_default();
            text += &line(format!("{name:<13}{what:<36} {arrows}"));
        }
        text += &foot;
    }
    text += &head("what only tests use");
    for name in &order {
        let krate = &crates[*name];
        let mut used = krate.test_dependencies.clone();
        // A crate that names itself asks for a feature of its own.
        used.retain(|used| used != name && !krate.dependencies.contains(used));
        if !used.is_empty() {
            text += &line(format!("{name:<50}╌╌► {}", names(&used)));
        }
    }
    text += &foot;
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "raise WIDTH: this line sticks out of its box:\n{line}");
    }
    text + "```\n"
}

/// Sorts the crates of a layer so that each comes before those that it uses; otherwise they keep the order of the list.
fn sorted(layer: &Layer, crates: &BTreeMap<String, Crate>) -> Vec<(&'static str, &'static str)> {
    let mut left: Vec<_> = layer.crates.iter().copied().filter(|(name, _)| crates.contains_key(*name)).collect();
    let mut found = Vec::new();
    while !left.is_empty() {
        let free = |(name, _): &(&str, _)| !left.iter().any(|(other, _)| crates[*other].dependencies.contains(*name));
        let at = left.iter().position(free).expect("Cargo knows no cycles between crates");
        found.push(left.remove(at));
    }
    found
}

/// Lines that are in only one of two texts.
fn differences(found: &str, wanted: &str) -> String {
    let wrong = found
        .lines()
        .filter(|line| !wanted.lines().any(|other| other == *line))
        .map(|line| format!("  wrong    {line}"));
    let missing = wanted
        .lines()
        .filter(|line| !found.lines().any(|other| other == *line))
        .map(|line| format!("  write    {line}"));
    wrong.chain(missing).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_wrong_arrow_is_shown_with_the_right_line() {
    let text = differences("a ──► b c\nd\n", "a ──► b\nd\n");
    assert_eq!(text, "  wrong    a ──► b c\n  write    a ──► b");
}
