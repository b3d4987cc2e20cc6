//! The one implementation of [`Table`].

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::bits::mix;
use ludens_core::error::quote;
use ludens_core::motion::in_turn;
use ludens_core::{
    Agent, GameResult, Movement, ParseError, Player, Position as _, Record, RecordedMove, Rng,
    Throughput, View, children_per_second, perft,
};

use crate::agents::{self, AgentInfo, Seat};
use crate::analysis::solver::SolverInfo;
use crate::analysis::{
    Analysis, AnalysisError, Callback, Method, Request, Search, agent as by_agent,
};
use crate::form::{Form, Registered};
use crate::levels::{self, Level};
use crate::objective::Objective;
use crate::perfect;
use crate::{Legal, Named, Played, Table, Turn};
use ludens_core::platform::Instant;

/// A game of `G` in progress.
pub struct Session<G: Registered> {
    form: Form<G>,
    start: G,
    seed: Option<u64>,
    position: G,
    rng: Rng,
    total: i64,
    history: Vec<Played>,
    /// What [`Table::undo`] goes back to, one for each move of `history`.
    before: Vec<(G, Rng)>,
    millis: Vec<u64>,
    seats: [Seat<G>; 2],
}

impl<G: Registered> Session<G> {
    /// A table at a position; nature's randomness comes from `seed` (0 if none is named).
    pub fn new(form: Form<G>, start: G, seed: Option<u64>) -> Self {
        Session {
            form,
            start,
            seed,
            position: start,
            // The start was drawn from stream 0 of the seed.
            rng: Rng::stream(seed.unwrap_or(0), 1),
            total: 0,
            history: Vec::new(),
            before: Vec::new(),
            millis: Vec::new(),
            seats: [Seat::human(), Seat::human()],
        }
    }

    /// Agents draw from a stream of their own, so that who plays does not change
    /// nature's luck.
    fn agent_rng(&self) -> Rng {
        Rng::stream(self.seed.unwrap_or(0), 2 + self.history.len() as u64)
    }

    fn agents_at_table(&mut self) -> impl Iterator<Item = &mut Box<dyn Agent<G>>> {
        self.seats.iter_mut().filter_map(|seat| seat.agent.as_mut())
    }

    /// Names the players without seating agents, for a recorded game.
    pub(crate) fn name_seats(&mut self, one: &str, two: Option<&str>) {
        for (seat, name) in self.seats.iter_mut().zip([Some(one), two]) {
            if let Some(name) = name {
                seat.name = name.to_owned();
            }
        }
    }

    fn advance(
        &mut self,
        action: &str,
        choose: impl FnOnce(&G::After, &mut Rng) -> Result<G::Chance, ParseError>,
    ) -> Result<&Played, ParseError> {
        let parsed = self.position.parse_action(action)?;
        let (after, reward) = self.position.apply(parsed);
        let mut rng = self.rng.clone();
        let chance = choose(&after, &mut rng)?;
        let (next, bonus) = G::apply_outcome(&after, chance);
        let reward = i64::from(reward) + i64::from(bonus);
        self.history.push(Played {
            player: self.position.to_move(),
            action: Legal::of(&self.position, parsed),
            chance: G::is_chance(&after).then(|| G::chance_text(&after, chance)),
            reward,
        });
        self.before.push((self.position, std::mem::replace(&mut self.rng, rng)));
        self.millis.push(0);
        let before = std::mem::replace(&mut self.position, next);
        for agent in self.agents_at_table() {
            agent.observe(&before, parsed, &next);
        }
        self.total += reward;
        Ok(self.history.last().expect("a move was just pushed"))
    }
}

impl<G: Registered> Table for Session<G> {
    fn spec(&self) -> String {
        self.form.spec_of(&self.position.variant())
    }

    fn players(&self) -> usize {
        G::PLAYERS
    }

    fn objective(&self) -> Objective {
        self.form.info.objective
    }

    fn position(&self) -> String {
        self.position.text()
    }

    fn view(&self) -> View {
        self.position.view()
    }

