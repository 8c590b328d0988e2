//! Every address of the API, in one list from which both the router and the OpenAPI document are made, so that they
//! agree.

use super::shared_json::SharedJson;
use super::{Refusal, games, invitation, log, me, packs, pages, store_failure, tables};
use crate::Services;
use axum::Router;
use axum::routing::{MethodRouter, delete, get, post};
use baize_store::Unwritable;
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock};

type Handler = MethodRouter<Arc<Services>>;

struct Route {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    takes: BodyKind,
    gives: BodyKind,
    /// Whether the address requires a browser's secret.
    secret: bool,
    /// Names of the query parameters.
    query: &'static [&'static str],
    /// Statuses of its refusals, beside those that every address may have.
    refuses: &'static [u16],
    handler: Handler,
}

/// The body of a request or an answer.
#[derive(Clone, Copy)]
enum BodyKind {
    None,
    /// JSON of a type of [`baize_protocol::SCHEMAS`]; with `[]`, a list of them; with `|`, one of several.
    Json(&'static str),
    /// Another media type.
    Other(&'static str),
}

fn route(method: &'static str, path: &'static str, summary: &'static str, handler: Handler) -> Route {
    let (takes, gives) = (BodyKind::None, BodyKind::None);
    Route { method, path, summary, takes, gives, secret: false, query: &[], refuses: &[], handler }
}

impl Route {
    fn takes(self, takes: BodyKind) -> Self {
        Route { takes, ..self }
    }

    fn gives(self, gives: BodyKind) -> Self {
        Route { gives, ..self }
    }

    fn secret(self) -> Self {
        Route { secret: true, ..self }
    }

    fn query(self, query: &'static [&'static str]) -> Self {
        Route { query, ..self }
    }

    fn refuses(self, refuses: &'static [u16]) -> Self {
        Route { refuses, ..self }
    }
}

fn routes() -> Vec<Route> {
    use BodyKind::{Json, Other};
    let text = Other("text/plain");
    vec![
        route("get", "/api/games", "All games that can be played", get(games::list)).gives(Json("Definition[]")),
        route("get", "/api/games/{id}", "One game, or what is wrong with it", get(games::definition_of))
            .gives(Json("Definition"))
            .refuses(&[404, 422]),
        route("get", "/api/workshop", "The file a designer works on, as it is now", get(games::workshop))
            .gives(Json("Workshop"))
            .refuses(&[404]),
        route("get", "/api/definitions/{hash}", "A definition by its hash; never changes", get(games::definition))
            .gives(Json("Definition | TableDefinition"))
            .refuses(&[404, 429]),
        route("post", "/api/tables", "Make a table; the same id again gives the same table", post(tables::create))
            .takes(Json("CreateTable"))
            .gives(Json("CreatedTable"))
            .secret()
            .refuses(&[401, 404, 413, 422, 429, 507]),
        route("get", "/api/tables/{code}", "A table as its link's page shows it", get(tables::look))
            .gives(Json("TableCard"))
            .refuses(&[404, 410, 429]),
        route(
            "get",
            "/api/tables/{code}/picture.png",
            "A picture for previews of the link",
            get(invitation::picture_of_table),
        )
        .gives(Other("image/png"))
        .refuses(&[404, 429]),
        route("get", "/api/tables/{code}/log", "What happened in the current game, in words", get(log::log))
            .gives(Json("TableLog"))
            .query(&["before"])
            .secret()
            .refuses(&[401, 404, 410, 429]),
        route("get", "/api/me/tables", "Tables to go on with", get(tables::tables_of_member))
            .gives(Json("MemberTables"))
            .secret()
            .refuses(&[401, 429]),
        route("delete", "/api/me", "Forget this browser: its seats, names, lines and packs", delete(me::forget))
            .gives(Json("Deleted"))
            .secret()
            .refuses(&[401, 429]),
        route("get", "/api/packs", "The server's packs and, with a secret, those it has uploaded", get(packs::list))
            .gives(Json("PackPage"))
            .query(&["after", "limit"])
            .refuses(&[429]),
        route("post", "/api/packs", "Import packs from CSV, compact JSON or our own JSON", post(packs::upload))
            .takes(text)
            .gives(Json("PacksImported"))
            .query(&["name"])
            .refuses(&[413, 422, 429, 507]),
        route("get", "/api/packs/{id}", "Export a pack, as JSON or with format=csv as CSV", get(packs::export))
            .gives(Other("application/json"))
            .query(&["format"])
            .refuses(&[404, 429]),
        route("delete", "/api/packs/{id}", "Delete a pack that this browser has uploaded", delete(packs::delete))
            .gives(Json("Deleted"))
            .secret()
            .refuses(&[401, 404, 429]),
        route("get", "/api/packs/{id}/info", "What a list shows of a pack", get(packs::info))
            .gives(Json("PackInfo"))
            .refuses(&[404, 429]),
        route("get", "/api/replays/{game}", "A finished game, with everything in it", get(tables::replay))
            .gives(Json("Replay"))
            .refuses(&[404, 429]),
        route("get", "/api/ws", "The WebSocket; see docs/protocol.md", get(tables::socket)).refuses(&[426]),
        route("get", "/api/online", "How many people are at how many tables", get(pages::online)).gives(Json("Online")),
        route("get", "/healthz", "Whether the server is well", get(pages::health))
            .gives(Json("Health"))
            .refuses(&[503]),
        route("get", "/metrics", "Figures for Prometheus", get(pages::metrics)).gives(text),
    ]
}

pub fn router() -> Router<Arc<Services>> {
    let mut router = Router::new().route("/api/openapi.json", get(openapi));
    for route in routes() {
        router = router.route(route.path, route.handler);
    }
    router.fallback(pages::page)
}

/// The document never changes while the program runs, so it is made once.
async fn openapi() -> Result<SharedJson, Refusal> {
    static MADE: LazyLock<Result<SharedJson, Unwritable>> = LazyLock::new(|| {
        let document = document().map_err(|error| Unwritable::new("the OpenAPI document", error))?;
        SharedJson::new("the OpenAPI document", &document)
    });
    MADE.clone().map_err(|error| store_failure(error.into()))
}

fn document() -> Result<Value, serde_json::Error> {
    let mut paths = Map::new();
    for route in routes() {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method] = operation(&route);
    }
    let schemas: Value = serde_json::from_str(baize_protocol::SCHEMAS)?;
    Ok(json!({
        "openapi": "3.1.0",
        "info": { "title": "Baize", "version": env!("CARGO_PKG_VERSION"), "description": "See docs/protocol.md." },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "secret": { "type": "http", "scheme": "bearer", "description": "The browser's secret." } },
        },
    }))
}

