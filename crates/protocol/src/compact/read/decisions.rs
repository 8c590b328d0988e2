//! Reads decisions and the players whom the table waits for.

use super::lines::{line, optional_line, word};
use super::lists::{deserialize, element, handles, narrowed, numbers};
use crate::compact::texts::TextNumbers;
use baize_engine::view::{AlternativeView, Blocked, Clock, Handle, PartKindView, PartView, Waiting};
use serde_json::Value;
use std::sync::Arc;

pub(super) fn waiting(value: &Value, texts: &TextNumbers) -> Option<Waiting> {
    let decision: u32 = element(value, 1)?;
    let clock = element(value, 3).map(|seconds| Clock { decision: element(value, 4).unwrap_or(decision), seconds });
    Some(Waiting { seat: element(value, 0)?, decision, prompt: optional_line(value.get(2), texts)?, clock })
}

pub(super) fn alternative(value: &Value, texts: &TextNumbers) -> Option<AlternativeView> {
    let mut made = AlternativeView {
        index: element(value, 0)?,
        name: word(value.get(1)?, texts)?,
        label: line(value.get(2)?, texts)?,
        legal: true,
        parts: Vec::new(),
        combinations: None,
    };
    for more in &value.as_array()?[3..] {
        match more {
            Value::Array(_) => made.parts.push(part(more, texts)?),
            Value::Object(_) => made.combinations = Some(deserialize(more.get("c")?)?),
            _ => made.legal = false,
        }
    }
    Some(made)
}

fn part(value: &Value, texts: &TextNumbers) -> Option<PartView> {
    let rest = value.as_array()?.get(2..)?;
    let kind = match value.get(1)?.as_u64()? {
        0 => {
            let (options, reasons) = rest.split_first()?;
            let mut blocked = Vec::new();
            for run in reasons {
                let (reason, cards) = run.as_array()?.split_first()?;
                let reason = optional_line(Some(reason), texts)?.map(Arc::new);
                let cards: Vec<Handle> = narrowed(numbers(cards)?)?;
                blocked.extend(cards.into_iter().map(|handle| Blocked { handle, reason: reason.clone() }));
            }
            PartKindView::Card { options: handles(options)?, blocked }
        }
        1 => PartKindView::Unseen { zone: element(value, 2)?, count: element(value, 3)? },
        2 => PartKindView::Cards {
            low: element(value, 2)?,
            high: element(value, 3)?,
            options: handles(value.get(4)?)?,
            ordered: rest.len() > 3,
        },
        3 => PartKindView::Sets { options: rest.iter().map(handles).collect::<Option<_>>()? },
        4 => PartKindView::Number { low: element(value, 2)?, high: element(value, 3)?, only: element(value, 4) },
        5 => PartKindView::Pile { options: piles(rest)? },
        6 => PartKindView::Player { options: element(value, 2)? },
        7 => {
            let options = rest.chunks(2).map(|two| Some((deserialize(two.first()?)?, word(two.get(1)?, texts)?)));
            PartKindView::Value { options: options.collect::<Option<_>>()? }
        }
        8 => PartKindView::Yesno { options: element(value, 2)? },
        9 => PartKindView::Text { most: element(value, 2)? },
        10 => {
            let only = match value.get(5) {
                Some(only) => Some(narrowed(numbers(only.as_array()?)?)?),
                None => None,
            };
            PartKindView::Dice { dice: element(value, 2)?, first: element(value, 3)?, count: element(value, 4)?, only }
        }
        _ => return None,
    };
    Some(PartView { name: word(value.get(0)?, texts)?, kind })
}

fn piles(rest: &[Value]) -> Option<Vec<(i32, u16)>> {
    match rest.split_first()? {
        (Value::Array(pairs), _) => {
            pairs.chunks(2).map(|two| Some((deserialize(two.first()?)?, deserialize(two.get(1)?)?))).collect()
        }
        (offset, values) => {
            let offset = offset.as_i64()?;
            let pile = |n: i64| Some((i32::try_from(n).ok()?, u16::try_from(n.checked_add(offset)?).ok()?));
            numbers(values)?.into_iter().map(pile).collect()
        }
    }
}
