//! Generates JSON Schemas from Rust types with serde attributes, for the OpenAPI document.

use crate::generate::{Serde, cased, inside, note, serialised};
use serde_json::{Map, Value, json};
use syn::{Fields, GenericArgument, Item, PathArguments, Type};

/// All serialised types of a file, by name.
pub fn schemas(file: &syn::File, out: &mut Map<String, Value>) {
    for item in &file.items {
        let (name, schema, attrs) = match item {
            Item::Struct(item) if serialised(&item.attrs) => {
                let serde = Serde::of(&item.attrs);
                let schema = match &item.fields {
                    Fields::Unnamed(fields) => schema(&fields.unnamed[0].ty),
                    fields => object(fields, &serde.all, serde.optional, None),
                };
                (&item.ident, schema, &item.attrs)
            }
            Item::Enum(item) if serialised(&item.attrs) => (&item.ident, variants(item), &item.attrs),
            Item::Type(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                (&item.ident, schema(&item.ty), &item.attrs)
            }
            _ => continue,
        };
        out.insert(name.to_string(), described(schema, note(attrs)));
    }
}

fn described(mut schema: Value, note: String) -> Value {
    if !note.is_empty() {
        schema["description"] = note.into();
    }
    schema
}

fn variants(item: &syn::ItemEnum) -> Value {
    let serde = Serde::of(&item.attrs);
    let mut any = Vec::new();
    for variant in &item.variants {
        let own = Serde::of(&variant.attrs);
        let name = own.rename.clone().unwrap_or_else(|| cased(&variant.ident.to_string(), &serde.all));
        let tagged = |inner: Value| json!({ "type": "object", "properties": { &name: inner }, "required": [&name], "additionalProperties": false });
        let body = match (&variant.fields, &serde.tag) {
            (Fields::Unit, None) => json!({ "const": name }),
            (Fields::Unit, Some(tag)) => {
                json!({ "type": "object", "properties": { tag: { "const": name } }, "required": [tag] })
            }
            (fields @ Fields::Named(_), Some(tag)) => object(fields, &serde.all_fields, false, Some((tag, &name))),
            (fields @ Fields::Named(_), None) => tagged(object(fields, &serde.all_fields, false, None)),
            (Fields::Unnamed(fields), tag) => {
                let inner = schema(&fields.unnamed[0].ty);
                match (tag, serde.untagged) {
                    (_, true) => inner,
                    (Some(tag), _) => {
                        let tag =
                            json!({ "type": "object", "properties": { tag: { "const": name } }, "required": [tag] });
                        json!({ "allOf": [tag, inner] })
                    }
                    (None, _) => tagged(inner),
                }
            }
        };
        any.push(described(body, note(&variant.attrs)));
    }
    json!({ "anyOf": any })
}

fn object(fields: &Fields, all: &Option<String>, all_optional: bool, tag: Option<(&str, &str)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut rest = Value::Bool(false);
    if let Some((tag, name)) = tag {
        properties.insert(tag.to_owned(), json!({ "const": name }));
        required.push(tag.to_owned());
    }
    for field in fields {
        let serde = Serde::of(&field.attrs);
        let name = field.ident.as_ref().expect("a named field").to_string();
        let name = serde.rename.clone().unwrap_or_else(|| cased(&name, all));
        if serde.flatten {
            // A flattened map allows any further fields.
            rest = schema(&field.ty)["additionalProperties"].clone();
            continue;
        }
        let optional = serde.optional || all_optional;
        let inner = inside(&field.ty, "Option").filter(|_| serde.optional);
        properties.insert(name.clone(), described(schema(inner.unwrap_or(&field.ty)), note(&field.attrs)));
        if !optional {
            required.push(name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": rest })
}

fn schema(of: &Type) -> Value {
    match of {
        Type::Tuple(tuple) => {
            let items: Vec<Value> = tuple.elems.iter().map(schema).collect();
            json!({ "type": "array", "prefixItems": items, "minItems": items.len(), "maxItems": items.len() })
        }
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
                ("u8" | "u16" | "u32" | "u64" | "usize", []) => json!({ "type": "integer", "minimum": 0 }),
                ("i32" | "i64", []) => json!({ "type": "integer" }),
                ("f64", []) => json!({ "type": "number" }),
                ("String" | "str", []) => json!({ "type": "string" }),
                ("Value", []) => json!({}),
                ("bool", []) => json!({ "type": "boolean" }),
                ("Option", [inner]) => json!({ "anyOf": [schema(inner), { "type": "null" }] }),
                ("Arc" | "Box", [inner]) => schema(inner),
                ("Vec", [inner]) => json!({ "type": "array", "items": schema(inner) }),
                ("BTreeMap", [_, value]) => json!({ "type": "object", "additionalProperties": schema(value) }),
                (name, []) => json!({ "$ref": format!("#/components/schemas/{name}") }),
                (name, _) => panic!("no schema for {name}"),
            }
        }
        _ => panic!("no schema for this type"),
    }
}
