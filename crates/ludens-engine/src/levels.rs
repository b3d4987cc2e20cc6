//! Levels of play that a person understands, from a beginner to a master: agent `level:N`.
//!
//! Each game for two has a table of eight skills. `docs/results/levels.md` has what each scores
//! against the one below.

use ludens_core::{Deterministic, GameStaticEval, Param, StaticEval, parameters};
use ludens_search::duel::{LevelAgent, Skill};

use crate::AgentEntry;

/// How many levels there are.
pub const LEVELS: usize = 8;

/// What the levels are called, the weakest first.
pub const TITLES: [&str; LEVELS] = [
    "Beginner",
    "Novice",
    "Casual player",
    "Club player",
    "Strong player",
    "Expert",
    "Candidate master",
    "Master",
];

/// The skills of a game's levels, the weakest first.
pub(crate) type Ladder = [Skill; LEVELS];

/// The name of the agent.
pub(crate) const NAME: &str = "level";
/// Bytes of a player's table of positions.
const TABLE: usize = 16 << 20;
const LEVEL: Param<usize> =
    Param::int("level", 1..=LEVELS as u64, 4).help("from 1, a beginner, to 8, a master");

/// One level as pages show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// From 1, the weakest.
    pub level: usize,
    /// What it is called.
    pub title: &'static str,
    /// The agent that plays so.
    pub agent: String,
}

impl Level {
    /// All levels.
    pub(crate) fn all() -> Vec<Level> {
        let level = |(index, title)| {
            let level = index + 1;
            Level { level, title, agent: format!("{NAME}:{level}") }
        };
        TITLES.into_iter().enumerate().map(level).collect()
    }
}

/// Looks `depth` moves ahead, and takes any move that looks about as good.
const fn careless(depth: u32, temperature: f64) -> Skill {
    Skill { depth, nodes: 2000, oversight: 0.0, glance: depth, temperature }
}

/// Looks `depth` moves ahead where it does not overlook what follows, two in any case.
const fn hasty(depth: u32, oversight: f64, temperature: f64) -> Skill {
    Skill { depth, nodes: 20_000, oversight, glance: 2, temperature }
}

/// Looks as far ahead as `nodes` positions allow.
const fn deep(nodes: u64) -> Skill {
    Skill::sober(200, nodes)
}

/// Connect Four: games are decided by who sees further.
pub(crate) const CONNECT_FOUR: Ladder = [
    careless(1, 1500.0),
    careless(2, 900.0),
    careless(2, 50.0),
    hasty(4, 0.1, 30.0),
    hasty(5, 0.06, 10.0),
    hasty(7, 0.04, 5.0),
    Skill::sober(9, 40_000),
    deep(400_000),
];

/// Othello: every further move that is looked ahead tells.
pub(crate) const OTHELLO: Ladder = [
    careless(1, 150.0),
    careless(1, 40.0),
    careless(2, 25.0),
    hasty(3, 0.3, 15.0),
    hasty(4, 0.2, 10.0),
    Skill::sober(4, 10_000),
    Skill::sober(5, 20_000),
    Skill::sober(7, 60_000),
];

/// Sevn.
pub(crate) const SEVN: Ladder = [
    careless(1, 300.0),
    careless(2, 150.0),
    careless(2, 50.0),
    hasty(3, 0.2, 30.0),
    hasty(4, 0.1, 15.0),
    Skill::sober(5, 20_000),
    Skill::sober(7, 50_000),
    deep(150_000),
];

/// Togyzkumalak.
pub(crate) const TOGYZKUMALAK: Ladder = [
    careless(1, 200.0),
    careless(2, 100.0),
    careless(2, 40.0),
    hasty(3, 0.2, 20.0),
    hasty(4, 0.1, 10.0),
    Skill::sober(5, 20_000),
    Skill::sober(7, 50_000),
    deep(150_000),
];

/// The agent of a ladder as it is listed.
pub(crate) fn agent<G: StaticEval + Deterministic>(ladder: &'static Ladder) -> AgentEntry<G> {
    AgentEntry::new(
        NAME,
        "plays like a beginner (1) to a master (8)",
        parameters![LEVEL],
        move |_, params| {
            let skill = ladder[params.get(&LEVEL)? - 1];
            Ok(LevelAgent::new(skill, GameStaticEval, TABLE))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Method, Request};
    use crate::{game, games};

    /// Every game with winners has all levels, each of which plays; others have none.
    #[test]
    fn games_for_two_have_levels() {
        for info in games() {
            let handle = game(&info.spec()).unwrap();
            let table = handle.start(1);
            let levels = table.levels();
            assert_eq!(
                levels.len(),
                if handle.has_winners() { LEVELS } else { 0 },
                "{}",
                info.name
            );
            for level in levels {
                let budget = ludens_core::Budget::nodes(300);
                let method = Method::agent(&level.agent);
                let request = Request { method, budget, ..Request::default() };
                let found = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
                assert!(found.best.is_some(), "{} {}", info.name, level.title);
            }
        }
    }

    /// From level 2 up a loss at once is mostly stopped, and a win at once is always taken.
    #[test]
    fn levels_play_no_nonsense() {
        let handle = game("connect-four").unwrap();
        let plays = |moves: &str, level: usize, seed: u64| {
            let mut table = handle.parse(moves).unwrap();
            table.reseed(seed);
            let method = Method::agent(&format!("level:{level}"));
            let request = Request { method, ..Request::default() };
            let found = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
            found.best.unwrap().text
        };
        for level in 1..=LEVELS {
            let seeds = if level < 6 { 0..20 } else { 0..1 };
            let count = seeds.end;
            assert!(seeds.clone().all(|seed| plays("112233", level, seed) == "4"), "{level}");
            let stopped = seeds.filter(|&seed| plays("11223", level, seed) == "4").count() as u64;
            assert!(level == 1 || stopped * 10 >= count * 9, "level {level}: {stopped}");
        }
    }

    /// A move takes at most 0.2 s, measured by its work: a level-8 move takes some 40 ms of a core
    /// in Connect Four (400,000 positions) and 25 ms in the other games. The page limits the time too.
    #[test]
    fn levels_look_at_few_positions() {
        assert!(CONNECT_FOUR.iter().all(|skill| skill.nodes <= 400_000));
        for ladder in [OTHELLO, SEVN, TOGYZKUMALAK] {
            assert!(ladder.iter().all(|skill| skill.nodes <= 150_000));
        }
    }

    #[test]
    fn levels_out_of_range_are_refused() {
        let table = game("othello").unwrap().start(1);
        let message = table.check_agent("level:9").unwrap_err().to_string();
        assert!(message.contains("level") && message.contains('8'), "{message}");
        assert!(table.check_agent("level:0").is_err() && table.check_agent("level:x").is_err());
    }
}
