//! The OpenAPI document against the handlers: the test calls every address in it and checks the form of every answer.

use crate::client::request;
use crate::games::play_out;
use crate::server::{TestServer, quick, secret};
use baize_protocol::Action;
use baize_server::OnGameFile;
use serde_json::Value;
use std::collections::BTreeSet;

/// Checks a value against the part of JSON Schema that our document uses; an unknown keyword is an error.
fn check(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let fields = schema.as_object().ok_or("no schema")?;
    for (word, rule) in fields {
        let holds = match word.as_str() {
            "description" => true,
            "$ref" => {
                let target = document.pointer(rule.as_str().unwrap().trim_start_matches('#'));
                check(document, target.ok_or_else(|| format!("{rule} is missing"))?, value, at)?;
                true
            }
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "null" => value.is_null(),
                other => return Err(format!("no type {other}")),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|n| n >= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
            "required" => rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
            "anyOf" => rule.as_array().unwrap().iter().any(|one| check(document, one, value, at).is_ok()),
            "allOf" => rule.as_array().unwrap().iter().all(|one| check(document, one, value, at).is_ok()),
            "items" => {
                for (n, element) in value.as_array().into_iter().flatten().enumerate() {
                    check(document, rule, element, &format!("{at}[{n}]"))?;
                }
                true
            }
            "prefixItems" => {
                let pairs = rule.as_array().unwrap().iter().zip(value.as_array().into_iter().flatten());
                pairs.into_iter().try_for_each(|(rule, element)| check(document, rule, element, at))?;
                true
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(field) = value.get(name) {
                        check(document, rule, field, &format!("{at}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let others = value.as_object().into_iter().flatten();
                for (name, field) in others.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name))) {
                    match rule {
                        Value::Bool(false) => return Err(format!("{at}.{name} is not in the document")),
                        rule => check(document, rule, field, &format!("{at}.{name}"))?,
                    }
                }
                true
            }
            other => return Err(format!("the test does not know {other}")),
        };
        if !holds {
            let shown: String = value.to_string().chars().take(200).collect();
            return Err(format!("{at}: {word} does not hold of {shown}"));
        }
    }
    Ok(())
}

