//! The report at the end of `cargo xtask test`: a line with the time of each part, and the slowest tests.

use crate::process::duration;
use std::fmt::Write;
use std::time::Duration;

/// A test and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    pub name: String,
    pub time: Duration,
}

#[derive(Default)]
pub struct TestReport {
    parts: Vec<(&'static str, bool, Duration)>,
    tests: Vec<Timed>,
}

impl TestReport {
    pub fn part(&mut self, name: &'static str, passed: bool, time: Duration) {
        self.parts.push((name, passed, time));
    }

    /// Adds the tests of one executable or suite. The report shows `of` before their names.
    pub fn tests(&mut self, of: &str, tests: Vec<Timed>) {
        self.tests.extend(tests.into_iter().map(|test| Timed { name: format!("{of}: {}", test.name), ..test }));
    }

    /// The whole report, with the `named` slowest tests.
    pub fn text(&self, named: usize) -> String {
        let mut out = String::from("Parts\n");
        for (name, passed, time) in &self.parts {
            let failed = if *passed { "" } else { "  FAILED" };
            let _ = writeln!(out, "{:>12}  {name}{failed}", duration(*time));
        }
        let all: Duration = self.parts.iter().map(|(.., time)| *time).sum();
        let _ = writeln!(out, "{:>12}  in all", duration(all));
        let slowest = self.slowest(named);
        if !slowest.is_empty() {
            let _ = writeln!(out, "\nSlowest of {} tests", self.tests.len());
        }
        for test in slowest {
            let _ = writeln!(out, "{:>12}  {}", duration(test.time), test.name);
        }
        out
    }

    fn slowest(&self, named: usize) -> Vec<&Timed> {
        let mut tests: Vec<&Timed> = self.tests.iter().collect();
        tests.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.name.cmp(&b.name)));
        tests.truncate(named);
        tests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_has_a_line_for_each_part_and_the_slowest_tests_first() {
        let mut report = TestReport::default();
        let test = |name: &str, seconds| Timed { name: name.to_owned(), time: Duration::from_secs(seconds) };
        report.tests("rules meaning", vec![test("a", 1), test("b", 65)]);
        report.tests("browser", vec![test("c", 30)]);
        report.part("rust", true, Duration::from_secs(70));
        report.part("browser", false, Duration::from_secs(31));
        let text = report.text(2);
        let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        assert_eq!(
            lines,
            [
                "Parts",
                "1 min 10 s  rust",
                "31 s  browser  FAILED",
                "1 min 41 s  in all",
                "",
                "Slowest of 3 tests",
                "1 min 05 s  rules meaning: b",
                "30 s  browser: c",
            ]
        );
    }

    #[test]
    fn report_without_times_of_tests_names_none() {
        let mut report = TestReport::default();
        report.part("format", true, Duration::from_secs(1));
        assert!(!report.text(5).contains("Slowest"));
    }
}
