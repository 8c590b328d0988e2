//! Generates TypeScript types from Rust types with serde attributes.
//!
//! It reads source text instead of using a derive macro, so that the engine needs no code for the browser. It knows the
//! attributes that our types use and panics at any other, so that nobody overlooks a new one.

use std::fmt::Write;
use syn::{Attribute, Fields, GenericArgument, Item, PathArguments, Type};

/// Generates all serialised types of a file.
pub fn types(file: &syn::File) -> String {
    let mut out = String::new();
    for item in &file.items {
        match item {
            Item::Struct(item) if serialised(&item.attrs) => {
                let serde = Serde::of(&item.attrs);
                docs(&mut out, &item.attrs, "");
                match &item.fields {
                    Fields::Named(_) => {
                        let _ = writeln!(
                            out,
                            "export type {} = {};\n",
                            item.ident,
                            object(&item.fields, &serde.all, "", None)
                        );
                    }
                    Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                        let _ = writeln!(out, "export type {} = {};\n", item.ident, ty(&fields.unnamed[0].ty));
                    }
                    _ => panic!("{}: a tuple or unit struct", item.ident),
                }
            }
            Item::Enum(item) if serialised(&item.attrs) => {
                docs(&mut out, &item.attrs, "");
                let _ = writeln!(out, "export type {} ={};\n", item.ident, variants(item));
            }
            Item::Type(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                docs(&mut out, &item.attrs, "");
                let _ = writeln!(out, "export type {} = {};\n", item.ident, ty(&item.ty));
            }
            _ => {}
        }
    }
    out
}

/// Whether a type derives both `Serialize` and `Deserialize`. Other types are not part of the protocol.
pub fn serialised(attrs: &[Attribute]) -> bool {
    let mut found = (false, false);
    for attr in attrs.iter().filter(|a| a.path().is_ident("derive")) {
        let _ = attr.parse_nested_meta(|meta| {
            found.0 |= meta.path.is_ident("Serialize");
            found.1 |= meta.path.is_ident("Deserialize");
            Ok(())
        });
    }
    found == (true, true)
}

fn variants(item: &syn::ItemEnum) -> String {
    let serde = Serde::of(&item.attrs);
    let mut out = String::new();
    for variant in &item.variants {
        let own = Serde::of(&variant.attrs);
        let name = own.rename.clone().unwrap_or_else(|| cased(&variant.ident.to_string(), &serde.all));
        let mut notes = String::new();
        docs(&mut notes, &variant.attrs, "  ");
        let body = match (&variant.fields, &serde.tag) {
            (Fields::Unit, None) => format!("{name:?}"),
            (Fields::Unit, Some(tag)) => format!("{{ {tag}: {name:?} }}"),
            (fields @ Fields::Named(_), Some(tag)) => object(fields, &serde.all_fields, "  ", Some((tag, &name))),
            (fields @ Fields::Named(_), None) => {
                format!("{{ {name}: {} }}", object(fields, &serde.all_fields, "  ", None))
            }
            (Fields::Unnamed(fields), tag) if fields.unnamed.len() == 1 => {
                let inner = ty(&fields.unnamed[0].ty);
                match (tag, serde.untagged) {
                    (_, true) => inner,
                    (Some(tag), _) => format!("({{ {tag}: {name:?} }} & {inner})"),
                    (None, _) => format!("{{ {name}: {inner} }}"),
                }
            }
            _ => panic!("{}::{}: a tuple of several", item.ident, variant.ident),
        };
        let _ = write!(out, "\n{notes}  | {body}");
    }
    out
}

/// An object type. `tag` is the field that names the variant.
fn object(fields: &Fields, all: &Option<String>, indent: &str, tag: Option<(&str, &str)>) -> String {
    let mut out = String::from("{\n");
    let mut and = String::new();
    if let Some((tag, name)) = tag {
        let _ = writeln!(out, "{indent}  {tag}: {name:?};");
    }
    for field in fields {
        let serde = Serde::of(&field.attrs);
        let name = field.ident.as_ref().expect("a named field").to_string();
        let name = serde.rename.clone().unwrap_or_else(|| cased(&name, all));
        if serde.flatten {
            let _ = write!(and, " & {}", ty(&field.ty));
            continue;
        }
        docs(&mut out, &field.attrs, &format!("{indent}  "));
        let (mark, written) = match (serde.optional, inside(&field.ty, "Option")) {
            (true, Some(inner)) => ("?", ty(inner)),
            (true, None) => ("?", ty(&field.ty)),
            (false, _) => ("", ty(&field.ty)),
        };
        let _ = writeln!(out, "{indent}  {name}{mark}: {written};");
    }
    let _ = write!(out, "{indent}}}{and}");
    out
}

