#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ludens_fuzz::check("morpion", text));
