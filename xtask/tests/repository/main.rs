//! Tests about the repository as a whole, which no crate can test by itself.
//!
//! They read sources, manifests and documents as text, so that they need nothing of ours to be built.

mod architecture;
mod crates;
mod documents;
mod games;
mod glossary;
mod journeys;
mod modules;
mod sources;
mod state_machines;
mod workspace;
