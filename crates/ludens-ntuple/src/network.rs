//! The tables of a network and what can be done with a position's entries.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use ludens_core::{CellShape, Cells, ParseError};

use crate::buffer::Buffer;
use crate::tables::{LARGEST, Tables, entry, in_parts, scaled_sum, sum};
use crate::{Error, Indexer, Layout, Probe, Stages};

/// An entry that takes its first value from the stage before: not a number, and
/// none that arithmetic gives.
const UNTOUCHED: u32 = 0xFFFF_FFFF;

/// What a network values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Subject {
    /// What a move leads to, before nature acts.
    #[default]
    Afterstates,
    /// Positions to move in.
    Positions,
    /// Moves of positions, with tables of their own for each number of a move.
    Actions,
}

impl Subject {
    /// All with their names in files.
    pub(crate) const NAMES: [(&str, Subject); 3] = [
        ("afterstates", Subject::Afterstates),
        ("positions", Subject::Positions),
        ("actions", Subject::Actions),
    ];
}

/// What a network is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// The tuples, as [`Layout`] reads them.
    pub layout: String,
    /// What it values.
    pub subject: Subject,
    /// Values told apart per cell, at most those of the game; larger numbers count
    /// as the largest. `None` is 16, or what the game has if that is less.
    pub values: Option<usize>,
    /// Boundaries of stages, as [`Stages`] reads them.
    pub stages: String,
    /// Whether an entry of a later stage begins as it is in the stage before.
    pub promotion: bool,
    /// The value of every position at first.
    pub initial: f32,
    /// Whether to ask for huge pages.
    pub huge_pages: bool,
}

impl Spec {
    /// A network of one stage that values everything at 0.
    pub fn new(layout: &str) -> Self {
        Spec {
            layout: layout.to_owned(),
            subject: Subject::Afterstates,
            values: None,
            stages: String::new(),
            promotion: false,
            initial: 0.0,
            huge_pages: true,
        }
    }
}

/// What a network's entries mean: kept in files, and equal for networks whose
/// entries can be exchanged.
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    /// The tuples.
    pub layout: Layout,
    /// What it values.
    pub subject: Subject,
    /// The cells it looks at.
    pub shape: CellShape,
    /// Values told apart per cell.
    pub values: usize,
    /// The stages.
    pub stages: Stages,
}

impl Form {
    /// The planes of a stage.
    fn planes(&self) -> usize {
        self.shape.extras * self.planes_of_actions()
    }

    /// The planes of the actions of a position; 1 where actions are not valued.
    fn planes_of_actions(&self) -> usize {
        match self.subject {
            Subject::Actions => self.shape.turns.first().map_or(1, Vec::len),
            Subject::Afterstates | Subject::Positions => 1,
        }
    }
}

/// An n-tuple network.
pub struct Network {
    form: Form,
    indexer: Indexer,
    tables: Tables,
    initial: u32,
    promotion: bool,
    huge_pages: bool,
}

impl Network {
    /// A network for a variant of a game.
    ///
    /// # Errors
    /// When the layout or the stages do not fit the game, or memory is short.
    pub fn new<G: Cells>(variant: &G::Variant, spec: &Spec) -> Result<Self, Error> {
        let shape = G::cell_shape(variant);
        let most = shape.values;
        let values = spec.values.unwrap_or(16).min(most);
        let stages = Stages::parse::<G>(&spec.stages, most)?;
        let (layout, subject) = (spec.layout.parse()?, spec.subject);
        if subject == Subject::Actions && shape.turns.is_empty() {
            let expected = "one whose moves turn with the board, such as 2048";
            return Err(ParseError::new("values of actions", "this game", expected).into());
        }
        let form = Form { layout, subject, shape, values, stages };
        let mut network = Network::zeroed(form, spec.huge_pages)?;
        network.promotion = spec.promotion && network.form.stages.count() > 1;
        let each = spec.initial / network.lookups() as f32;
        network.initial = each.to_bits();
        if network.initial != 0 || network.promotion {
            let first = network.indexer.plane() * network.form.planes();
            for (index, weight) in network.weights().iter().enumerate() {
                let later = network.promotion && index >= first;
                weight.store(if later { UNTOUCHED } else { network.initial }, Relaxed);
            }
        }
        Ok(network)
    }

    /// A copy with one stage more, whose positions have an initial value.
    ///
    /// # Errors
    /// When memory is short.
    ///
    /// # Panics
    /// When this is a compact network, or `stages` are not its own with one boundary more.
    pub fn with_stage(
        &self,
        stages: Stages,
        initial: f32,
        huge_pages: bool,
    ) -> Result<Self, Error> {
        let own = &self.form.stages;
        let follows = stages.bits().starts_with(own.bits()) && stages.count() == own.count() + 1;
        assert!(follows, "stages that do not follow the network's");
        let mut network = Network::zeroed(Form { stages, ..self.form.clone() }, huge_pages)?;
        (network.initial, network.promotion) = (self.initial, self.promotion);
        let each = (initial / network.lookups() as f32).to_bits();
        // Stages lie one after another.
        for (index, weight) in network.weights().iter().enumerate() {
            let bits = self.weights().get(index).map_or(each, |own| own.load(Relaxed));
            weight.store(bits, Relaxed);
        }
        Ok(network)
    }

