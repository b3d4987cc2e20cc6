//! What takes a step along the gradients.

use super::Adam;

/// Plain stochastic gradient descent: `w -= rate * (gradient + decay * w)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sgd {
    /// Learning rate.
    pub rate: f32,
    /// Weight decay: half of it times the sum of squares is added to the loss.
    pub decay: f32,
    /// Gradients longer than this, all tensors together, are made as short.
    pub max_grad_norm: f32,
}

impl Default for Sgd {
    fn default() -> Self {
        Sgd { rate: 1e-2, decay: 0.0, max_grad_norm: f32::INFINITY }
    }
}

/// An optimizer with its settings; a [`Trainer`](crate::Trainer) keeps what it remembers.
///
/// ```
/// use ludens_nn::{Adam, Optimizer, Sgd};
/// assert_eq!(Optimizer::from(&Adam::default()), Optimizer::Adam(Adam::default()));
/// assert_eq!(Optimizer::from(&Sgd::default()), Optimizer::Sgd(Sgd::default()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optimizer {
    /// Steps by the means of gradients and of their squares.
    Adam(Adam),
    /// Steps along the gradient.
    Sgd(Sgd),
}

impl Optimizer {
    /// The longest gradient that is taken as it is.
    pub(super) fn max_grad_norm(&self) -> f32 {
        match self {
            Optimizer::Adam(adam) => adam.max_grad_norm,
            Optimizer::Sgd(sgd) => sgd.max_grad_norm,
        }
    }
}

impl From<&Adam> for Optimizer {
    fn from(adam: &Adam) -> Self {
        Optimizer::Adam(*adam)
    }
}

impl From<&Sgd> for Optimizer {
    fn from(sgd: &Sgd) -> Self {
        Optimizer::Sgd(*sgd)
    }
}

impl From<&Optimizer> for Optimizer {
    fn from(optimizer: &Optimizer) -> Self {
        *optimizer
    }
}