fn operation(route: &Route) -> Value {
    let mut responses = Map::new();
    match (route.path, route.gives) {
        ("/api/ws", _) => responses.insert("101".into(), json!({ "description": "A WebSocket" })),
        (_, gives) => responses.insert("200".into(), body("Done", gives)),
    };
    let slow = (route.method != "get").then_some(&408);
    for status in route.refuses.iter().chain(slow).chain(&[400, 403, 421, 503]) {
        responses.insert(status.to_string(), body("Refused", BodyKind::Json("HttpRefused")));
    }
    let mut operation = json!({ "summary": route.summary, "parameters": parameters(route), "responses": responses });
    if !matches!(route.takes, BodyKind::None) {
        operation["requestBody"] = body("The request", route.takes);
        operation["requestBody"]["required"] = true.into();
    }
    if route.secret {
        operation["security"] = json!([{ "secret": [] }]);
    }
    operation
}

fn body(description: &str, body: BodyKind) -> Value {
    match body {
        BodyKind::None => json!({ "description": description }),
        BodyKind::Json(names) => {
            json!({ "description": description, "content": { "application/json": { "schema": schema(names) } } })
        }
        BodyKind::Other(kind) => json!({ "description": description, "content": { kind: {} } }),
    }
}

fn schema(names: &str) -> Value {
    let one = |name: &str| match name.strip_suffix("[]") {
        Some(name) => json!({ "type": "array", "items": reference(name) }),
        None => reference(name),
    };
    match names.split(" | ").map(one).collect::<Vec<_>>() {
        several if several.len() > 1 => json!({ "anyOf": several }),
        mut only => only.remove(0),
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn parameters(route: &Route) -> Vec<Value> {
    let parameter = |name: &str, place: &str| json!({ "name": name, "in": place, "required": place == "path", "schema": { "type": "string" } });
    let in_path = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = in_path.map(|name| parameter(name, "path"));
    in_path.chain(route.query.iter().map(|name| parameter(name, "query"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn the_openapi_document_contains_every_schema_it_refers_to() {
        let document = document().unwrap();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50);
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
    }
}
