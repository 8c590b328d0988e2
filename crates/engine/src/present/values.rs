//! Values and dice as one viewer sees them.

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::sight::{Scene, knows_as, sees_dice};
use crate::switch::hides;
use crate::view::Viewer;
use baize_rules::program::{Type, VarId, VarKind};

/// Returns the value of an element of a variable, or `None` if the viewer may not know it. A card is represented by its face.
pub(crate) fn shown_value<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    var: VarId,
    element: u32,
) -> Option<i32> {
    let declared = &scene.instance.program.vars[var as usize];
    let owner = scene.element_owner(var, element);
    let known = match declared.kind {
        VarKind::Sealed => match knows_as(frame, viewer) {
            Viewer::Seat(seat) => seat as i8 == owner || !hides("tell: sealed values"),
            Viewer::Spectator => !hides("tell: sealed values to spectators"),
            Viewer::Replay => true,
        },
        VarKind::Dice { .. } => sees_dice(&scene.instance, frame, viewer, var, owner) || !hides("tell: dice"),
        _ => true,
    };
    let value = frame.cells[(scene.instance.layout.vars[var as usize].base + element) as usize];
    known.then(|| match (&declared.ty, u16::try_from(value)) {
        (Type::Card, Ok(card)) => i32::from(scene.instance.face(card)),
        _ => value,
    })
}
