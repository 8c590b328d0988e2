//! Finds who sees cards for the first time when they move to a zone.

use super::Elaborator;
use super::label::Need;
use super::names::owner_of;
use super::value::Val;
use crate::program::*;

/// A group of viewers to whom the same clauses apply.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ViewerClass {
    Owner,
    Other,
    Spectator,
    Role(VarId),
}

impl<'a> Elaborator<'a> {
    /// Writes "everybody sees" or "the owner sees": who may see the cards in the target and perhaps did not see them before.
    pub(super) fn newly_seen_by(&self, cards: &Val, to: &ZoneRef) -> Option<String> {
        if cards.label.is_public() {
            return None;
        }
        let zone = &self.program.zones[usize::from(to.zone)];
        let owner = owner_of(&zone.dims, &to.index);
        let owned = zone.dims.contains(&Dim::Player);
        let knew = |class: ViewerClass| {
            let owner_knew = || owner.as_ref().is_some_and(|owner| self.readable_by(&cards.label, owner));
            // A viewer who does not own the target may own the old zone, and an owner may see less than others.
            let saw_there = |zone: &ZoneId| {
                let of_players = self.program.zones[usize::from(*zone)].dims.contains(&Dim::Player);
                let owner_saw = !of_players
                    || class == ViewerClass::Spectator
                    || self.least_visible(*zone, ViewerClass::Owner) == Visibility::Cards;
                self.least_visible(*zone, class) == Visibility::Cards && owner_saw
            };
            let saw = || !cards.zones.is_empty() && cards.zones.iter().all(saw_there);
            match class {
                ViewerClass::Owner => owner_knew(),
                _ => saw() && !cards.label.needs().iter().any(|need| matches!(need, Need::Nobody(_))),
            }
        };
        let roles_of = |zone: &Zone| -> Vec<ViewerClass> {
            let roles = zone.sees.iter().filter_map(|clause| match clause.who {
                ViewerGroup::Role(var) => Some(ViewerClass::Role(var)),
                _ => None,
            });
            roles.collect()
        };
        let mut class = vec![ViewerClass::Owner, ViewerClass::Other, ViewerClass::Spectator];
        let named_here = roles_of(zone);
        // A role may see less than others in the old zone, and then the cards are new to it.
        let named_there = cards.zones.iter().flat_map(|zone| roles_of(&self.program.zones[usize::from(*zone)]));
        for role in named_here.iter().copied().chain(named_there) {
            if !class.contains(&role) {
                class.push(role);
            }
        }
        class.retain(|class| {
            let sees_as = match class {
                // A role that the new zone does not name sees there what others see, or is the owner.
                ViewerClass::Role(_) if !named_here.contains(class) => ViewerClass::Other,
                _ => *class,
            };
            (owned || *class != ViewerClass::Owner)
                && self.most_visible(to.zone, sees_as) == Visibility::Cards
                && !knew(*class)
        });
        let everybody = class.contains(&ViewerClass::Other) && class.contains(&ViewerClass::Spectator);
        let mut who: Vec<String> = match (everybody, class.contains(&ViewerClass::Owner) || !owned) {
            (true, true) => return Some("everybody sees".to_string()),
            (true, false) => vec!["all but the owner".to_string()],
            (false, _) => Vec::new(),
        };
        for class in class {
            match class {
                ViewerClass::Owner => who.push("the owner".to_string()),
                ViewerClass::Other if !everybody => {
                    who.push(if owned { "other players" } else { "players" }.to_string())
                }
                ViewerClass::Spectator if !everybody => who.push("spectators".to_string()),
                ViewerClass::Role(var) if !everybody => who.push(format!("`{}`", self.program.vars[var as usize].name)),
                _ => {}
            }
        }
        let one = matches!(&who[..], [who] if who == "the owner" || who.starts_with('`'));
        (!who.is_empty()).then(|| format!("{} {}", who.join(" and "), if one { "sees" } else { "see" }))
    }

    /// Returns the most that these viewers may see of a zone, with any conditions.
    pub(super) fn most_visible(&self, zone: ZoneId, class: ViewerClass) -> Visibility {
        visibility_of(&self.program.zones[usize::from(zone)].sees, class, Visibility::max)
    }

    pub(super) fn least_visible(&self, zone: ZoneId, class: ViewerClass) -> Visibility {
        visibility_of(&self.program.zones[usize::from(zone)].sees, class, Visibility::min)
    }
}

fn visibility_of(
    sees: &[VisibilityClause],
    class: ViewerClass,
    open: fn(Visibility, Visibility) -> Visibility,
) -> Visibility {
    sees.iter().fold(Visibility::Count, |level, clause| {
        // The player with a role may be the owner or not.
        let (applies, certain) = match (&clause.who, class) {
            (ViewerGroup::Everyone, _) => (true, true),
            (ViewerGroup::Players, _) => (class != ViewerClass::Spectator, true),
            (ViewerGroup::Spectators, _) => (class == ViewerClass::Spectator, true),
            (ViewerGroup::Owner, ViewerClass::Owner)
            | (ViewerGroup::Others, ViewerClass::Other | ViewerClass::Spectator) => (true, true),
            (ViewerGroup::Owner | ViewerGroup::Others, ViewerClass::Role(_)) => (true, false),
            (ViewerGroup::Owner | ViewerGroup::Others, _) => (false, true),
            (ViewerGroup::Role(var), ViewerClass::Role(role)) => (*var == role, true),
            (ViewerGroup::Role(_), _) => (false, true),
        };
        match (applies, certain && clause.when.is_none()) {
            (false, _) => level,
            (true, true) => clause.what,
            (true, false) => open(level, clause.what),
        }
    })
}
