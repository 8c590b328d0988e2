//! Presentation: everything here is drawn for everyone, so it may read only what everyone knows.

use super::value::{Ty, Val};
use super::{Elaborator, Global};
use crate::ast::{self, ShowKind, ThemeValue};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::parse::BADGES;
use crate::program::*;

impl<'a> Elaborator<'a> {
    pub(super) fn show(&mut self, lines: &'a [ast::ShowLine]) {
        self.looking = true;
        self.show_lines(lines);
        self.looking = false;
    }

    fn show_lines(&mut self, lines: &'a [ast::ShowLine]) {
        for line in lines {
            self.span = line.span;
            match &line.kind {
                ShowKind::Badge { kind, label, value, when } => {
                    if self.word(kind, BADGES).is_none() {
                        continue;
                    }
                    if kind.text == "row" && label.is_none() {
                        self.report(
                            Diagnostic::error("show/row-unnamed", kind.span, "A row of the score sheet needs a name")
                                .hint("Write `badge row \"Ones\": …`."),
                        );
                    }
                    let seat = self.new_bound();
                    let badge = self.about_seat(seat, None, |e| Badge {
                        kind: kind.text.clone(),
                        seat,
                        label: label.as_ref().map(|t| e.public_text(t)),
                        value: value.as_ref().map(|v| e.badge_value(v)),
                        when: when.as_ref().map(|c| e.condition(c, "What is shown")),
                    });
                    self.program.show.badges.push(badge);
                }
                ShowKind::Seat { status, label, when } => {
                    if self.word(status, &["safe", "out", "passed", "submitted", "ready", "leading"]).is_none() {
                        continue;
                    }
                    let seat = self.new_bound();
                    let status = self.about_seat(seat, None, |e| SeatStatus {
                        status: status.text.clone(),
                        label: label.as_ref().map(|t| e.public_text(t)),
                        seat,
                        when: e.condition(when, "What is shown"),
                    });
                    self.program.show.seats.push(status);
                }
                ShowKind::Highlight { cards, when } => {
                    let when = when.as_ref().map(|c| self.condition(c, "What is shown"));
                    let val = self.selection(cards);
                    self.need_public(&val, cards.span, "What is highlighted");
                    self.program.show.highlights.push(Highlight { cards: val.into_cards(), when });
                }
                ShowKind::Status { text, when } => {
                    let status = StatusLine {
                        text: self.public_text(text),
                        when: when.as_ref().map(|c| self.condition(c, "What is shown")),
                    };
                    self.program.show.status.push(status);
                }
                ShowKind::Counter { label, value, at } => self.counter(label, value, at.as_ref()),
                ShowKind::Theme(values) => self.theme(values),
                ShowKind::Face { deck, template, by, titles } => self.face(deck, template, by.as_ref(), titles),
                ShowKind::Sign { word, picture } => self.sign(word, picture),
                ShowKind::ValueName { attr, value, title } => self.value_name(attr.as_ref(), value, title),
                ShowKind::ZoneHint { zone, words } => match self.globals.get(&zone.text).copied() {
                    Some((Global::Zone(z), _)) => {
                        let known = words.iter().all(|w| self.word(w, &["centre", "side", "large", "small"]).is_some());
                        if !known || !words.iter().all(|word| self.check_hint(z, word)) {
                            continue;
                        }
                        let hints = words.iter().map(|w| w.text.clone());
                        self.program.zones[z as usize].hints.extend(hints);
                    }
                    _ => self.report(
                        Diagnostic::error("zone/needed", zone.span, format!("`{}` is not a zone", zone.text))
                            .label("a zone is needed here"),
                    ),
                },
                ShowKind::Hint(e) => {
                    let seat = self.new_bound();
                    let val = self.about_seat(seat, None, |s| s.expr_expecting(e, &Ty::Num));
                    self.need_type(&val, &Ty::Num, e.span);
                    self.program.show.hint = Some((seat, val.into_num()));
                }
            }
        }
    }

