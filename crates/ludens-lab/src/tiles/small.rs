//! Table 28 and the whole games of 2x3: values that follow from the rules.

use ludens_engine::analysis::{Analysis, AnalysisError, Details, Request};
use ludens_engine::game;

use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Positions and afterstates of table 28: expected, best, worst.
const THREES: [(&str, [f64; 3]); 6] = [
    ("0,1,0/0,0,2 3", [455.97, 1092.0, 258.0]),
    ("3,2,1/48,6,0 up 2", [198.94, 837.0, 75.0]),
    ("1,12,3/1,2,6 2", [326.66, 1053.0, 81.0]),
    ("0,0,3/3,6,12 down 1", [310.07, 1050.0, 0.0]),
    ("48,3,2/96,12,6 1", [0.0, 0.0, 0.0]),
    ("96,12,6/0,6,2 right 3", [3.0, 3.0, 3.0]),
];
/// What the table says no game leads to, with a slide where it is an afterstate.
const UNREACHABLE: [&str; 2] = ["0,1,0/0,0,3 1", "96,192,12/0,1,3 right 3"];

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "threes-28",
        aliases: &[],
        title: "Exact values of Threes! on two rows of three",
        reference: "Guei 2023, table 28",
        needs: &[],
        measure: Box::new(measure),
    }]
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    lab.section("the whole game, solved", &[Part::sample("games", 1, 1)]);
    let (memory, stop) = (lab.settings.memory, lab.stop);
    let ask = |position: &str| -> Result<Analysis, AnalysisError> {
        let game = game("threes:board=2x3")?;
        // A slide makes it an afterstate.
        let afterstate = position.contains(char::is_alphabetic).then(|| position.to_owned());
        let table = if afterstate.is_some() { game.start(0) } else { game.parse(position)? };
        let request = Request { prove: true, memory, afterstate, ..Request::default() };
        table.analyze(&request, stop, &mut |_| {})
    };
    for (position, published) in THREES {
        lab.check_stop()?;
        let solved = ask(position).map_err(|error| Error::Failed(error.to_string()))?;
        let range = range(&solved).map(|(worst, best)| [f64::from(best), f64::from(worst)]);
        let ours = solved.value.zip(range).map(|(value, [best, worst])| [value, best, worst]);
        for (i, metric) in ["expected", "best", "worst"].into_iter().enumerate() {
            let decimals = if i == 0 { 2 } else { 0 };
            let row = Row::new(position, metric, decimals).published(published[i]);
            let row = row.ours(ours.map(|ours| ours[i]));
            lab.row(row.within(Tolerance::Absolute(0.0)));
        }
    }
    for position in UNREACHABLE {
        lab.check_stop()?;
        // Either no bag fits the board, or the walk does not meet it.
        let reachable = ask(position).is_ok_and(|solved| solved.value.is_some());
        let row = Row::new(position, "reachable", 0).published(0.0);
        lab.row(row.ours(f64::from(u8::from(reachable))).within(Tolerance::Absolute(0.0)));
    }
    Ok(())
}

/// The least and the largest score that a table found.
fn range(analysis: &Analysis) -> Option<(i32, i32)> {
    match &analysis.details {
        Details::Table(facts) => facts.range,
        _ => None,
    }
}
