use super::*;

#[test]
fn texts_round_trip() {
    for spec in [
        Spec::policy(9, 7, 5, 64, 10),
        Spec::actor_critic(5, 5, 4, 32, 5),
        Spec::residual(6, 7, 2, 64, 6, 7),
        Spec { value: Some(Head::Pooled), ..Spec::policy(3, 4, 2, 8, 1) },
    ] {
        assert_eq!(spec.to_string().parse(), Ok(spec), "{spec}");
    }
}

#[test]
fn old_spellings_are_read() {
    let spec = Spec::value(9, 7, 5, 32, 5);
    assert_eq!(spec.to_string().replace("channels", "width").parse(), Ok(spec));
}

#[test]
fn wrong_descriptions_are_refused() {
    for (text, message) in [
        ("plain", "network: found 'plain', expected rows, cols, planes and channels"),
        (
            "deep:rows=1,cols=1,planes=1,channels=1",
            "network: found 'deep', expected plain or residual",
        ),
        (
            "plain:rows=1,cols=1,planes=1,channels=1",
            "network: found 'plain:rows=1,cols=1,planes=1,channels=1', expected policy= or value=",
        ),
        ("plain:rows=99", "parameter rows: found '99', expected a number from 1 to 64"),
        (
            "plain:rows=1,cols=1,planes=1,channels=1,kernel=4",
            "parameter kernel: found 4, expected an odd number",
        ),
        (
            "plain:rows=1,cols=1,planes=1,channels=1,value=big",
            "parameter value: found 'big', expected cells | pooled | dense | reduced-PLANES-HIDDEN",
        ),
    ] {
        assert_eq!(text.parse::<Spec>().unwrap_err().to_string(), message);
    }
}
