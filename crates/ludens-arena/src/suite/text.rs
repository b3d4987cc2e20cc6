//! Suites in plain text.

use ludens_core::ParseError;

use super::{Case, Check};

/// Boards in blocks of lines between blank lines. A block with a line that is a
/// whole board holds a board per line; any other block is one board.
pub(super) fn cases(text: &str, check: Check<'_>) -> Result<Vec<Case>, ParseError> {
    let mut positions = Vec::new();
    for block in blocks(text) {
        let single = block.iter().any(|(_, line)| check(line).is_ok());
        if single || block.len() == 1 {
            for (number, line) in block {
                let within = |error: ParseError| error.within(&format!("line {number}"));
                positions.push(check(line).map_err(within)?);
            }
        } else if let (Some(&(first, _)), Some(&(last, _))) = (block.first(), block.last()) {
            let lines: Vec<&str> = block.iter().map(|&(_, line)| line).collect();
            let within = |error: ParseError| error.within(&format!("lines {first}-{last}"));
            positions.push(check(&lines.join("\n")).map_err(within)?);
        }
    }
    let case = |(i, position): (usize, String)| Case {
        id: (i + 1).to_string(),
        position,
        best_known: None,
    };
    Ok(positions.into_iter().enumerate().map(case).collect())
}

/// The numbered lines of each block, without blanks at their ends.
fn blocks(text: &str) -> Vec<Vec<(usize, &str)>> {
    let mut blocks = Vec::new();
    let mut block = Vec::new();
    for (i, line) in text.lines().map(str::trim_end).enumerate() {
        if line.is_empty() {
            blocks.push(std::mem::take(&mut block));
        } else {
            block.push((i + 1, line));
        }
    }
    blocks.push(block);
    blocks.retain(|block| !block.is_empty());
    blocks
}
