#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baize_fuzz::run("scenario_runs", bytes));
