use ludens_core::Player;

use super::*;
use crate::{GameHandle, games};

fn options(num_envs: usize) -> VectorOptions {
    VectorOptions { num_envs, ..VectorOptions::default() }
}

/// A game with its vector environment after a reset by a seed, and its buffers.
fn made(spec: &str, options: &VectorOptions, seed: u64) -> (Box<dyn VectorEnv>, Memory) {
    let mut envs = crate::game(spec).unwrap().vector(options).unwrap();
    let mut memory = Buffers::memory(&*envs);
    envs.reset(Some(seed), None, &mut memory.buffers()).unwrap();
    (envs, memory)
}

fn step(envs: &mut dyn VectorEnv, memory: &mut Memory, actions: &[i64]) {
    envs.step(actions, &mut memory.buffers()).unwrap();
}

fn random_step(envs: &mut dyn VectorEnv, memory: &mut Memory) -> Vec<i64> {
    let mut actions = vec![0; envs.num_envs()];
    envs.sample(&mut actions).unwrap();
    step(envs, memory, &actions);
    actions
}

/// Follows the first episode of an environment at a table of the same seed.
fn follow(handle: &dyn GameHandle, seed: u64) {
    let spec = handle.spec();
    let (mut envs, mut memory) = made(&spec, &options(2), seed);
    let mut table = handle.start(seed + 1);
    for _ in 0..400 {
        let state = envs.state(1).unwrap();
        assert_eq!(state.text(), table.position(), "{spec}");
        let actions = random_step(&mut *envs, &mut memory);
        if table.turn() == crate::Turn::Over {
            assert_eq!((memory.rewards[1], memory.terminated[1]), (0.0, false), "{spec}");
            return;
        }
        let text = state.action(actions[1] as usize).unwrap().text;
        let played = table.play(&text).unwrap();
        let reward = played.reward * i64::from(played.player.sign());
        assert_eq!(memory.rewards[1], reward as f32, "{spec}");
        assert_eq!(memory.terminated[1], table.turn() == crate::Turn::Over, "{spec}");
    }
}

#[test]
fn episodes_are_those_of_tables() {
    for info in games() {
        for sample in info.samples {
            follow(&*crate::game(&info.spec_with(sample)).unwrap(), 7);
        }
    }
}

#[test]
fn threads_change_nothing() {
    for spec in ["2048", "othello", "sevn:base=3", "threes:adversary=cell"] {
        let (mut one, mut seen_one) = made(spec, &options(7), 3);
        let (mut many, mut seen_many) = made(spec, &VectorOptions { threads: 3, ..options(7) }, 3);
        for _ in 0..200 {
            random_step(&mut *one, &mut seen_one);
            random_step(&mut *many, &mut seen_many);
            assert_eq!(seen_one, seen_many, "{spec}");
        }
    }
}

/// Column 1 filled by both and then chosen again.
const FULL_COLUMN: [i64; 6] = [0; 6];

#[test]
fn illegal_actions_by_policy() {
    let full = |policy| {
        let options = VectorOptions { illegal_action: policy, ..options(1) };
        let (mut envs, mut memory) = made("connect-four", &options, 0);
        for action in FULL_COLUMN {
            step(&mut *envs, &mut memory, &[action]);
        }
        assert_eq!(memory.masks, [0, 1, 1, 1, 1, 1, 1]);
        (envs, memory)
    };
    let (mut envs, mut memory) = full(IllegalAction::Lose);
    step(&mut *envs, &mut memory, &[0]);
    assert_eq!((memory.rewards[0], memory.terminated[0]), (-1.0, true));
    let (mut envs, mut memory) = full(IllegalAction::Noop);
    let before = envs.state(0).unwrap().text();
    for action in [0, -1, 7, i64::MAX, i64::MIN] {
        step(&mut *envs, &mut memory, &[action]);
        assert_eq!((memory.rewards[0], memory.terminated[0]), (0.0, false));
        assert_eq!(envs.state(0).unwrap().text(), before);
    }
    let (mut envs, mut memory) = full(IllegalAction::Raise);
    let error = envs.step(&[0], &mut memory.buffers()).unwrap_err().to_string();
    let expected =
        "environment 0, action: found '0', expected the number of a legal action, see the mask";
    assert_eq!(error.replace("found 0", "found '0'"), expected);
    assert_eq!(envs.state(0).unwrap().text(), before);
}

/// Player one wins in column 1 with the seventh move.
const WIN: [i64; 7] = [0, 1, 0, 1, 0, 1, 0];

