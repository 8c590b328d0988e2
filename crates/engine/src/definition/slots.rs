//! Zones in the words of the platform's document: slots.

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
    /// Absent: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    pub ordered: bool,
    pub visibility: SlotVisibility,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_card_types: Option<Vec<String>>,
    /// Whether those who do not see the cards see how many there are.
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
    /// Seen by whoever has a role.
    Judge,
    Hidden,
}

/// Slots as they are with default options (a `when` may change who sees what; a view always tells).
pub(super) fn slots(program: &Program) -> Vec<SlotDefinition> {
    let flow = DeckFlow::of(program);
    program.zones.iter().enumerate().map(|(id, zone)| slot(program, &flow, id as u16, zone)).collect()
}

fn slot(program: &Program, flow: &DeckFlow, id: u16, zone: &Zone) -> SlotDefinition {
    let others =
        seen_by(program, zone, |who| matches!(who, ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Others));
    let owner =
        seen_by(program, zone, |who| matches!(who, ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Owner));
    let judge = seen_by(program, zone, |who| !matches!(who, ViewerGroup::Owner | ViewerGroup::Spectators));
    let card_type = |deck: &baize_rules::program::Deck| deck.pack_type.clone().unwrap_or_else(|| deck.name.clone());
    let allowed = program.decks.iter().take(64).enumerate().filter(|(deck, _)| flow.decks(id) >> deck & 1 == 1);
    SlotDefinition {
        id: zone.name.clone(),
        name: zone.title.clone().unwrap_or_else(|| capitalised(&zone.name)),
        scope: if zone.dims.contains(&Dim::Player) { SlotScope::Player } else { SlotScope::Global },
        capacity: zone.holds.as_ref().and_then(|n| u32::try_from(with_defaults(program, n)).ok()),
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

fn seen_by(program: &Program, zone: &Zone, applies: impl Fn(&ViewerGroup) -> bool) -> Visibility {
    let holds = |when: &Option<Num>| when.as_ref().is_none_or(|n| with_defaults(program, n) != 0);
    zone.sees
        .iter()
        .rev()
        .find(|sees| applies(&sees.who) && holds(&sees.when))
        .map_or(Visibility::Count, |sees| sees.what)
}

/// The value of an expression that reads only options, if these keep their defaults.
pub(super) fn with_defaults(program: &Program, num: &Num) -> i32 {
    let options: Vec<_> = program.options.iter().map(|option| option.default.clone()).collect();
    SetupContext { options: &options, seats: usize::from(program.meta.max_players), card: None }.value(num)
}
