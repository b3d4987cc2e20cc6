//! Perfect play of sliding games on small boards: an agent that looks moves up in a table of
//! exact values.

use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::params::spec;
use ludens_core::{Agent, Choice, Considered, Context, Params, ParseError, Variant};
use ludens_search::tabular::{ExactTable, Unsolved, retrograde};

use crate::AgentEntry;
use crate::perfect::NAME;
use crate::sliding::{Player, Searcher, Sliding};

/// Boards with more cells take longer to solve than a person waits.
const MOST_CELLS: u32 = 6;
/// Tables that are kept for whoever asks next.
const KEPT: usize = 4;

/// The tables that were made last, by the game with its variant.
static TABLES: Mutex<Vec<(String, Arc<ExactTable>)>> = Mutex::new(Vec::new());

/// An agent that plays by a table, and by expectimax until it has one.
struct Tabled<G: Sliding> {
    variant: G::Variant,
    otherwise: Player<G>,
}

/// The agent as it is listed.
pub(crate) fn agent<G: Sliding>() -> AgentEntry<G> {
    let about = "exact values of boards of at most six cells, by retrograde analysis";
    AgentEntry::new(NAME, about, &[], |variant: &G::Variant, _| {
        let cells = G::cell_shape(variant).board.count_ones();
        if cells > MOST_CELLS {
            let expected = format!("at most {MOST_CELLS}, such as board=2x3");
            return Err(ParseError::new("board", format!("{cells} cells"), expected));
        }
        let otherwise = Player::new(Searcher::read(variant, &mut Params::default(), false, 3)?);
        Ok(Tabled { variant: *variant, otherwise })
    })
}

/// The exact values of a whole game within a number of bytes. The tables that were made last are kept.
///
/// # Errors
/// When the game is too large for the memory, or it was stopped.
pub fn exact_table<G: Sliding>(
    variant: &G::Variant,
    memory: usize,
    stopped: &dyn Fn() -> bool,
) -> Result<Arc<ExactTable>, Unsolved> {
    let game = spec(G::NAME, &variant.write());
    // Whoever asks for the same table meanwhile gets this one.
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = tables.iter().find(|(name, _)| *name == game) {
        return Ok(Arc::clone(table));
    }
    let table = Arc::new(retrograde::<G>(variant, memory, stopped)?);
    if tables.len() == KEPT {
        tables.remove(0);
    }
    tables.push((game, Arc::clone(&table)));
    Ok(table)
}

impl<G: Sliding> Tabled<G> {
    /// The table of the variant, made if need be; `None` where limits came first.
    fn table(&self, context: &Context<'_, G>) -> Option<Arc<ExactTable>> {
        let stopped = || context.limits.interrupted();
        exact_table::<G>(&self.variant, context.memory, &stopped).ok()
    }

    /// The choice by a table; `None` in a position that no play leads to.
    fn look_up(&self, table: &ExactTable, position: &G) -> Option<Choice<G::Action>> {
        let expected = table.state(position)?.expected;
        let mut moves: Vec<Considered<G::Action>> = Vec::new();
        for action in position.actions() {
            let (after, reward) = position.apply(action);
            let later = table.after::<G>(&self.variant, &after)?.expected;
            let value = Some(later + f64::from(reward));
            moves.push(Considered { value, ..Considered::bare(action) });
        }
        // Stable: equals stay in the game's order.
        moves.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
        let action = moves.first()?.action;
        let (nodes, line) = (moves.len() as u64, vec![action]);
        Some(Choice {
            value: Some(expected),
            moves,
            line,
            nodes,
            proven: true,
            ..Choice::bare(action)
        })
    }
}

impl<G: Sliding> Agent<G> for Tabled<G> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let table = self.table(context);
        let found = table.and_then(|table| self.look_up(&table, position));
        found.unwrap_or_else(|| self.otherwise.choose(position, context))
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Method, Request};
    use crate::game;

    /// Whoever asks about a small board without naming anybody gets what the solver proves.
    #[test]
    fn small_boards_are_answered_exactly() {
        for spec in ["2048:board=2x2", "threes:board=2x2"] {
            let table = game(spec).unwrap().random(3, 4);
            let asked = |method: Method| {
                let request = Request { method, ..Request::default() };
                table.analyze(&request, Request::never(), &mut |_| {}).unwrap()
            };
            let (found, exact) = (asked(Method::Agent(None)), asked(Method::solver("retrograde")));
            assert!(found.proven && exact.proven, "{spec}");
            assert_eq!(found.value, exact.value);
            assert_eq!(found.moves.len(), exact.moves.len());
            for one in &found.moves {
                let same = exact.moves.iter().find(|other| other.action == one.action).unwrap();
                assert_eq!(one.value, same.value, "{spec} {}", one.action.text);
                assert!(found.proves(one));
            }
        }
    }

    #[test]
    fn whole_boards_are_refused() {
        let table = game("2048").unwrap().start(1);
        let message = table.check_agent("perfect").unwrap_err().to_string();
        assert!(message.contains("16 cells"), "{message}");
        assert_eq!(table.adviser(), Some("ntuple"));
    }
}
