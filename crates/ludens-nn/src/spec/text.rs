//! Descriptions as text, such as `plain:rows=9,cols=7,planes=4,..`.

use std::fmt;
use std::str::FromStr;

use ludens_core::params::{name_of, spec};
use ludens_core::{Params, ParseError};

use super::{Head, KNOWN, RANGES, Range, Spec, Tower};

/// `cells`, `pooled`, `dense` or `reduced-PLANES-HIDDEN`.
fn head_text(head: Head) -> String {
    match head {
        Head::Cells => "cells".to_owned(),
        Head::Pooled => "pooled".to_owned(),
        Head::Dense => "dense".to_owned(),
        Head::Reduced { planes, hidden } => format!("reduced-{planes}-{hidden}"),
    }
}

fn read_head(params: &mut Params, key: &str) -> Result<Option<Head>, ParseError> {
    let Some(text) = params.take(key) else { return Ok(None) };
    let reduced = || {
        let (planes, hidden) = text.strip_prefix("reduced-")?.split_once('-')?;
        let planes = planes.parse().ok().filter(|planes| (1..=64).contains(planes))?;
        let hidden = hidden.parse().ok().filter(|&hidden| hidden <= 65_536)?;
        Some(Head::Reduced { planes, hidden })
    };
    let head = match text.as_str() {
        "cells" => Some(Head::Cells),
        "pooled" => Some(Head::Pooled),
        "dense" => Some(Head::Dense),
        _ => reduced(),
    };
    let expected = "cells | pooled | dense | reduced-PLANES-HIDDEN";
    let wrong = || ParseError::new(format!("parameter {key}"), format!("'{text}'"), expected);
    head.map(Some).ok_or_else(wrong)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params: Vec<(&str, String)> = vec![
            ("rows", self.rows.to_string()),
            ("cols", self.cols.to_string()),
            ("planes", self.planes.to_string()),
            ("channels", self.channels.to_string()),
        ];
        let name = match self.tower {
            Tower::Plain(depth) => {
                params.push(("depth", depth.to_string()));
                "plain"
            }
            Tower::Residual(blocks) => {
                params.push(("blocks", blocks.to_string()));
                "residual"
            }
        };
        params.push(("kernel", self.kernel.to_string()));
        if self.shared > 0 {
            params.push(("shared", self.shared.to_string()));
        }
        if let Some(head) = self.policy {
            params.push(("policy", head_text(head)));
            if head != Head::Cells {
                params.push(("actions", self.actions.to_string()));
            }
        }
        if let Some(head) = self.value {
            params.push(("value", head_text(head)));
            if self.range != Range::Linear {
                params.push(("range", name_of(RANGES, self.range).to_owned()));
            }
        }
        f.write_str(&spec(name, &params))
    }
}

impl FromStr for Spec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Spec, ParseError> {
        let (name, mut params) = Params::split(text)?;
        let rows = params.number("rows", 0, 1..=64)?;
        let cols = params.number("cols", 0, 1..=64)?;
        let planes = params.number("planes", 0, 1..=256)?;
        // Files of 0.1.0 say `width`.
        let width = params.number("width", 0, 1..=1024)?;
        let channels = params.number("channels", width, 1..=1024)?;
        if rows * cols * planes * channels == 0 {
            let expected = "rows, cols, planes and channels";
            return Err(ParseError::new("network", format!("'{text}'"), expected));
        }
        let tower = match name {
            "plain" => Tower::Plain(params.number("depth", 1, 1..=100)?),
            "residual" => Tower::Residual(params.number("blocks", 1, 0..=100)?),
            _ => {
                let expected = "plain or residual";
                return Err(ParseError::new("network", format!("'{name}'"), expected));
            }
        };
        let kernel = params.number("kernel", 3, 1..=15)?;
        if kernel % 2 == 0 {
            return Err(ParseError::new("parameter kernel", kernel.to_string(), "an odd number"));
        }
        let shared = params.number("shared", 0, 0..=65_536)?;
        let policy = read_head(&mut params, "policy")?;
        let actions = match policy {
            None => 0,
            Some(Head::Cells) => rows * cols,
            Some(_) => params.number("actions", rows * cols, 1..=65_536)?,
        };
        let value = read_head(&mut params, "value")?;
        if value == Some(Head::Cells) {
            return Err(ParseError::new("parameter value", "'cells'", "one number: pooled, .."));
        }
        let range = match value {
            None => Range::Linear,
            Some(_) => params.choice("range", Range::Linear, RANGES)?,
        };
        params.finish(KNOWN)?;
        if policy.is_none() && value.is_none() {
            let expected = "policy= or value=";
            return Err(ParseError::new("network", format!("'{text}'"), expected));
        }
        Ok(Spec {
            rows,
            cols,
            planes,
            channels,
            kernel,
            tower,
            shared,
            policy,
            actions,
            value,
            range,
        })
    }
}
