//! Writes the playtest report: one HTML page with charts that loads nothing else.

use super::bots::{LevelReport, Share, share};
use super::charts::{Row, bar, bars, columns, count, doubled, escape, even, percent};
use super::playtest::{CardStats, Histogram, MOMENTS, Playtest, Ratio};
use super::{SeatOutcomes, SimulationReport};
use std::fmt::Write;

/// Upper bound on the listed cards.
const MAX_CARDS: usize = 60;
/// The page leaves out shares of fewer games, because they say too little.
const MIN_GAMES: u64 = 20;

pub fn page(title: &str, report: &SimulationReport, lengths: &[u32], playtest: &Playtest) -> String {
    let title = escape(title);
    let who = match report.levels.len() {
        0 => "moves at random".to_owned(),
        _ => {
            let levels: Vec<&str> = report.levels.iter().map(|level| level.level.as_str()).collect();
            format!("bots ({})", levels.join(", "))
        }
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: playtest</title>\n<style>{STYLE}</style>\n\
         <header><h1>{title}</h1><p>{} with {}, {who}</p></header>\n<main>\n",
        count(report.games, "games"),
        count(report.players as u64, "players")
    );
    tiles(&mut out, report, playtest);
    length(&mut out, report, lengths);
    seats(&mut out, report, playtest);
    turns(&mut out, playtest);
    questions(&mut out, playtest);
    leading_player(&mut out, playtest);
    cards(&mut out, playtest);
    levels(&mut out, &report.levels);
    endings(&mut out, report);
    let _ = writeln!(
        out,
        "</main>\n<footer>Made by <code>baize simulate {} --report</code>, version {}.</footer>",
        escape(&report.game),
        env!("CARGO_PKG_VERSION")
    );
    out
}

fn tiles(out: &mut String, report: &SimulationReport, playtest: &Playtest) {
    let decisions: u64 = playtest.answers.values().sum();
    let forced = playtest.answers.get(&1).copied().unwrap_or(0);
    let changes = mean(&playtest.leader_changes);
    let half = playtest.ahead[MOMENTS / 2];
    let mut tiles = vec![
        (report.length.median.to_string(), "moves in a game (median)".to_owned()),
        (percent(forced as f64 / decisions.max(1) as f64), "of decisions left no choice".to_owned()),
        (format!("{:.1}", mean(&playtest.turns)), "decisions a turn".to_owned()),
    ];
    if playtest.shared < playtest.games {
        tiles.push((format!("{changes:.1}"), "changes of the leading player a game".to_owned()));
        tiles.push((percent(half.value()), "who was ahead at half-time came out best".to_owned()));
    }
    if let Some(p) = fairness(&report.outcomes.seats, report.games) {
        tiles.push((p.words(), "for the seats being equal".to_owned()));
    }
    out.push_str("<div class=\"tiles\">");
    for (value, what) in tiles {
        let _ = write!(out, "<div><b>{value}</b><span>{what}</span></div>");
    }
    out.push_str("</div>\n");
}

fn length(out: &mut String, report: &SimulationReport, lengths: &[u32]) {
    let mut histogram = Histogram::new();
    lengths.iter().for_each(|length| *histogram.entry(*length).or_default() += 1);
    let l = &report.length;
    let words = format!(
        "From {} to {} moves; half of the games take {} or fewer, 95 % take {} or fewer.",
        l.min, l.max, l.median, l.p95
    );
    section(out, "How long a game is", &words, &columns(&even(&histogram), "moves"));
}

fn seats(out: &mut String, report: &SimulationReport, playtest: &Playtest) {
    if playtest.shared == playtest.games {
        return;
    }
    let rows: Vec<Row> = report
        .outcomes
        .seats
        .iter()
        .map(|seat| {
            let (n, what) = best(seat, report);
            Row {
                label: format!("Seat {}", seat.seat + 1),
                share: share(n, report.games),
                note: format!("{what}, mean rank {:.2}", seat.mean_rank),
            }
        })
        .collect();
    let expected = rows.iter().map(|row| row.share.value).sum::<f64>() / rows.len().max(1) as f64;
    let words = match fairness(&report.outcomes.seats, report.games) {
        Some(p) if p.0 < 0.001 => "The seats are not equal: differences like these hardly come from luck.",
        Some(p) if p.0 < 0.05 => "The seats may not be equal: more games would tell.",
        _ => "Nothing says that the seats are not equal.",
    };
    section(
        out,
        "Seat advantage",
        &format!("{words} The thin lines are what is likely (95 %), the dashed one is the mean of all seats."),
        &bars(&rows, Some(expected)),
    );
}

