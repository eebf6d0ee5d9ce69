//! `kerf config show`: the effective settings and their sources.

use crate::cli::{ConfigArgs, ConfigCommand, partial};
use crate::commands::{print, print_json};
use crate::config::{Row, Settings};
use crate::strategy;
use anyhow::Result;

pub(super) fn run(args: ConfigArgs) -> Result<u8> {
    let ConfigCommand::Show(args) = args.command;
    let options = partial(&args.input, Some(&args.clang), Some(&args.property), Some(&args.strategy));
    let settings = Settings::resolve(args.input.config.as_deref(), None, args.results.over(&args.optimise, options))?;
    if args.json {
        print_json(json(&settings)?)?;
    } else {
        print(&settings.text())?;
        if let Some(bench) = &settings.bench {
            print(&format!("\n{}", bench.text()))?;
        }
    }
    Ok(0)
}

fn json(settings: &Settings) -> Result<serde_json::Value> {
    let value = |text: &str| {
        let table: toml::Table = toml::from_str(&format!("value = {text}"))?;
        anyhow::Ok(serde_json::to_value(&table["value"])?)
    };
    let entry = |(name, text, source): (&str, String, String)| {
        anyhow::Ok((name.to_string(), serde_json::json!({ "value": value(&text)?, "source": source })))
    };
    let object = |rows: Vec<Row>| rows.into_iter().map(entry).collect::<Result<serde_json::Map<_, _>>>();
    let mut all = object(settings.rows())?;
    let of_strategy = strategy::settings(&settings.strategy.value.strategy);
    if !of_strategy.is_empty() {
        let entry = |(key, text): (&str, String)| anyhow::Ok((key.to_string(), value(&text)?));
        let own = of_strategy.into_iter().map(entry).collect::<Result<serde_json::Map<_, _>>>()?;
        all["strategy"]["settings"] = serde_json::Value::Object(own);
    }
    if let Some(bench) = &settings.bench {
        all.insert("bench".into(), serde_json::Value::Object(object(bench.rows())?));
    }
    Ok(serde_json::Value::Object(all))
}
