//! Checks the options that were chosen for a table, and evaluates numbers that depend on nothing but options and seats.

use super::InstantiateError;
use baize_rules::program::{
    Arith, AttrId, BoundId, Cmp, NONE, NONE_VALUE, Num, OptionDecl, OptionValue, Program, Type,
};

/// Returns the value of every option, in the order of the program: the chosen value, or the default.
pub fn choose(program: &Program, chosen: &[(String, OptionValue)]) -> Result<Vec<OptionValue>, InstantiateError> {
    let mut values: Vec<OptionValue> = program.options.iter().map(|o| o.default.clone()).collect();
    for (name, value) in chosen {
        let Some(at) = program.options.iter().position(|o| o.name == *name) else {
            return Err(InstantiateError::UnknownOption(name.clone()));
        };
        check(&program.options[at], value)?;
        values[at] = value.clone();
    }
    Ok(values)
}

fn check(option: &OptionDecl, value: &OptionValue) -> Result<(), InstantiateError> {
    let range = |low: i32, high: i32, value: i32| {
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            Err(InstantiateError::OptionOutOfRange { option: option.name.clone(), low, high, value })
        }
    };
    match (&option.ty, value) {
        (Type::Number { low, high } | Type::Seconds { low, high }, OptionValue::Number(n)) => range(*low, *high, *n),
        (Type::YesNo, OptionValue::Number(n)) => range(0, 1, *n),
        (Type::Choice(names), OptionValue::Number(n)) => range(0, names.len() as i32 - 1, *n),
        (Type::Text { low, high }, OptionValue::Text(text)) => {
            range(*low, *high, text.chars().count().min(i32::MAX as usize) as i32)
        }
        (_, OptionValue::Number(_)) => Err(InstantiateError::OptionType { option: option.name.clone(), text: true }),
        (_, OptionValue::Text(_)) => Err(InstantiateError::OptionType { option: option.name.clone(), text: false }),
    }
}

/// The values that are known before the cards of a table are made.
pub struct SetupContext<'a> {
    pub options: &'a [OptionValue],
    pub seats: usize,
    /// The card that is being made, and its attributes.
    pub card: Option<(BoundId, &'a [(AttrId, i32)])>,
}

impl SetupContext<'_> {
    /// Evaluates a number that reads only options, seats and the card that is being made; everything else counts as 0.
    pub fn value(&self, num: &Num) -> i32 {
        match num {
            Num::Const(n) => *n,
            Num::Option(id) => self.option(*id as usize),
            Num::OptionLength(id) => self.option_length(*id as usize),
            Num::SeatCount => self.seats as i32,
            Num::Lead | Num::Me => NONE,
            Num::Neg(a) => self.value(a).saturating_neg(),
            Num::Not(a) => (self.value(a) == 0) as i32,
            Num::And(a, b) => (self.value(a) != 0 && self.value(b) != 0) as i32,
            Num::Or(a, b) => (self.value(a) != 0 || self.value(b) != 0) as i32,
            Num::Arith(op, a, b) => arith(*op, self.value(a), self.value(b)),
            Num::Cmp(op, a, b) => compare(*op, self.value(a), self.value(b)) as i32,
            Num::If(cond, a, b) => self.value(if self.value(cond) != 0 { a } else { b }),
            Num::CardAttr(attr, card) => match (self.card, &**card) {
                (Some((bound, attrs)), Num::Bound(b)) if bound == *b => {
                    attrs.iter().find(|(a, _)| a == attr).map_or(NONE_VALUE, |(_, v)| *v)
                }
                _ => NONE_VALUE,
            },
            _ => 0,
        }
    }

    pub fn option(&self, id: usize) -> i32 {
        match self.options.get(id) {
            Some(OptionValue::Number(n)) => *n,
            _ => 0,
        }
    }

    pub fn option_length(&self, id: usize) -> i32 {
        match self.options.get(id) {
            Some(OptionValue::Text(text)) => text.chars().count() as i32,
            _ => 0,
        }
    }
}

#[inline]
pub fn arith(op: Arith, a: i32, b: i32) -> i32 {
    op.apply(a, b)
}

/// Compares two values. `none` is neither less nor greater than any value.
#[inline]
pub fn compare(op: Cmp, a: i32, b: i32) -> bool {
    match op {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        _ if a == NONE_VALUE || b == NONE_VALUE => false,
        Cmp::Lt => a < b,
        Cmp::Le => a <= b,
        Cmp::Gt => a > b,
        Cmp::Ge => a >= b,
    }
}
