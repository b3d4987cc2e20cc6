use super::*;
use crate::parameters;

#[test]
fn bad_parameters_are_named() {
    let message = |text: &str| Params::parse(text).unwrap_err().to_string();
    assert_eq!(message("5"), "parameters: found '5', expected key=value");
    assert_eq!(message("=5"), "parameters: found '=5', expected key=value");
    assert_eq!(message("a=1,a=2"), "parameter 'a': found it twice, expected each parameter once");
    let left = Params::parse("rows=5").unwrap().finish(&["base"]).unwrap_err();
    assert_eq!(left.to_string(), "parameters: found 'rows', expected one of: base");
}

const WIDTH: Param<u32> = Param::int("width", 1..=64, 9);
const HEAT: Param<Option<f32>> = Param::opt_float("heat", 1e-9..=1e12).word("auto");
const FORM: Param<u8> =
    Param::choice("form", &[("plain", 0), ("course", 1)], "plain").value_alias("old", "course");
const TIME: Param<Option<std::time::Duration>> = Param::duration("time").alias_in("millis", "ms");
const NODES: Param<Option<u64>> = Param::opt_int("nodes", 1..=u64::MAX).rule("no limit");
const MODEL: Param<Option<String>> = Param::path("model", "none").or("bundled");
const ALL: &[Parameter] = parameters![WIDTH, HEAT, FORM, TIME, NODES, MODEL];

fn read<T>(param: &Param<T>, text: &str) -> Result<T, String> {
    let params = Params::parse(text).and_then(|params| params.declared(ALL));
    params.and_then(|mut params| params.get(param)).map_err(|error| error.to_string())
}

#[test]
fn values_are_read_by_their_declaration() {
    assert_eq!((read(&WIDTH, ""), read(&WIDTH, "width=64")), (Ok(9), Ok(64)));
    assert_eq!((read(&HEAT, "heat=auto"), read(&HEAT, "heat=0.1")), (Ok(None), Ok(Some(0.1))));
    assert_eq!((read(&FORM, ""), read(&FORM, "form=old")), (Ok(0), Ok(1)));
    let quarter = Some(std::time::Duration::from_millis(250));
    assert_eq!((read(&TIME, "millis=250"), read(&TIME, "time=0.25s")), (Ok(quarter), Ok(quarter)));
    assert_eq!(read(&MODEL, "model=bundled"), Ok(Some("bundled".to_owned())));
    for (text, told) in [
        ("width=65", "parameter width: found '65', expected a number from 1 to 64"),
        ("width=x", "parameter width: found 'x', expected a number from 1 to 64"),
        (
            "speed=1",
            "parameters: found 'speed', expected one of: width, heat, form, time, nodes, model",
        ),
        ("time=1s,millis=5", "parameter 'time': found it twice, expected each parameter once"),
    ] {
        assert_eq!(read(&WIDTH, text), Err(told.to_owned()));
    }
    let told = |text| ALL.iter().find(|p| p.name == text).unwrap().refusal("x").to_string();
    assert_eq!(
        told("heat"),
        "parameter heat: found 'x', expected auto, or a number from 1e-9 to 1e12"
    );
    assert_eq!(told("nodes"), "parameter nodes: found 'x', expected a number of at least 1");
    assert_eq!(told("form"), "parameter form: found 'x', expected plain | course");
}

#[test]
fn declarations_are_printed_as_they_are_read() {
    let printed: Vec<String> = ALL.iter().map(|p| format!("{p:?}")).collect();
    assert_eq!(
        printed,
        [
            "width=1..64 [9]",
            "heat=auto | 1e-9..1e12 [auto]",
            "form=plain | course [plain]",
            "time=100ms | 1s | .. [none]",
            "nodes=1.. [no limit]",
            "model=bundled | DIR | FILE [none]",
        ]
    );
    let accepts = |index: usize, text| ALL[index].accepts(text);
    assert!(accepts(0, "64") && !accepts(0, "65") && !accepts(0, "6/x") && !accepts(0, ""));
    assert!(accepts(1, "auto") && accepts(1, "1e-2") && !accepts(1, "nan"));
    assert!(accepts(3, "250ms") && !accepts(3, "soon"));
    assert!(ALL.iter().all(|p| p.is_path() == (p.name == "model")));
}

/// What is read without a declaration is a mistake in the program.
#[test]
#[should_panic(expected = "speed is read but not declared")]
fn undeclared_parameters_are_noticed() {
    const SPEED: Param<u32> = Param::int("speed", 0..=9, 1);
    let _ = Params::default().declared(ALL).unwrap().get(&SPEED);
}

#[test]
fn numbers_and_choices_are_checked() {
    let mut params = Params::parse("rows=70,form=odd").unwrap();
    let rows = params.clone().number("rows", 9u8, 1..=64).unwrap_err();
    assert_eq!(rows.to_string(), "parameter rows: found '70', expected a number from 1 to 64");
    let form = params.choice("form", 0, &[("plain", 0), ("course", 1)]).unwrap_err();
    assert_eq!(form.to_string(), "parameter form: found 'odd', expected plain | course");
}
