//! An elaborated expression: its type, its code, and who may know its value.

use super::label::Label;
use crate::program::*;

/// The type of an expression. `Broken` is the type of an expression that was reported already; it fits everywhere.
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
    /// Dice that a player picked, as a bit mask of positions.
    DiceSet(DicePick),
    Broken,
}

/// The dice from which a player picked.
#[derive(Clone, Debug, PartialEq)]
pub struct DicePick {
    pub dice: VarId,
    pub index: Vec<Num>,
    /// The numbers of the first and the last die.
    pub low: i32,
    pub high: i32,
}

impl Ty {
    /// Returns the type of a variable that can hold such a value; `None` if no variable can.
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
    /// A card that the source names (`A♠`, `Joker`). A comparison with it accepts every copy of the card.
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
    /// Who may know the value; for cards, who may know their faces.
    pub label: Label,
    /// For a selection: who may know how many cards it has.
    pub count: Label,
    /// For cards: who may know which player brought them; `None` if their zone does not remember players.
    pub by: Option<Label>,
    /// For cards: who may know which of them lie face up; `None` if they may have gone elsewhere.
    pub facing: Option<Label>,
    /// For a selection: the label of everything besides the cards that decides which cards belong to it.
    pub which: Label,
    /// For a zone: who may know which zone of its family it is (the label of its index).
    pub at: Label,
    /// For cards: the zones in which they may lie; empty if they may lie anywhere.
    pub zones: Vec<ZoneId>,
    /// For cards that a player picked in order: they have a first and a last card, wherever they lie.
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
            facing: None,
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

    /// Returns the labels of the cards themselves: of their faces, and of who brought them.
    pub fn card_labels(&self) -> Vec<&Label> {
        [&self.label].into_iter().chain(self.by.as_ref()).collect()
    }

    /// Returns all labels of the value.
    pub fn labels_mut(&mut self) -> impl Iterator<Item = &mut Label> {
        [&mut self.label, &mut self.count, &mut self.which, &mut self.at]
            .into_iter()
            .chain(self.by.as_mut())
            .chain(self.facing.as_mut())
    }

    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        [&self.label, &self.count, &self.which, &self.at]
            .into_iter()
            .chain(self.by.as_ref())
            .chain(self.facing.as_ref())
    }

    /// Whether both values have the same labels and may lie in the same zones.
    pub fn is_known_as(&self, other: &Val) -> bool {
        self.by.is_some() == other.by.is_some()
            && self.facing.is_some() == other.facing.is_some()
            && self.labels().eq(other.labels())
            && self.zones == other.zones
    }

    /// Joins the labels of two states of a value when either may be the current one: a viewer may know the value only if
    /// both states allow it.
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
        self.facing = self.facing.take().zip(now.facing.as_ref()).map(|(facing, now)| facing.join(now));
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

    /// Returns the value as a number; a broken one, which was reported already, becomes 0.
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

    /// Returns the value as a selection; a single card is a selection of one.
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
