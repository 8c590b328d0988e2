//! Finds the ask to whose body each op belongs.
//!
//! In the body of an answer, `Me` and the player that zones remember are the seat that answered. The interpreter does not track bodies;
//! this analysis finds them once: an op belongs to the innermost ask without whose answer control can't reach the op (its dominator).
//! So leaving a body early (`stop the circle`) needs no special care.

use baize_rules::program::{AskId, AskMode, Op, Pc, Program, TimeLimit, TimeoutAction};

pub(super) struct Flow {
    /// Indexed by pc: the region of the op.
    pub regions: Vec<Region>,
    /// Indexed by ask: the pc of its `Ask` op, if there is one.
    pub asked_at: Vec<Option<Pc>>,
    /// Indexed by ask: the pc of its `NextAnswer` op, if there is one.
    pub next_answer: Vec<Option<Pc>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Region {
    /// The op belongs to the course of the game, outside of any decision.
    Outside,
    /// The op belongs to what happens after an answer to this ask.
    Body(AskId),
    /// The op belongs to a thread of a `together` block.
    Thread,
    /// The op belongs to `when p leaves` or `when p joins`.
    Hook,
}

impl Flow {
    pub fn new(program: &Program) -> Self {
        let find = |test: &dyn Fn(&Op) -> bool| program.code.iter().position(test).map(|pc| pc as Pc);
        let asks = 0..program.asks.len() as AskId;
        let next_answer: Vec<_> = asks.clone().map(|a| find(&|op| *op == Op::NextAnswer(a))).collect();
        let asked_at = asks.map(|a| find(&|op| *op == Op::Ask(a))).collect();
        let graph = Graph { program, next_answer: &next_answer };
        let mut regions = vec![Region::Outside; program.code.len()];
        for (pc, ask) in graph.bodies() {
            regions[pc] = Region::Body(ask);
        }
        for together in &program.togethers {
            graph.reach(together.body, |pc| regions[pc] = Region::Thread);
        }
        for hook in program.on_leave.iter().chain(&program.on_join) {
            graph.reach(hook.body, |pc| regions[pc] = Region::Hook);
        }
        Flow { regions, asked_at, next_answer }
    }
}

/// The control-flow graph. Ops are nodes 0..n, then comes one node "answered" per ask; the last node leads to every entry.
struct Graph<'a> {
    program: &'a Program,
    next_answer: &'a [Option<Pc>],
}

impl Graph<'_> {
    fn ops(&self) -> usize {
        self.program.code.len()
    }

    fn root(&self) -> usize {
        self.ops() + self.program.asks.len()
    }

    fn successors(&self, node: usize) -> Vec<usize> {
        let mut next: Vec<usize> = if node == self.root() {
            let hooks = self.program.on_leave.iter().chain(&self.program.on_join).map(|h| h.body as usize);
            let threads = self.program.togethers.iter().map(|t| t.body as usize);
            std::iter::once(0).chain(hooks).chain(threads).collect()
        } else if node >= self.ops() {
            self.program.asks[node - self.ops()].alternatives.iter().map(|a| a.body as usize).collect()
        } else {
            self.after_op(node)
        };
        // A pc out of range has no successor.
        next.retain(|&n| n < self.ops() || (node < self.ops() && n < self.root()));
        next
    }

    fn after_op(&self, pc: usize) -> Vec<usize> {
        let goto = |within: &Option<TimeLimit>| match within {
            Some(TimeLimit { then: TimeoutAction::Goto(pc), .. }) => Some(*pc as usize),
            _ => None,
        };
        match &self.program.code[pc] {
            Op::Jump(to) => vec![*to as usize],
            Op::Unless(_, to) => vec![pc + 1, *to as usize],
            Op::Circle { exit, .. } | Op::CountTo { exit, .. } => vec![pc + 1, *exit as usize],
            Op::Ask(id) => {
                let Some(ask) = self.program.asks.get(*id as usize) else { return Vec::new() };
                let mut next = vec![ask.after as usize];
                match (&ask.mode, self.next_answer[*id as usize]) {
                    (AskMode::All(_), Some(pc)) => next.push(pc as usize),
                    (AskMode::All(_), None) => {}
                    _ => next.push(self.ops() + *id as usize),
                }
                next.extend(ask.absent_after.as_ref().map(|(_, pc)| *pc as usize));
                next.extend(goto(&ask.within));
                next
            }
            Op::NextAnswer(id) => vec![pc + 1, self.ops() + *id as usize],
            Op::Together(id) => {
                let Some(block) = self.program.togethers.get(*id as usize) else { return Vec::new() };
                std::iter::once(block.after as usize).chain(goto(&block.within)).collect()
            }
            Op::ThreadEnd | Op::Return | Op::End(_) => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    /// Calls `visit` for every op that control can reach from a pc.
    fn reach(&self, from: Pc, mut visit: impl FnMut(usize)) {
        let mut seen = vec![false; self.root() + 1];
        let mut todo = vec![from as usize];
        while let Some(node) = todo.pop() {
            if node >= seen.len() || std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if node < self.ops() {
                visit(node);
            }
            todo.extend(self.successors(node));
        }
    }

    /// Returns for each op in a body the innermost ask.
    fn bodies(&self) -> Vec<(usize, AskId)> {
        let (order, dominator) = self.dominators();
        let mut body: Vec<Option<AskId>> = vec![None; self.root() + 1];
        let mut found = Vec::new();
        for &node in &order {
            if node == self.root() {
                continue;
            }
            let above = dominator[node];
            body[node] = if (self.ops()..self.root()).contains(&above) {
                Some((above - self.ops()) as AskId)
            } else {
                body[above]
            };
            if let (true, Some(ask)) = (node < self.ops(), body[node]) {
                found.push((node, ask));
            }
        }
        found
    }

    /// Returns the nodes in reverse postorder and the immediate dominator of each, by the algorithm of Cooper, Harvey and Kennedy.
    fn dominators(&self) -> (Vec<usize>, Vec<usize>) {
        let root = self.root();
        let mut rank = vec![usize::MAX; root + 1];
        let mut post = Vec::new();
        let mut seen = vec![false; root + 1];
        seen[root] = true;
        // The stack is explicit, because a long program could exhaust the thread's stack.
        let mut stack = vec![(root, self.successors(root), 0)];
        while let Some((node, next, at)) = stack.last_mut() {
            if let Some(&child) = next.get(*at) {
                *at += 1;
                if !seen[child] {
                    seen[child] = true;
                    stack.push((child, self.successors(child), 0));
                }
            } else {
                rank[*node] = post.len();
                post.push(*node);
                stack.pop();
            }
        }
        let order: Vec<usize> = post.into_iter().rev().collect();
        let mut before = vec![Vec::new(); root + 1];
        for &node in &order {
            for next in self.successors(node) {
                before[next].push(node);
            }
        }
        let mut dominator = vec![usize::MAX; root + 1];
        dominator[root] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().filter(|&&n| n != root) {
                let known = before[node].iter().copied().filter(|&p| dominator[p] != usize::MAX);
                let best = known.reduce(|mut a, mut b| {
                    while a != b {
                        while rank[a] < rank[b] {
                            a = dominator[a];
                        }
                        while rank[b] < rank[a] {
                            b = dominator[b];
                        }
                    }
                    a
                });
                if let Some(best) = best
                    && dominator[node] != best
                {
                    dominator[node] = best;
                    changed = true;
                }
            }
        }
        (order, dominator)
    }
}
