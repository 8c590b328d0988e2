//! Reads moves: `plays A♠`, `calls pile 3 higher`, `says "Next round"`.

use crate::scenario_table::{Checked, ScenarioTable, unclear};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::seats_of;
use baize_engine::instance::question::{LoweredPartKind, Offer, RangeOf};
use baize_engine::moves::{CONTINUE, Move, PartValue};
use baize_rules::program::{AskId, Dim, PartKind};
use smallvec::SmallVec;

impl<S: CardSet> ScenarioTable<S> {
    /// Reads a move. It need not be legal, and the seat need not be asked.
    pub fn read_move(&self, seat: u8, words: &[Word]) -> Checked<Move> {
        let mut words = Words(words);
        let own = self.frame.is_open(seat);
        let asked = if own { Some(seat) } else { seats_of(self.frame.open).next() };
        // If nobody is asked, the move answers the last decision, so that the engine refuses it.
        let Some(asked) = asked else { return Ok(Move::plain(self.frame.decision.max(1), 0)) };
        let asked = &self.frame.seats[asked as usize];
        if words.eat("goes on") {
            // `goes on` answers a decision that offers no alternative of its own.
            let legal = self.instance.legal(&self.frame, seat).filter(|_| own);
            let offers = legal.iter().flat_map(|legal| &legal.offers);
            if own && offers.clone().next().is_some() && offers.clone().all(|offer| offer.alternative != CONTINUE) {
                return unclear(format!("`goes on` is none of {}", self.alternatives(asked.ask)));
            }
            return Ok(Move::plain(asked.decision, CONTINUE));
        }
        let (alternative, offer) = self.offer(seat, asked.ask, &mut words)?;
        let kinds = &self.instance.program.asks[asked.ask as usize].alternatives[alternative].parts;
        let mut parts = SmallVec::new();
        // A part may use those before it (`player r from players, unseen d from hand[r]`), which it finds in registers.
        let mut registers = Vec::new();
        for (lowered, part) in offer.parts.iter().zip(kinds) {
            words.eat("and");
            let value = self.part(seat, &lowered.kind, &part.kind, &registers, &mut words)?;
            if let PartValue::Number(n) = value {
                let reg = usize::from(lowered.reg);
                registers.resize(registers.len().max(reg + 1), 0);
                registers[reg] = n;
            }
            parts.push(value);
        }
        if !words.is_empty() {
            return unclear(format!("what is `{}`?", words.show()));
        }
        Ok(Move { decision: asked.decision, alternative: alternative as u16, parts })
    }

    /// Finds the alternative by its name (`play`, `plays`, `passes`), or by `says` and its label.
    fn offer(&self, seat: u8, ask: AskId, words: &mut Words) -> Checked<(usize, &Offer<S>)> {
        let offers = &self.instance.code.questions[ask as usize].offers;
        // An alternative may be named by an adjective: `2 is ready`.
        words.eat("is");
        let Some(verb) = words.plain() else { return unclear("what does this player do?") };
        let found = if verb == "says" {
            let Some(said) = words.quoted() else { return unclear("says what?") };
            offers.iter().position(|offer| {
                let label = offer.label.as_ref();
                label.is_some_and(|label| {
                    self.line(&self.instance.write_text(&self.frame, label, seat as i32, &[])) == said
                })
            })
        } else {
            offers.iter().position(|offer| {
                let name = offer.name.as_str();
                // The verb of a name of several words is the first one: `turns_up`.
                let (head, tail) = name.split_at(name.find('_').unwrap_or(name.len()));
                let ies = head.strip_suffix('y').map(|stem| format!("{stem}ies{tail}"));
                verb == name
                    || verb == format!("{name}s")
                    || verb == format!("{head}s{tail}")
                    || verb == format!("{head}es{tail}")
                    || Some(verb) == ies.as_deref()
            })
        };
        match found {
            Some(at) => Ok((at, &offers[at])),
            None => unclear(format!("`{verb}` is none of {}", self.alternatives(ask))),
        }
    }

