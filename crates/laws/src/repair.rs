//! Removes the lines that the checker refuses from a file. The rest of the file is close to what the checker refuses.

use baize_rules::diagnostic::Diagnostic;
use baize_rules::program::Program;
use std::sync::Arc;

/// The repair removes lines at most this many times.
const ROUNDS: usize = 40;

pub fn repaired(source: &str) -> Option<(String, Arc<Program>)> {
    let mut source = source.to_owned();
    for _ in 0..ROUNDS {
        let (program, diagnostics) = baize_rules::compile(&source);
        if let Some(program) = program {
            return Some((source, Arc::new(program)));
        }
        let lines: Vec<&str> = source.lines().collect();
        let mut gone = vec![false; lines.len()];
        for diagnostic in diagnostics.iter().filter(|diagnostic| Diagnostic::is_error(diagnostic)) {
            let at = source.get(..diagnostic.span.start as usize).map_or(0, |before| before.matches('\n').count());
            without(&lines, at, &mut gone);
        }
        if !gone.contains(&true) {
            return None;
        }
        let kept: Vec<&str> = lines.iter().zip(&gone).filter(|(_, gone)| !**gone).map(|(line, _)| *line).collect();
        source = kept.join("\n") + "\n";
    }
    None
}

pub fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Marks a line, and everything that is indented below it, as removed.
pub fn without(lines: &[&str], at: usize, gone: &mut [bool]) {
    let Some(first) = lines.get(at) else { return };
    gone[at] = true;
    for below in at + 1..lines.len() {
        if indent(lines[below]) <= indent(first) {
            break;
        }
        gone[below] = true;
    }
}