fn ty(of: &Type) -> String {
    match of {
        Type::Tuple(tuple) => format!("[{}]", tuple.elems.iter().map(ty).collect::<Vec<_>>().join(", ")),
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path");
            let inner: Vec<&Type> = match &last.arguments {
                PathArguments::AngleBracketed(args) => args
                    .args
                    .iter()
                    .filter_map(|a| if let GenericArgument::Type(t) = a { Some(t) } else { None })
                    .collect(),
                _ => Vec::new(),
            };
            match (last.ident.to_string().as_str(), inner.as_slice()) {
                ("u8" | "u16" | "u32" | "u64" | "i32" | "i64" | "usize" | "f64", []) => "number".into(),
                ("String" | "str", []) => "string".into(),
                ("Value", []) => "unknown".into(),
                ("bool", []) => "boolean".into(),
                ("Option", [inner]) => format!("{} | null", ty(inner)),
                ("Arc" | "Box", [inner]) => ty(inner),
                ("Vec", [inner]) => match ty(inner) {
                    element if element.contains('|') => format!("({element})[]"),
                    element => format!("{element}[]"),
                },
                ("BTreeMap", [_, value]) => format!("Record<string, {}>", ty(value)),
                (name, []) => name.into(),
                (name, _) => panic!("no TypeScript for {name}"),
            }
        }
        _ => panic!("no TypeScript for this type"),
    }
}

pub fn inside<'a>(of: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first()? {
        GenericArgument::Type(inner) if last.ident == wrapper => Some(inner),
        _ => None,
    }
}

/// The serde attributes of a type, variant or field.
#[derive(Default)]
pub struct Serde {
    pub all: Option<String>,
    pub all_fields: Option<String>,
    pub tag: Option<String>,
    pub rename: Option<String>,
    pub untagged: bool,
    pub flatten: bool,
    pub optional: bool,
}

impl Serde {
    pub fn of(attrs: &[Attribute]) -> Self {
        let mut serde = Serde::default();
        for attr in attrs.iter().filter(|a| a.path().is_ident("serde")) {
            attr.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().expect("a word").to_string();
                let value = match meta.input.peek(syn::Token![=]) {
                    true => Some(meta.value()?.parse::<syn::LitStr>()?.value()),
                    false => None,
                };
                match (key.as_str(), value) {
                    ("rename_all", Some(case)) => serde.all = Some(case),
                    ("rename_all_fields", Some(case)) => serde.all_fields = Some(case),
                    ("tag", Some(tag)) => serde.tag = Some(tag),
                    ("rename", Some(name)) => serde.rename = Some(name),
                    ("untagged", None) => serde.untagged = true,
                    ("flatten", None) => serde.flatten = true,
                    ("alias", Some(_)) => {}
                    ("default", None) | ("skip_serializing_if", Some(_)) => serde.optional = true,
                    (key, _) => panic!("teach the generator #[serde({key})]"),
                }
                Ok(())
            })
            .expect("a serde attribute");
        }
        serde
    }
}

pub fn cased(name: &str, case: &Option<String>) -> String {
    match case.as_deref() {
        None => name.to_owned(),
        Some("lowercase") => name.to_lowercase(),
        Some("camelCase") if name.contains('_') => {
            let mut words = name.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |name, word| name + &capital(word, char::to_ascii_uppercase))
        }
        Some("camelCase") => capital(name, char::to_ascii_lowercase),
        Some(case) => panic!("teach the generator {case}"),
    }
}

fn capital(word: &str, change: fn(&char) -> char) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| change(&c)).into_iter().chain(chars).collect()
}

/// The doc comment of a type, variant or field, in one line.
pub fn note(attrs: &[Attribute]) -> String {
    lines(attrs).join(" ")
}

fn lines(attrs: &[Attribute]) -> Vec<String> {
    attrs
        .iter()
        .filter(|a| a.path().is_ident("doc"))
        .filter_map(|attr| match &attr.meta.require_name_value().ok()?.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        })
        .collect()
}

fn docs(out: &mut String, attrs: &[Attribute], indent: &str) {
    match lines(attrs).as_slice() {
        [] => {}
        [one] => {
            let _ = writeln!(out, "{indent}/** {one} */");
        }
        many => {
            let _ = writeln!(out, "{indent}/**");
            for line in many {
                let _ = writeln!(out, "{indent} * {line}").map(|()| ());
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}
