//! One beam by stages: of the positions at each stage the best ones.

use std::collections::TryReserveError;

use ludens_core::{Heuristic, SoloPuzzle, Staged};

use crate::beam::layer::{Candidate, Layer, Link};

/// Parents between two looks at the limits: well below a millisecond.
const STRIDE: usize = 32;

/// About how many stages ahead of the one expanded have positions.
const AHEAD: usize = 48;

/// The memory of beams, kept from one to the next.
#[derive(Debug)]
pub(super) struct Sweep<G, A> {
    /// Positions waiting at each stage.
    open: Vec<Option<Layer<G, A>>>,
    /// Layers that are done, for other stages.
    spare: Vec<Layer<G, A>>,
    /// How all expanded positions came about, the root's first. Parents are
    /// places in this list.
    links: Vec<Link<A>>,
    line: Vec<A>,
}

impl<G: SoloPuzzle + Staged> Sweep<G, G::Action> {
    /// The bytes a beam from some stage takes per unit of width.
    pub(super) fn bytes(stage: usize) -> usize {
        AHEAD.min(stage + 1) * Layer::<G, G::Action>::BYTES + stage * size_of::<Link<G::Action>>()
    }

    pub(super) fn new() -> Self {
        Sweep { open: Vec::new(), spare: Vec::new(), links: Vec::new(), line: Vec::new() }
    }

    /// The line of the last beam that found one.
    pub(super) fn line(&self) -> &[G::Action] {
        &self.line
    }

    /// Runs a beam and returns the value of its best line, if that is more than
    /// `to_beat`. `go_on` gets the nodes made since the last call and says
    /// whether to continue; a beam that is stopped returns what it has.
    pub(super) fn run<H: Heuristic<G>>(
        &mut self,
        root: &G,
        width: usize,
        heuristic: &H,
        to_beat: i64,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Option<i64> {
        let Sweep { open, spare, links, line } = self;
        links.clear();
        spare.extend(open.drain(..).flatten());
        open.resize_with(root.stage() + 1, || None);
        let mut best = to_beat;
        let mut end: Option<Link<G::Action>> = None;
        // The root's link is never followed; any legal action will do.
        let action = root.actions().next()?;
        let link = Link { parent: 0, action };
        let offer =
            |open: &mut [Option<Layer<_, _>>], spare: &mut Vec<Layer<_, _>>, stage, candidate| {
                let slot: &mut Option<Layer<G, G::Action>> = &mut open[stage];
                let layer = match slot {
                    Some(layer) => layer,
                    None => {
                        let mut layer = spare.pop().unwrap_or_else(|| Layer::new(true));
                        layer.reset(width)?;
                        slot.insert(layer)
                    }
                };
                layer.offer(candidate);
                Ok::<(), TryReserveError>(())
            };
        let first = Candidate { position: *root, value: 0, score: 0.0, link };
        offer(open, spare, root.stage(), first).ok()?;
        let mut nodes = 0;
        let mut stopped = false;
        for stage in (0..open.len()).rev() {
            let Some(mut layer) = open[stage].take() else { continue };
            layer.finish();
            let base = links.len();
            // Where memory is short it ends with what it has.
            if links.try_reserve(layer.links().len()).is_err() {
                break;
            }
            links.extend_from_slice(layer.links());
            for (index, (position, &so_far)) in
                layer.positions().iter().zip(layer.values()).enumerate()
            {
                if stopped || index.is_multiple_of(STRIDE) && !go_on(std::mem::take(&mut nodes)) {
                    stopped = true;
                    break;
                }
                position.children(|action, child, reward| {
                    nodes += 1;
                    let value = so_far + i64::from(reward);
                    let link = Link { parent: (base + index) as u32, action };
                    if child.is_over() {
                        if value > best {
                            (best, end) = (value, Some(link));
                        }
                        return;
                    }
                    let score = value as f32 + heuristic.value(&child);
                    let candidate = Candidate { position: child, value, score, link };
                    stopped |= offer(open, spare, child.stage(), candidate).is_err();
                });
            }
            spare.push(layer);
            if stopped {
                break;
            }
        }
        go_on(nodes);
        let mut link = end?;
        line.clear();
        line.push(link.action);
        while link.parent != 0 {
            link = links[link.parent as usize];
            line.push(link.action);
        }
        line.reverse();
        Some(best)
    }
}
