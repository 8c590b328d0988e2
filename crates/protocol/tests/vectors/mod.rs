//! Files that the browser client's tests read.

use std::path::Path;

/// Writes a file anew if `BAIZE_WRITE` is set; else it has to be as it should.
pub fn hold(name: &str, fresh: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol/vectors");
    let path = folder.join(name);
    if std::env::var_os("BAIZE_WRITE").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, fresh).unwrap();
    } else {
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == fresh, "{name} is stale: BAIZE_WRITE=1 cargo test -p baize-protocol");
    }
}
