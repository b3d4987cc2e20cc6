//! Ways to play simulations that spare one colour, so that its blocks end up in
//! one large group.
//!
//! The tabu colour is not played while another move exists. References: Klein
//! (2015), sections 3.7.1 (TabuRandom, TabuColorRandom), 7.0.5
//! (the switch to random play below x blocks) and A.3 (the bandit); T. Cazenave, "Nested rollout policy adaptation with selective policies" (pairs).

use ludens_core::{Candidate, Candidates, Game, MoveCode, Reward, Rng, Rollout};

use super::bandit::Bandit;
use super::plane::{Bits, count};
use super::variant::MAX_COLOURS;
use super::{Group, SameGame, VsSameGame, board, codes, segments};

/// How the tabu colour of a simulation is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TabuColour {
    /// No colour is tabu: Random.
    None,
    /// A colour drawn uniformly from those on the board: TabuRandom.
    Random,
    /// The most frequent colour, the first of equals: TabuColorRandom.
    #[default]
    Frequent,
    /// A colour that did well so far, by a UCB1-TUNED bandit over all
    /// simulations.
    Bandit,
    /// This colour, from 0, whether or not it is on the board.
    Colour(u8),
    /// For learned simulations: the most frequent colour or one with at most
    /// this many blocks fewer, whichever a short search does best with. Other
    /// simulations take the most frequent one.
    Within(u32),
}

/// When pairs of the tabu colour may be played although other moves exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TabuPairs {
    /// Never.
    #[default]
    Never,
    /// After that many moves of the simulation.
    After(u32),
}

/// Simulations with a tabu colour, uniformly random otherwise.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tabu {
    /// Which colour is spared.
    pub tabu: TabuColour,
    /// With at most this many blocks left nothing is tabu.
    pub threshold: u32,
    /// When its pairs are allowed all the same.
    pub pairs: TabuPairs,
    /// For learned simulations: a group of `n` blocks is `e^(bias * (n - 2))` times
    /// as likely at first as a pair; `n` counts as 10 above that.
    pub bias: f32,
    /// The priors of groups of 2 to 10 blocks.
    priors: [f32; 9],
    /// What the bandit has learned.
    bandit: Bandit,
    /// Its colour code; 0 for none.
    code: u8,
    /// Moves since the simulation began.
    moves: u32,
}

impl Tabu {
    /// A tabu of some kind, without a bias.
    pub fn new(tabu: TabuColour, threshold: u32, pairs: TabuPairs) -> Self {
        Tabu { tabu, threshold, pairs, ..Tabu::default() }
    }

    /// A tabu on the most frequent colour that ends when at most `threshold`
    /// blocks are left; 48 did best in Klein (2015).
    pub fn frequent(threshold: u32) -> Self {
        Tabu { threshold, ..Tabu::default() }
    }

    /// A tabu on the most frequent colour except for its pairs after ten moves.
    pub fn with_pairs() -> Self {
        Tabu { pairs: TabuPairs::After(10), ..Tabu::default() }
    }

    /// For learned simulations: a tabu on the best of the colours that are about
    /// as frequent as the most frequent one.
    pub fn near_frequent() -> Self {
        Tabu { tabu: TabuColour::Within(4), ..Tabu::default() }
    }

    /// A tabu on a colour of one's choice, from 0.
    pub fn colour(colour: u8) -> Self {
        Tabu { tabu: TabuColour::Colour(colour), ..Tabu::default() }
    }

    /// The colour codes by number of blocks, the first of equals first.
    fn by_frequency(counts: &[u32; MAX_COLOURS as usize]) -> [u8; MAX_COLOURS as usize] {
        let mut codes = std::array::from_fn(|i| i as u8 + 1);
        codes.sort_by_key(|&code: &u8| std::cmp::Reverse(counts[usize::from(code) - 1]));
        codes
    }

    /// The code of the colour that is tabu in simulations from a position.
    fn choose(&self, position: &SameGame, draw: impl FnOnce(u32) -> u32) -> u8 {
        let counts = position.colour_counts();
        match self.tabu {
            TabuColour::None => 0,
            TabuColour::Colour(colour) => colour.saturating_add(1),
            TabuColour::Frequent | TabuColour::Within(_) => Tabu::by_frequency(&counts)[0],
            TabuColour::Bandit => self.bandit.pull(&counts).map_or(0, |colour| colour as u8 + 1),
            TabuColour::Random => {
                let present =
                    || (1..=MAX_COLOURS).filter(|&code| counts[usize::from(code) - 1] > 0);
                match present().count() as u32 {
                    0 => 0,
                    n => present().nth(draw(n) as usize).unwrap_or(0),
                }
            }
        }
    }

