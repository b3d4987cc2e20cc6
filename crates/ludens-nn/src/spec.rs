//! Descriptions of networks for boards.
//!
//! Every network has a *stem* (a convolution with a large or small kernel), a *tower*
//! of 3x3 convolutions, plain or residual, each followed by batch normalisation and
//! ReLU, and one or two heads: a policy, a value. The text of a description names all
//! of it; weight files keep it.

mod text;

use ludens_core::ParseError;

/// What follows the stem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tower {
    /// Its depth: the number of convolutions in all, the stem included.
    Plain(usize),
    /// The number of residual blocks of two convolutions.
    Residual(usize),
}

/// How a head sees what the tower gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// One number per cell, by a 1x1 convolution.
    Cells,
    /// The mean of every plane, then a linear layer.
    Pooled,
    /// A linear layer on the [`shared`](Spec::shared) one, or on all planes without one.
    Dense,
    /// A 1x1 convolution to a few planes with normalisation and ReLU, then linear
    /// layers: through `hidden` units unless that is 0.
    Reduced {
        /// Planes.
        planes: usize,
        /// Units between.
        hidden: usize,
    },
}

/// The range of a value head.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Range {
    /// Any number.
    Linear,
    /// -1 to 1, by a hyperbolic tangent.
    Unit,
}

/// A network: what it sees, its layers, what it gives.
///
/// ```
/// use ludens_nn::Spec;
/// let spec = Spec::value(9, 7, 5, 32, 5);
/// assert_eq!(spec.to_string(), "plain:rows=9,cols=7,planes=5,channels=32,depth=5,kernel=7,value=pooled");
/// assert_eq!(spec.to_string().parse(), Ok(spec));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// Planes that an encoder fills.
    pub planes: usize,
    /// Channels (filters) of every convolution.
    pub channels: usize,
    /// The stem's kernel, an odd number.
    pub kernel: usize,
    /// What follows the stem.
    pub tower: Tower,
    /// Units of a linear layer with ReLU that both heads stand on, 0 for none.
    pub shared: usize,
    /// The policy's head.
    pub policy: Option<Head>,
    /// Numbers of the policy; that of the cells for [`Head::Cells`].
    pub actions: usize,
    /// The value's head.
    pub value: Option<Head>,
    /// The value's range.
    pub range: Range,
}

const RANGES: &[(&str, Range)] = &[("linear", Range::Linear), ("unit", Range::Unit)];
const KNOWN: &[&str] = &[
    "rows", "cols", "planes", "channels", "depth", "blocks", "kernel", "shared", "policy",
    "actions", "value", "range",
];

impl Spec {
    /// The policy network of Urheim (2025, table 5.2): `depth` convolutions of `channels` channels, the first
    /// with a kernel of 7, and one number per cell.
    pub fn policy(rows: usize, cols: usize, planes: usize, channels: usize, depth: usize) -> Spec {
        Spec {
            rows,
            cols,
            planes,
            channels,
            kernel: 7,
            tower: Tower::Plain(depth),
            shared: 0,
            policy: Some(Head::Cells),
            actions: rows * cols,
            value: None,
            range: Range::Linear,
        }
    }

    /// The value network of Urheim (2025, table 5.2): as the [`policy`](Spec::policy), but with one number
    /// from the planes' means.
    pub fn value(rows: usize, cols: usize, planes: usize, channels: usize, depth: usize) -> Spec {
        let policy = Spec::policy(rows, cols, planes, channels, depth);
        Spec { policy: None, actions: 0, value: Some(Head::Pooled), ..policy }
    }

    /// The actor-critic of Urheim (2025, table 5.4): a linear layer of 256 units on the same tower, and a
    /// policy and a value on that.
    pub fn actor_critic(
        rows: usize,
        cols: usize,
        planes: usize,
        channels: usize,
        depth: usize,
    ) -> Spec {
        let policy = Spec::policy(rows, cols, planes, channels, depth);
        Spec { shared: 256, policy: Some(Head::Dense), value: Some(Head::Dense), ..policy }
    }

    /// A residual tower with a policy of `actions` numbers and a value of -1 to 1, for
    /// games of two players.
    pub fn residual(
        rows: usize,
        cols: usize,
        planes: usize,
        channels: usize,
        blocks: usize,
        actions: usize,
    ) -> Spec {
        Spec {
            rows,
            cols,
            planes,
            channels,
            kernel: 3,
            tower: Tower::Residual(blocks),
            shared: 0,
            policy: Some(Head::Reduced { planes: 2, hidden: 0 }),
            actions,
            value: Some(Head::Reduced { planes: 1, hidden: 64 }),
            range: Range::Unit,
        }
    }

    /// Refuses networks that lack a policy or a value where it is wanted.
    ///
    /// # Errors
    /// When one is wanted that it does not give.
    ///
    /// ```
    /// use ludens_nn::Spec;
    /// let policy = Spec::policy(9, 7, 5, 32, 5);
    /// assert!(policy.require(true, false).is_ok() && policy.require(true, true).is_err());
    /// ```
    pub fn require(&self, policy: bool, value: bool) -> Result<(), ParseError> {
        let lacks = (policy && self.policy.is_none()) || (value && self.value.is_none());
        let expected = match (policy, value) {
            (true, true) => "one that gives a policy and a value",
            (true, false) => "one that gives a policy",
            (false, _) => "one that gives values",
        };
        if lacks { Err(ParseError::new("network", format!("'{self}'"), expected)) } else { Ok(()) }
    }

    /// Cells of the board.
    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Numbers that describe a position to the network: planes of a cell together, cell
    /// after cell, row after row from the top.
    pub fn inputs(&self) -> usize {
        self.cells() * self.planes
    }

    /// 3x3 convolutions after the stem.
    pub fn convolutions(&self) -> usize {
        match self.tower {
            Tower::Plain(depth) => depth - 1,
            Tower::Residual(blocks) => 2 * blocks,
        }
    }

    /// Multiplications that a position takes when all are done, those by the cells
    /// around the board included; twice as many floating-point operations.
    ///
    /// ```
    /// use ludens_nn::Spec;
    /// assert_eq!(Spec::policy(9, 7, 5, 32, 5).multiplications(), 2_818_368);
    /// ```
    pub fn multiplications(&self) -> u64 {
        let cells = self.cells();
        let stem = self.kernel * self.kernel * self.planes * self.channels * cells;
        let tower = 9 * self.channels * self.channels * cells * self.convolutions();
        let flat = cells * self.channels;
        let base = if self.shared > 0 { self.shared } else { flat };
        let head = |head: Option<Head>, outputs: usize| match head {
            None => 0,
            Some(Head::Cells) => flat,
            Some(Head::Pooled) => self.channels * outputs,
            Some(Head::Dense) => base * outputs,
            Some(Head::Reduced { planes, hidden: 0 }) => flat * planes + planes * cells * outputs,
            Some(Head::Reduced { planes, hidden }) => {
                flat * planes + hidden * (planes * cells + outputs)
            }
        };
        let heads = head(self.policy, self.actions) + head(self.value, 1);
        (stem + tower + flat * self.shared + heads) as u64
    }
}

#[cfg(test)]
mod tests;