    fn winning_cells(&self) -> Vec<usize> {
        self.position.winning_cells()
    }

    fn motion(&self, ply: usize) -> Vec<Movement> {
        let (Some(played), Some((position, _))) = (self.history.get(ply), self.before.get(ply))
        else {
            return Vec::new();
        };
        // Both were read once already, so they read again.
        let Ok(action) = position.parse_action(&played.action.text) else { return Vec::new() };
        let (after, _) = position.apply(action);
        let chance = played.chance.as_ref().and_then(|text| G::parse_chance(&after, text).ok());
        let then = chance.map_or(Vec::new(), |chance| G::chance_motion(&after, chance));
        in_turn(position.motion(action), then)
    }

    fn turn(&self) -> Turn {
        if self.position.is_over() { Turn::Over } else { Turn::Move(self.position.to_move()) }
    }

    fn outcome(&self) -> Option<GameResult> {
        (self.form.outcome)(&self.position)
    }

    fn actions(&self) -> Vec<Legal> {
        self.position.actions().map(|action| Legal::of(&self.position, action)).collect()
    }

    fn action_count(&self) -> usize {
        self.position.actions().len()
    }

    fn total(&self) -> i64 {
        self.total
    }

    fn history(&self) -> &[Played] {
        &self.history
    }

    fn play(&mut self, action: &str) -> Result<&Played, ParseError> {
        self.advance(action, |after, rng| Ok(G::sample(after, rng)))
    }

    fn replay(&mut self, action: &str, chance: Option<&str>) -> Result<&Played, ParseError> {
        self.advance(action, |after, rng| match (G::is_chance(after), chance) {
            (true, Some(text)) => {
                // Draw as `play` would, so that a game goes on with the luck it
                // would have had without the interruption.
                let _ = G::sample(after, rng);
                G::parse_chance(after, text)
            }
            (false, None) => Ok(G::sample(after, rng)),
            (true, None) => Err(ParseError::new("outcome", "none", "what nature did")),
            (false, Some(text)) => {
                Err(ParseError::new("outcome", quote(text), "none: there is no chance here"))
            }
        })
    }

    fn undo(&mut self) -> bool {
        let (Some(played), Some((position, rng))) = (self.history.pop(), self.before.pop()) else {
            return false;
        };
        self.millis.pop();
        self.agents_at_table().for_each(|agent| agent.reset());
        self.position = position;
        self.rng = rng;
        self.total -= played.reward;
        true
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.rng = Rng::stream(seed, 1);
    }

    fn note_time(&mut self, time: Duration) {
        if let Some(last) = self.millis.last_mut() {
            *last = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        }
    }

    fn seat(&mut self, player: Player, agent: &str) -> Result<(), ParseError> {
        if player.index() >= G::PLAYERS {
            return Err(ParseError::new("second player", quote(agent), "one player in this game"));
        }
        self.seats[player.index()] =
            Seat::parse(agent, &self.position.variant(), self.form.agents)?;
        Ok(())
    }

    fn seated(&self, player: Player) -> &str {
        &self.seats[player.index()].name
    }

    fn weights(&self, player: Player) -> &[String] {
        &self.seats[player.index()].weights
    }

    fn agents(&self) -> Vec<AgentInfo> {
        agents::infos(self.form.agents)
    }

    fn check_agent(&self, agent: &str) -> Result<(), ParseError> {
        // Nothing is asked of it, so that it needs no table.
        Seat::within(agent, &self.position.variant(), self.form.agents, 0).map(drop)
    }

