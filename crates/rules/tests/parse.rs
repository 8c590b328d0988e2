use baize_rules::{diagnostic::render, parse::parse};
#[test]
fn donkey() {
    let source = include_str!("samples/donkey.baize");
    let (file, problems) = parse(source);
    eprintln!("{}", render("donkey.baize", source, &problems));
    assert!(problems.is_empty());
    eprintln!("{file:?}");
}
