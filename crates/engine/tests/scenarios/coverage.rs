//! The list of all rules, held against the scenarios that tick them.