    /// Checks whether a hint fits the zone: a zone of players lies at their seats, and only a hand has a size.
    fn check_hint(&mut self, zone: ZoneId, word: &crate::span::Name) -> bool {
        let z = &self.program.zones[zone as usize];
        if z.dims.first() != Some(&Dim::Player) {
            return true;
        }
        let held = match z.shape {
            Shape::Fan => true,
            Shape::Auto => z
                .sees
                .iter()
                .any(|sees| matches!(sees.who, ViewerGroup::Owner | ViewerGroup::Others | ViewerGroup::Role(_))),
            _ => false,
        };
        let (name, at) = (z.name.clone(), z.span);
        let placed = matches!(word.text.as_str(), "centre" | "side");
        if !placed && held {
            return true;
        }
        let problem =
            Diagnostic::error("show/zone-of-players", word.span, format!("`{}` does nothing for `{name}`", word.text))
                .related(at, "one for each player");
        self.report(match placed {
            true => problem
                .label("what a player has lies at that player's seat")
                .hint("Leave it out. What is to lie in the middle goes to a zone without `[player]`; `remembers player` keeps who brought it."),
            false => problem
                .label("of what players have only a hand has a size")
                .hint("Draw it as a hand, `as fan`; or lay what everybody should see well in a zone without `[player]`."),
        });
        false
    }

    fn public_text(&mut self, t: &ast::Text) -> Text {
        let (text, label) = self.text(t);
        self.need_public(&Val { ty: Ty::Text, label, ..Val::broken() }, t.span, "What is shown");
        text
    }

    fn badge_value(&mut self, e: &ast::Expr) -> Text {
        let mut val = self.expr(e);
        val.label = val.label.clone().join(&self.need_written(&val));
        self.need_public(&val, e.span, "What is shown");
        match (&val.code, self.show_as(&val.ty)) {
            (super::value::Code::Text(parts), _) => Text { parts: parts.clone() },
            (_, Some(show)) => Text { parts: vec![TextPart::Value(val.into_num(), show)] },
            _ => {
                if !val.is_broken() {
                    let found = self.ty_name(&val.ty);
                    self.report(
                        Diagnostic::error("show/value", e.span, "This can't be written there")
                            .label(format!("this is {found}")),
                    );
                }
                Text { parts: Vec::new() }
            }
        }
    }

    fn counter(&mut self, label: &'a ast::Text, value: &'a ast::Expr, at: Option<&crate::span::Name>) {
        let name = self.plain(label);
        if self.program.show.counters.iter().any(|other| other.label == name) {
            self.report(
                Diagnostic::error("show/counter-twice", label.span, format!("There is a counter “{name}” already"))
                    .label("again here"),
            );
            return;
        }
        let mut text = self.badge_value(value);
        text.parts.insert(0, TextPart::Plain(format!("{name}: ")));
        let mut zone = None;
        if let Some(at) = at {
            match self.globals.get(&at.text).copied() {
                Some((Global::Zone(z), _)) if self.program.zones[z as usize].dims.is_empty() => {
                    self.used.insert(at.text.clone());
                    zone = Some(z);
                }
                Some((Global::Zone(z), _)) => {
                    let declared = self.program.zones[z as usize].span;
                    self.report(
                        Diagnostic::error("show/counter-zone", at.span, format!("At which `{}`?", at.text))
                            .label("there are several")
                            .related(declared, "declared here")
                            .hint("A counter lies beside a zone without index. What each player has is shown by a `badge`."),
                    );
                }
                _ => self.report(
                    Diagnostic::error("zone/needed", at.span, format!("`{}` is not a zone", at.text))
                        .label("a zone is needed here"),
                ),
            }
        }
        self.program.show.counters.push(Counter { label: name, text, at: zone });
    }

