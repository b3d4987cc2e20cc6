//! Where episodes begin: at the start, or at a later stage.
//!
//! The afterstates in which episodes entered a stage are kept, the latest thousand per
//! stage. The carousel begins at the start, then at stage after stage, then at the start
//! again (Jaśkowski 2018); a jump begins at a later stage drawn at random.

use std::collections::VecDeque;

use ludens_core::{AfterNotation, Cells, ParseError, Rng};
use serde_json::{Value, json};

/// Afterstates kept per stage.
const KEPT: usize = 1000;

/// Afterstates that entered the second stage, the third, and so on.
#[derive(Clone, Debug)]
pub(super) struct Starts<G: Cells> {
    stages: Vec<VecDeque<G::After>>,
}

impl<G: Cells + AfterNotation> Starts<G> {
    /// None yet, for this many stages.
    pub(super) fn new(stages: usize) -> Self {
        Starts { stages: vec![VecDeque::new(); stages - 1] }
    }

    /// Keeps an afterstate that entered a stage above 0.
    pub(super) fn keep(&mut self, stage: usize, after: G::After) {
        let kept = &mut self.stages[stage - 1];
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(after);
    }

    /// One that entered a stage, if there is any; none for stage 0.
    pub(super) fn draw(&self, stage: usize, rng: &mut Rng) -> Option<G::After> {
        let kept = self.stages.get(stage.checked_sub(1)?)?;
        (!kept.is_empty()).then(|| kept[rng.below(kept.len() as u32) as usize])
    }

    /// One of a later stage drawn among those that have any.
    pub(super) fn draw_any(&self, rng: &mut Rng) -> Option<(usize, G::After)> {
        let reached: Vec<usize> =
            (1..=self.stages.len()).filter(|&stage| !self.stages[stage - 1].is_empty()).collect();
        if reached.is_empty() {
            return None;
        }
        let stage = reached[rng.below(reached.len() as u32) as usize];
        self.draw(stage, rng).map(|after| (stage, after))
    }

    /// As checkpoints keep them.
    pub(super) fn to_json(&self) -> Value {
        let texts =
            |kept: &VecDeque<G::After>| kept.iter().map(G::after_text).collect::<Vec<String>>();
        json!(self.stages.iter().map(texts).collect::<Vec<_>>())
    }

    /// Reads a checkpoint's.
    pub(super) fn from_json(
        json: &Value,
        variant: &G::Variant,
        stages: usize,
    ) -> Result<Self, ParseError> {
        let mut starts = Starts::new(stages);
        let lists = json.as_array().map_or(&[][..], Vec::as_slice);
        for (stage, list) in lists.iter().enumerate().take(stages - 1) {
            for text in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
                starts.keep(stage + 1, G::parse_after(variant, text)?);
            }
        }
        Ok(starts)
    }
}