/// The result that counts for a seat: winning, or not losing in a game that has only losers.
fn best(seat: &SeatOutcomes, report: &SimulationReport) -> (u64, &'static str) {
    let anybody_wins = report.outcomes.seats.iter().any(|seat| seat.wins > 0);
    if anybody_wins { (seat.wins, "won") } else { (report.games.saturating_sub(seat.losses), "did not lose") }
}

fn turns(out: &mut String, playtest: &Playtest) {
    let words = "Decisions that a player makes before somebody else decides.";
    section(out, "Decisions a turn", words, &columns(&even(&playtest.turns), "decisions"));
    let words = "One answer is no choice at all. Many answers may be a feast or a chore.";
    section(out, "Answers to choose from", words, &columns(&doubled(&playtest.answers), "answers"));
}

fn questions(out: &mut String, playtest: &Playtest) {
    let mut body = String::from(
        "<table><tr><th>Question<th>asked a game<th>no choice<th>answer<th>chosen when it could be<th>chosen by who came out best</tr>",
    );
    let usual = playtest.seats.value();
    for question in playtest.questions.values() {
        let rows = question.alternatives.len().max(1);
        let _ = write!(
            body,
            "<tr><td rowspan={rows}>{}<td rowspan={rows} class=n>{:.1}<td rowspan={rows} class=n>{}",
            escape(if question.prompt.is_empty() { "(no prompt)" } else { &question.prompt }),
            question.asked as f64 / playtest.games.max(1) as f64,
            percent(question.forced as f64 / question.asked.max(1) as f64),
        );
        for (at, alternative) in question.alternatives.values().enumerate() {
            let start = if at > 0 { "<tr>" } else { "" };
            let chosen =
                if alternative.chosen.of == 0 { "–".to_owned() } else { percent(alternative.chosen.value()) };
            let _ = write!(
                body,
                "{start}<td>{}<td class=n>{chosen}<td class=n>{}</tr>",
                escape(&alternative.name),
                against(alternative.best, usual)
            );
        }
    }
    body.push_str("</table>");
    let words = format!(
        "Who came out best in a game is anybody’s with {}. Figures that luck hardly makes are bold.",
        percent(usual)
    );
    section(out, "Questions and answers", &words, &body);
}

fn leading_player(out: &mut String, playtest: &Playtest) {
    if playtest.shared == playtest.games {
        let words = "All win or lose together: nobody is ahead.";
        return section(out, "The leading player", words, "");
    }
    let words = "Who is ahead is told by what players had in other games of these rules when they ended well. Few changes: decided early. Many: luck, or a fight to the end.";
    section(
        out,
        "Changes of the leading player in a game",
        words,
        &columns(&even(&playtest.leader_changes), "changes"),
    );
    let rows: Vec<Row> = playtest
        .ahead
        .iter()
        .enumerate()
        .filter(|(_, ratio)| ratio.of >= MIN_GAMES)
        .map(|(at, ratio)| Row {
            label: format!("{} % played", (at + 1) * 100 / (MOMENTS + 1)),
            share: share(ratio.n, ratio.of),
            note: format!("{} games had a leader", ratio.of),
        })
        .collect();
    let words = "How often the player who is ahead at that time comes out best.";
    section(out, "Is it decided?", words, &bars(&rows, Some(playtest.seats.value())));
}

fn cards(out: &mut String, playtest: &Playtest) {
    let usual = playtest.seats.value();
    let mut cards: Vec<&CardStats> = playtest.cards.values().filter(|card| card.best.of >= MIN_GAMES).collect();
    if cards.is_empty() {
        return;
    }
    let effect = |card: &CardStats| {
        let share = share(card.best.n, card.best.of);
        (share.value - usual) / ((share.high - share.low) / 2.0).max(1e-9)
    };
    cards.sort_by(|a, b| effect(b).total_cmp(&effect(a)));
    let all = cards.len();
    if all > MAX_CARDS {
        cards = cards[..MAX_CARDS / 2].iter().chain(&cards[all - MAX_CARDS / 2..]).copied().collect();
    }
    let mut body = String::from(
        "<table><tr><th>Card<th>chosen when it could be<th>times a game<th>who chose it came out best<th></tr>",
    );
    for card in &cards {
        let share = share(card.best.n, card.best.of);
        let _ = write!(
            body,
            "<tr><td>{}<td class=n>{}<td class=n>{:.2}<td class=n>{}<td>{}</tr>",
            escape(&card.label),
            if card.chosen.of == 0 { "–".to_owned() } else { percent(card.chosen.value()) },
            card.times as f64 / playtest.games.max(1) as f64,
            against(card.best, usual),
            bar(&share, Some(usual)),
        );
    }
    body.push_str("</table>");
    let few = if all > cards.len() {
        format!(" Of {all} cards the {} that stand out most, up and down.", cards.len())
    } else {
        String::new()
    };
    let words = format!(
        "Of the decisions in which a card could be chosen, and something else as well, how many chose it; and how those fared who did in a game. Anybody fares with {}.{few}",
        percent(usual)
    );
    section(out, "Cards", &words, &body);
}

