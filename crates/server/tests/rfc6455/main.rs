//! Conformance to RFC 6455: the cases of the Autobahn test suite by their numbers, against an echo server made of our
//! frame layer and against the server itself; the handshake; and our decoder against another one.

mod cases;
mod differential;
mod handshake;
mod raw;
mod run;
mod targets;
mod utf8;
