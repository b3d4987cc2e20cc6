//! What the commands print, as recorded in `tests/cmd/`. After a wanted change:
//! `TRYCMD=overwrite cargo test -p ludens-cli`.

#[test]
fn commands_print_what_is_recorded() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").env("NO_COLOR", "1");
}
