//! `ludens models`: networks that come with the program, and others.

use std::path::PathBuf;

use ludens_runs::home;
use ludens_runs::models::{self, ModelInfo};
use serde_json::json;

use crate::args::ModelsArgs;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &ModelsArgs, out: &mut Output) -> anyhow::Result<()> {
    let named: Vec<PathBuf> = args.networks.iter().map(|path| models::file_in(path)).collect();
    if let Some(path) = &args.average {
        models::average(&named, path).map_err(|error| Failure::Failed(error.to_string()))?;
        out.detail(&format!("wrote the mean of {} networks", named.len()));
        return Ok(());
    }
    let found = match named.is_empty() {
        true => models::models_in(home::folder().as_deref()),
        false => named.into_iter().map(ModelInfo::of_file).collect(),
    };
    let mut damaged = 0;
    let mut list = Vec::new();
    for model in &found {
        let wrong = match &model.header {
            Err(error) => Some(error.to_string()),
            Ok(_) if args.verify => models::verify(model).err().map(|error| error.to_string()),
            Ok(_) => None,
        };
        damaged += usize::from(wrong.is_some());
        let place = model.path.as_ref().map(|path| path.display().to_string());
        let field = |name: &str| match &model.header {
            Ok(header) => header[name].clone(),
            Err(_) => json!(null),
        };
        if out.common.json {
            let checked = args.verify && wrong.is_none();
            list.push(json!({
                "game": model.game, "path": place, "bytes": model.bytes, "layout": field("layout"),
                "verified": checked, "error": wrong,
            }));
            continue;
        }
        let state = match (&wrong, args.verify) {
            (Some(wrong), _) => format!("  {wrong}"),
            (None, true) => "  verified".to_owned(),
            (None, false) => String::new(),
        };
        let layout = field("layout");
        let (layout, megabytes) = (layout.as_str().unwrap_or("?"), model.bytes as f64 / 1e6);
        let place = place.unwrap_or("in the program".to_owned());
        out.line(&format!("{:<12} {megabytes:>6.1} MB  {place}  [{layout}]{state}", model.game))?;
    }
    if out.common.json {
        out.json(&json!({"models": list}))?;
    }
    match damaged {
        0 => Ok(()),
        _ => {
            Err(Failure::Failed(format!("{damaged} of {} networks are damaged", found.len()))
                .into())
        }
    }
}
