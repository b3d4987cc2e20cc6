//! The full screen: the loop that turns events into changes of the [`App`].

mod app;
mod screen;
#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use crate::commands::play::Match;
use app::{App, Next};

/// How long an agent's move stays on the screen before the next one.
const AGENT_PAUSE: Duration = Duration::from_millis(250);

/// Plays on the full screen until the user leaves; tells whether by Ctrl-C.
pub(crate) fn run(game: Match) -> anyhow::Result<(Match, bool)> {
    let mut terminal = ratatui::try_init()?;
    let mouse = execute!(io::stdout(), EnableMouseCapture);
    let mut app = App::new(game);
    let done = events(&mut terminal, &mut app);
    if mouse.is_ok() {
        execute!(io::stdout(), DisableMouseCapture)?;
    }
    ratatui::try_restore()?;
    let interrupted = done?;
    Ok((app.into_match(), interrupted))
}

fn events(terminal: &mut DefaultTerminal, app: &mut App) -> anyhow::Result<bool> {
    loop {
        terminal.draw(|frame| screen::draw(frame, app))?;
        if app.agent_to_move() && !event::poll(AGENT_PAUSE)? {
            app.agent_moves();
            continue;
        }
        let next = match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => app.key(key),
            Event::Mouse(mouse) => {
                let cell = screen::cell_at(app, mouse.column, mouse.row);
                match (mouse.kind, cell) {
                    (MouseEventKind::Moved, Some(cell)) => app.point(cell),
                    (MouseEventKind::Down(MouseButton::Left), Some(cell)) => app.click(cell),
                    (MouseEventKind::Down(MouseButton::Right), _) => app.undo(),
                    _ => Next::Stay,
                }
            }
            _ => Next::Stay,
        };
        match next {
            Next::Stay => {}
            Next::Leave => return Ok(false),
            Next::Interrupt => return Ok(true),
        }
    }
}
