//! Names of agents as they can stand in an episode.
//!
//! What the format keeps for itself is written as `%` and two hexadecimal
//! digits: blanks, `@` and `|`, and `:` in the environment's name. A `%` is
//! written so only where it would be misread.

/// The name as it stands in an episode; `-` for an empty one.
pub(super) fn encode(name: &str, reserved: &[char]) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        if is_reserved(c, reserved) || (c == '%' && escape(&name[at..]).is_some()) {
            let mut bytes = [0; 4];
            out.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// The name that [`encode`] wrote so; the text itself where that would be no
/// name for a record.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    loop {
        if let Some(byte) = escape(rest.as_str()) {
            bytes.push(byte);
            rest.nth(2);
        } else if let Some(c) = rest.next() {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            break;
        }
    }
    match String::from_utf8(bytes) {
        Ok(name) if name.trim() == name && !name.contains(char::is_control) => name,
        _ => text.to_owned(),
    }
}

fn is_reserved(c: char, reserved: &[char]) -> bool {
    c.is_whitespace() || c.is_control() || reserved.contains(&c)
}

/// The byte of an escape at the beginning of a text.
fn escape(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    let capital = digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
    if capital { u8::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in ["greedy", "uct:10000", "50%", "a%zz", "käse", "x%3a"] {
            assert_eq!(encode(name, &['@', '|']), name);
            assert_eq!(decode(name), name);
        }
        assert_eq!(encode("a person", &['@', '|']), "a%20person");
        assert_eq!(encode("alphabeta:depth=3", &[':']), "alphabeta%3Adepth=3");
        assert_eq!(encode("%3A", &[]), "%253A");
        for no_name in ["%FF", "a%0Ab", "%20"] {
            assert_eq!(decode(no_name), no_name);
        }
    }

    proptest! {
        #[test]
        fn names_come_back(name in "\\PC{1,12}|[%:@| 0-9A-F]{1,8}") {
            prop_assume!(name.trim() == name);
            let text = encode(&name, &['@', '|', ':']);
            prop_assert!(!text.contains(['@', '|', ':', ' ']), "{}", text);
            prop_assert_eq!(decode(&text), name);
        }
    }
}
