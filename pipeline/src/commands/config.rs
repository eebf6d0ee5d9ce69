//! `kerf config show`: the effective settings and their sources.

use crate::cli::{ConfigArgs, ConfigCommand, partial};
use crate::commands::print;
use crate::config::{Setting, Settings};
use crate::strategy;
use anyhow::Result;

pub(super) fn run(args: ConfigArgs) -> Result<u8> {
    let ConfigCommand::Show(args) = args.command;
    let options = partial(&args.input, Some(&args.property), Some(&args.strategy));
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let mut rows = settings.rows();
    let of_strategy = strategy::settings(&settings.strategy.value.strategy);
    if args.json {
        let entry = |(name, value, source): &(&str, String, String)| {
            let value = value.trim_matches('"');
            (name.to_string(), serde_json::json!({ "value": value, "source": source }))
        };
        let mut object: serde_json::Map<_, _> = rows.iter().map(entry).collect();
        if !of_strategy.is_empty() {
            let entry = |(key, value): &(&str, String)| {
                let table: toml::Table = toml::from_str(&format!("value = {value}"))?;
                anyhow::Ok((key.to_string(), serde_json::to_value(&table["value"])?))
            };
            let all = of_strategy.iter().map(entry).collect::<Result<serde_json::Map<_, _>>>()?;
            object["strategy"]["settings"] = serde_json::Value::Object(all);
        }
        print(&format!("{:#}\n", serde_json::Value::Object(object)))?;
    } else {
        if !of_strategy.is_empty() {
            rows.retain(|(name, ..)| *name != "strategy");
        }
        let width = rows.iter().map(|(name, value, _)| name.len() + value.len()).max().unwrap_or(0) + 3;
        for (name, value, source) in rows {
            print(&format!("{:width$}  # {source}\n", format!("{name} = {value}")))?;
        }
        if !of_strategy.is_empty() {
            let Setting { value, source } = &settings.strategy;
            print(&format!("\n{:width$}  # {source}: {}\n", "[strategy]", value.text))?;
            of_strategy.iter().try_for_each(|(key, value)| print(&format!("{key} = {value}\n")))?;
        }
    }
    Ok(0)
}
