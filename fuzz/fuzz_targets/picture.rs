#![no_main]

libfuzzer_sys::fuzz_target!(|file: &[u8]| ludens_fuzz::check("picture", file));
