/**
 * The types of the wire, generated from Rust. The rest of the client imports them from here, so that a change of the
 * generator is met in one place.
 */
export * from "./generated";

/** The alternative offered when the rules leave nothing else (`moves.rs`). */
export const CONTINUE = 65535;
