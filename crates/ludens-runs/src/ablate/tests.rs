use std::sync::atomic::AtomicBool;

use ludens_arena::Store;

use super::*;

fn ablation(base: &str, vary: &[&str]) -> Ablation {
    let work = SuiteWork {
        game: "samegame:rows=6,cols=6,colours=3".to_owned(),
        suite: "random:4".to_owned(),
        boards: Some(3),
        solver: Some(base.to_owned()),
        runs: 2,
        threads: 1,
        ru: Some(2000),
        ..SuiteWork::default()
    };
    Ablation { work, vary: vary.iter().map(|text| text.parse().unwrap()).collect() }
}

fn run(ablation: &Ablation) -> Result<Option<Ablated>, WorkError> {
    let (mut store, stop) = (Store::in_memory().unwrap(), AtomicBool::new(false));
    let mut execution = Execution { memory: 1 << 26, ..Execution::new(&mut store, "test", &stop) };
    ablation.run(&mut execution, &mut |_, _| {})
}

#[test]
fn variants_are_all_combinations() {
    let names = |base: &str, vary: &[&str]| -> Vec<String> {
        ablation(base, vary).solvers().into_iter().map(|(_, solver)| solver).collect()
    };
    assert_eq!(names("Static", &["c=.01,.02"]), ["Static", "Static:c=.01", "Static:c=.02"]);
    // A parameter that the base sets is replaced.
    assert_eq!(
        names("mcts:c=1,runs=2", &["c=2", "rule=top,average"]),
        ["mcts:c=1,runs=2", "mcts:runs=2,c=2,rule=top", "mcts:runs=2,c=2,rule=average"]
    );
    assert!("c".parse::<Variation>().is_err() && "c=1,,2".parse::<Variation>().is_err());
}

#[test]
fn the_same_boards_are_compared_in_pairs() {
    let done = run(&ablation("Static", &["c=.02,.2"])).unwrap().unwrap();
    let [base, same, other] = &done.variants[..] else { panic!("three solvers") };
    assert_eq!((base.summary.boards, base.summary.runs, other.label.as_str()), (3, 6, "c=.2"));
    // The base has c = 0.02, so that nothing differs.
    let paired = same.against_base.unwrap();
    assert_eq!((paired.equal, paired.gain.mean), (3, 0.0));
    assert!(base.against_base.is_none());
    let gain = other.summary.avg - base.summary.avg;
    assert!((other.against_base.unwrap().gain.mean - gain).abs() < 1e-9);
    let json = done.to_json();
    assert_eq!(json["variants"][1]["ratio"], 1.0);
    assert_eq!(json["variants"][2]["against_base"]["gain"]["count"], 3);
    for text in [done.to_markdown(), done.to_latex(), done.to_csv()] {
        assert!(text.contains("c=.2") && text.contains("0 / 3 / 0"), "{text}");
    }
    assert!(done.to_latex().contains("95 \\% interval"));
    assert!(done.depths_svg().is_some_and(|svg| svg.contains("c=.02")));
}

#[test]
fn wrong_values_are_refused_before_anything_runs() {
    let error = run(&ablation("Static", &["c=.02,nothing"])).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("parameter c"), "{error}");
}
