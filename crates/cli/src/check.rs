//! `baize check`: diagnostics, and the list of what a game reveals.

use baize_rules::diagnostic::{Diagnostic, Severity, line_column, render, render_colored};
use baize_rules::parse::decode;
use baize_rules::program::{Program, RevealKind};
use serde::Serialize;
use std::io::IsTerminal;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Rules files.
    #[arg(required = true)]
    files: Vec<String>,
    /// List every place where something hidden becomes known.
    #[arg(long)]
    reveals: bool,
    /// Print JSON for other programs.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    ok: bool,
    diagnostics: Vec<DiagnosticReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reveals: Option<Vec<RevealReport>>,
}

#[derive(Serialize)]
struct DiagnosticReport {
    severity: &'static str,
    code: &'static str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    title: String,
    label: String,
    hint: Option<String>,
}

#[derive(Serialize)]
struct RevealReport {
    kind: RevealKind,
    line: usize,
    column: usize,
    what: String,
    source: String,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let mut reports = Vec::new();
    let mut failed = false;
    for file in &args.files {
        let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
        let (source, program, diagnostics) = match decode(&bytes) {
            Ok(source) => {
                let (program, diagnostics) = baize_rules::compile(source);
                (source, program, diagnostics)
            }
            Err(problem) => ("", None, vec![problem]),
        };
        failed |= program.is_none();
        if args.json {
            reports.push(report(file, source, program.as_ref(), &diagnostics, args.reveals));
        } else {
            print(file, source, program.as_ref(), &diagnostics, args.reveals);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&reports).map_err(|e| e.to_string())?);
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints diagnostics to standard error, and success and reveals to standard output.
pub fn print(file: &str, source: &str, program: Option<&Program>, diagnostics: &[Diagnostic], reveals: bool) {
    if !diagnostics.is_empty() {
        let draw = if std::io::stderr().is_terminal() { render_colored } else { render };
        eprint!("{}", draw(file, source, diagnostics));
    }
    let Some(program) = program else { return };
    match diagnostics.len() {
        0 => println!("{file}: {} is fine", program.meta.title),
        1 => println!("{file}: {} can be played, but see the warning", program.meta.title),
        n => println!("{file}: {} can be played, but see the {n} warnings", program.meta.title),
    }
    if reveals {
        print_reveals(&list_reveals(source, program));
    }
}

/// Prints the list by kind, for people who read it like a rulebook.
fn print_reveals(list: &[RevealReport]) {
    if list.is_empty() {
        println!("\nNothing that is hidden ever becomes known.");
    }
    for kind in RevealKind::ALL {
        let mut of_kind = list.iter().filter(|r| r.kind == kind).peekable();
        if of_kind.peek().is_some() {
            println!("\n{}", kind.title());
        }
        for r in of_kind {
            println!("  {:>4}:{:<3} {}\n            {}", r.line, r.column, r.what, r.source);
        }
    }
}

/// The places where something hidden becomes known, by kind and in the order of the file.
fn list_reveals(source: &str, program: &Program) -> Vec<RevealReport> {
    let mut list: Vec<RevealReport> = program
        .reveals
        .iter()
        .map(|reveal| {
            let (line, column) = line_column(source, reveal.span.start as usize);
            let text = source.lines().nth(line - 1).unwrap_or("").trim();
            RevealReport { kind: reveal.kind, line, column, what: reveal.what.clone(), source: text.to_string() }
        })
        .collect();
    list.sort_by(|a, b| (a.kind, a.line, a.column, &a.what).cmp(&(b.kind, b.line, b.column, &b.what)));
    list.dedup_by(|a, b| (a.kind, a.line, a.column, &a.what) == (b.kind, b.line, b.column, &b.what));
    list
}

fn report(
    file: &str,
    source: &str,
    program: Option<&Program>,
    diagnostics: &[Diagnostic],
    reveals: bool,
) -> FileReport {
    let diagnostics = diagnostics
        .iter()
        .map(|d| {
            let (line, column) = line_column(source, d.span.start as usize);
            let (end_line, end_column) = line_column(source, d.span.end as usize);
            DiagnosticReport {
                severity: if d.severity == Severity::Error { "error" } else { "warning" },
                code: d.code,
                line,
                column,
                end_line,
                end_column,
                title: d.title.clone(),
                label: d.label.clone(),
                hint: d.hint.clone(),
            }
        })
        .collect();
    FileReport {
        file: file.to_string(),
        ok: program.is_some(),
        diagnostics,
        reveals: program.filter(|_| reveals).map(|p| list_reveals(source, p)),
    }
}
