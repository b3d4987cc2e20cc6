//! Every agent and every solver keeps to its limits, at its most extreme settings.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_core::{Parameter, Rng};
use ludens_engine::analysis::{AnalysisError, Fields, Limits, Task};
use ludens_engine::{GameInfo, HUMAN, game, games};
use ludens_testkit::PeakAllocator;
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// How long a search thinks, and after how long it is stopped.
const TIME: Duration = Duration::from_millis(40);
/// How much later an answer may come.
const LATE: Duration = Duration::from_secs(1);
/// How soon a search ends when it is told to.
const STOP: Duration = Duration::from_millis(200);
/// What a search may keep.
const MEMORY: usize = 32 << 20;
/// Lists that grow have room for up to twice what they hold, and networks, lines and reports
/// take something besides tables and trees.
const MOST_MEMORY: usize = 2 * MEMORY + (32 << 20);
/// A busy machine may hold up a search that keeps to its limits, but hardly every time.
const ATTEMPTS: usize = 4;

fn limits(time: Duration) -> Limits {
    Limits { time: Some(time), memory: MEMORY, threads: 2, files: false }
}

/// Who is asked about what.
struct Case {
    asked: Value,
}

impl Case {
    fn request(&self, time: Duration) -> Result<Task, ludens_core::ParseError> {
        Task::read(Fields::of(self.asked.clone())?, &limits(time))
    }

    /// How long it takes with a time limit, and how many bytes.
    fn timed(&self) -> (Duration, usize) {
        let request = self.request(TIME).unwrap();
        let begin = Instant::now();
        let run = || request.run(&AtomicBool::new(false), &mut |_| {});
        let (answer, bytes) = PeakAllocator::peak(run);
        let taken = begin.elapsed();
        // There may be no line within the time, but no other fault.
        if let Err(error) = answer {
            assert!(matches!(error, AnalysisError::Limit(_)), "{self:?}: {error}");
        }
        (taken.saturating_sub(TIME), bytes)
    }

    /// How long it goes on after it was stopped.
    fn stopped(&self) -> Duration {
        let request = self.request(Duration::from_secs(600)).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let stop = &stop;
            let running = scope.spawn(move || {
                let _ = request.run(stop, &mut |_| {});
                Instant::now()
            });
            std::thread::sleep(TIME);
            stop.store(true, Ordering::Relaxed);
            let told = Instant::now();
            running.join().unwrap().saturating_duration_since(told)
        })
    }

    fn check(&self, faults: &mut Vec<String>) {
        let attempts = || std::iter::repeat_with(|| self.timed()).take(ATTEMPTS);
        let fits = |&(late, bytes): &(Duration, usize)| late <= LATE && bytes <= MOST_MEMORY;
        let mut last = (Duration::ZERO, 0);
        if !attempts().inspect(|found| last = *found).any(|found| fits(&found)) {
            faults.push(format!("{self:?}: {:?} late, {} MiB", last.0, last.1 >> 20));
        }
        let mut last = Duration::ZERO;
        let mut stops = std::iter::repeat_with(|| self.stopped()).take(ATTEMPTS);
        if !stops.any(|taken| {
            last = taken;
            taken <= STOP
        }) {
            faults.push(format!("{self:?}: stopped after {last:?}"));
        }
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.asked)
    }
}

/// Large numbers of a parameter, the largest first.
fn numbers(parameter: &Parameter) -> Vec<String> {
    if parameter.name == "memory" {
        return vec![(MEMORY >> 20).to_string()];
    }
    match parameter.range() {
        None => Vec::new(),
        Some((_, Some(most))) => vec![most.to_string()],
        Some((_, None)) => ["1000000000", "16777216", "1000000"].map(str::to_owned).to_vec(),
    }
}

/// Texts of an agent or solver: as it is, with every parameter at its largest, and so with each
/// word that a parameter may be. What is refused, alone or beside others, is left out. Words are tried
/// once for all that take the same parameters, which `tried` keeps: compositions of one search.
fn texts(
    name: &str,
    parameters: &[Parameter],
    tried: &mut BTreeSet<String>,
    accepts: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let with = |text: &str, parameter: &Parameter, value: &str| {
        let before = if text.contains(':') { ',' } else { ':' };
        format!("{text}{before}{}={value}", parameter.name)
    };
    let mut largest = name.to_owned();
    for parameter in parameters {
        let numbers = numbers(parameter);
        let mut all = numbers.iter().map(|value| with(&largest, parameter, value));
        let accepted = all.find(|text| accepts(text));
        largest = accepted.unwrap_or(largest);
    }
    let mut texts = vec![name.to_owned(), largest.clone()];
    let described = parameters.iter().map(|p| format!("{} {:?}", p.name, p.choices()));
    let first = tried.insert(described.collect::<Vec<_>>().join(","));
    for parameter in parameters.iter().filter(|_| first) {
        texts.extend(parameter.choices().iter().map(|word| with(&largest, parameter, word)));
    }
    texts.retain(|text| accepts(text));
    texts.dedup();
    texts
}

/// The start of a game, and the last position of a random game with a move to make.
fn positions(spec: &str) -> Vec<String> {
    let mut rng = Rng::new(5);
    let mut table = game(spec).unwrap().start(1);
    let mut positions = vec![table.position()];
    let mut last = table.position();
    while !table.actions().is_empty() {
        last = table.position();
        let actions = table.actions();
        table.play(&actions[rng.below(actions.len() as u32) as usize].text).unwrap();
    }
    positions.push(last);
    positions
}

fn cases(info: &GameInfo) -> Vec<Case> {
    let spec = info.spec();
    let table = game(&spec).unwrap().start(1);
    let (mut whom, mut tried) = (Vec::new(), BTreeSet::new());
    for agent in table.agents().iter().filter(|agent| agent.name != HUMAN) {
        let accepts = |text: &str| table.has_agent(text);
        let texts = texts(agent.name, agent.parameters, &mut tried, &accepts);
        whom.extend(texts.into_iter().map(|text| json!({ "agent": text })));
    }
    for solver in table.solvers() {
        let accepts = |text: &str| table.solver_name(Some(text), false).is_ok();
        let texts = texts(solver.name, solver.parameters, &mut tried, &accepts);
        whom.extend(texts.into_iter().map(|text| json!({ "solver": text })));
    }
    if table.solver_name(None, true).is_ok() {
        whom.push(json!({ "prove": true }));
    }
    let mut cases = Vec::new();
    for (late, position) in positions(&spec).into_iter().enumerate() {
        // Near the end only extreme settings differ from others.
        let extreme = |who: &&Value| late == 0 || who.to_string().contains('=');
        for who in whom.iter().filter(extreme) {
            let mut asked = who.clone();
            asked["game"] = json!(spec);
            asked["position"] = json!(position);
            cases.push(Case { asked });
        }
    }
    cases
}

#[test]
fn every_agent_and_solver_keeps_to_its_limits() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for info in games() {
        for case in cases(&info) {
            // Networks are unpacked once, by whoever comes first.
            let _ = case.request(TIME).unwrap().run(&AtomicBool::new(true), &mut |_| {});
            case.check(&mut faults);
            count += 1;
        }
    }
    assert!(count > 200, "{count} cases");
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}
