//! [`TdConfig`] by name, as all recipes have their settings.

use ludens_core::{Parameter, ParseError};

use super::TdConfig;
use super::config::{ADDED, CHANGEABLE, PARAMETERS};
use crate::Settings;

impl Settings for TdConfig {
    const RECIPE: &'static str = "td";
    const PARAMETERS: &'static [Parameter] = PARAMETERS;
    const CHANGEABLE: &'static [&'static str] = CHANGEABLE;
    const ADDED: &'static [(&'static str, &'static str)] = ADDED;

    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        TdConfig::set(self, key, value)
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        TdConfig::texts(self)
    }

    fn usable(&self) -> Result<(), ParseError> {
        self.check()
    }
}
