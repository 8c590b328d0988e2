//! Writes lists of numbers and handles, and repetitions.

use super::BatchWriter;
use baize_engine::view::Handle;

impl BatchWriter<'_> {
    /// Writes handles as a list. A run of three or more consecutive handles becomes its first and, negative, its last.
    pub(super) fn handles(&mut self, handles: &[Handle]) {
        self.open();
        self.runs(handles.iter().map(|handle| i64::from(*handle)));
        self.close();
    }

    /// Writes the new values of consecutive elements.
    pub(super) fn values<T>(&mut self, of: &[T], value: impl Fn(&T) -> Option<i32>) {
        let value = |of: &T| value(of).map(i64::from);
        let begun = self.mark();
        self.open();
        self.write_each(of, |writer, of| writer.optional(value(of)));
        self.close();
        self.shorten(&begun, of.iter().map(value));
    }

    /// Writes all items. Consecutive items with the same spelling become one with a count, if that is shorter.
    pub(super) fn write_each<T>(&mut self, all: &[T], write: impl Fn(&mut Self, &T)) {
        let mut rest = all;
        while let [first, ..] = rest {
            let begun = self.mark();
            write(self, first);
            let mut times = 1;
            while let Some(next) = rest.get(times) {
                let again = self.mark();
                write(self, next);
                if !self.repeats(&begun, &again) {
                    self.back_to(&again);
                    break;
                }
                times += 1;
                self.back_to(&again);
            }
            self.repeat(&begun, times);
            rest = &rest[times..];
        }
    }

    pub(super) fn runs(&mut self, numbers: impl Iterator<Item = i64>) {
        let mut run: Option<(i64, i64)> = None;
        for n in numbers {
            match &mut run {
                Some((_, last)) if n == *last + 1 => *last = n,
                _ => {
                    self.run(run);
                    run = Some((n, n));
                }
            }
        }
        self.run(run);
    }

    pub(super) fn run(&mut self, run: Option<(i64, i64)>) {
        let Some((first, last)) = run else { return };
        self.number(first);
        match last - first {
            0 => {}
            1 => self.number(last),
            _ => self.number(-last),
        }
    }

    pub(super) fn numbers<T: Copy + Into<i64>>(&mut self, numbers: &[T]) {
        self.open();
        numbers.iter().for_each(|n| self.number((*n).into()));
        self.close();
    }
}
