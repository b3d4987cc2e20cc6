use super::*;

fn row(ours: f64) -> Row {
    Row::new("a", "mean", 0).published(100.0).ours(ours)
}

#[test]
fn agreements() {
    let relative = |ours| row(ours).within(Tolerance::Relative(0.04)).agreement();
    assert_eq!((relative(96.0), relative(104.4)), (Agreement::Agrees, Agreement::Agrees));
    assert_eq!((relative(95.0), relative(105.0)), (Agreement::Differs, Agreement::Differs));
    let wide = Row { interval: Some((90.0, 97.0)), ..row(93.0) };
    assert_eq!(wide.clone().within(Tolerance::Absolute(4.0)).agreement(), Agreement::Compatible);
    assert_eq!(wide.clone().within(Tolerance::Absolute(1.0)).agreement(), Agreement::Differs);
    assert_eq!(wide.clone().within(Tolerance::AtMost).agreement(), Agreement::Reached);
    assert_eq!(wide.clone().within(Tolerance::AtLeast).agreement(), Agreement::Differs);
    assert_eq!(wide.agreement(), Agreement::Open);
    let rising = Row { interval: Some((97.0, 105.0)), ..row(99.0) };
    assert_eq!(rising.within(Tolerance::AtLeast).agreement(), Agreement::Compatible);
    assert_eq!(Row::new("a", "b", 1).published(1.0).agreement(), Agreement::Missing);
    assert_eq!(Row::new("a", "b", 1).ours(1.0).agreement(), Agreement::Open);
}

#[test]
fn fractions_multiply() {
    let parts = [Part::sample("boards", 25, 250), Part::sample("runs", 1, 5)];
    let section = Section::new(String::new(), &parts);
    assert!(section.fraction.is_some_and(|fraction| (fraction - 0.02).abs() < 1e-12));
}

#[test]
fn less_effort_excuses() {
    let agreements = |ours: u64| {
        let parts = [Part::sample("boards", 1, 9), Part::effort("ms", ours, 10)];
        let mut section = Section::new(String::new(), &parts);
        for tolerance in [Tolerance::AtLeast, Tolerance::AtMost, Tolerance::Relative(0.1)] {
            section.push(row(80.0).within(tolerance));
        }
        section.rows.iter().map(Row::agreement).collect::<Vec<_>>()
    };
    use Agreement::{Differs, Open, Reached};
    assert_eq!(agreements(10), [Differs, Reached, Differs]);
    assert_eq!(agreements(9), [Open, Reached, Open]);
}