    /// The stage that a probe's entries are of.
    #[inline]
    pub fn stage_of(&self, probe: &Probe) -> usize {
        let first = probe.indices().first().map_or(0, |&index| index as usize);
        first / (self.indexer.plane() * self.form.planes())
    }

    /// A network of zeros.
    pub(crate) fn zeroed(form: Form, huge_pages: bool) -> Result<Self, Error> {
        let indexer = indexer(&form)?;
        let weights = Buffer::zeroed(indexer.entries(), huge_pages, "the network")?;
        Ok(Network::of(form, indexer, Tables::Full(weights), huge_pages))
    }

    /// A copy with 16 bits per entry, for play only: half the memory, and values
    /// that differ by less than a thousandth of the largest entry of each table.
    ///
    /// # Errors
    /// When memory is short.
    pub fn compact(&self) -> Result<Network, Error> {
        let items = Buffer::<AtomicU16>::zeroed(self.entries(), self.huge_pages, "the network")?;
        let mut scales = vec![0f32; self.form.layout.tuples().len()];
        for (table, scale) in scales.iter_mut().enumerate() {
            let indices = || self.indices_of_table(table);
            let largest = indices().map(|index| self.entry_value(index).abs()).fold(0.0, f32::max);
            *scale = largest / LARGEST;
            if largest > 0.0 {
                for index in indices() {
                    let whole = (self.entry_value(index) / *scale).round() as i16;
                    items.items()[index].store(whole as u16, Relaxed);
                }
            }
        }
        let tables = Tables::Compact(items, scales);
        let (form, indexer) = (self.form.clone(), indexer(&self.form)?);
        Ok(Network::of(form, indexer, tables, self.huge_pages))
    }

    /// An entry, as a number that [`value`](Network::value) would sum up.
    pub(crate) fn entry_value(&self, index: usize) -> f32 {
        match self.weights()[index].load(Relaxed) {
            UNTOUCHED => f32::from_bits(self.initial),
            bits => f32::from_bits(bits),
        }
    }

    /// The indices of a table's entries, in all planes.
    pub(crate) fn indices_of_table(&self, table: usize) -> impl Iterator<Item = usize> + use<> {
        let sizes = self.form.layout.tuples().iter();
        let sizes = sizes.map(|tuple| self.form.values.pow(tuple.cells.len() as u32));
        let begin: usize = sizes.clone().take(table).sum();
        let size = sizes.clone().nth(table).expect("callers name tables of the layout");
        let plane = self.indexer.plane();
        let planes = self.entries() / plane;
        (0..planes).flat_map(move |p| p * plane + begin..p * plane + begin + size)
    }

    /// Moves every entry a share of the way to the one of another network. The mean of
    /// many networks is the first with the second blended in by 1/2, the third by 1/3..
    ///
    /// # Panics
    /// When the entries mean different things, or either is a compact one.
    pub fn blend(&self, other: &Network, share: f32) {
        assert!(self.form == other.form, "networks of different forms");
        for (index, weight) in self.weights().iter().enumerate() {
            let (own, others) = (self.entry_value(index), other.entry_value(index));
            if own != others {
                weight.store((own + (others - own) * share).to_bits(), Relaxed);
            }
        }
    }

    /// What the entries mean.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Whether it has fewer than 32 bits per entry, for play only.
    pub fn is_compact(&self) -> bool {
        self.tables.scales().is_some()
    }

    /// The memory that its entries take.
    pub fn bytes(&self) -> usize {
        self.entries() * self.tables.entry_bytes()
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.indexer.entries()
    }

    /// The number of entries that make up a value.
    pub fn lookups(&self) -> usize {
        self.indexer.lookups()
    }

    pub(crate) fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Entries of a stage with an extra.
    pub(crate) fn plane_entries(&self) -> usize {
        self.indexer.plane()
    }

    pub(crate) fn huge_pages(&self) -> bool {
        self.huge_pages
    }

    /// What entries are before anything is learned, as files keep them.
    pub(crate) fn initial_bits(&self) -> (u32, bool) {
        (self.initial, self.promotion)
    }

