//! Suites by name, and solvers as the arena runs them.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use ludens_arena::store::NO_LIMIT;
use ludens_arena::{Case, CurvePoint, Error, EvalResult, Job, Measure, Runner, Suite};
use ludens_core::error::quote;
use ludens_core::{Budget, ParseError, Player};

use ludens_engine::analysis::{Analysis, AnalysisError, Report, Request, Solved};
use ludens_engine::{GameHandle, HUMAN, Named, Turn, former};

/// What `--suite` takes, for messages.
const SUITES: &str = "a file, thesis-random, daily:FROM..TO or random:COUNT[,SEED]";

/// The suite of a name: `thesis-random` (`thesis` for short) and `daily:FROM..TO` (Former's own boards),
/// `random:COUNT[,SEED]` (seeded starts of any game), or a file of boards.
///
/// # Errors
/// When there is no such suite, or a board is none of the game.
pub fn suite(game: &dyn GameHandle, name: &str) -> Result<Suite, Error> {
    match made(game, name) {
        Some(suite) => suite,
        None => Suite::read(Path::new(name), &|text| Ok(game.parse(text)?.position())),
    }
}

/// The suite of a name that needs no file; `None` for any other name.
pub(crate) fn made_suite(game: &dyn GameHandle, name: &str) -> Option<Suite> {
    made(game, name)?.ok()
}

fn made(game: &dyn GameHandle, name: &str) -> Option<Result<Suite, Error>> {
    let of_cases = |cases: Result<Vec<Case>, ParseError>| match cases {
        Ok(cases) => Suite::new(name, cases),
        Err(source) => Err(Error::Suite { name: name.to_owned(), source }),
    };
    if ["thesis", "thesis-random"].contains(&name) {
        let cases = (1..=former::THESIS_BOARDS).map(|i| thesis_case(game, i));
        return Some(of_cases(cases.collect()));
    }
    if let Some(days) = name.strip_prefix("daily:") {
        return Some(of_cases(daily_cases(game, days)));
    }
    name.strip_prefix("random:").map(|text| of_cases(random_cases(game, text)))
}

fn thesis_case(game: &dyn GameHandle, number: usize) -> Result<Case, ParseError> {
    let position = game.generate("thesis", &number.to_string())?.position();
    Ok(Case { id: number.to_string(), position, best_known: None })
}

fn daily_cases(game: &dyn GameHandle, days: &str) -> Result<Vec<Case>, ParseError> {
    let (from, to) = days
        .split_once("..")
        .ok_or_else(|| ParseError::new("suite", quote(days), "daily:YYYY-MM-DD..YYYY-MM-DD"))?;
    let days: Vec<String> = former::days(from, to)?;
    let case = |day: String| {
        let position = game.generate("date", &day)?.position();
        Ok(Case { id: day, position, best_known: None })
    };
    days.into_iter().map(case).collect()
}

fn random_cases(game: &dyn GameHandle, text: &str) -> Result<Vec<Case>, ParseError> {
    const MOST: u64 = 1_000_000;
    let (count, seed) = text.split_once(',').unwrap_or((text, "0"));
    let seeds: Option<Range<u64>> = (|| {
        let (count, seed): (u64, u64) = (count.parse().ok()?, seed.parse().ok()?);
        ((1..=MOST).contains(&count)).then_some(seed..seed.checked_add(count)?)
    })();
    let seeds = seeds.ok_or_else(|| ParseError::new("suite", quote(text), SUITES))?;
    let case = |seed: u64| Case {
        id: seed.to_string(),
        position: game.start(seed).position(),
        best_known: None,
    };
    Ok(seeds.map(case).collect())
}

/// How a game's results are published: moves, or points.
pub fn measure(game: &dyn GameHandle) -> Measure {
    if game.info().objective.is_fewest_moves() { Measure::Cost } else { Measure::Score }
}

/// The limits of a solver or an agent as a store keeps them apart, with the checksums of the
/// networks and tables that it was made with.
pub fn budget_text(budget: &Budget, weights: &[String]) -> String {
    let mut parts = Vec::new();
    parts.extend(budget.time.map(|time| format!("time={}ms", time.as_millis())));
    parts.extend(budget.nodes.map(|nodes| format!("nodes={nodes}")));
    parts.extend(budget.units.map(|units| format!("ru={units}")));
    parts.extend(weights.iter().map(|sum| format!("network={}", short(sum))));
    if parts.is_empty() { NO_LIMIT.to_owned() } else { parts.join(",") }
}

