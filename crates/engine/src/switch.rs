//! Lets a test switch off one masking branch at a time, to show that the laws notice.
//!
//! Every branch that replaces, hides or leaves out something because of the viewer first calls [`hides`] with a name of its
//! own. With the feature `switches` a test can make [`hides`] return false for one name. Without the feature it always
//! returns true and costs nothing.

/// Whether the masking branch of this name is switched on.
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

/// Runs a function on this thread with one masking branch switched off.
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
