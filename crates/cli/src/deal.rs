use std::process::ExitCode;
#[derive(clap::Args)]
pub struct Args {}
pub fn run(_: &Args) -> Result<ExitCode, String> { Err("soon".into()) }
