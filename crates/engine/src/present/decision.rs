use crate::cardset::CardSet;
use crate::observe::Handles;
use crate::sight::Sight;
use crate::view::DecisionView;
pub(crate) fn decision<S: CardSet>(_: &Sight<S>, _: &Handles) -> Option<DecisionView> { None }
