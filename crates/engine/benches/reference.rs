//! Donkey written by hand with bit sets, without the rules language. It makes moves by the same steps as the compiled file
//! (list the legal cards, choose one, apply it), so that one run can compare the two.

pub const SEATS: usize = 4;
const FULL: u64 = (1 << 52) - 1;
/// Cards are numbered suit × 13 + rank; spades are suit 3, the ace is rank 12.
const ACE_OF_SPADES: u32 = 3 * 13 + 12;

pub fn next_random(state: &mut u64) -> u64 {
    // This is wyrand, the generator of the compiled rules, so that both sides spend the same time on chance.
    *state = state.wrapping_add(0xa076_1d64_78bd_642f);
    let t = u128::from(*state) * u128::from(*state ^ 0xe703_7ed1_a0b4_28db);
    (t >> 64) as u64 ^ t as u64
}

pub fn below(state: &mut u64, n: u64) -> u64 {
    ((u128::from(next_random(state)) * u128::from(n)) >> 64) as u64
}

#[derive(Clone)]
pub struct Round {
    pub hands: [u64; SEATS],
    pub trick: u64,
    pub waste: u64,
    pub turn: usize,
    pub steps: usize,
    pub leader: usize,
    pub led: usize,
    pub best_rank: u32,
    pub best_seat: usize,
    pub opening: bool,
    pub over: bool,
    pub loser: usize,
}

impl Round {
    pub fn deal(random: &mut u64) -> Round {
        let mut cards: [u8; 52] = std::array::from_fn(|i| i as u8);
        for i in (1..52).rev() {
            cards.swap(i, below(random, i as u64 + 1) as usize);
        }
        let mut hands = [0u64; SEATS];
        let start = below(random, SEATS as u64) as usize;
        for (i, card) in cards.iter().enumerate() {
            hands[(start + i) % SEATS] |= 1 << card;
        }
        let leader = (0..SEATS).find(|s| hands[*s] >> ACE_OF_SPADES & 1 == 1).unwrap_or(0);
        Round {
            hands,
            trick: 0,
            waste: 0,
            turn: leader,
            steps: 0,
            leader,
            led: 0,
            best_rank: 0,
            best_seat: leader,
            opening: true,
            over: false,
            loser: 0,
        }
    }

    pub fn legal(&self) -> u64 {
        let hand = self.hands[self.turn];
        if self.opening {
            return 1 << ACE_OF_SPADES;
        }
        if self.trick == 0 {
            return hand;
        }
        let follow = hand & (0x1fff << (self.led * 13));
        if follow != 0 { follow } else { hand }
    }

    pub fn apply(&mut self, card: u32) {
        let (suit, rank) = ((card / 13) as usize, card % 13);
        self.hands[self.turn] &= !(1 << card);
        self.opening = false;
        let first = self.trick == 0;
        self.trick |= 1 << card;
        if first {
            self.led = suit;
            self.best_rank = rank;
            self.best_seat = self.turn;
        } else if suit == self.led && rank > self.best_rank {
            self.best_rank = rank;
            self.best_seat = self.turn;
        }
        if suit != self.led {
            self.hands[self.best_seat] |= self.trick;
            self.trick = 0;
            self.start_set(self.turn);
            return;
        }
        let last = self.turn;
        loop {
            self.steps += 1;
            if self.steps == SEATS {
                self.waste |= self.trick;
                self.trick = 0;
                self.start_set(self.best_seat);
                if self.over && self.holders() == 0 {
                    self.loser = last;
                }
                return;
            }
            self.turn = (self.turn + 1) % SEATS;
            if self.hands[self.turn] != 0 {
                return;
            }
        }
    }

    fn holders(&self) -> usize {
        self.hands.iter().filter(|h| **h != 0).count()
    }

    fn start_set(&mut self, leader: usize) {
        self.steps = 0;
        let holders = self.holders();
        if holders <= 1 {
            self.over = true;
            self.loser = self.hands.iter().position(|h| *h != 0).unwrap_or(leader);
            return;
        }
        let mut leader = leader;
        while self.hands[leader] == 0 {
            leader = (leader + 1) % SEATS;
        }
        self.leader = leader;
        self.turn = leader;
        if holders == 2 {
            let left = FULL & !self.waste;
            let single = (0..4).all(|s| (left >> (s * 13) & 0x1fff).count_ones() <= 1);
            let mut other = (leader + 1) % SEATS;
            while self.hands[other] == 0 {
                other = (other + 1) % SEATS;
            }
            if single && self.hands[other].count_ones() >= 2 {
                self.over = true;
                self.loser =
                    if self.hands[other].count_ones() > self.hands[leader].count_ones() { other } else { leader };
            }
        }
    }
}

/// Plays one round at random; returns the number of moves and the loser.
pub fn play_round(random: &mut u64) -> (u64, usize) {
    let mut round = Round::deal(random);
    let mut moves = 0;
    while !round.over {
        let legal = round.legal();
        let mut pick = below(random, u64::from(legal.count_ones()));
        let mut bits = legal;
        while pick > 0 {
            bits &= bits - 1;
            pick -= 1;
        }
        round.apply(bits.trailing_zeros());
        moves += 1;
    }
    (moves, round.loser)
}
