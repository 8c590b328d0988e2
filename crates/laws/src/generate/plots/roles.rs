//! Plots in which a role passes to another player, and something is told to whoever has it.

use crate::generate::Writer;

impl Writer {
    /// Writes a game in which a player with a role picks a card, somebody may leave, and the holder of the role is told the card.
    pub(super) fn tell_a_role(&mut self, effect: &[String]) {
        let role = self.pick(&["judge", "turn"]);
        let other = self.pick(&["q", "p", role]);
        let repeated = self.begin_repeat();
        self.picks(Some(role), |w, picked| {
            if w.one_in(2) {
                w.line(format!("ask {other} \"wait\""));
                w.block(|w| w.line("ok"));
            }
            if w.one_in(4) {
                w.write_effect(effect);
            }
            match w.below(4) {
                0 => w.tell_of(picked),
                1 => {
                    w.line("ask all s over players \"Go on?\"");
                    w.block(|w| {
                        w.line("ok");
                        w.block(|w| {
                            let name = &picked.name;
                            w.line(format!("announce \"{{{name}}}\" as notice to {role}"));
                            w.line(format!("{role} := next player after {role}"));
                        });
                    });
                }
                _ => w.line(format!("announce \"{{{}}}\" as notice to {role}", picked.name)),
            }
        });
        self.indent -= usize::from(repeated);
    }

    /// Writes a game in which two names mean different players until one of the names gets another value.
    pub(super) fn tell_players_apart(&mut self) {
        self.line("deal stock to brow 1 each from first player");
        let (a, b) = (self.pick(&["judge", "turn", "judge"]), self.pick(&["turn", "p", "q"]));
        let (role, other) = if a == b { ("judge", "turn") } else { (a, b) };
        let change = match self.below(3) {
            0 => format!("{role} := {other}"),
            1 => format!("{role} := next player after {role}"),
            _ => "do change()".to_owned(),
        };
        let announcement = format!("announce \"{{last card of brow[{role}]}}\" as notice to {other}");
        self.line(format!("if {role} is not {other}"));
        self.block(|w| match w.below(3) {
            0 => {
                w.line("repeat 3 times");
                w.block(|w| {
                    w.line(&announcement);
                    w.line(&change);
                });
            }
            1 => {
                w.wait();
                if w.one_in(2) {
                    w.wait();
                }
                w.line(&announcement);
            }
            _ => {
                if w.one_in(2) {
                    w.line("if flag");
                    w.block(|w| w.line(&change));
                } else {
                    w.line(&change);
                }
                w.line(&announcement);
            }
        });
    }

    /// Returns the steps of a hook that hands a role on. It may do so only if the leaving player has the role, or by a name that
    /// means somebody else.
    pub(super) fn role_hook(&mut self) -> Vec<String> {
        let role = self.pick(&["judge", "turn"]);
        let next =
            self.pick(&["next player after one", "next player after judge", "first player", "next player after turn"]);
        match self.below(6) {
            0..=2 => vec![format!("if one is {role}"), format!("  {role} := {next}")],
            3 => vec![format!("one := {role}"), format!("if one is {role}"), format!("  {role} := {next}")],
            4 => vec![
                "for one in players".to_owned(),
                format!("  if one is {role}"),
                format!("    {role} := {next}"),
                "    stop".to_owned(),
            ],
            _ => vec![format!("{role} := {next}")],
        }
    }
}
