//! Lets tests switch off one check for leaks at a time, to show that the laws notice.
//!
//! A check is known by the place in this crate's source that calls for it. With the feature `switches` a test can name a place,
//! and what is called for there is let pass; without it, as everywhere else, nothing is.

#[cfg(feature = "switches")]
thread_local! {
    static OFF: std::cell::Cell<Option<(&'static str, u32)>> = const { std::cell::Cell::new(None) };
}

/// Whether the check that is called for here is switched off.
#[cfg(feature = "switches")]
#[track_caller]
pub(crate) fn is_off() -> bool {
    let at = std::panic::Location::caller();
    OFF.with(|off| off.get()).is_some_and(|(file, line)| line == at.line() && at.file().ends_with(file))
}

#[cfg(not(feature = "switches"))]
#[inline(always)]
pub(crate) fn is_off() -> bool {
    false
}

/// Runs something on this thread with the check at a line of a file (`elaborate/moves.rs`) switched off.
#[cfg(feature = "switches")]
pub fn without<T>(file: &'static str, line: u32, run: impl FnOnce() -> T) -> T {
    struct Restore(Option<(&'static str, u32)>);
    impl Drop for Restore {
        fn drop(&mut self) {
            OFF.with(|off| off.set(self.0));
        }
    }
    let _restore = Restore(OFF.with(|off| off.replace(Some((file, line)))));
    run()
}