/// HTTP-7: the document contains every address, and answers and refusals match it.
#[tokio::test]
async fn the_openapi_document_matches_the_handlers() {
    let workshop = OnGameFile(std::sync::Arc::new(|_| {}));
    let server = TestServer::start_with(|config| config.workshop = Some(workshop)).await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    play_out(&mut clients, 1).await;
    let game = clients[0].table().game.clone();
    let definitions = clients[0].table().definitions.clone();
    let (_, text) = server.http("GET", "/api/openapi.json", None, "").await;
    let document: Value = serde_json::from_str(&text).unwrap();
    let upload = "deck,text\nprompt,I like _.\nanswer,Tea";
    let table = r#"{"id":"0123456789abcdef","game":"pig","name":"Ann","settings":{"preset":"quick"}}"#;
    let json = "Content-Type: application/json\r\n";
    let ann = format!("{json}Authorization: Bearer {}\r\n", secret("Ann"));
    let table_definition = definitions.table.clone().unwrap();
    let (_, packs) = server.http("POST", "/api/packs?name=Mine", Some(&secret("Ann")), upload).await;
    let pack = serde_json::from_str::<Value>(&packs).unwrap()["packs"][0]["id"].as_str().unwrap().to_owned();
    // Path template, call, headers, body, status.
    let calls: Vec<(&str, &str, String, &str, &str, u16)> = vec![
        ("get", "/api/games", "/api/games".into(), "", "", 200),
        ("get", "/api/games/{id}", "/api/games/donkey".into(), "", "", 200),
        ("get", "/api/games/{id}", "/api/games/nope".into(), "", "", 404),
        ("get", "/api/workshop", "/api/workshop".into(), "", "", 200),
        ("get", "/api/definitions/{hash}", definitions.game.clone(), "", "", 200),
        ("get", "/api/definitions/{hash}", table_definition, "", "", 200),
        ("get", "/api/definitions/{hash}", "/api/definitions/00".into(), "", "", 404),
        ("post", "/api/tables", "/api/tables".into(), &ann, table, 200),
        ("post", "/api/tables", "/api/tables".into(), json, table, 401),
        ("post", "/api/tables", "/api/tables".into(), &ann, "{", 400),
        ("get", "/api/tables/{code}", format!("/api/tables/{code}"), "", "", 200),
        ("get", "/api/tables/{code}", "/api/tables/nowhere2".into(), "", "", 404),
        ("get", "/api/tables/{code}/picture.png", format!("/api/tables/{code}/picture.png"), "", "", 200),
        ("get", "/api/tables/{code}/picture.png", "/api/tables/nowhere2/picture.png".into(), "", "", 404),
        ("get", "/api/tables/{code}/log", format!("/api/tables/{code}/log"), &ann, "", 200),
        ("get", "/api/tables/{code}/log", format!("/api/tables/{code}/log?before=9"), &ann, "", 200),
        ("get", "/api/tables/{code}/log", format!("/api/tables/{code}/log?before=x"), &ann, "", 400),
        ("get", "/api/tables/{code}/log", format!("/api/tables/{code}/log"), "", "", 401),
        ("get", "/api/tables/{code}/log", "/api/tables/nowhere2/log".into(), &ann, "", 404),
        ("get", "/api/me/tables", "/api/me/tables".into(), &ann, "", 200),
        ("get", "/api/me/tables", "/api/me/tables".into(), "", "", 401),
        ("post", "/api/packs", "/api/packs?name=Mine".into(), "", upload, 200),
        ("post", "/api/packs", "/api/packs".into(), "", "{\"id\": 3", 422),
        ("get", "/api/packs", "/api/packs".into(), "", "", 200),
        ("get", "/api/packs", "/api/packs?limit=1".into(), &ann, "", 200),
        ("get", "/api/packs/{id}", format!("/api/packs/{pack}?format=json"), "", "", 200),
        ("get", "/api/packs/{id}", "/api/packs/nope".into(), "", "", 404),
        ("get", "/api/packs/{id}/info", format!("/api/packs/{pack}/info"), &ann, "", 200),
        ("get", "/api/packs/{id}/info", "/api/packs/nope/info".into(), "", "", 404),
        ("delete", "/api/packs/{id}", format!("/api/packs/{pack}"), "", "", 401),
        ("delete", "/api/packs/{id}", "/api/packs/house".into(), &ann, "", 403),
        ("delete", "/api/packs/{id}", format!("/api/packs/{pack}"), &ann, "", 200),
        ("delete", "/api/packs/{id}", format!("/api/packs/{pack}"), &ann, "", 404),
        ("get", "/api/replays/{game}", format!("/api/replays/{game}"), "", "", 200),
        ("get", "/api/replays/{game}", "/api/replays/nope".into(), "", "", 404),
        ("get", "/api/ws", "/api/ws".into(), "", "", 400),
        ("delete", "/api/me", "/api/me".into(), "", "", 401),
        ("delete", "/api/me", "/api/me".into(), &ann, "", 200),
        ("get", "/api/online", "/api/online".into(), "", "", 200),
        ("get", "/healthz", "/healthz".into(), "", "", 200),
        ("get", "/metrics", "/metrics".into(), "", "", 200),
    ];
    let mut called = BTreeSet::new();
    for (method, template, path, headers, body, expected) in &calls {
        let operation = &document["paths"][template][method];
        assert!(operation.is_object(), "{method} {template} is not in the document");
        called.insert((template.to_string(), method.to_string()));
        let headers = format!("Host: {}\r\n{headers}", server.address);
        let (status, head, text) =
            request(server.address, &method.to_uppercase(), path, &headers, body.as_bytes()).await.unwrap();
        assert_eq!(status, *expected, "{method} {path}: {text}");
        let answer = &operation["responses"][status.to_string()];
        assert!(answer.is_object(), "{method} {template}: {status} is not in the document");
        let content = answer["content"].as_object().expect("what it gives");
        let (kind, promised) = content.iter().next().unwrap();
        assert!(head.to_lowercase().contains(&format!("content-type: {kind}")), "{path}: {head}");
        if let Some(schema) = promised.get("schema") {
            let value: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}: {text:.300}"));
            check(&document, schema, &value, template).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        }
        // The request body matches the document as well.
        if *expected == 200
            && let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema")
        {
            let value: Value = serde_json::from_str(body).unwrap();
            check(&document, schema, &value, template).unwrap();
        }
    }
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            assert!(called.contains(&(path.clone(), method.clone())), "{method} {path} is never called here");
        }
    }
    // The check itself works: it rejects an answer that does not match its schema.
    let wrong = serde_json::json!({ "type": "object", "properties": { "ok": { "type": "string" } } });
    assert!(check(&document, &wrong, &serde_json::json!({ "ok": true }), "").is_err());
}
