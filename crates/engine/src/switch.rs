//! Lets tests switch off one masking branch at a time, to show that the laws notice.
//!
//! Every branch that replaces, hides or leaves out something because of who looks asks [`hides`] first, under a name of its own. With
//! the feature `switches` a test can make one of them answer no; without it, as everywhere else, the answer is always yes
//! and costs nothing.

/// Whether the masking branch of this name does its work.
#[cfg(not(feature = "switches"))]
#[inline(always)]
pub(crate) fn hides(_name: &'static str) -> bool {
    true
}

#[cfg(feature = "switches")]
pub(crate) fn hides(name: &'static str) -> bool {
    OFF.with(|off| off.get() != Some(name))
}

#[cfg(feature = "switches")]
thread_local! {
    static OFF: std::cell::Cell<Option<&'static str>> = const { std::cell::Cell::new(None) };
}

/// Runs something on this thread with one masking branch switched off.
#[cfg(feature = "switches")]
pub fn without<T>(name: &'static str, run: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static str>);
    impl Drop for Restore {
        fn drop(&mut self) {
            OFF.with(|off| off.set(self.0));
        }
    }
    let _restore = Restore(OFF.with(|off| off.replace(Some(name))));
    run()
}
