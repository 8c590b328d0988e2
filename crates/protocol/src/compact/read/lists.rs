//! Reads single values and lists of numbers.

use baize_engine::view::Handle;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Numbers the values from `first` on. Returns none if the numbers exceed the type.
pub(super) fn counted<T, V>(first: T, values: V) -> Option<impl Iterator<Item = (T, V::Item)>>
where
    T: Copy + TryFrom<u64> + Into<u64>,
    V: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let values = values.into_iter();
    let start = first.into();
    T::try_from(start.checked_add(values.len() as u64)?).ok()?;
    Some((start..).zip(values).filter_map(|(n, value)| Some((T::try_from(n).ok()?, value))))
}

/// Upper bound on the numbers in a list, so that a short run can't fill the memory.
const MAX_LIST: i64 = 1 << 16;

/// Reads numbers. A negative number -n stands for the run from the number before it up to n.
pub(super) fn numbers(values: &[Value]) -> Option<Vec<i64>> {
    let mut found: Vec<i64> = Vec::new();
    for value in values {
        match value.as_i64()? {
            n @ 0.. => found.push(n),
            last => {
                let (first, last) = (found.last()?.checked_add(1)?, last.checked_neg()?);
                found.extend(first..=last.min(first.saturating_add(MAX_LIST)));
                if found.len() as i64 > MAX_LIST {
                    return None;
                }
            }
        }
    }
    Some(found)
}

pub(super) fn handles(value: &Value) -> Option<Vec<Handle>> {
    narrowed(numbers(value.as_array()?)?)
}

pub(super) fn narrowed<T: TryFrom<i64>>(numbers: Vec<i64>) -> Option<Vec<T>> {
    numbers.into_iter().map(|n| T::try_from(n).ok()).collect()
}

/// Reads a zone or a seat; -1 means none.
pub(super) fn place(value: &Value) -> Option<Option<u16>> {
    match value.as_i64()? {
        -1 => Some(None),
        n => u16::try_from(n).ok().map(Some),
    }
}

pub(super) fn flag(value: &Value) -> Option<bool> {
    Some(value.as_u64()? != 0)
}

/// Reads an unsigned number. The notation has signed 64-bit numbers only.
pub(super) fn read_u64(value: &Value) -> Option<u64> {
    u64::try_from(value.as_i64()?).ok()
}

pub(super) fn each<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

pub(super) fn element<T: DeserializeOwned>(value: &Value, at: usize) -> Option<T> {
    deserialize(value.get(at)?)
}

pub(super) fn deserialize<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}
