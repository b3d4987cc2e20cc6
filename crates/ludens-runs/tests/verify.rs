//! Networks are verified by what would use them.

use std::path::{Path, PathBuf};

use ludens_nn::Model;
use ludens_runs::models::{ModelInfo, models_in, verify};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ludens-models/models").join(name)
}

fn told(path: &Path) -> Result<(), String> {
    verify(&ModelInfo::of_file(path.to_owned())).map_err(|error| error.to_string())
}

#[test]
fn what_is_verified_can_be_used() {
    for model in models_in(None) {
        assert!(model.header.is_ok());
        verify(&model).unwrap_or_else(|error| panic!("{}: {error}", model.game));
    }
    // As files they are the same; those of PROBS are for another agent.
    for name in ["former", "connect-four", "connect-four-probs", "connect-four-probs-value", "sevn"]
    {
        assert_eq!(told(&shipped(&format!("{name}.safetensors"))), Ok(()), "{name}");
    }
    assert_eq!(told(&shipped("2048.packed")), Ok(()));
}

/// Files that are whole, with checksums that are right, and that no agent takes.
#[test]
fn what_cannot_be_used_is_told() {
    let folder = std::env::temp_dir().join(format!("ludens-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model: Model = Model::load(&shipped("connect-four.safetensors")).unwrap();
    let changed = [
        (
            Model { encoder: "other 1".to_owned(), ..model.clone() },
            "a network for encoder 'other 1'",
        ),
        (Model { game: "othello".to_owned(), ..model.clone() }, "a network for encoder"),
        (Model { game: "chess".to_owned(), ..model }, "game: found 'chess'"),
    ];
    for (i, (model, expected)) in changed.iter().enumerate() {
        let path = folder.join(format!("{i}.safetensors"));
        model.save(&path).unwrap();
        let told = told(&path).unwrap_err();
        assert!(told.contains(expected), "{expected}: {told}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
