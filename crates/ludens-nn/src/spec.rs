//! Descriptions of networks for boards.
//!
//! Every network has a *stem* (a convolution with a large or small kernel), a *tower*
//! of 3x3 convolutions, plain or residual, each followed by batch normalisation and
//! ReLU, and one or two heads: a policy, a value. Or it is made of valid convolutions and linear
//! layers ([`Valid`]). The text of a description names all of it; weight files keep it.

use std::fmt;
use std::str::FromStr;

use ludens_core::params::{name_of, spec};
use ludens_core::{Params, ParseError};

use crate::valid::Valid;

/// What follows the stem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tower {
    /// Its depth: the number of convolutions in all, the stem included.
    Plain(usize),
    /// The number of residual blocks of two convolutions.
    Residual(usize),
    /// Valid convolutions in place of stem and tower; heads are [`Head::Dense`].
    Valid(Valid),
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

impl Range {
    /// Brings what a head gives into the range.
    pub(crate) fn apply(self, values: &mut [f32]) {
        if self == Range::Unit {
            values.iter_mut().for_each(|value| *value = value.tanh());
        }
    }

    /// Turns slopes by values of the range into slopes by what the head gave.
    pub(crate) fn apply_back(self, slopes: &mut [f32], values: &[f32]) {
        if self == Range::Unit {
            slopes.iter_mut().zip(values).for_each(|(slope, value)| *slope *= 1.0 - value * value);
        }
    }
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
    "rows",
    "cols",
    "planes",
    "channels",
    "depth",
    "blocks",
    "kernel",
    "shared",
    "policy",
    "actions",
    "value",
    "range",
    "convolutions",
    "dense",
    "leak",
    "flag",
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

