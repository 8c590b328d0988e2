/**
 * The types of the protocol, generated from Rust. The client imports them from here, so that a change of the
 * generator concerns one file.
 */
export * from "./generated";

/** The alternative that the engine offers when the rules leave no other (`moves.rs`). */
export const CONTINUE = 65535;
