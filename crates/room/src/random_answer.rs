//! Random answers, chosen from what a client is shown. Tests and benches use them in place of people.

use baize_engine::view::{AlternativeView, Answer, Chosen, PartKindView, View};

/// A legal answer to the view's open decision. The same seed gives the same answer.
pub fn random_answer(view: &View, seed: u64) -> Option<Answer> {
    let decision = view.decision.as_ref()?;
    let mut dice = Dice(seed);
    let legal: Vec<_> = decision.alternatives.iter().filter(|a| a.legal).collect();
    let alternative = dice.one_of(&legal)?;
    let parts = parts(alternative, &mut dice)?;
    Some(Answer { decision: decision.id, alternative: alternative.index, parts })
}

fn parts(alternative: &AlternativeView, dice: &mut Dice) -> Option<Vec<Chosen>> {
    if let Some(combinations) = &alternative.combinations {
        let picked = dice.one_of(combinations)?;
        let parts = alternative.parts.iter().zip(picked);
        return parts.map(|(part, at)| options(&part.kind).into_iter().nth(usize::from(*at))).collect();
    }
    alternative.parts.iter().map(|part| pick(&part.kind, dice)).collect()
}

/// One answer to a part. If the answers can be listed, each is equally likely.
fn pick(kind: &PartKindView, dice: &mut Dice) -> Option<Chosen> {
    match kind {
        PartKindView::Cards { low, high, options, .. } => {
            let most = (*high).min(options.len() as u32);
            let count = low + dice.below(u64::from(most.saturating_sub(*low)) + 1) as u32;
            let mut cards = options.clone();
            for at in 0..count as usize {
                let other = at + dice.below((cards.len() - at) as u64) as usize;
                cards.swap(at, other);
            }
            cards.truncate(count as usize);
            Some(Chosen::Cards(cards))
        }
        PartKindView::Text { .. } => Some(Chosen::Text("…".into())),
        PartKindView::Number { low, high, only: None } => {
            let span = i64::from(*high) - i64::from(*low) + 1;
            Some(Chosen::Number((i64::from(*low) + dice.below(span.max(1) as u64) as i64) as i32))
        }
        PartKindView::Dice { count, only: None, .. } => Some(Chosen::Number(dice.below(1 << (*count).min(30)) as i32)),
        _ => dice.one_of(&options(kind)).cloned(),
    }
}

/// The options of a part, in the order in which combinations count them.
fn options(kind: &PartKindView) -> Vec<Chosen> {
    let numbers = |values: &[i32]| values.iter().map(|n| Chosen::Number(*n)).collect();
    match kind {
        PartKindView::Card { options, .. } => options.iter().map(|card| Chosen::Card(*card)).collect(),
        PartKindView::Unseen { count, .. } => (0..*count).map(|n| Chosen::Number(n as i32)).collect(),
        PartKindView::Cards { options, .. } => options.iter().map(|card| Chosen::Cards(vec![*card])).collect(),
        PartKindView::Sets { options } => options.iter().map(|set| Chosen::Cards(set.clone())).collect(),
        PartKindView::Number { only: Some(only), .. } => numbers(only),
        PartKindView::Number { low, high, only: None } => (*low..=*high).map(Chosen::Number).collect(),
        PartKindView::Pile { options } => options.iter().map(|(index, _)| Chosen::Number(*index)).collect(),
        PartKindView::Player { options } => options.iter().map(|seat| Chosen::Number(i32::from(*seat))).collect(),
        PartKindView::Value { options } => options.iter().map(|(value, _)| Chosen::Number(*value)).collect(),
        PartKindView::Yesno { options } => numbers(options),
        PartKindView::Text { .. } => vec![Chosen::Text("…".into())],
        PartKindView::Dice { only: Some(only), .. } => numbers(only),
        PartKindView::Dice { count, only: None, .. } => (0..1 << (*count).min(12)).map(Chosen::Number).collect(),
    }
}

/// SplitMix64: small, and random enough for this purpose.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len() as u64) as usize)
    }
}
