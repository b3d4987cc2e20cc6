//! What a network estimates.

/// The file of a neural network in a run folder.
pub const NEURAL_FILE: &str = "model.safetensors";
/// The file of an n-tuple network in a run folder.
pub const NTUPLE_FILE: &str = "model.ntuple";
/// The file of a second network that values positions, in a run folder of PROBS.
pub const VALUE_FILE: &str = "value.safetensors";

/// What a network estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Afterstate values, by tables: what `ntuple` plays by.
    Afterstates,
    /// A policy, a value or both: what `az`, `net` and solvers play by.
    PolicyValue,
    /// Action values, Q, of PROBS.
    ActionValues,
    /// Position values, V, of PROBS.
    PositionValues,
}

impl Role {
    /// The agent that needs it.
    pub fn agent(self) -> &'static str {
        match self {
            Role::Afterstates => "ntuple",
            Role::PolicyValue => "net",
            Role::ActionValues => "probs",
            Role::PositionValues => "probs:expand=1",
        }
    }

    /// Its file in a run folder.
    pub fn file(self) -> &'static str {
        match self {
            Role::Afterstates => NTUPLE_FILE,
            Role::PolicyValue | Role::ActionValues => NEURAL_FILE,
            Role::PositionValues => VALUE_FILE,
        }
    }

    /// Whose networks these are, for messages: with a blank before it, or nothing.
    pub(crate) fn whose(self) -> &'static str {
        match self {
            Role::Afterstates | Role::PolicyValue => "",
            Role::ActionValues | Role::PositionValues => " of PROBS",
        }
    }
}
