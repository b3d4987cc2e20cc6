//! What the printed values of a parameter promise.

/// Texts that a parameter must take, and texts that it must refuse.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Promise {
    /// Both ends of ranges, and all names.
    pub taken: Vec<String>,
    /// What lies just outside of ranges.
    pub refused: Vec<String>,
}

/// What values such as `auto | 0..10` or `random | look-ahead-1..4` promise. Words in capitals stand
/// for texts of a kind, `..` alone for others like those before; they promise nothing.
///
/// ```
/// use ludens_testkit::promise;
/// let said = promise("auto | 0.5..");
/// assert_eq!(said.taken, ["auto", "0.5"]);
/// assert_eq!(said.refused, ["-0.5", "0.25"]);
/// let said = promise("DIR | model-1..2 | 0 | 2..9");
/// assert_eq!(said.taken, ["model-1", "model-2", "0", "2", "9"]);
/// assert_eq!(said.refused, ["model-3", "1", "10", "13.5"]);
/// ```
pub fn promise(values: &str) -> Promise {
    let mut said = Promise::default();
    for one in values.split(" | ") {
        let of_a_kind = one.contains(char::is_uppercase) || one == "..";
        match one.split_once("..") {
            _ if of_a_kind => {}
            None => said.taken.push(one.to_owned()),
            Some((low, high)) => match low.parse() {
                Ok(number) => said.range(number, high.parse().ok()),
                Err(_) => said.numbered(low, high),
            },
        }
    }
    let Promise { taken, refused } = &mut said;
    refused.retain(|text| !taken.contains(text));
    said
}

impl Promise {
    /// Numbers from one to another, or without an end.
    fn range(&mut self, low: f64, high: Option<f64>) {
        let below = if low == 0.0 { -0.5 } else { low - low.abs() / 2.0 };
        self.taken.push(low.to_string());
        self.refused.extend([low - 1.0, below].map(|number| number.to_string()));
        let Some(high) = high else { return };
        self.taken.push(high.to_string());
        // Beyond that single precision knows no neighbours.
        if high < 1e6 {
            self.refused.push((high + 1.0).to_string());
        }
        self.refused.push((high + high.abs() / 2.0).to_string());
        self.refused.dedup();
    }

    /// Names that end with numbers from one to another.
    fn numbered(&mut self, low: &str, high: &str) {
        let name = low.trim_end_matches(|c: char| c.is_ascii_digit());
        let first = low[name.len()..].parse::<u32>();
        let (Ok(first), Ok(last)) = (first, high.parse::<u32>()) else {
            panic!("{low}..{high} are no numbered names");
        };
        self.taken.extend((first..=last).map(|number| format!("{name}{number}")));
        self.refused.push(format!("{name}{}", last + 1));
    }
}
