//! Draws the charts of the playtest report as SVG and HTML.

use super::bots::Share;
use super::playtest::Histogram;
use std::fmt::Write;

/// Upper bound on the bars of a histogram.
const MAX_BARS: u32 = 24;

/// A bar of a histogram: its label and its count.
pub type Bin = (String, u64);

/// Bars of equal width for all values.
pub fn even(histogram: &Histogram) -> Vec<Bin> {
    let (Some((low, _)), Some((high, _))) = (histogram.first_key_value(), histogram.last_key_value()) else {
        return Vec::new();
    };
    let width = (high - low + 1).div_ceil(MAX_BARS);
    let bin = |at: u32| {
        let from = low + at * width;
        let n = histogram.range(from..from + width).map(|(_, n)| n).sum();
        (range(from, from + width - 1), n)
    };
    (0..(high - low + 1).div_ceil(width)).map(bin).collect()
}

/// Bars of doubling width: 1, 2, 3–4, 5–8 …
pub fn doubled(histogram: &Histogram) -> Vec<Bin> {
    let mut bins = Vec::new();
    let mut from = 1;
    for doublings in 0..=u32::BITS {
        if histogram.range(from..).next().is_none() {
            break;
        }
        let to = 1u32.checked_shl(doublings).unwrap_or(u32::MAX);
        bins.push((range(from, to), histogram.range(from..=to).map(|(_, n)| n).sum()));
        from = to.saturating_add(1);
    }
    bins
}

fn range(from: u32, to: u32) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// A row of a chart with horizontal bars.
pub struct Row {
    pub label: String,
    pub share: Share,
    pub note: String,
}

/// Draws vertical bars.
pub fn columns(bins: &[Bin], unit: &str) -> String {
    let all: u64 = bins.iter().map(|(_, n)| n).sum();
    let most = bins.iter().map(|(_, n)| *n).max().unwrap_or(1).max(1);
    let step = (680.0 / bins.len().max(1) as f64).min(90.0);
    // Leaves out some labels, so that they do not overlap.
    let widest = bins.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(1);
    let every = (widest as f64 * 8.0 / step).ceil() as usize;
    let mut svg = format!("<svg viewBox=\"0 0 700 220\" role=\"img\" aria-label=\"Histogram of {unit}\">");
    for (at, (label, n)) in bins.iter().enumerate() {
        let (height, x) = (160.0 * *n as f64 / most as f64, 10.0 + at as f64 * step);
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"2\"><title>{label} {}: {n} ({})</title></rect>",
            x + 1.0,
            180.0 - height,
            step - 2.0,
            if label == "1" { singular(unit) } else { unit },
            percent(*n as f64 / all.max(1) as f64)
        );
        if at % every == 0 {
            let _ = write!(svg, "<text x=\"{:.1}\" y=\"200\">{label}</text>", x + step / 2.0);
        }
    }
    let _ = write!(svg, "<text class=\"unit\" x=\"690\" y=\"217\">{unit}</text></svg>");
    svg
}

/// Draws horizontal bars with confidence intervals, one for each row.
pub fn bars(rows: &[Row], expected: Option<f64>) -> String {
    let mut body = String::from("<table class=\"bars\">");
    for row in rows {
        let _ = write!(
            body,
            "<tr><td>{}<td class=n>{}<td class=wide>{}<td><small>{}</small></tr>",
            escape(&row.label),
            percent(row.share.value),
            bar(&row.share, expected),
            escape(&row.note)
        );
    }
    body + "</table>"
}

/// Draws one horizontal bar, with the confidence interval as a line and a mark at the expected share.
pub fn bar(share: &Share, expected: Option<f64>) -> String {
    let x = |value: f64| 300.0 * value.clamp(0.0, 1.0);
    let mark = expected.map_or(String::new(), |value| format!("<path class=\"mark\" d=\"M{0:.1} 0V18\"/>", x(value)));
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 300 18\" aria-hidden=\"true\"><rect width=\"{:.1}\" y=\"3\" height=\"12\" rx=\"2\"/><path class=\"likely\" d=\"M{:.1} 9H{:.1}\"/>{mark}</svg>",
        x(share.value),
        x(share.low),
        x(share.high)
    )
}

/// Formats a count: `1 game`, `12 games`.
pub fn count(n: u64, unit: &str) -> String {
    format!("{n} {}", if n == 1 { singular(unit) } else { unit })
}

/// The singular of a unit.
pub fn singular(unit: &str) -> &str {
    unit.strip_suffix('s').unwrap_or(unit)
}

pub fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_doubling_or_equal_widths() {
        let histogram = (1..=9).map(|n| (n, 1)).collect();
        let bins = doubled(&histogram);
        let bins: Vec<(&str, u64)> = bins.iter().map(|(label, n)| (label.as_str(), *n)).collect();
        assert_eq!(bins, [("1", 1), ("2", 1), ("3–4", 2), ("5–8", 4), ("9–16", 1)]);
        let far = doubled(&[(1, 3), (u32::MAX, 4)].into());
        assert_eq!(far.iter().map(|(_, n)| n).sum::<u64>(), 7);
        let even = even(&(10..110).map(|n| (n, 2)).collect());
        assert_eq!((even.len(), even[0].0.as_str(), even[0].1), (20, "10–14", 10));
    }

    #[test]
    fn a_count_of_one_has_a_singular_unit() {
        assert_eq!((count(1, "games"), count(2, "games")), ("1 game".to_owned(), "2 games".to_owned()));
        let chart = columns(&even(&[(1, 3), (2, 1)].into()), "decisions");
        assert!(chart.contains("<title>1 decision: 3") && chart.contains("<title>2 decisions: 1"), "{chart}");
    }

    #[test]
    fn escape_replaces_markup_in_texts_of_players() {
        assert_eq!(escape("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
