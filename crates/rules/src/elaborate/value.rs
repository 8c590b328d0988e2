//! What an expression means once its names are resolved: a type, code, and who may know it.

use super::label::Label;
use crate::program::*;

/// Types while checking. `Broken` is the type of something already reported; it fits everywhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Num,
    YesNo,
    Player,
    Players,
    Card,
    Cards,
    Attr(AttrId),
    Choice(Vec<String>),
    Text,
    /// Dice that were picked, as positions.
    DiceSet(DicePick),
    Broken,
}

/// What dice were picked from: which, whose, and the number of the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct DicePick {
    pub dice: VarId,
    pub index: Vec<Num>,
    /// The numbers of the first and the last of them.
    pub low: i32,
    pub high: i32,
}

impl Ty {
    /// The type of a variable that keeps such a value, if one can.
    pub fn kept_as(&self) -> Option<Type> {
        Some(match self {
            Ty::Num => Type::Number { low: i32::MIN, high: i32::MAX },
            Ty::YesNo => Type::YesNo,
            Ty::Player => Type::Player,
            Ty::Card => Type::Card,
            Ty::Attr(attr) => Type::Attr(*attr),
            Ty::Choice(words) => Type::Choice(words.clone()),
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub enum Code {
    Num(Num),
    Cards(Selection),
    Seats(Seats),
    Text(Vec<TextPart>),
    /// A card named in the source (`A♠`, `Joker`): compared with every copy of it.
    Pattern(Pattern),
    Broken,
}

#[derive(Clone, Debug)]
pub enum Pattern {
    Attrs(DeckId, Vec<(AttrId, i32)>),
    Named(String),
}

impl Pattern {
    pub fn matches(&self, card: Num) -> Num {
        match self {
            Pattern::Attrs(deck, values) => Num::CardMatches(*deck, values.clone(), Box::new(card)),
            Pattern::Named(name) => Num::CardNamed(name.clone(), Box::new(card)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Val {
    pub ty: Ty,
    pub code: Code,
    /// Who may know the value (of cards: their faces).
    pub label: Label,
    /// Of a selection: who may know how many there are.
    pub count: Label,
    /// Of cards: who may know which player brought them; none if the zone does not remember.
    pub by: Option<Label>,
    /// Of a selection: who may know what else than the cards themselves decides which of them these are.
    pub which: Label,
    /// Of a zone: who may know which one it is (the label of its index).
    pub at: Label,
    /// Of cards: the zones they may lie in, as far as the source says (for the list of reveals).
    pub zones: Vec<ZoneId>,
    /// Of cards that were picked in order: there is a first and a last one, wherever they lie.
    pub in_order: bool,
}

impl Val {
    pub fn broken() -> Val {
        Val {
            ty: Ty::Broken,
            code: Code::Broken,
            label: Label::PUBLIC,
            count: Label::PUBLIC,
            which: Label::PUBLIC,
            by: None,
            at: Label::PUBLIC,
            zones: Vec::new(),
            in_order: false,
        }
    }

    pub fn num(ty: Ty, num: Num, label: Label) -> Val {
        Val { ty, code: Code::Num(num), label, ..Val::broken() }
    }

    pub fn constant(ty: Ty, value: i32) -> Val {
        Val::num(ty, Num::Const(value), Label::PUBLIC)
    }

    pub fn text(parts: Vec<TextPart>, label: Label) -> Val {
        Val { ty: Ty::Text, code: Code::Text(parts), label, ..Val::broken() }
    }

    /// Who may know the cards themselves: their faces, and who brought them.
    pub fn facts(&self) -> Vec<&Label> {
        [&self.label].into_iter().chain(self.by.as_ref()).collect()
    }

    /// All that the value is labelled with.
    pub fn labels_mut(&mut self) -> impl Iterator<Item = &mut Label> {
        [&mut self.label, &mut self.count, &mut self.which, &mut self.at].into_iter().chain(self.by.as_mut())
    }

    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        [&self.label, &self.count, &self.which, &self.at].into_iter().chain(self.by.as_ref())
    }

    /// Whether the same viewers may know the same of both.
    pub fn is_known_as(&self, other: &Val) -> bool {
        self.by.is_some() == other.by.is_some() && self.labels().eq(other.labels()) && self.zones == other.zones
    }

    /// The value may be as it was or as it is now: known to those who know it either way.
    pub fn join_labels(&mut self, now: &Val) {
        for (label, now) in [
            (&mut self.label, &now.label),
            (&mut self.count, &now.count),
            (&mut self.which, &now.which),
            (&mut self.at, &now.at),
        ] {
            *label = std::mem::take(label).join(now);
        }
        self.by = self.by.take().zip(now.by.as_ref()).map(|(by, now)| by.join(now));
        if self.zones.is_empty() || now.zones.is_empty() {
            // Without zones the cards may lie anywhere.
            self.zones.clear();
        } else {
            let more: Vec<ZoneId> = now.zones.iter().filter(|zone| !self.zones.contains(zone)).copied().collect();
            self.zones.extend(more);
        }
    }

    pub fn is_broken(&self) -> bool {
        self.ty == Ty::Broken
    }

    /// The value as a number; a broken one becomes 0, its error is already reported.
    pub fn into_num(self) -> Num {
        match self.code {
            Code::Num(n) => n,
            Code::Pattern(Pattern::Attrs(deck, values)) => Num::CardLiteral(deck, values),
            _ => Num::Const(0),
        }
    }

    pub fn as_num(&self) -> Num {
        self.clone().into_num()
    }

    /// The value as a selection; a single card is a selection of one.
    pub fn into_cards(self) -> Selection {
        match self.code {
            Code::Cards(c) => c,
            Code::Num(n) => Selection::One(Box::new(n)),
            Code::Pattern(Pattern::Attrs(deck, values)) => Selection::One(Box::new(Num::CardLiteral(deck, values))),
            _ => Selection::One(Box::new(Num::Const(NONE))),
        }
    }

    pub fn into_seats(self) -> Seats {
        match self.code {
            Code::Seats(s) => s,
            _ => Seats { bound: 0, cond: None },
        }
    }
}