    fn adviser(&self) -> Option<&'static str> {
        let found = self.form.advisers.iter().find(|name| self.has_agent(name));
        if self.form.solvers.finds_lines { None } else { found.copied() }
    }

    fn opponent(&self) -> Option<&'static str> {
        let found = self.form.opponents.iter().find(|name| self.has_agent(name));
        (G::PLAYERS == 2).then(|| found.copied().unwrap_or(agents::HUMAN))
    }

    fn levels(&self) -> Vec<Level> {
        if self.has_agent(levels::NAME) { Level::all() } else { Vec::new() }
    }

    fn perfect(&self) -> Option<&'static str> {
        self.form.perfect_play.then_some(perfect::NAME)
    }

    fn think(
        &mut self,
        request: &Request,
        stop: &AtomicBool,
        callback: Callback<'_>,
    ) -> Option<Analysis> {
        if self.position.is_over() {
            return None;
        }
        let (rng, position, start) = (self.agent_rng(), self.position, Instant::now());
        let Seat { agent, name, .. } = &mut self.seats[position.to_move().index()];
        let mut search = Search { request, method: name, stop, start, callback };
        Some(by_agent::analyze(agent.as_mut()?.as_mut(), &position, rng, &mut search))
    }

    fn analyze(
        &self,
        request: &Request,
        stop: &AtomicBool,
        callback: Callback<'_>,
    ) -> Result<Analysis, AnalysisError> {
        let (variant, start) = (self.position.variant(), Instant::now());
        let text = match &request.method {
            Method::Solver(text) => {
                let solvers = &self.form.solvers;
                let (mut solver, named) =
                    solvers.make(&self.spec(), &variant, text.as_deref(), request.prove)?;
                let method = &named.text;
                let mut search = Search { request, method, stop, start, callback };
                return solver.analyze(&self.position, &mut search);
            }
            Method::Agent(Some(text)) => text.as_str(),
            Method::Agent(None) => self.adviser().unwrap_or("greedy"),
        };
        let seat = Seat::within(text, &variant, self.form.agents, request.memory)?;
        let Some(mut agent) = seat.agent else {
            return Err(ParseError::new("agent", quote(text), "one that plays by itself").into());
        };
        if self.position.is_over() {
            let expected = "one with a move to make";
            return Err(ParseError::new("position", "the end of the game", expected).into());
        }
        let mut search = Search { request, method: text, stop, start, callback };
        Ok(by_agent::analyze(agent.as_mut(), &self.position, self.agent_rng(), &mut search))
    }

    fn record(&self) -> Record {
        let moves = self.history.iter().zip(&self.millis).map(|(played, &millis)| RecordedMove {
            action: played.action.text.clone(),
            chance: played.chance.clone(),
            reward: played.reward,
            millis,
        });
        Record {
            game: self.spec(),
            one: self.seats[0].name.clone(),
            two: (G::PLAYERS == 2).then(|| self.seats[1].name.clone()),
            seed: self.seed,
            start: self.start.text(),
            moves: moves.collect(),
        }
    }

    fn solvers(&self) -> Vec<SolverInfo> {
        self.form.solvers.infos()
    }

    fn solver_name(&self, solver: Option<&str>, prove: bool) -> Result<Named, ParseError> {
        let variant = self.position.variant();
        let made = self.form.solvers.make(&self.spec(), &variant, solver, prove);
        made.map(|(_, named)| named)
    }

    fn perft(&self, depth: usize, stop: &dyn Fn() -> bool) -> Result<Vec<u64>, Vec<u64>> {
        perft(&self.position, depth, stop)
    }

    fn throughput(&self, span: Duration, seed: u64, threads: u16) -> Throughput {
        Throughput::measure(&self.position, span, seed, threads)
    }

    fn expansion(&self, span: Duration, seed: u64) -> f64 {
        children_per_second(&self.position, span, seed, |after| after.key())
    }

    fn signature(&self, games: u64, seed: u64) -> u64 {
        let mut signature = 0;
        for game in 0..games {
            let mut rng = Rng::stream(seed, game);
            let mut position = self.position;
            while let Some((_, after, reward)) = position.step(&mut rng) {
                let chance = G::sample(&after, &mut rng);
                let (next, bonus) = G::apply_outcome(&after, chance);
                position = next;
                let paid = i64::from(reward) + i64::from(bonus);
                signature = mix(signature ^ position.key() ^ paid as u64);
            }
        }
        signature
    }
}
