use ludens_core::Player;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::{App, Next};
use super::screen;
use crate::commands::play::Match;

fn app(spec: &str, position: &str) -> App {
    let game = ludens_engine::game(spec).unwrap();
    App::new(Match::new(game.parse(position).unwrap(), None))
}

fn press(app: &mut App, codes: &[KeyCode]) -> Next {
    codes.iter().map(|&code| app.key(KeyEvent::from(code))).last().unwrap()
}

fn drawn(app: &App) -> String {
    let mut terminal = Terminal::new(TestBackend::new(48, 20)).unwrap();
    terminal.draw(|frame| screen::draw(frame, app)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn arrows_and_enter_drop_a_stone() {
    let mut app = app("connect-four", "");
    press(&mut app, &[KeyCode::Left, KeyCode::Enter]);
    assert_eq!(app.table().history()[0].action.text, "3");
    press(&mut app, &[KeyCode::Char('u')]);
    assert!(app.table().history().is_empty());
}

#[test]
fn a_typed_move_and_a_bad_one() {
    let mut app = app("connect-four", "");
    press(&mut app, &[KeyCode::Char(':'), KeyCode::Char('7'), KeyCode::Enter]);
    assert_eq!(app.table().history().len(), 1);
    press(&mut app, &[KeyCode::Char(':'), KeyCode::Char('9'), KeyCode::Enter]);
    assert_eq!(app.message, "move: found '9', expected a column 1-7");
    assert_eq!(press(&mut app, &[KeyCode::Char('q')]), Next::Leave);
}

#[test]
fn the_whole_screen() {
    let mut app = app("connect-four", "4453");
    insta::assert_snapshot!("connect_four", drawn(&app));
    press(&mut app, &[KeyCode::Char('?')]);
    insta::assert_snapshot!("help", drawn(&app));
}

#[test]
fn the_message_shows_on_a_screen_too_small_for_the_board() {
    let mut app = app("connect-four", "");
    press(&mut app, &[KeyCode::Char(':'), KeyCode::Char('9'), KeyCode::Enter]);
    for (width, height) in [(30, 6), (30, 1), (1, 1)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen::draw(frame, &app)).unwrap();
        let shown = terminal.backend().to_string();
        assert!(width < 30 || shown.contains("move: found '9'"), "{shown}");
    }
}

#[test]
fn a_move_that_cannot_be_saved_does_not_end_the_game() {
    let game = ludens_engine::game("connect-four").unwrap();
    let nowhere = std::path::PathBuf::from("/nonexistent/folder/record");
    let mut app = App::new(Match::new(game.parse("").unwrap(), Some(nowhere)));
    assert_eq!(press(&mut app, &[KeyCode::Enter]), Next::Stay);
    assert!(app.message.starts_with("/nonexistent/folder/record: not saved"), "{}", app.message);
    assert_eq!(app.table().history().len(), 1);
}

#[test]
fn ctrl_c_interrupts() {
    let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(app("connect-four", "").key(key), Next::Interrupt);
}

#[test]
fn agents_answer() {
    let mut table = ludens_engine::game("connect-four").unwrap().start(1);
    table.seat(Player::Two, "random").unwrap();
    let mut app = App::new(Match::new(table, None));
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.agent_to_move());
    app.agent_moves();
    assert_eq!(app.table().history().len(), 2);
    // Taking back takes the agent's answer along.
    press(&mut app, &[KeyCode::Char('u')]);
    assert!(app.table().history().is_empty());
}

#[test]
fn the_group_under_the_cursor_is_marked_and_a_click_removes_it() {
    let mut app = app("former:rows=3,cols=3,shapes=2", "010011011");
    // The right column below the top: shape 1, with what hangs on it.
    let (column, row) = (9, 5);
    let cell = screen::cell_at(&app, column, row).unwrap();
    assert_eq!(cell, 5);
    app.point(cell);
    let marked: Vec<usize> = (0..9).filter(|&cell| app.is_marked(cell)).collect();
    assert_eq!(marked, [1, 4, 5, 7, 8]);
    assert_eq!(app.preview().as_deref(), Some("here 5 cells"));
    app.click(cell);
    assert_eq!(app.table().position(), "0..0..0.0");
    assert_eq!(screen::cell_at(&app, 0, 0), None);
    assert_eq!(screen::cell_at(&app, 200, 200), None);
}

#[test]
fn tiles_slide_with_the_arrows() {
    let mut app = app("2048:board=2x2", "2,2/0,0");
    press(&mut app, &[KeyCode::Left]);
    assert_eq!(app.table().total(), 4);
    press(&mut app, &[KeyCode::Char('u')]);
    assert_eq!(app.table().position(), "2,2/0,0");
}

#[test]
fn several_tiles_are_picked_and_confirmed() {
    let mut app = app("sevn", "1/aaa/aab.cba.cbc");
    for cell in [0, 8] {
        app.point(cell);
        press(&mut app, &[KeyCode::Char(' ')]);
    }
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.table().history().is_empty(), "two colours are no move");
    app.point(8);
    press(&mut app, &[KeyCode::Char(' '), KeyCode::Enter]);
    assert_eq!(app.table().history()[0].action.text, "0,0");
}
