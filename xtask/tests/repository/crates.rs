//! Every crate has a short README that is also its documentation, so that its example is a test.

use crate::workspace::crates;

/// Upper bound on lines of prose in a README.
const PROSE: usize = 10;
/// Upper bound on lines of its example.
const EXAMPLE: usize = 22;

/// Crates without a README. The list must stay empty.
const MISSING: &[&str] = &[];

#[test]
fn every_crate_has_a_readme_with_an_example() {
    let mut faults = Vec::new();
    let all = crates();
    faults.extend(
        MISSING.iter().filter(|name| !all.contains_key(**name)).map(|name| format!("there is no crate {name}")),
    );
    for (name, krate) in all.into_iter().filter(|(name, _)| name != "xtask") {
        let found = check(&name, &krate.folder);
        match (found, MISSING.contains(&name.as_str())) {
            (Err(fault), false) => faults.push(fault),
            (Ok(()), true) => faults.push(format!("{name} has its README now: take it out of MISSING")),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(name: &str, folder: &std::path::Path) -> Result<(), String> {
    let text = std::fs::read_to_string(folder.join("README.md"));
    let text = text
        .map_err(|_| format!("{name}: write crates/{name}/README.md: what it is, and its main call as an example"))?;
    let library = folder.join("src/lib.rs").exists();
    let root = folder.join(if library { "src/lib.rs" } else { "src/main.rs" });
    let included = std::fs::read_to_string(root).unwrap().contains(r#"#![doc = include_str!("../README.md")]"#);
    if !included {
        return Err(format!(r#"{name}: begin the crate's root with #![doc = include_str!("../README.md")]"#));
    }
    let (mut prose, mut example, mut inside, mut tested) = (0, 0, false, false);
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            // Rustdoc runs blocks without a language and blocks of `rust`, and not those that say `no_run` or `ignore`.
            tested |= !inside && matches!(language, "" | "rust");
            inside = !inside;
        } else if inside {
            example += 1;
        } else {
            prose += 1;
        }
    }
    if prose > PROSE || example > EXAMPLE {
        return Err(format!(
            "{name}: {prose} lines of prose (at most {PROSE}), {example} of examples (at most {EXAMPLE})"
        ));
    }
    if library && !tested || example == 0 {
        return Err(format!("{name}: the README shows no example of the crate's main call that rustdoc runs"));
    }
    Ok(())
}