    /// A network of valid convolutions with a policy of `actions` numbers, or with a value where
    /// there are none.
    ///
    /// ```
    /// use ludens_nn::{Spec, Valid};
    /// let spec = Spec::valid(6, 7, 2, Valid::PROBS_100K, 7);
    /// let text = "valid:rows=6,cols=7,planes=2,convolutions=3x64-3x64,dense=128-64,leak=10,policy=dense,actions=7";
    /// assert_eq!(spec.to_string(), text);
    /// assert_eq!(text.parse(), Ok(spec));
    /// ```
    pub fn valid(rows: usize, cols: usize, planes: usize, valid: Valid, actions: usize) -> Spec {
        let [[kernel, _], [_, channels]] = valid.convolutions;
        Spec {
            channels,
            kernel,
            tower: Tower::Valid(valid),
            policy: (actions > 0).then_some(Head::Dense),
            actions,
            value: (actions == 0).then_some(Head::Dense),
            ..Spec::policy(rows, cols, planes, channels, 1)
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
            Tower::Valid(_) => 1,
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
        if let Tower::Valid(valid) = self.tower {
            let stages = valid.stages(self);
            let boards = stages.map(|stage| stage.cells() * stage.patch() * stage.outputs);
            let mut rows = vec![valid.flat(self)];
            rows.extend(valid.units());
            let last = rows[rows.len() - 1] * (self.actions + usize::from(self.value.is_some()));
            let dense: usize = rows.windows(2).map(|pair| pair[0] * pair[1]).sum();
            return (boards.iter().sum::<usize>() + dense + last) as u64;
        }
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

/// `cells`, `pooled`, `dense` or `reduced-PLANES-HIDDEN`.
fn head_text(head: Head) -> String {
    match head {
        Head::Cells => "cells".to_owned(),
        Head::Pooled => "pooled".to_owned(),
        Head::Dense => "dense".to_owned(),
        Head::Reduced { planes, hidden } => format!("reduced-{planes}-{hidden}"),
    }
}

fn read_head(params: &mut Params, key: &str) -> Result<Option<Head>, ParseError> {
    let Some(text) = params.take(key) else { return Ok(None) };
    let reduced = || {
        let (planes, hidden) = text.strip_prefix("reduced-")?.split_once('-')?;
        let planes = planes.parse().ok().filter(|planes| (1..=64).contains(planes))?;
        let hidden = hidden.parse().ok().filter(|&hidden| hidden <= 65_536)?;
        Some(Head::Reduced { planes, hidden })
    };
    let head = match text.as_str() {
        "cells" => Some(Head::Cells),
        "pooled" => Some(Head::Pooled),
        "dense" => Some(Head::Dense),
        _ => reduced(),
    };
    let expected = "cells | pooled | dense | reduced-PLANES-HIDDEN";
    let wrong = || ParseError::new(format!("parameter {key}"), format!("'{text}'"), expected);
    head.map(Some).ok_or_else(wrong)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params: Vec<(&str, String)> = vec![
            ("rows", self.rows.to_string()),
            ("cols", self.cols.to_string()),
            ("planes", self.planes.to_string()),
        ];
        let (channels, kernel) = (self.channels.to_string(), self.kernel.to_string());
        let name = match self.tower {
            Tower::Plain(depth) => {
                let depth = depth.to_string();
                params.extend([("channels", channels), ("depth", depth), ("kernel", kernel)]);
                "plain"
            }
            Tower::Residual(blocks) => {
                let blocks = blocks.to_string();
                params.extend([("channels", channels), ("blocks", blocks), ("kernel", kernel)]);
                "residual"
            }
            Tower::Valid(valid) => {
                params.extend(valid.params());
                "valid"
            }
        };
        if self.shared > 0 {
            params.push(("shared", self.shared.to_string()));
        }
        if let Some(head) = self.policy {
            params.push(("policy", head_text(head)));
            if head != Head::Cells {
                params.push(("actions", self.actions.to_string()));
            }
        }
        if let Some(head) = self.value {
            params.push(("value", head_text(head)));
            if self.range != Range::Linear {
                params.push(("range", name_of(RANGES, self.range).to_owned()));
            }
        }
        f.write_str(&spec(name, &params))
    }
}

impl FromStr for Spec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Spec, ParseError> {
        let (name, mut params) = Params::split(text)?;
        let rows = params.number("rows", 0, 1..=64)?;
        let cols = params.number("cols", 0, 1..=64)?;
        let planes = params.number("planes", 0, 1..=256)?;
        // Files of 0.1.0 say `width`.
        let width = params.number("width", 0, 1..=1024)?;
        let channels = params.number("channels", width, 1..=1024)?;
        let valid = match name {
            "valid" => Some(Valid::read(&mut params, rows, cols)?),
            _ => None,
        };
        let channels = valid.map_or(channels, |valid| valid.convolutions[1][1]);
        if rows * cols * planes * channels == 0 {
            let expected = "rows, cols, planes and channels";
            return Err(ParseError::new("network", format!("'{text}'"), expected));
        }
        let tower = match (name, valid) {
            (_, Some(valid)) => Tower::Valid(valid),
            ("plain", _) => Tower::Plain(params.number("depth", 1, 1..=100)?),
            ("residual", _) => Tower::Residual(params.number("blocks", 1, 0..=100)?),
            _ => {
                let expected = "plain, residual or valid";
                return Err(ParseError::new("network", format!("'{name}'"), expected));
            }
        };
        let kernel = match valid {
            Some(valid) => valid.convolutions[0][0],
            None => params.number("kernel", 3, 1..=15)?,
        };
        if kernel % 2 == 0 && valid.is_none() {
            return Err(ParseError::new("parameter kernel", kernel.to_string(), "an odd number"));
        }
        let shared = params.number("shared", 0, 0..=65_536)?;
        let policy = read_head(&mut params, "policy")?;
        let actions = match policy {
            None => 0,
            Some(Head::Cells) => rows * cols,
            Some(_) => params.number("actions", rows * cols, 1..=65_536)?,
        };
        let value = read_head(&mut params, "value")?;
        if value == Some(Head::Cells) {
            return Err(ParseError::new("parameter value", "'cells'", "one number: pooled, .."));
        }
        let range = match value {
            None => Range::Linear,
            Some(_) => params.choice("range", Range::Linear, RANGES)?,
        };
        params.finish(KNOWN)?;
        let dense = [policy, value].into_iter().flatten().all(|head| head == Head::Dense);
        if valid.is_some() && (shared > 0 || !dense) {
            let expected = "dense heads, and no shared layer";
            return Err(ParseError::new("network", format!("'{text}'"), expected));
        }
        if policy.is_none() && value.is_none() {
            let expected = "policy= or value=";
            return Err(ParseError::new("network", format!("'{text}'"), expected));
        }
        Ok(Spec {
            rows,
            cols,
            planes,
            channels,
            kernel,
            tower,
            shared,
            policy,
            actions,
            value,
            range,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for spec in [
            Spec::policy(9, 7, 5, 64, 10),
            Spec::actor_critic(5, 5, 4, 32, 5),
            Spec::residual(6, 7, 2, 64, 6, 7),
            Spec { value: Some(Head::Pooled), ..Spec::policy(3, 4, 2, 8, 1) },
            Spec::valid(6, 7, 2, Valid::PROBS_10K, 7),
            Spec::valid(6, 7, 2, Valid::PROBS_100K, 0),
            Spec::valid(8, 8, 4, Valid::PROBS_REVERSI, 65),
        ] {
            assert_eq!(spec.to_string().parse(), Ok(spec), "{spec}");
        }
    }

    #[test]
    fn old_spellings_are_read() {
        let spec = Spec::value(9, 7, 5, 32, 5);
        assert_eq!(spec.to_string().replace("channels", "width").parse(), Ok(spec));
    }

    #[test]
    fn wrong_descriptions_are_refused() {
        for (text, message) in [
            ("plain", "network: found 'plain', expected rows, cols, planes and channels"),
            (
                "deep:rows=1,cols=1,planes=1,channels=1",
                "network: found 'deep', expected plain, residual or valid",
            ),
            (
                "valid:rows=5,cols=5,planes=1,convolutions=4x2-3x2,value=dense",
                "parameter convolutions: found '4x2-3x2', expected KERNELxCHANNELS-KERNELxCHANNELS that fit the board",
            ),
            (
                "plain:rows=1,cols=1,planes=1,channels=1",
                "network: found 'plain:rows=1,cols=1,planes=1,channels=1', expected policy= or value=",
            ),
            ("plain:rows=99", "parameter rows: found '99', expected a number from 1 to 64"),
            (
                "plain:rows=1,cols=1,planes=1,channels=1,kernel=4",
                "parameter kernel: found 4, expected an odd number",
            ),
            (
                "plain:rows=1,cols=1,planes=1,channels=1,value=big",
                "parameter value: found 'big', expected cells | pooled | dense | reduced-PLANES-HIDDEN",
            ),
        ] {
            assert_eq!(text.parse::<Spec>().unwrap_err().to_string(), message);
        }
    }
}
