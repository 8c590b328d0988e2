//! Every address of the API, in one list: the router and the OpenAPI document are made from it, so that they agree.

use super::{games, packs, pages, tables};
use crate::Services;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use std::sync::Arc;

type Handler = MethodRouter<Arc<Services>>;

struct Route {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// Names of types in `web/src/protocol/generated.ts`; empty: none.
    takes: &'static str,
    gives: &'static str,
    handler: Handler,
}

fn routes() -> Vec<Route> {
    let route = |method, path, summary, takes, gives, handler| Route { method, path, summary, takes, gives, handler };
    vec![
        route("get", "/api/games", "All games that can be played", "", "Definition[]", get(games::list)),
        route("get", "/api/games/{id}", "One game, or what is wrong with it", "", "Definition", get(games::one)),
        route(
            "get",
            "/api/definitions/{hash}",
            "A definition by its hash; never changes",
            "",
            "Definition | TableDefinition",
            get(games::definition),
        ),
        route(
            "post",
            "/api/tables",
            "Make a table; the same id again gives the same table",
            "CreateTable",
            "CreatedTable",
            post(tables::create),
        ),
        route("get", "/api/tables/{code}", "A table as its link's page shows it", "", "TableCard", get(tables::look)),
        route("get", "/api/me/tables", "Tables to go on with", "", "MyTables", get(tables::mine)),
        route("get", "/api/packs", "All packs", "", "PackInfo[]", get(packs::list)),
        route(
            "post",
            "/api/packs",
            "Import packs from CSV, compact JSON or our own JSON",
            "text",
            "PacksImported",
            post(packs::upload),
        ),
        route("get", "/api/packs/{id}", "Export a pack; ?format=csv or json", "", "text", get(packs::export)),
        route(
            "get",
            "/api/replays/{game}",
            "A finished game, with everything in it",
            "",
            "Replay",
            get(tables::replay),
        ),
        route("get", "/api/ws", "The WebSocket; see docs/protocol.md", "", "", get(tables::socket)),
        route("get", "/healthz", "Whether the server is well", "", "Health", get(pages::health)),
        route("get", "/metrics", "Figures for Prometheus", "", "text", get(pages::metrics)),
    ]
}

pub fn router() -> Router<Arc<Services>> {
    let mut router = Router::new().route("/api/openapi.json", get(openapi));
    for route in routes() {
        router = router.route(route.path, route.handler);
    }
    router.fallback(pages::page)
}

async fn openapi() -> Response {
    Json(document()).into_response()
}

fn document() -> Value {
    let mut paths = serde_json::Map::new();
    for route in routes() {
        let named = |name: &str| json!({ "description": name, "x-baize-type": name });
        let mut operation = json!({
            "summary": route.summary,
            "parameters": parameters(route.path),
            "responses": { "200": named(route.gives), "default": named("HttpRefused") },
        });
        if !route.takes.is_empty() {
            operation["requestBody"] = named(route.takes);
        }
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method] = operation;
    }
    let about = "Types are those of web/src/protocol/generated.ts. The browser's secret travels as a bearer token.";
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Baize", "version": env!("CARGO_PKG_VERSION"), "description": about },
        "paths": paths,
    })
}

fn parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_names_types_that_exist() {
        let types = include_str!("../../../../web/src/protocol/generated.ts");
        for route in routes() {
            for name in [route.takes, route.gives].iter().flat_map(|names| names.split(" | ")) {
                let name = name.trim_end_matches("[]");
                let known = name.is_empty() || name == "text" || types.contains(&format!("export type {name} ="));
                assert!(known, "{name} of {}", route.path);
            }
        }
        assert_eq!(document()["paths"]["/api/tables"]["post"]["requestBody"]["x-baize-type"], "CreateTable");
    }
}