fn levels(out: &mut String, levels: &[LevelReport]) {
    if levels.is_empty() {
        return;
    }
    let of = |share: &Share| {
        format!("{} <small>({}–{})</small>", percent(share.value), percent(share.low), percent(share.high))
    };
    let mut body = String::from("<table><tr><th>Level<th>seats<th>share of wins<th>share of losses<th>mean rank</tr>");
    for level in levels {
        let rank = format!(
            "{:.2} <small>({:.2}–{:.2})</small>",
            level.mean_rank.value, level.mean_rank.low, level.mean_rank.high
        );
        let _ = write!(
            body,
            "<tr><td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{rank}</tr>",
            level.level,
            level.seats,
            of(&level.share_of_wins),
            of(&level.share_of_losses)
        );
    }
    body.push_str("</table>");
    let words = "If better players do not win more often, the game is luck. The thin lines are what is likely (95 %), the dashed ones what luck would give.";
    section(out, "Levels", words, &(level_bars(levels) + &body));
}

/// Each level's share of all wins, or of all losses in a game that has only losers.
fn level_bars(levels: &[LevelReport]) -> String {
    let anybody_wins = levels.iter().any(|level| level.wins > 0);
    let all: u64 = levels.iter().map(|level| level.seats).sum();
    let mut body = String::from("<table class=\"bars\">");
    for level in levels {
        let (share, what) = match anybody_wins {
            true => (&level.share_of_wins, "of the wins"),
            false => (&level.share_of_losses, "of the losses"),
        };
        let by_luck = level.seats as f64 / all.max(1) as f64;
        let _ = write!(
            body,
            "<tr><td>{}<td class=n>{}<td class=wide>{}<td><small>{what}, by luck {}</small></tr>",
            level.level,
            percent(share.value),
            bar(share, Some(by_luck)),
            percent(by_luck)
        );
    }
    body + "</table>"
}

fn endings(out: &mut String, report: &SimulationReport) {
    let rows: Vec<Row> = report
        .outcomes
        .endings
        .iter()
        .map(|(kind, n)| Row {
            label: kind.replace('-', " "),
            share: share(*n, report.games),
            note: count(*n, "games"),
        })
        .collect();
    let faults: String = report
        .outcomes
        .faults
        .iter()
        .map(|(line, n)| {
            let games = count(*n, "games");
            format!("<p class=bad>Void because of {} of the rules: {games}.</p>", escape(line))
        })
        .collect();
    let score = report.outcomes.score.map(|score| format!("Everybody scored {}.", score.words()));
    section(out, "How games ended", &score.unwrap_or_default(), &(bars(&rows, None) + &faults));
}

/// The p-value: how likely such differences between seats, or greater ones, are by chance.
struct PValue(f64);

impl PValue {
    fn words(&self) -> String {
        if self.0 < 0.001 { "p < 0.001".into() } else { format!("p = {:.3}", self.0) }
    }
}

/// Pearson's chi-squared test. None if there is nothing to compare.
fn fairness(seats: &[SeatOutcomes], games: u64) -> Option<PValue> {
    let wins: Vec<f64> = seats.iter().map(|seat| seat.wins as f64).collect();
    let losses: Vec<f64> = seats.iter().map(|seat| seat.losses as f64).collect();
    let counts = if wins.iter().any(|n| *n > 0.0) { wins } else { losses };
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    let alike = counts.iter().all(|n| *n >= games as f64);
    if counts.len() < 2 || mean < 5.0 || alike {
        return None;
    }
    let statistic: f64 = counts.iter().map(|n| (n - mean).powi(2) / mean).sum();
    let freedom = counts.len() as f64 - 1.0;
    // Wilson and Hilferty: the cube root of chi-squared is nearly normal.
    let z = ((statistic / freedom).cbrt() - (1.0 - 2.0 / (9.0 * freedom))) / (2.0 / (9.0 * freedom)).sqrt();
    Some(PValue(upper_tail(z)))
}

