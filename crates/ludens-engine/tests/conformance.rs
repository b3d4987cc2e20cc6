//! Every registered game, in every sample variant, passes the kit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::Params;
use ludens_engine::{Form, Registered, Visitor, visit_all};

struct Conform(usize);

impl Visitor for Conform {
    fn visit<G: Registered>(&mut self, form: Form<G>) {
        assert_eq!(
            form.info().samples.first(),
            Some(&""),
            "{} samples its default",
            form.info().name
        );
        for sample in form.info().samples {
            let variant = form.variant(Params::parse(sample).unwrap()).unwrap();
            ludens_testkit::conform::<G>(&variant);
            self.0 += 1;
        }
    }
}

#[test]
fn every_registered_game_conforms() {
    let mut conform = Conform(0);
    visit_all(&mut conform);
    assert!(conform.0 >= ludens_engine::games().len());
}
