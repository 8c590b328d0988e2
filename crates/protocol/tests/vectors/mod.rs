//! Test vectors that the browser client's tests read.

use std::path::Path;

/// Rewrites a file if `BAIZE_REGENERATE` is set, else asserts that it is up to date.
pub fn check_or_write(name: &str, fresh: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol/vectors");
    let path = folder.join(name);
    if std::env::var_os("BAIZE_REGENERATE").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, fresh).unwrap();
    } else {
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == fresh, "{name} is stale: cargo xtask regenerate protocol");
    }
}