fn won(autoreset: Autoreset) -> (Box<dyn VectorEnv>, Memory) {
    let (mut envs, mut memory) =
        made("connect-four", &VectorOptions { autoreset, ..options(1) }, 0);
    for action in WIN {
        step(&mut *envs, &mut memory, &[action]);
    }
    assert_eq!((memory.rewards[0], memory.terminated[0]), (1.0, true));
    (envs, memory)
}

fn stones(observations: &[f32]) -> f32 {
    observations.iter().sum()
}

#[test]
fn the_next_step_starts_the_next_episode() {
    let (mut envs, mut memory) = won(Autoreset::NextStep);
    assert_eq!((stones(&memory.observations), &memory.masks[..]), (7.0, &[1; 7][..]));
    step(&mut *envs, &mut memory, &[5]);
    assert_eq!((memory.rewards[0], memory.terminated[0]), (0.0, false));
    assert_eq!(stones(&memory.observations), 0.0);
}

#[test]
fn the_same_step_starts_the_next_episode() {
    let (mut envs, mut memory) = won(Autoreset::SameStep);
    assert_eq!(stones(&memory.final_observations), 7.0);
    assert_eq!(stones(&memory.observations), 0.0);
    step(&mut *envs, &mut memory, &[5]);
    assert_eq!((stones(&memory.observations), memory.terminated[0]), (1.0, false));
}

#[test]
fn without_autoreset_an_end_lasts() {
    let (mut envs, mut memory) = won(Autoreset::Disabled);
    for _ in 0..2 {
        assert_eq!((stones(&memory.observations), &memory.masks[..]), (7.0, &[0; 7][..]));
        step(&mut *envs, &mut memory, &[5]);
        assert_eq!((memory.rewards[0], memory.terminated[0]), (0.0, true));
    }
    envs.reset(None, Some(&[false]), &mut memory.buffers()).unwrap();
    assert_eq!(stones(&memory.observations), 7.0);
    envs.reset(None, Some(&[true]), &mut memory.buffers()).unwrap();
    assert_eq!((stones(&memory.observations), memory.terminated[0]), (0.0, false));
}

#[test]
fn episodes_are_cut_off() {
    let options = VectorOptions { max_episode_steps: Some(3), ..options(1) };
    let (mut envs, mut memory) = made("2048", &options, 0);
    let cut: Vec<bool> = (0..8)
        .map(|_| {
            random_step(&mut *envs, &mut memory);
            memory.truncated[0]
        })
        .collect();
    assert_eq!(cut, [false, false, true, false, false, false, true, false]);
}

#[test]
fn an_opponent_plays_for_the_other_player() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        for (spec, player) in [
            ("connect-four", Player::One),
            ("othello", Player::Two),
            ("2048:adversary=cell", Player::Two),
        ] {
            let opponent = Some("random".to_owned());
            let options = VectorOptions { opponent, player, autoreset, ..options(3) };
            let (mut envs, mut memory) = made(spec, &options, 5);
            let mut ends = 0;
            for _ in 0..600 {
                let over = (0..3).map(|env| envs.ended(env));
                let turns = memory.to_move.iter().zip(over).filter(|(_, over)| !over);
                for (turn, _) in turns {
                    assert_eq!(*turn as usize, player.index(), "{spec}");
                }
                random_step(&mut *envs, &mut memory);
                ends += memory.terminated.iter().filter(|&&end| end).count();
            }
            assert!(ends > 0, "{spec}");
        }
    }
}

#[test]
fn a_given_start_is_that_of_every_episode() {
    let start = crate::former::NAME;
    let handle = crate::game(start).unwrap();
    let text = handle.generate("date", "2025-05-18").unwrap().position();
    let options = VectorOptions { start: Some(text.clone()), ..options(2) };
    let (mut envs, mut memory) = made("former", &options, 1);
    assert_eq!(envs.state(1).unwrap().text(), text);
    while !memory.terminated[1] {
        random_step(&mut *envs, &mut memory);
    }
    random_step(&mut *envs, &mut memory);
    assert_eq!(envs.state(1).unwrap().text(), text);
}

#[test]
fn wrong_options_and_buffers_are_refused() {
    let game = crate::game("2048").unwrap();
    let refused = |options: &VectorOptions| game.vector(options).err().unwrap().to_string();
    assert!(refused(&options(0)).contains("num_envs"));
    let text = |text: &str| Some(text.to_owned());
    assert!(
        refused(&VectorOptions { opponent: text("random"), ..options(1) }).contains("opponent")
    );
    assert!(refused(&VectorOptions { max_episode_steps: Some(0), ..options(1) }).contains("steps"));
    let (mut envs, mut memory) = made("2048", &options(2), 0);
    assert!(envs.step(&[0], &mut memory.buffers()).is_err());
    memory.masks.pop();
    assert!(envs.step(&[0, 0], &mut memory.buffers()).is_err());
}
