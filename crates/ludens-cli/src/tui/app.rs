//! What the full screen shows and how keys change it; no terminal in sight.

use std::collections::BTreeSet;

use ludens_core::{Control, ParseError, View};
use ludens_engine::{Legal, Table, Turn};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::commands::play::{Match, described, summary};
use crate::draw::removes;

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Stay,
    Leave,
    /// Left by Ctrl-C.
    Interrupt,
}

pub(crate) struct App {
    game: Match,
    pub(crate) view: View,
    legal: Vec<Legal>,
    cursor: usize,
    picked: BTreeSet<usize>,
    /// A move being typed.
    pub(crate) typing: Option<String>,
    pub(crate) message: String,
    pub(crate) help: bool,
}

impl App {
    pub(crate) fn new(game: Match) -> Self {
        let view = game.table.view();
        let mut app = App {
            cursor: (view.rows / 2) * view.cols + view.cols / 2,
            view,
            legal: Vec::new(),
            game,
            picked: BTreeSet::new(),
            typing: None,
            message: "? for help".to_owned(),
            help: false,
        };
        app.refresh();
        app
    }

    pub(crate) fn into_match(self) -> Match {
        self.game
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.game.table
    }

    fn refresh(&mut self) {
        self.view = self.game.table.view();
        self.legal = self.game.table.actions();
        self.picked.clear();
        if self.game.table.turn() == Turn::Over {
            self.message = format!("{}: u takes back, q leaves", summary(&*self.game.table));
        }
    }

    /// The move the cursor or the picked cells stand for.
    fn pointed(&self) -> Option<&Legal> {
        match self.view.control {
            Control::Point => self.legal.iter().find(|m| m.cells.contains(&self.cursor)),
            Control::Pick => {
                let same =
                    |m: &&Legal| m.cells.iter().copied().collect::<BTreeSet<_>>() == self.picked;
                self.legal.iter().find(same)
            }
            _ => None,
        }
    }

    /// Whether a cell stands out: the group under the cursor, the picked cells.
    pub(crate) fn is_marked(&self, cell: usize) -> bool {
        match self.view.control {
            Control::Point => {
                self.pointed().map_or(cell == self.cursor, |m| m.cells.contains(&cell))
            }
            Control::Pick => cell == self.cursor || self.picked.contains(&cell),
            _ => false,
        }
    }

    /// What the move under the cursor would remove and pay, in games for points.
    pub(crate) fn preview(&self) -> Option<String> {
        if self.view.control != Control::Point || self.game.table.players() == 2 {
            return None;
        }
        let here = self.pointed()?;
        Some(format!("here {}", removes(here, self.game.table.objective().is_fewest_moves())))
    }

    pub(crate) fn agent_to_move(&self) -> bool {
        self.game.table.turn() != Turn::Over && !self.game.person_to_move()
    }

    pub(crate) fn agent_moves(&mut self) {
        match self.game.play_agent() {
            Ok(Some(played)) => {
                self.message = format!("player {} plays {}", played.player, described(&played));
                self.refresh();
            }
            Ok(None) => {}
            Err(e) => self.complain(&e),
        }
    }

    /// A move was refused, or it was played but not saved; the game goes on.
    fn complain(&mut self, error: &anyhow::Error) {
        if error.downcast_ref::<ParseError>().is_none() {
            self.refresh();
        }
        self.message = format!("{error:#}");
    }

    /// Moves the cursor to a cell.
    pub(crate) fn point(&mut self, cell: usize) -> Next {
        self.cursor = cell;
        Next::Stay
    }

    /// Points and acts.
    pub(crate) fn click(&mut self, cell: usize) -> Next {
        self.cursor = cell;
        match self.view.control {
            Control::Pick => {
                self.toggle();
                Next::Stay
            }
            _ => self.confirm(),
        }
    }

    fn toggle(&mut self) {
        if !self.picked.remove(&self.cursor) {
            self.picked.insert(self.cursor);
        }
    }

    fn confirm(&mut self) -> Next {
        match self.pointed().map(|m| m.text.clone()) {
            Some(action) => self.play(&action),
            None => {
                self.message = match self.view.control {
                    Control::Pick => "Space picks cells of one move, Enter plays it",
                    _ => "no move there",
                }
                .to_owned();
                Next::Stay
            }
        }
    }

    fn play(&mut self, action: &str) -> Next {
        if !self.game.person_to_move() {
            return Next::Stay;
        }
        match self.game.play(action) {
            Ok(played) => {
                self.message = described(&played);
                self.refresh();
            }
            Err(e) => self.complain(&e),
        }
        Next::Stay
    }

    pub(crate) fn undo(&mut self) -> Next {
        match self.game.undo() {
            Ok(undone) => {
                self.message = if undone { "taken back" } else { "nothing to undo" }.to_owned();
                self.refresh();
            }
            Err(e) => self.complain(&e),
        }
        Next::Stay
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Next {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Next::Interrupt;
        }
        if self.typing.is_some() {
            return self.type_key(key.code);
        }
        if std::mem::take(&mut self.help) {
            return Next::Stay;
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => Next::Leave,
            KeyCode::Char('?') => {
                self.help = true;
                Next::Stay
            }
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char(':' | '/') => {
                self.typing = Some(String::new());
                Next::Stay
            }
            KeyCode::Up => self.arrow("up"),
            KeyCode::Right => self.arrow("right"),
            KeyCode::Down => self.arrow("down"),
            KeyCode::Left => self.arrow("left"),
            KeyCode::Char(' ') if self.view.control == Control::Pick => {
                self.toggle();
                Next::Stay
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.confirm(),
            _ => Next::Stay,
        }
    }

    fn type_key(&mut self, code: KeyCode) -> Next {
        let Some(typed) = &mut self.typing else { return Next::Stay };
        match code {
            KeyCode::Char(c) => typed.push(c),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter => {
                let action = std::mem::take(typed);
                self.typing = None;
                return self.play(action.trim());
            }
            _ => {}
        }
        Next::Stay
    }

    /// An arrow key: a slide in sliding games, a step of the cursor elsewhere.
    fn arrow(&mut self, direction: &str) -> Next {
        if self.view.control == Control::Slide {
            return self.play(direction);
        }
        let (rows, cols) = (self.view.rows, self.view.cols);
        let (row, column) = (self.cursor / cols, self.cursor % cols);
        let (row, column) = match direction {
            "up" => (row.saturating_sub(1), column),
            "down" => ((row + 1).min(rows - 1), column),
            "left" => (row, column.saturating_sub(1)),
            _ => (row, (column + 1).min(cols - 1)),
        };
        self.point(row * cols + column)
    }
}
