//! Ludens for people who build in Rust: the rules of ten games, searches for any game, and an engine
//! that knows them by name. This crate only gathers the others.
//!
//! | module | what it has |
//! |---|---|
//! | [`core`] | the `Game` trait and its capabilities, agents, solvers, evaluators |
//! | [`games`] | the games as types |
//! | [`search`] | searches for any game with the capabilities they ask for |
//! | [`engine`] | names to games, agents and solvers; games in progress; analysis |
//!
//! # 1. Solve a board
//! ```
//! use ludens::core::Budget;
//! use ludens::engine::analysis::Request;
//!
//! let table = ludens::engine::game("former").unwrap().generate("date", "2025-05-18").unwrap();
//! let request = Request { budget: Budget::nodes(20_000), ..Request::default() };
//! let analysis = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
//! let solved = analysis.solved().unwrap();
//! assert!(solved.finished && solved.moves.len() <= 14);
//! ```
//!
//! # 2. Prove that nothing is shorter
//! ```
//! use ludens::engine::analysis::Request;
//!
//! let game = ludens::engine::game("former:rows=4,cols=4,shapes=3").unwrap();
//! let request = Request { prove: true, memory: 1 << 26, ..Request::default() };
//! let analysis = game.start(1).analyze(&request, Request::never(), &mut |_| {}).unwrap();
//! assert!(analysis.proven);
//! ```
//!
//! # 3. The exact values of all moves
//! ```
//! use ludens::engine::analysis::Request;
//!
//! let game = ludens::engine::game("connect-four").unwrap();
//! let table = game.parse("567752164521632153").unwrap();
//! let request = Request { memory: 1 << 24, ..Request::default() };
//! let analysis = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
//! let best: Vec<&str> = analysis.best_moves().map(|one| one.action.text.as_str()).collect();
//! assert!(analysis.proven && ["3", "7"].contains(&best[0]));
//! ```
//!
//! # 4. Let two agents play
//! ```
//! use ludens::core::Player;
//! use ludens::engine::analysis::Request;
//!
//! let mut table = ludens::engine::game("othello").unwrap().start(1);
//! table.seat(Player::One, "alphabeta:depth=2").unwrap();
//! table.seat(Player::Two, "random").unwrap();
//! let request = Request::default();
//! while table.play_agent(&request, Request::never()).unwrap().is_some() {}
//! assert!(table.outcome().is_some());
//! ```
//!
//! # 5. Keep a game and replay it
//! ```
//! use ludens::core::Record;
//!
//! let game = ludens::engine::game("2048").unwrap();
//! let mut table = game.start(7);
//! let first = table.actions()[0].text.clone();
//! table.play(&first).unwrap();
//! let text = table.record().write();
//! let again = game.replay(&Record::parse(&text).unwrap()).unwrap();
//! assert_eq!(again.position(), table.position());
//! ```
//!
//! # 6. The value of every move of a small 2048
//! ```
//! use ludens::engine::analysis::{Method, Request};
//!
//! let table = ludens::engine::game("2048:board=2x2").unwrap().start(1);
//! let request = Request { prove: true, memory: 1 << 26, ..Request::default() };
//! let analysis = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
//! assert!(analysis.proven && analysis.moves.iter().all(|one| one.value.is_some()));
//! # let _ = Method::Solver(None);
//! ```
//!
//! # 7. The rules as types
//! ```
//! use ludens::core::{Game, Rng};
//! use ludens::games::SameGame;
//!
//! let board = SameGame::start(&Default::default(), &mut Rng::new(3));
//! let mut best = None;
//! board.children(|action, _, reward| best = best.max(Some((reward, action.column()))));
//! assert!(best.is_some());
//! ```
//!
//! # 8. Count positions
//! ```
//! use ludens::core::perft;
//! use ludens::games::ConnectFour;
//!
//! assert_eq!(perft(&ConnectFour::default(), 4, &|| false).unwrap(), [7, 49, 343, 2401]);
//! ```
//!
//! # 9. A search on a type
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use ludens::core::{Budget, Context, Game, Progress, Rng, Solver};
//! use ludens::games::SameGame;
//! use ludens::search::nested::{Nmcs, Uniform};
//!
//! let board = SameGame::start(&Default::default(), &mut Rng::new(3));
//! let (stop, mut quiet) = (AtomicBool::new(false), |_: &Progress<'_, SameGame>| {});
//! let mut context = Context::new(Budget::nodes(5_000), 1, 1, 1 << 20, &stop, &mut quiet);
//! let found = Nmcs { rollout: Uniform, level: 1 }.solve(&board, &mut context).unwrap();
//! assert!(found.value > 0);
//! ```
//!
//! # 10. A game of your own, played by MCTS
//! Nim with one pile: take one to three; whoever takes the last one wins.
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use ludens::core::{
//!     Agent, Budget, Choice, Context, Deterministic, Duel, Game, GameResult, NoVariant, Player,
//!     Position, Reward, Rng, ZeroSum, deterministic,
//! };
//! use ludens::search::tree::{Rollouts, Selection, TreeAgent};
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
//! struct Nim { pile: u8, mover: Player }
//!
//! impl Position for Nim {
//!     fn key(&self) -> u64 { ludens::core::bits::mix(u64::from(self.pile) * 2 + self.mover.index() as u64) }
//! }
//!
//! impl Game for Nim {
//!     deterministic!(players: 2, variant: NoVariant, action: u8, actions: std::ops::Range<u8>);
//!     fn variant(&self) -> NoVariant { NoVariant }
//!     fn start(_: &NoVariant, _: &mut Rng) -> Self { Nim { pile: 21, mover: Player::One } }
//!     fn to_move(&self) -> Player { self.mover }
//!     fn actions(&self) -> Self::Actions { 1..self.pile.min(3) + 1 }
//!     fn is_legal(&self, take: u8) -> bool { (1..=3).contains(&take) && take <= self.pile }
//!     fn apply(&self, take: u8) -> (Self, Reward) {
//!         let next = Nim { pile: self.pile - take, mover: self.mover.opponent() };
//!         (next, next.outcome().map_or(0, |result| result.value()))
//!     }
//! }
//!
//! impl Deterministic for Nim {}
//! impl ZeroSum for Nim {}
//! impl Duel for Nim {
//!     fn outcome(&self) -> Option<GameResult> {
//!         (self.pile == 0).then(|| GameResult::Win(self.mover.opponent()))
//!     }
//! }
//!
//! let mut agent: TreeAgent<Nim, Rollouts> = TreeAgent::uct(Selection::Ucb1(1.0), Some(2_000), Budget::default(), |rng| {
//!     Rollouts { games: 1, rng }
//! });
//! let (stop, mut quiet) = (AtomicBool::new(false), |_: &Choice<u8>| {});
//! let mut context = Context::for_agent(Budget::default(), Rng::new(1), 1, &stop, &mut quiet);
//! let position = Nim { pile: 7, mover: Player::One };
//! // Four left are lost for whoever moves then.
//! assert_eq!(agent.choose(&position, &mut context).action, 3);
//! ```

pub use ludens_core as core;
pub use ludens_engine as engine;
pub use ludens_games as games;
pub use ludens_search as search;
