fn main() {
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).unwrap();
        let (program, diags) = baize_rules::compile(&source);
        print!("{}", baize_rules::diagnostic::render(&path, &source, &diags));
        if let Some(p) = program { println!("{path}: ok, {} ops, {} vars", p.code.len(), p.vars.len()); }
    }
}