/// The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17).
fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let sum = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let sum = sum.iter().fold(0.0, |sum, c| sum * t + c) * t;
    sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// Formats a share, in bold if the usual share is outside its confidence interval.
fn against(ratio: Ratio, usual: f64) -> String {
    if ratio.of < MIN_GAMES {
        return "–".to_owned();
    }
    let share = share(ratio.n, ratio.of);
    let text = percent(share.value);
    if share.low > usual || share.high < usual { format!("<b>{text}</b>") } else { text }
}

fn mean(histogram: &Histogram) -> f64 {
    let n: u64 = histogram.values().sum();
    histogram.iter().map(|(value, n)| f64::from(*value) * *n as f64).sum::<f64>() / (n as f64).max(1.0)
}

fn section(out: &mut String, title: &str, words: &str, body: &str) {
    let _ = writeln!(out, "<section><h2>{title}</h2><p>{words}</p>{body}</section>");
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #23201a; --quiet: #6a6252; --page: #f2ecdf; --card: #fbf8f1; --bar: #2b8a60; --line: #b8862f; --rule: #d9cfbb }
@media (prefers-color-scheme: dark) { :root { --ink: #ece6d8; --quiet: #a59c8a; --page: #14181a; --card: #1e2426; --bar: #3aa878; --line: #e0b765; --rule: #394144 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header { background: radial-gradient(circle at 50% 0, #2f8f65, #17553a); color: #fff8e8; padding: 2.5rem 1rem; text-align: center }
h1 { margin: 0; font: 600 2.4rem/1.1 Georgia, serif } header p { margin: .5rem 0 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 0 0 1rem }
.tiles div, section { background: var(--card); border-radius: .8rem; padding: 1rem 1.2rem; box-shadow: 0 2px 8px rgb(0 0 0 / .08) }
.tiles b { display: block; font: 600 1.6rem/1.2 Georgia, serif } .tiles span, section > p, small, .unit { color: var(--quiet) }
section { margin: 0 0 1rem; overflow-x: auto } h2 { margin: 0; font: 600 1.3rem Georgia, serif } section > p { margin: .2rem 0 .8rem }
svg { width: 100%; height: auto; display: block } rect { fill: var(--bar) } text { fill: var(--quiet); font-size: 12px; text-anchor: middle } text.unit { text-anchor: end }
.bar { min-width: 9rem } .likely { stroke: var(--line); stroke-width: 2.5 } .mark { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 3 2 }
table { border-collapse: collapse; width: 100% } td, th { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top }
th { color: var(--quiet); font-weight: 500; font-size: .85rem } .n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums } .wide { width: 55% } .bad { color: #c0392b }
@media (max-width: 40rem) { .bars td:last-child { display: none } td, th { padding: .3rem } }
footer { text-align: center; color: var(--quiet); padding: 0 1rem 2rem }
";

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(wins: &[u64]) -> Vec<SeatOutcomes> {
        let one = |(seat, wins): (usize, &u64)| SeatOutcomes { seat, wins: *wins, losses: 0, mean_rank: 0.0 };
        wins.iter().enumerate().map(one).collect()
    }

    #[test]
    fn fairness_tells_chance_from_an_advantage_of_a_seat() {
        // Two seats, 10 of 100 more than the half: 4.0 on one degree of freedom is p = 0.0455.
        let p = fairness(&seats(&[60, 40]), 100).unwrap().0;
        assert!((p - 0.0455).abs() < 0.01, "{p}");
        assert!(fairness(&seats(&[50, 50]), 100).unwrap().0 > 0.9);
        assert!(fairness(&seats(&[900, 100]), 1000).unwrap().0 < 0.001);
        assert!(fairness(&seats(&[2, 1]), 3).is_none());
    }

    #[test]
    fn confidence_intervals_stay_between_0_and_1() {
        for of in 1..200 {
            for share in [share(0, of), share(of, of)] {
                let text = format!("{}–{}", percent(share.low), percent(share.high));
                assert!(!text.contains('-') && share.high <= 1.0, "{text}");
            }
        }
    }
}
