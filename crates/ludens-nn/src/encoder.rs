//! How networks see positions.

use ludens_core::{Game, ParseError, Pov};

use crate::Spec;

/// The owner of a policy output that belongs to no legal action.
pub const NOBODY: u16 = u16::MAX;

/// Turns positions into planes, and a network's outputs into what they mean.
///
/// A change of what an encoder gives needs a new version: weights learned with another one
/// are refused.
pub trait Encoder<G: Game>: Copy + Send + Sync + 'static {
    /// Its name and version, such as `former-cells 1`.
    const NAME: &'static str;

    /// Rows, columns and planes for a variant.
    fn shape(variant: &G::Variant) -> [usize; 3];

    /// Outputs of the policy for a variant.
    fn actions(variant: &G::Variant) -> usize;

    /// Writes a position: the planes of a cell together, cell after cell, row after row
    /// from the top. `out` is all 0 before.
    fn encode(self, position: &G, out: &mut [f32]);

    /// Says for every output of the policy which legal action it belongs to, by index in
    /// [`Game::actions`], or [`NOBODY`]. An action's probability is the sum of its outputs'.
    fn owners(self, position: &G, out: &mut [u16]);

    /// Whether an action's logit is the sum of its [`parts`](Encoder::parts). Otherwise every output
    /// has one owner, and an action's probability is the sum of its outputs'.
    const SUMS: bool = false;

    /// Calls `f` with every pair of a legal action, by index in [`Game::actions`], and an output of
    /// the policy that is a part of it.
    fn parts(self, position: &G, mut f: impl FnMut(usize, usize)) {
        let mut owners = vec![NOBODY; Self::actions(&position.variant())];
        self.owners(position, &mut owners);
        let owned = owners.iter().enumerate().filter(|(_, owner)| **owner != NOBODY);
        owned.for_each(|(output, owner)| f(usize::from(*owner), output));
    }

    /// How many things the policy chooses between: the legal actions, unless an encoder says otherwise
    /// ([`EachOutput`]). [`owners`](Encoder::owners) are indices among them.
    fn choices(self, position: &G) -> usize {
        position.actions().len()
    }

    /// The legal action that a choice stands for, by index in [`Game::actions`].
    fn action_of(self, _: &G, choice: usize) -> usize {
        choice
    }

    /// What the value's output says of the rewards to come for player one: unless an encoder has
    /// another scale, the output is the value of the player to move.
    fn value(self, position: &G, output: f32) -> f32 {
        Pov(output).abs(position.to_move()).0
    }

    /// What the value's output should be where such rewards are to come for player one: the
    /// inverse of [`value`](Encoder::value).
    fn target(self, position: &G, rewards: f32) -> f32 {
        Pov(rewards).abs(position.to_move()).0
    }

    /// Refuses networks for other boards.
    ///
    /// # Errors
    /// When sizes differ.
    fn check(variant: &G::Variant, spec: &Spec) -> Result<(), ParseError> {
        let (shape, found) = (Self::shape(variant), [spec.rows, spec.cols, spec.planes]);
        if shape != found {
            let text = |[rows, cols, planes]: [usize; 3]| format!("{rows}x{cols}x{planes}");
            return Err(ParseError::new("network's input", text(found), text(shape)));
        }
        if spec.policy.is_some() && spec.actions != Self::actions(variant) {
            let expected = Self::actions(variant).to_string();
            return Err(ParseError::new("network's actions", spec.actions.to_string(), expected));
        }
        Ok(())
    }
}

/// An encoder whose policy chooses between single outputs: all that belong to a legal action, each on
/// its own. In Former these are the cells with shapes, as the actors of Urheim (2025, 5.4.1) have it.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::former::{Former, FormerVariant};
/// use ludens_nn::{EachOutput, Encoder, FormerCells};
/// let board = Former::parse(&FormerVariant::new(2, 2, 2).unwrap(), ".1/01").unwrap();
/// let cells = EachOutput(FormerCells);
/// assert_eq!((FormerCells.choices(&board), cells.choices(&board)), (2, 3));
/// // The first and the last cell are of one group.
/// assert_eq!(cells.action_of(&board, 0), cells.action_of(&board, 2));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EachOutput<E>(pub E);

impl<E> EachOutput<E> {
    /// The owners of the outputs that have one, in order.
    fn owned<G: Game>(self, position: &G) -> Vec<u16>
    where
        E: Encoder<G>,
    {
        let mut owners = vec![NOBODY; E::actions(&position.variant())];
        self.0.owners(position, &mut owners);
        owners.retain(|owner| *owner != NOBODY);
        owners
    }
}

impl<G: Game, E: Encoder<G>> Encoder<G> for EachOutput<E> {
    const NAME: &'static str = E::NAME;

    fn shape(variant: &G::Variant) -> [usize; 3] {
        E::shape(variant)
    }

    fn actions(variant: &G::Variant) -> usize {
        E::actions(variant)
    }

    fn encode(self, position: &G, out: &mut [f32]) {
        self.0.encode(position, out);
    }

    fn owners(self, position: &G, out: &mut [u16]) {
        self.0.owners(position, out);
        let owned = out.iter_mut().filter(|owner| **owner != NOBODY);
        owned.enumerate().for_each(|(choice, owner)| *owner = choice as u16);
    }

    fn choices(self, position: &G) -> usize {
        self.owned(position).len()
    }

    fn action_of(self, position: &G, choice: usize) -> usize {
        usize::from(self.owned(position)[choice])
    }

    fn value(self, position: &G, output: f32) -> f32 {
        self.0.value(position, output)
    }

    fn target(self, position: &G, rewards: f32) -> f32 {
        self.0.target(position, rewards)
    }
}

/// Adds the softmax of the outputs that have owners to the actions they belong to.
/// `priors` has one number per action.
///
/// ```
/// use ludens_nn::{NOBODY, priors_of};
/// let mut priors = [0.0; 2];
/// priors_of(&[0.0, 9.0, 0.0, 0.0], &[1, NOBODY, 1, 0], &mut priors);
/// assert!((priors[1] - 2.0 / 3.0).abs() < 1e-6);
/// ```
pub fn priors_of(logits: &[f32], owners: &[u16], priors: &mut [f32]) {
    priors.fill(0.0);
    let owned = || logits.iter().zip(owners).filter(|(_, owner)| **owner != NOBODY);
    let most = owned().fold(f32::NEG_INFINITY, |most, (logit, _)| most.max(*logit));
    let mut total = 0.0;
    for (logit, owner) in owned() {
        let weight = (logit - most).exp();
        priors[usize::from(*owner)] += weight;
        total += weight;
    }
    priors.iter_mut().for_each(|prior| *prior /= total);
}