/// As much of a checksum as tells networks apart.
pub(crate) fn short(checksum: &str) -> &str {
    checksum.get(..16).unwrap_or(checksum)
}

/// A solver with its budget, for the arena.
pub struct SolverRunner {
    /// The game.
    pub game: Box<dyn GameHandle>,
    /// What to solve with; its seed and threads come from each job.
    pub request: Request,
}

impl Runner for SolverRunner {
    fn run(&self, case: &Case, job: &Job<'_>) -> EvalResult {
        let request = Request { seed: job.seed, threads: job.threads, ..self.request.clone() };
        let mut curve = Vec::new();
        let mut note = |report: Report| {
            let Report::Progress(progress) = report else { return };
            // Only whole games count, as for the result itself.
            if let Some(solved) = progress.improved.filter(|solved| solved.finished) {
                curve.push(point(&solved, progress.nodes));
            }
        };
        let analysis = self
            .game
            .parse(&case.position)
            .map_err(AnalysisError::from)
            .and_then(|table| table.analyze(&request, job.stop, &mut note));
        match analysis.as_ref().map(Analysis::solved) {
            Ok(Some(solved)) => outcome(solved, curve),
            Ok(None) | Err(AnalysisError::Limit(_)) => EvalResult::default(),
            Err(error) => EvalResult::failed(error.to_string()),
        }
    }
}

/// An agent that plays the boards of a suite to their ends, for the arena.
pub struct AgentRunner {
    /// The game, one of one player.
    pub game: Box<dyn GameHandle>,
    /// Who plays.
    pub agent: String,
    /// What it may spend on a move.
    pub budget: Budget,
}

impl AgentRunner {
    /// An agent for a game; what its results are kept under.
    ///
    /// # Errors
    /// When there is no such agent, it is a person, or the game is for two.
    pub fn new(
        game: Box<dyn GameHandle>,
        agent: &str,
        budget: Budget,
    ) -> Result<(Self, Named), ParseError> {
        let mut table = game.start(0);
        if table.players() != 1 {
            return Err(ParseError::new("game", quote(&game.spec()), "one for one player"));
        }
        table.seat(Player::One, agent)?;
        let text = table.seated(Player::One).to_owned();
        if text == HUMAN {
            return Err(ParseError::new("agent", quote(agent), "one that plays by itself"));
        }
        let weights = table.weights(Player::One).to_vec();
        let runner = AgentRunner { game, agent: agent.to_owned(), budget };
        Ok((runner, Named { text, weights }))
    }

    fn play(&self, case: &Case, job: &Job<'_>) -> Result<EvalResult, ParseError> {
        let begin = Instant::now();
        let mut table = self.game.parse(&case.position)?;
        table.reseed(job.seed);
        table.seat(Player::One, &self.agent)?;
        let request = Request { budget: self.budget, threads: job.threads, ..Request::default() };
        let mut nodes = 0;
        while let Some(analysis) = table.think(&request, job.stop, &mut |_| {}) {
            nodes += analysis.nodes;
            let Some(best) = analysis.best else { break };
            table.play(&best.text)?;
        }
        let finished = matches!(table.turn(), Turn::Over);
        let line: Vec<&str> =
            table.history().iter().map(|played| played.action.text.as_str()).collect();
        Ok(EvalResult {
            value: finished.then(|| table.total()),
            length: line.len(),
            nodes,
            millis: begin.elapsed().as_secs_f64() * 1e3,
            line: line.join(" "),
            ..EvalResult::default()
        })
    }
}

impl Runner for AgentRunner {
    fn run(&self, case: &Case, job: &Job<'_>) -> EvalResult {
        self.play(case, job).unwrap_or_else(|error| EvalResult::failed(error.to_string()))
    }
}

fn point(solved: &Solved, nodes: u64) -> CurvePoint {
    CurvePoint { millis: solved.time.as_secs_f64() * 1e3, nodes, value: solved.value }
}

fn outcome(solved: &Solved, curve: Vec<CurvePoint>) -> EvalResult {
    let moves: Vec<&str> = solved.moves.iter().map(|m| m.text.as_str()).collect();
    EvalResult {
        value: solved.finished.then_some(solved.value),
        length: solved.moves.len(),
        proven: solved.proven,
        bound: solved.bound,
        nodes: solved.nodes,
        millis: solved.time.as_secs_f64() * 1e3,
        line: moves.join(" "),
        curve,
        statistics: solved.statistics.clone(),
        failure: None,
    }
}
