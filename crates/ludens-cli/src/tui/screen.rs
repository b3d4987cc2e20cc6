//! Draws the [`App`].

use ludens_core::{Control, Ink};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::app::App;
use crate::commands::show;
use crate::draw::{self, Board, Piece};

/// Lines above the board: title and status.
const HEAD: u16 = 3;

const HELP: &[&str] = &[
    "arrows      move the cursor, or slide",
    "Enter       play the move under the cursor",
    "Space       the same; picks a tile in games of several",
    "mouse       point and click; right button takes back",
    ": or /      type a move",
    "u           take back",
    "q           leave",
];

fn board(app: &App) -> Board {
    Board::new(&app.view, |cell| app.is_marked(cell))
}

/// The cell of the board at a place on the screen.
pub(crate) fn cell_at(app: &App, column: u16, row: u16) -> Option<usize> {
    board(app).cell_at(usize::from(row.checked_sub(HEAD)?), usize::from(column))
}

pub(crate) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let table = app.table();
    let mut score = format!("moves {}  total {}", table.history().len(), table.total());
    if let Some(preview) = app.preview() {
        score.push_str(&format!("  {preview}"));
    }
    let status = show::status(table);
    let mut lines: Vec<Line<'_>> = vec![
        Line::from(Span::styled(table.spec(), Modifier::BOLD)),
        Line::from([score, status].join("  ")),
        Line::default(),
    ];
    lines.extend(board(app).lines.into_iter().map(|line| line.into_iter().map(span).collect()));
    lines.push(Line::from(draw::facts(&app.view)));
    // What was typed and what came of it must be seen however small the screen is.
    lines.truncate(usize::from(area.height.saturating_sub(1)));
    lines.push(match &app.typing {
        Some(typed) => Line::from(format!("move: {typed}_")),
        None => Line::from(app.message.clone()),
    });
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
    if app.help {
        draw_help(frame, area, app.view.control);
    }
}

fn draw_help(frame: &mut Frame<'_>, area: Rect, control: Control) {
    let mut lines: Vec<Line<'_>> = HELP.iter().map(|line| Line::from(*line)).collect();
    if control == Control::Slide {
        lines.remove(1);
    }
    let (width, height) = (60.min(area.width), (lines.len() as u16 + 2).min(area.height));
    let popup = Rect { x: 0, y: HEAD.min(area.height - height), width, height };
    frame.render_widget(Clear, popup);
    let block = Block::bordered().title(" keys (any key goes back) ");
    frame.render_widget(Paragraph::new(lines).block(block), popup);
}

fn span(piece: Piece) -> Span<'static> {
    let mut style = Style::default();
    if std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        && let Some(number) = draw::colour_number(piece.ink)
    {
        style = style.fg(Color::Indexed(number));
    }
    if piece.ink == Ink::Strong {
        style = style.add_modifier(Modifier::BOLD);
    }
    if piece.marked {
        style = style.add_modifier(Modifier::REVERSED);
    }
    Span::styled(piece.text, style)
}