    pub(crate) fn set_initial_bits(&mut self, initial: u32, promotion: bool) {
        (self.initial, self.promotion) = (initial, promotion);
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The entries, which must be of full precision.
    #[inline(always)]
    pub(crate) fn weights(&self) -> &[AtomicU32] {
        match &self.tables {
            Tables::Full(weights) => weights.items(),
            _ => panic!("compact networks are for play only"),
        }
    }

    /// A compact network of zeros with these scales.
    pub(crate) fn zeroed_compact(form: Form, scales: Vec<f32>) -> Result<Self, Error> {
        let indexer = indexer(&form)?;
        let items = Buffer::zeroed(indexer.entries(), true, "the network")?;
        Ok(Network::of(form, indexer, Tables::Compact(items, scales), true))
    }

    /// A network of zero bytes with these scales.
    pub(crate) fn zeroed_packed(form: Form, scales: Vec<f32>) -> Result<Self, Error> {
        let indexer = indexer(&form)?;
        let tables = Tables::packed(indexer.entries(), scales)?;
        Ok(Network::of(form, indexer, tables, true))
    }

    fn of(form: Form, indexer: Indexer, tables: Tables, huge_pages: bool) -> Self {
        Network { form, indexer, tables, initial: 0, promotion: false, huge_pages }
    }

    /// The indices of a move's entries, in a network of [`Subject::Actions`]; `shown` is what
    /// [`Cells::shown`] gives, `action` the number of the move.
    ///
    /// # Panics
    /// When the network values something else, or there is no such action.
    pub fn probe_action<G: Cells>(&self, shown: &G::After, action: usize, probe: &mut Probe) {
        assert!(self.form.subject == Subject::Actions, "a network that values no actions");
        self.gather::<G>(shown, self.form.planes_of_actions(), probe);
        self.indexer.turn(action, probe);
    }

    /// The indices of an afterstate's entries, or of a position's that is shown as one.
    #[inline(always)]
    pub fn probe<G: Cells>(&self, after: &G::After, probe: &mut Probe) {
        debug_assert!(self.form.subject != Subject::Actions, "a network that values actions");
        self.gather::<G>(after, 1, probe);
    }

    /// The indices in the first plane of an afterstate, `planes` to each.
    #[inline(always)]
    fn gather<G: Cells>(&self, after: &G::After, planes: usize, probe: &mut Probe) {
        let extra = G::extra(after);
        let extras = self.form.shape.extras;
        if self.indexer.takes_words()
            && let Some(word) = G::word(after)
        {
            let plane = (self.form.stages.of_word(word) * extras + extra) * planes;
            self.indexer.probe_word(word, plane, probe);
            return;
        }
        let mut cells = std::mem::take(&mut probe.cells);
        cells.resize(self.form.shape.cells, 0);
        G::write_cells(after, &mut cells);
        let plane = (self.form.stages.of_cells(&cells) * extras + extra) * planes;
        self.indexer.probe_cells(&cells, plane, probe);
        probe.cells = cells;
    }

    /// Asks for the entries of a probe.
    #[inline(always)]
    pub fn prefetch(&self, probe: &Probe) {
        self.tables.prefetch(probe);
    }

    /// The sum of a probe's entries.
    #[inline(always)]
    pub fn value(&self, probe: &Probe) -> f32 {
        match &self.tables {
            Tables::Full(weights) => {
                let value = sum(weights.items(), probe);
                if value.is_nan() && self.promotion { self.promoted(probe) } else { value }
            }
            _ => self.scaled_value(probe),
        }
    }

    fn scaled_value(&self, probe: &Probe) -> f32 {
        let per_table = self.indexer.per_table();
        match &self.tables {
            Tables::Full(weights) => sum(weights.items(), probe),
            Tables::Compact(items, scales) => {
                let whole = |item: &AtomicU16| item.load(Relaxed) as i16;
                scaled_sum(items.items(), (scales, per_table), probe, whole)
            }
            Tables::Packed(bytes, scales, wholes) => {
                let whole = |byte: &AtomicU8| wholes[usize::from(byte.load(Relaxed))];
                scaled_sum(bytes.items(), (scales, per_table), probe, whole)
            }
        }
    }

    /// Gives entries of a later stage that were never used the value they have in
    /// the stage before, and sums up again.
    #[cold]
    fn promoted(&self, probe: &Probe) -> f32 {
        let weights = self.weights();
        let stage = self.indexer.plane() * self.form.planes();
        for &index in probe.indices() {
            let (mut from, index) = (index as usize, index as usize);
            while weights[from].load(Relaxed) == UNTOUCHED && from >= stage {
                from -= stage;
            }
            weights[index].store(weights[from].load(Relaxed), Relaxed);
        }
        sum(weights, probe)
    }

    /// Adds `step` to every entry of a probe: as often as the probe has it. The new value.
    ///
    /// # Panics
    /// When the network is a compact one.
    #[inline(always)]
    #[expect(unsafe_code, reason = "entries without a bounds check")]
    pub fn add(&self, probe: &Probe, step: f32) -> f32 {
        let weights = self.weights();
        assert!(probe.bound() <= weights.len() as u64, "a probe of another network");
        in_parts(probe.indices(), |index| {
            // SAFETY: the probe's indices are below its bound, which there are weights for.
            let weight = unsafe { entry(weights, index) };
            let changed = f32::from_bits(weight.load(Relaxed)) + step;
            weight.store(changed.to_bits(), Relaxed);
            changed
        })
    }
}

fn indexer(form: &Form) -> Result<Indexer, Error> {
    let planes = form.stages.count() * form.planes();
    Indexer::new(&form.layout, &form.shape, form.values, planes)
}