    fn sign(&mut self, word: &crate::span::Name, picture: &'a ast::Text) {
        let words = self.program.attrs.iter().filter_map(|attr| match &attr.values {
            AttrDomain::Names(names) => Some(names),
            _ => None,
        });
        let own = |word: &&String| !matches!(word.as_str(), "♠" | "♥" | "♦" | "♣");
        let mut known: Vec<String> = words.flatten().filter(own).chain(&self.card_names).cloned().collect();
        known.sort();
        known.dedup();
        if !known.contains(&word.text) {
            let problem = Diagnostic::error(
                "sign/unknown",
                word.span,
                format!("No card has anything to do with `{}`", word.text),
            )
            .label("no word of an attribute, and no card is called so");
            let near = did_you_mean(&word.text, known.iter().map(String::as_str));
            self.report(match near {
                Some(near) => problem.hint(format!("Did you mean `{near}`?")),
                None if known.is_empty() => {
                    problem.hint("Only words and names of your own can have a sign: attribute kind: flower skull")
                }
                None => {
                    let some: Vec<String> = known.iter().take(8).map(|word| format!("`{word}`")).collect();
                    problem.hint(format!("Such words are here: {}.", some.join(", ")))
                }
            });
            return;
        }
        if self.program.show.signs.iter().any(|(other, _)| *other == word.text) {
            self.report(
                Diagnostic::error("sign/twice", word.span, format!("`{}` has a sign already", word.text))
                    .label("again here"),
            );
            return;
        }
        let picture_text = self.plain(picture);
        if !is_one_sign(&picture_text) {
            self.report(
                Diagnostic::error("sign/one", picture.span, "A sign is a single letter, symbol or emoji")
                    .label("not one")
                    .hint("For example: sign skull \"☠\". What is to be read stands in the card's name: `called \"Skull\"`."),
            );
            return;
        }
        self.program.show.signs.push((word.text.clone(), picture_text));
    }

    /// `name A "Ace"`. Without an attribute the value must belong to one attribute only.
    fn value_name(&mut self, attr: Option<&crate::span::Name>, value: &ast::Expr, title: &'a ast::Text) {
        let words = self.plain(title);
        let written = match &value.kind {
            ast::ExprKind::Name(word) => word.clone(),
            ast::ExprKind::Number(n) => n.to_string(),
            ast::ExprKind::Suit(suit) => suit.to_string(),
            _ => {
                self.report(
                    Diagnostic::error("name/value", value.span, "A value of an attribute is needed here")
                        .label("not such a value")
                        .hint("For example: name A \"Ace\""),
                );
                return;
            }
        };
        let attrs = match attr {
            Some(name) => match self.attr_name(name) {
                Some(attr) => vec![attr],
                None => return,
            },
            None => (0..self.program.attrs.len() as AttrId).collect(),
        };
        let found: Vec<(AttrId, i32)> =
            attrs.iter().filter_map(|attr| Some((*attr, self.attr_value(*attr, &written)?))).collect();
        let (attr, number) = match found[..] {
            [found] => found,
            [] => {
                let known = attrs.iter().filter_map(|attr| match &self.program.attrs[usize::from(*attr)].values {
                    AttrDomain::Names(names) => Some(names),
                    _ => None,
                });
                let near = did_you_mean(&written, known.flatten().map(String::as_str));
                let d = Diagnostic::error("name/value", value.span, format!("No card has the value `{written}`"))
                    .label("not a value of an attribute");
                self.report(match near {
                    Some(near) => d.hint(format!("Did you mean `{near}`?")),
                    None => d.hint("Values are what `attribute` declares, and the ranks and suits of a standard deck."),
                });
                return;
            }
            _ => {
                let name = |attr: &AttrId| self.program.attrs[usize::from(*attr)].name.clone();
                let names: Vec<String> = found.iter().map(|(attr, _)| name(attr)).collect();
                let first = &names[0];
                let hint = format!("Name the attribute: `name {first} {written} \"…\"`.");
                self.report(
                    Diagnostic::error("name/value", value.span, format!("Which `{written}`?"))
                        .label(format!("a value of {}", names.join(" and of ")))
                        .hint(hint),
                );
                return;
            }
        };
        if self.program.show.value_names.iter().any(|(a, n, _)| (*a, *n) == (attr, number)) {
            self.report(
                Diagnostic::error("name/again", value.span, format!("`{written}` has a name already"))
                    .label("again here"),
            );
            return;
        }
        self.program.show.value_names.push((attr, number, words));
    }

