//! Networks for graphs whose edges have kinds: relational graph convolutions.
//!
//! Every node has numbers. In a layer each edge sends its source's numbers, multiplied with
//! the matrix of the edge's relation and with that relation's bias added, to its target; a
//! node also sends itself a message by a matrix of its own. A node's new numbers are, element by
//! element, the largest of all messages it got, cut off below 0 except in the last layer. There
//! every node has two numbers: the mean of the first one's hyperbolic tangents is the value, the
//! second ones of the *action nodes* are the policy's logits. So one network serves
//! graphs of any size, with any number of moves.
//!
//! Reference: M. Schlichtkrull et al., Modeling relational data with graph convolutional networks,
//! ESWC 2018; M. Clark, *Mastering Sevn using Reinforcement Learning* (2021), 3.2 and 3.3.

mod edges;
mod evaluator;
mod network;
#[cfg(test)]
pub(crate) mod reference;
mod relay;
mod spec;
mod win_evaluator;

pub(crate) use edges::Bundle;
pub use edges::Graph;
pub use evaluator::{GraphEncoder, GraphEvaluator, tanh_encoder};
pub use network::{GraphNetwork, GraphScratch};
pub(crate) use relay::{Choose, Relay};
pub use spec::GraphSpec;
pub(crate) use spec::layer_names;
pub use win_evaluator::{WinEvaluator, win_encoder, win_loss};
