//! Describes zones as the slots of `platform.md` (see [`crate::definition`]).

use crate::instance::options::SetupContext;
use crate::sight::DeckFlow;
use baize_rules::program::{Dim, Num, Program, ViewerGroup, Visibility, Zone, capitalised};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SlotDefinition {
    pub id: String,
    pub name: String,
    pub scope: SlotScope,
    /// The maximum number of cards; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    pub ordered: bool,
    pub visibility: SlotVisibility,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_card_types: Option<Vec<String>>,
    /// Whether viewers who do not see the cards see their number.
    pub counted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SlotScope {
    Global,
    Player,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SlotVisibility {
    Public,
    Owner,
    /// The player who has a certain role sees the cards.
    Judge,
    Hidden,
}

/// Describes all zones for the default options. Other options may change who sees a zone; views follow the options of their
/// table.
pub(super) fn define_slots(program: &Program) -> Vec<SlotDefinition> {
    let flow = DeckFlow::of(program);
    program.zones.iter().enumerate().map(|(id, zone)| define_slot(program, &flow, id as u16, zone)).collect()
}

fn define_slot(program: &Program, flow: &DeckFlow, id: u16, zone: &Zone) -> SlotDefinition {
    let others = visibility(program, zone, |who| {
        matches!(who, ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Others)
    });
    let owner = visibility(program, zone, |who| {
        matches!(who, ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Owner)
    });
    let judge = visibility(program, zone, |who| !matches!(who, ViewerGroup::Owner | ViewerGroup::Spectators));
    let card_type = |deck: &baize_rules::program::Deck| deck.pack_type.clone().unwrap_or_else(|| deck.name.clone());
    let allowed = program.decks.iter().take(64).enumerate().filter(|(deck, _)| flow.decks(id) >> deck & 1 == 1);
    SlotDefinition {
        id: zone.name.clone(),
        name: zone.title.clone().unwrap_or_else(|| capitalised(&zone.name)),
        scope: if zone.dims.contains(&Dim::Player) { SlotScope::Player } else { SlotScope::Global },
        capacity: zone.holds.as_ref().and_then(|n| u32::try_from(evaluate_with_defaults(program, n)).ok()),
        ordered: zone.ordered,
        visibility: match Visibility::Cards {
            cards if others == cards => SlotVisibility::Public,
            cards if judge == cards => SlotVisibility::Judge,
            cards if owner == cards => SlotVisibility::Owner,
            _ => SlotVisibility::Hidden,
        },
        allowed_card_types: (program.decks.len() > 1).then(|| allowed.map(|(_, deck)| card_type(deck)).collect()),
        counted: others >= Visibility::Count,
    }
}

/// Returns what the last clause that `applies` shows of a zone, with default options.
fn visibility(program: &Program, zone: &Zone, applies: impl Fn(&ViewerGroup) -> bool) -> Visibility {
    let holds = |when: &Option<Num>| when.as_ref().is_none_or(|n| evaluate_with_defaults(program, n) != 0);
    zone.sees
        .iter()
        .rev()
        .find(|clause| applies(&clause.who) && holds(&clause.when))
        .map_or(Visibility::Count, |clause| clause.what)
}

/// Computes an expression that reads only options, with the default of each option.
pub(super) fn evaluate_with_defaults(program: &Program, num: &Num) -> i32 {
    let options: Vec<_> = program.options.iter().map(|option| option.default.clone()).collect();
    SetupContext { options: &options, seats: usize::from(program.meta.max_players), card: None }.value(num)
}