    fn theme(&mut self, values: &'a [(crate::span::Name, ThemeValue)]) {
        for (key, value) in values {
            let Some(i) = self.word(key, &["cloth", "back", "emblem"]) else { continue };
            let text = match (i, value) {
                (0, ThemeValue::Word(w)) => match self.word(w, &["green", "blue", "red", "purple", "slate", "wood"]) {
                    Some(_) => w.text.clone(),
                    None => continue,
                },
                (1, ThemeValue::Word(w)) => match self.word(w, &["weave", "dots", "waves", "rays", "plain"]) {
                    Some(_) => w.text.clone(),
                    None => continue,
                },
                (2, ThemeValue::Text(t)) => self.plain(t),
                _ => {
                    self.report(
                        Diagnostic::error("theme/value", key.span, format!("`{}` has another kind of value", key.text))
                            .hint("theme cloth green, back weave, emblem \"♠\""),
                    );
                    continue;
                }
            };
            self.program.show.theme.push((key.text.clone(), text));
        }
    }

    fn face(
        &mut self,
        deck: &crate::span::Name,
        template: &crate::span::Name,
        by: Option<&crate::span::Name>,
        titles: &'a [(ast::Expr, ast::Text)],
    ) {
        let Some((Global::Deck(d), _)) = self.globals.get(&deck.text).copied() else {
            self.unknown_deck(deck);
            return;
        };
        if self.word(template, &["pips", "number", "text", "prompt"]).is_none() {
            return;
        }
        let by = match by {
            Some(n) => match self.attr_name(n) {
                Some(a) => Some(a),
                None => return,
            },
            None => None,
        };
        let mut list = Vec::new();
        for (value, title) in titles {
            let Some(attr) = by else {
                self.report(
                    Diagnostic::error("face/by", value.span, "Titles by which attribute?")
                        .hint("Write: face cards: number, title by value"),
                );
                return;
            };
            let val = self.expr_expecting(value, &Ty::Attr(attr));
            self.need_type(&val, &Ty::Attr(attr), value.span);
            if let Num::Const(n) = val.into_num() {
                list.push((n, self.plain(title)));
            }
        }
        self.program.show.faces.push(Face { deck: d, template: template.text.clone(), by, titles: list });
    }
}

/// Whether people see a single sign. A flag or an emoji can consist of several characters.
fn is_one_sign(text: &str) -> bool {
    const JOINER: char = '\u{200d}';
    let is_flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    let is_mark = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}');
    let (mut signs, mut flags, mut joined) = (0, 0, false);
    for c in text.chars() {
        match c {
            // Joiners and marks need a character before them.
            _ if signs == 0 && (c == JOINER || is_mark(c)) => return false,
            _ if c.is_whitespace() || c.is_control() => return false,
            JOINER => joined = true,
            _ if is_mark(c) => {}
            _ => {
                flags += usize::from(is_flag(c));
                signs += usize::from(!std::mem::take(&mut joined));
            }
        }
    }
    !joined && text.len() <= 64 && (signs == 1 || signs == 2 && flags == 2)
}

#[cfg(test)]
mod tests {
    use super::is_one_sign;

    #[test]
    fn is_one_sign_counts_what_people_see() {
        for sign in ["☠", "☠️", "🌸", "X", "é", "👩‍🚀", "🇫🇷", "👍🏽"] {
            assert!(is_one_sign(sign), "{sign}");
        }
        for text in ["", " ", "ab", "☠☠", "🌸 ", "🇫🇷🇩🇪", "\u{200d}", "☠\u{200d}"] {
            assert!(!is_one_sign(text), "{text:?}");
        }
    }
}
