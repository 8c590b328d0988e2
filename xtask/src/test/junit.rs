//! Reads the times of the browser client's tests from Vitest's JUnit report.

use super::report::Timed;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Times {
    pub path: PathBuf,
    /// The flag with which Vitest writes the report.
    pub flag: String,
}

/// The path of a part's report. Deletes the report of an earlier run.
pub fn file(part: &str) -> Result<Times, String> {
    let path = super::folder()?.join(format!("{part}.xml"));
    let _ = std::fs::remove_file(&path);
    Ok(Times { flag: format!("--outputFile.junit={}", path.display()), path })
}

/// The tests in a report. Empty if there is no report, because a check before the tests failed.
pub fn read(path: &Path) -> Vec<Timed> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split("<testcase ").skip(1).filter_map(test).collect()
}

fn test(element: &str) -> Option<Timed> {
    let attribute = |name: &str| element.split_once(&format!("{name}=\""))?.1.split('"').next();
    let seconds: f64 = attribute(" time")?.parse().ok()?;
    let plain = |text: &str| {
        text.replace("&gt;", ">")
            .replace("&lt;", "<")
            .replace("&quot;", "\"")
            .replace("&apos;", "'")
            .replace("&amp;", "&")
    };
    let name = format!("{} {}", attribute("classname")?, plain(attribute(" name")?));
    Some(Timed { name, time: Duration::from_secs_f64(seconds) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_cases_are_read() {
        let element = "classname=\"door.test.ts\" name=\"a host &gt; &quot;locks&quot;\" time=\"1.5\">\n</testcase>";
        let found = test(element).unwrap();
        assert_eq!((found.name.as_str(), found.time.as_millis()), ("door.test.ts a host > \"locks\"", 1500));
    }
}
