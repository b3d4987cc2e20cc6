//! A command as words.

use ludens_core::ParseError;

/// Splits a command at blanks. Quotes of either kind hold blanks together; within them
/// nothing else is special.
///
/// # Errors
/// When there is no word, or a quote has no end.
///
/// ```
/// use ludens_runs::contest::words;
/// assert_eq!(words("python3 'my bot.py' --level=3").unwrap(), ["python3", "my bot.py", "--level=3"]);
/// assert!(words("sh -c 'exit").is_err());
/// ```
pub fn words(text: &str) -> Result<Vec<String>, ParseError> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                // An empty pair of quotes is a word as well.
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match (quote, words.is_empty()) {
        (Some(quote), _) => {
            Err(ParseError::new("command", format!("a {quote} without its end"), "both of a pair"))
        }
        (None, true) => Err(ParseError::new("command", "nothing", "a program with its arguments")),
        (None, false) => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_blanks() {
        assert_eq!(words("  a  b\tc ").unwrap(), ["a", "b", "c"]);
        assert_eq!(words("a'b c'd \"it's\" ''").unwrap(), ["ab cd", "it's", ""]);
        assert!(words("   ").is_err());
        assert!(words("\"").is_err());
    }
}
