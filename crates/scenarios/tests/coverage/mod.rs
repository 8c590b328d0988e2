//! Compares the list of all rulebooks' rules (`games/scenarios/coverage.md`) with the scenarios that tick them.

use baize_scenarios::ScenarioFile;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Parts of the program that may test a rule instead of a scenario.
const ELSEWHERE: [&str; 8] = ["server", "web", "bots", "packs", "store", "protocol", "tests", "none"];
const HEADER: &str = "| Id | Rule | Scenarios | Elsewhere |";

/// One row of the list.
struct RulebookRule {
    /// Index of the line in the file.
    line: usize,
    id: String,
    text: String,
    scenarios: String,
    elsewhere: String,
    /// The document from which the rule is quoted.
    document: String,
}

/// Checks the list. With `update`, writes the titles of the scenarios into it first.
pub fn check(games: &Path, files: &[(&str, ScenarioFile)], update: bool) -> Result<(), String> {
    let path = games.join("scenarios/coverage.md");
    let source = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let rules = read(&source)?;
    let titles = titles(&rules, files)?;
    let none = Vec::new();
    let titles_of = |rule: &RulebookRule| titles.get(rule.id.as_str()).unwrap_or(&none).join("<br>");
    if update {
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        for rule in &rules {
            lines[rule.line] = format!("| {} | {} | {} | {} |", rule.id, rule.text, titles_of(rule), rule.elsewhere);
        }
        fs::write(&path, lines.join("\n") + "\n").map_err(|e| e.to_string())?;
    }
    let mut mistakes = String::new();
    for rule in &rules {
        let mut mistake = |why: &str| mistakes += &format!("coverage.md:{}: {} {why}\n", rule.line + 1, rule.id);
        let ticked = titles_of(rule);
        if !update && ticked != rule.scenarios {
            mistake("does not list the scenarios that tick it: run `cargo xtask regenerate scenarios`");
        }
        let places: Vec<&str> = rule.elsewhere.split("; ").filter(|place| !place.is_empty()).collect();
        if ticked.is_empty() && places.is_empty() {
            mistake("is neither ticked by a scenario nor said to belong elsewhere");
        }
        for place in places {
            match place.split_once(": ") {
                Some((word, _)) if !ELSEWHERE.contains(&word) => mistake(&format!("belongs nowhere: `{word}`")),
                Some(("tests", what)) => {
                    let file = what.split_whitespace().next().unwrap_or_default();
                    if !games.join("..").join(file).exists() {
                        mistake(&format!("is left to `{file}`, which is not there"));
                    }
                }
                // The rest of a reason after a semicolon.
                _ => {}
            }
        }
    }
    mistakes += &in_documents(games, &rules);
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

fn read(source: &str) -> Result<Vec<RulebookRule>, String> {
    let mut rules: Vec<RulebookRule> = Vec::new();
    let mut document = String::new();
    for (line, text) in source.lines().enumerate() {
        if let Some(from) = text.strip_prefix("From `").and_then(|from| from.strip_suffix("`.")) {
            document = from.to_owned();
        }
        if !text.starts_with('|') || text == HEADER || text == "|---|---|---|---|" {
            continue;
        }
        let cells: Vec<&str> = text.trim_matches('|').split('|').map(str::trim).collect();
        let [id, text, scenarios, elsewhere] = cells[..] else {
            return Err(format!("coverage.md:{}: there are not four columns", line + 1));
        };
        if let Some(same) = rules.iter().find(|rule| rule.id == id) {
            return Err(format!("coverage.md:{}: {id} is the id of line {}, too", line + 1, same.line + 1));
        }
        let owned = |text: &str| text.to_owned();
        rules.push(RulebookRule {
            line,
            id: owned(id),
            text: owned(text),
            scenarios: owned(scenarios),
            elsewhere: owned(elsewhere),
            document: document.clone(),
        });
    }
    Ok(rules)
}

/// Returns the titles of the scenarios that tick each rule.
fn titles<'a>(
    rules: &'a [RulebookRule],
    files: &[(&str, ScenarioFile)],
) -> Result<BTreeMap<&'a str, Vec<String>>, String> {
    let mut titles: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut mistakes = String::new();
    for (game, file) in files {
        for scenario in &file.scenarios {
            if scenario.ticks.is_empty() {
                mistakes += &format!("games/scenarios/{game}.scenarios:{}: ticks no rule\n", scenario.line);
            }
            for tick in &scenario.ticks {
                let place = format!("games/scenarios/{game}.scenarios:{}", tick.line);
                let Some(rule) = rules.iter().find(|rule| rule.id == tick.id) else {
                    mistakes += &format!("{place}: coverage.md has no rule {}\n", tick.id);
                    continue;
                };
                if !rule.text.contains(&tick.quote) {
                    mistakes += &format!("{place}: rule {} does not say “{}”\n", tick.id, tick.quote);
                }
                let title = format!("{game}: {}", scenario.title);
                let list = titles.entry(&rule.id).or_default();
                if !list.contains(&title) {
                    list.push(title);
                }
            }
        }
    }
    if mistakes.is_empty() { Ok(titles) } else { Err(mistakes) }
}

/// Checks that each rule stands word for word in its document, for documents that are beside the repository.
fn in_documents(games: &Path, rules: &[RulebookRule]) -> String {
    let shared = games.join("../../shared");
    let mut mistakes = String::new();
    let mut known: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for rule in rules {
        let document = known.entry(&rule.document).or_insert_with(|| {
            let text = match rule.document.strip_prefix("games/") {
                Some("*.baize") => {
                    let all = fs::read_dir(games).ok()?.flatten().map(|entry| entry.path());
                    let files = all.filter(|path| path.extension().is_some_and(|e| e == "baize"));
                    Some(files.filter_map(|path| fs::read_to_string(path).ok()).collect())
                }
                Some(game) => fs::read_to_string(games.join(game)).ok(),
                None => fs::read_to_string(shared.join(&rule.document)).ok(),
            };
            text.map(|text| flat(&text))
        });
        if document.as_ref().is_some_and(|document| !document.contains(&flat(&rule.text))) {
            mistakes += &format!("coverage.md:{}: {} does not stand in {}\n", rule.line + 1, rule.id, rule.document);
        }
    }
    mistakes
}

/// Normalises white space, and writes the bars of tables as the list does.
fn flat(text: &str) -> String {
    let bars = text.replace('|', " · ");
    bars.split_whitespace().collect::<Vec<_>>().join(" ")
}