    /// Returns the names of all alternatives of a question, for a message.
    fn alternatives(&self, ask: AskId) -> String {
        let offers = &self.instance.code.questions[ask as usize].offers;
        offers.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn part(
        &self,
        seat: u8,
        lowered: &LoweredPartKind<S>,
        kind: &PartKind,
        registers: &[i32],
        words: &mut Words,
    ) -> Checked<PartValue> {
        let me = seat as i32;
        let from = |set| self.instance.selection(&self.frame, set, me, registers).to_vec();
        let number = |n: Option<i32>| n.map_or_else(|| unclear("a number is missing"), |n| Ok(PartValue::Number(n)));
        match lowered {
            LoweredPartKind::Card(set) => {
                let Some((word, rest)) = words.0.split_first() else { return unclear("which card?") };
                words.0 = rest;
                let cards = self.cards(std::slice::from_ref(word), &from(set))?;
                cards.first().map_or_else(|| unclear("which card?"), |card| Ok(PartValue::Number(i32::from(*card))))
            }
            LoweredPartKind::Cards { from: set, .. } => self.several(words, from(set)),
            LoweredPartKind::Alike(alike) => self.several(words, from(&alike.from)),
            LoweredPartKind::Run(run) => self.several(words, from(&run.from)),
            LoweredPartKind::Unseen(spot) => {
                let Some(zone) = self.instance.zone_at(&self.frame, spot, me, registers) else {
                    return unclear("there is no such zone to take a back from");
                };
                let here = self.instance.in_order(&self.frame, zone);
                if let Some(place) = words.number::<i32>() {
                    return Ok(PartValue::Number(place.saturating_sub(1)));
                }
                let Some((word, rest)) = words.0.split_first() else { return unclear("which card?") };
                words.0 = rest;
                let cards = self.cards(std::slice::from_ref(word), &here)?;
                match here.iter().position(|c| cards.first() == Some(c)) {
                    Some(place) => Ok(PartValue::Number(place as i32)),
                    None => unclear(format!("`{word}` is not among those cards, but {}", self.labels(here))),
                }
            }
            LoweredPartKind::Range { what: RangeOf::Pile(zone), .. } => {
                words.eat("pile");
                if words.eat("with") {
                    let Some((word, rest)) = words.0.split_first() else { return unclear("with which card?") };
                    words.0 = rest;
                    let wanted = self.names(std::slice::from_ref(word))?;
                    let layout = &self.instance.layout.zones[*zone as usize];
                    let holds = |zone: &u32| {
                        let cards = self.instance.in_order(&self.frame, *zone as usize);
                        cards.iter().any(|card| wanted.contains(&self.label(*card)))
                    };
                    let found = (layout.base..layout.base + layout.len).find(holds);
                    return match found {
                        Some(zone) => Ok(PartValue::Number(self.instance.layout.instances[zone as usize].index[0])),
                        None => unclear(format!("no pile holds `{word}`")),
                    };
                }
                let declared = &self.instance.program.zones[*zone as usize];
                let word = words.plain().unwrap_or_default();
                match self.index(&declared.dims, &[word]) {
                    Some(index) => number(index.first().copied()),
                    None => {
                        let by = match declared.dims.first() {
                            Some(Dim::Player) => "the number of its player".to_owned(),
                            Some(Dim::Attr(attr)) => {
                                format!("its {}", self.instance.program.attrs[*attr as usize].name)
                            }
                            _ => "its number".to_owned(),
                        };
                        unclear(format!("which `{}`? It is called by {by}", declared.name))
                    }
                }
            }
            LoweredPartKind::Range { what: RangeOf::Choice | RangeOf::YesNo, .. } => {
                let yes_no = ["no".to_owned(), "yes".to_owned()];
                let names = if let PartKind::Choice(names) = kind { &names[..] } else { &yes_no[..] };
                let word = words.plain().unwrap_or_default();
                number(names.iter().position(|name| name == word).map(|at| at as i32))
            }
            LoweredPartKind::Range { what: RangeOf::Attr(attr), .. } => {
                let word = words.plain().unwrap_or_default();
                number(self.attr_value(*attr, word))
            }
            LoweredPartKind::Number { .. } => number(words.number()),
            LoweredPartKind::Player(_) => number(words.number::<i32>().and_then(|seat| seat.checked_sub(1))),
            LoweredPartKind::Text(_) => match words.quoted() {
                Some(text) => Ok(PartValue::Text(text.to_owned())),
                None => unclear("a text in quotes is missing"),
            },
            LoweredPartKind::Dice { .. } => {
                let mut dice = 0;
                while let Some(die) = words.number::<u32>() {
                    let bit = die.checked_sub(1).and_then(|at| 1i32.checked_shl(at));
                    dice |= bit.map_or_else(|| unclear(format!("there is no die {die}")), Ok)?;
                }
                Ok(PartValue::Number(dice))
            }
        }
    }

    /// Reads cards up to the next `and`, which separates the parts of a move.
    fn several(&self, words: &mut Words, from: Vec<u16>) -> Checked<PartValue> {
        let end = words.0.iter().position(|word| word.is("and")).unwrap_or(words.0.len());
        let (here, rest) = words.0.split_at(end);
        let cards = self.cards(here, &from)?;
        words.0 = rest;
        Ok(PartValue::Cards(SmallVec::from_slice(&cards)))
    }
}
