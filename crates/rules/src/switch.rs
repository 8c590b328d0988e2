//! Lets a test switch off one check for leaks at a time, to show that the laws notice it.
//!
//! The file and line that call [`is_off`] identify a check. With the feature `switches` a test names a file and a line,
//! and the check there accepts everything. Without the feature, as in everything that is shipped, all checks are on.

#[cfg(feature = "switches")]
thread_local! {
    static OFF: std::cell::Cell<Option<(&'static str, u32)>> = const { std::cell::Cell::new(None) };
}

/// Whether a test has switched off the check of the calling line.
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

/// Runs a function on this thread while the check at a line of a file (`elaborate/moves.rs`) is off.
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
