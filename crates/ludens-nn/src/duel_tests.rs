//! The encoders of games for two, against the games' own rules.

use ludens_core::{FixedActions, Game, Notation, Rng, Sym, Symmetric};
use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};

use crate::policy::{PolicyScratch, action_loss, action_priors};
use crate::*;

/// Positions of random games.
fn positions<G: Game>(variant: &G::Variant, games: u64) -> Vec<G> {
    let mut all = Vec::new();
    for game in 0..games {
        let mut rng = Rng::new(game);
        let mut position = G::start(variant, &mut rng);
        while let Some((_, after, _)) = position.step(&mut rng) {
            all.push(position);
            position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
        }
    }
    all
}

fn planes<G: Game, E: Encoder<G>>(encoder: E, position: &G) -> Vec<f32> {
    let mut out = vec![0.0; E::shape(&position.variant()).iter().product()];
    encoder.encode(position, &mut out);
    out
}

/// What holds for every encoder: numbers between 0 and 1, different positions differ, every action made of
/// outputs, chances that sum to 1, slopes of the loss that are slopes, values turned by the mover.
fn check<G: Game + Notation, E: Encoder<G>>(encoder: E, variant: &G::Variant) {
    let mut rng = Rng::new(5);
    let mut scratch = PolicyScratch::default();
    for position in positions::<G>(variant, 8) {
        let text = position.text();
        assert!(planes(encoder, &position).iter().all(|x| (0.0..=1.0).contains(x)), "{text}");
        let (actions, outputs) = (position.actions().len(), E::actions(variant));
        let mut parts = vec![0; actions];
        encoder.parts(&position, |action, output| {
            assert!(output < outputs);
            parts[action] += 1;
        });
        assert!(parts.iter().all(|count| *count > 0), "{text}");
        let mut number = || (rng.unit() * 4.0 - 2.0) as f32;
        let logits: Vec<f32> = (0..outputs).map(|_| number()).collect();
        let mut priors = vec![0.0; actions];
        action_priors(encoder, &position, &logits, &mut scratch, &mut priors);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let mut target: Vec<f32> = (0..actions).map(|_| number().abs()).collect();
        let total: f32 = target.iter().sum();
        target.iter_mut().for_each(|x| *x /= total);
        let mut slope = vec![0.0; outputs];
        let mut loss = |logits: &[f32], slope: &mut [f32]| {
            action_loss(encoder, &position, logits, &target, 1.0, &mut scratch, slope)
        };
        loss(&logits, &mut slope);
        for output in 0..outputs {
            let mut at = |change: f32| {
                let mut moved = logits.clone();
                moved[output] += change;
                f64::from(loss(&moved, &mut vec![0.0; outputs]))
            };
            let expected = (at(1e-2) - at(-1e-2)) / 2e-2;
            assert!((f64::from(slope[output]) - expected).abs() < 3e-3, "{text} {output}");
        }
        let sign = position.to_move().sign() as f32;
        assert_eq!(encoder.value(&position, 0.5), 0.5 * sign);
        assert_eq!(encoder.target(&position, encoder.value(&position, 0.25)), 0.25);
    }
}

#[test]
fn encoders_keep_to_their_contract() {
    check(ConnectFourCells, &Default::default());
    check(OthelloCells, &Default::default());
    check(TogyzkumalakPits, &Default::default());
    for base in [3, 5] {
        check(SevnCells, &ludens_games::sevn::Base::new(base).unwrap());
    }
}

/// A mirrored board gives mirrored planes.
#[test]
fn connect_four_is_mirrored() {
    for position in positions::<ConnectFour>(&Default::default(), 20) {
        let (here, there) =
            (planes(ConnectFourCells, &position), planes(ConnectFourCells, &position.map(Sym(1))));
        for cell in 0..42 {
            let (row, column) = (cell / 7, cell % 7);
            let mapped = row * 7 + 6 - column;
            assert_eq!(here[cell * 2..cell * 2 + 2], there[mapped * 2..mapped * 2 + 2]);
        }
    }
}

/// Planes 2 and 3 of Othello are the moves by the rules, of either player.
#[test]
fn othello_shows_the_moves() {
    for position in positions::<Othello>(&Default::default(), 5) {
        let planes = planes(OthelloCells, &position);
        for cell in 0..64 {
            let legal = position.is_legal(position.action_of_index(cell).unwrap());
            assert_eq!(planes[cell * 4 + 2] == 1.0, legal);
            assert!(planes[cell * 4] + planes[cell * 4 + 1] <= 1.0);
        }
    }
}

/// All balls of Togyzkumalak can be read back, and tuzdyks lie where no pit is filled.
#[test]
fn togyzkumalak_loses_nothing() {
    let mut tuzdyks = 0;
    for position in positions::<Togyzkumalak>(&Default::default(), 30) {
        let planes = planes(TogyzkumalakPits, &position);
        let mut balls = 0;
        for cell in planes.chunks(85) {
            balls += (0..83).map(|count| count * cell[count] as usize).sum::<usize>();
            if cell[83] == 1.0 {
                tuzdyks += 1;
                assert_eq!(cell[0], 1.0, "a tuzdyk is emptied at once");
            }
        }
        let stores: f32 = planes.chunks(85).map(|cell| 9.0 * cell[84]).sum();
        let over: u32 =
            position.collected_balls().iter().map(|balls| balls.saturating_sub(81)).sum();
        assert_eq!(balls as f32 + stores.round() + over as f32, 162.0, "{}", position.text());
    }
    assert!(tuzdyks > 100);
}

/// Names of colours do not matter to Sevn's encoder, and turns of the board turn its planes.
#[test]
fn sevn_knows_no_colours() {
    let base = ludens_games::sevn::Base::new(5).unwrap();
    for position in positions::<Sevn>(&base, 10) {
        for names in 1..6 {
            let mapped = position.map(Sym(8 * names));
            assert_eq!(planes(SevnCells, &position), planes(SevnCells, &mapped));
        }
        let (here, there) =
            (planes(SevnCells, &position), planes(SevnCells, &position.map(Sym(1))));
        for cell in 0..25 {
            let mapped = cell / 5 * 5 + 4 - cell % 5;
            assert_eq!(here[cell * 12..cell * 12 + 12], there[mapped * 12..mapped * 12 + 12]);
        }
    }
}

/// Symmetries keep every action's chance with what the action leads to.
#[test]
fn images_keep_chances() {
    let base = ludens_games::sevn::Base::new(3).unwrap();
    let mut rng = Rng::new(3);
    for position in positions::<Sevn>(&base, 10) {
        let count = position.actions().len();
        let chances: Vec<f32> = (0..count).map(|i| i as f32).collect();
        let mut seen = Vec::new();
        let mapped = random_symmetry(&position, &chances, &mut rng, &mut seen);
        let after = |position: &Sevn| {
            let mut all: Vec<_> =
                position.actions().map(|a| position.apply(a).0.canonical().text()).collect();
            all.sort();
            all
        };
        assert_eq!(after(&position), after(&mapped));
        for (action, chance) in mapped.actions().zip(&seen) {
            let same = position.actions().nth(*chance as usize).unwrap();
            assert_eq!(mapped.apply(action).0.canonical(), position.apply(same).0.canonical());
        }
    }
}