    /// The code that is tabu here, 0 for none.
    pub(super) fn hidden(&self, position: &SameGame) -> u8 {
        let over = self.threshold > 0 && position.blocks() <= self.threshold;
        if over { 0 } else { self.code }
    }

    fn pairs_allowed(&self, moves: u32) -> bool {
        matches!(self.pairs, TabuPairs::After(after) if moves >= after)
    }
}

impl Tabu {
    /// Prepares for a simulation.
    fn prepare(&mut self, position: &SameGame, rng: &mut Rng) {
        self.code = self.choose(position, |n| rng.below(n));
        self.moves = 0;
    }

    fn update(&mut self, value: i64) {
        if self.tabu == TabuColour::Bandit && self.code != 0 {
            self.bandit.update(usize::from(self.code) - 1, value);
        }
    }
}

impl Rollout<SameGame> for Tabu {
    fn start(&mut self, position: &SameGame, rng: &mut Rng) {
        self.prepare(position, rng);
    }

    fn pick(&mut self, position: &SameGame, rng: &mut Rng) -> Option<(Group, SameGame, Reward)> {
        let hidden = self.hidden(position);
        let pairs = self.pairs_allowed(self.moves);
        self.moves += 1;
        match hidden {
            0 => position.step(rng),
            _ if pairs => {
                let free = |size, code| code != hidden || size == 2;
                board::step_among(position, &[u64::MAX; 4], rng, free)
                    .or_else(|| position.step(rng))
            }
            _ => segments::draw(position, false, hidden, rng),
        }
    }

    fn play(
        &mut self,
        position: &SameGame,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (SameGame, i64) {
        self.prepare(position, rng);
        if self.pairs == TabuPairs::Never {
            return segments::play(position, false, self.code, self.threshold, line, rng);
        }
        self.finish(position, line, rng)
    }

    fn learn(&mut self, value: i64) {
        self.update(value);
    }
}

/// In the pruned game, pairs of the tabu colour are as tabu as its other groups.
impl Rollout<VsSameGame> for Tabu {
    fn start(&mut self, position: &VsSameGame, rng: &mut Rng) {
        self.prepare(position.board(), rng);
    }

    fn pick(
        &mut self,
        position: &VsSameGame,
        rng: &mut Rng,
    ) -> Option<(Group, VsSameGame, Reward)> {
        let hidden = self.hidden(position.board());
        let (group, next, reward) = segments::draw(position.board(), true, hidden, rng)?;
        Some((group, VsSameGame::new(next), reward))
    }

    fn play(
        &mut self,
        position: &VsSameGame,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (VsSameGame, i64) {
        self.prepare(position.board(), rng);
        let (end, total) =
            segments::play(position.board(), true, self.code, self.threshold, line, rng);
        (VsSameGame::new(end), total)
    }

    fn learn(&mut self, value: i64) {
        self.update(value);
    }
}

/// The same moves for learned policies. Colours that change between simulations
/// are not meant for them: the first one is taken.
impl Candidates<SameGame> for Tabu {
    fn ways(&self, position: &SameGame) -> u32 {
        let TabuColour::Within(fewer) = self.tabu else { return 1 };
        let counts = position.colour_counts();
        let most = counts.iter().max().copied().unwrap_or(0);
        counts.iter().filter(|&&n| n > 0 && n + fewer >= most).count().max(1) as u32
    }

    fn start(&mut self, position: &SameGame, way: u32) {
        self.code = match self.tabu {
            TabuColour::Within(_) => {
                let codes = Tabu::by_frequency(&position.colour_counts());
                codes[(way as usize).min(codes.len() - 1)]
            }
            _ => self.choose(position, |_| 0),
        };
        self.priors = std::array::from_fn(|i| (self.bias * i as f32).exp());
    }

    fn list(&mut self, position: &SameGame, moves: usize, out: &mut Vec<Candidate<Group>>) {
        let hidden = self.hidden(position);
        let pairs = hidden != 0 && self.pairs_allowed(moves as u32);
        let mut add = |cell: u8, cells: &Bits| {
            let colour = SameGame::code(position, cell);
            let size = count(cells);
            if !pairs || colour != hidden || size == 2 {
                let prior = self.priors[(size as usize - 2).min(8)];
                let code = codes::of_group(cells, colour);
                out.push(Candidate { action: Group(cell), code, prior });
            }
        };
        board::groups_but(position, if pairs { 0 } else { hidden }, &mut add);
        if hidden != 0 && out.is_empty() {
            position.coded(|action, code| out.push(Candidate { action, code, prior: 1.0 }));
        }
    }
}
