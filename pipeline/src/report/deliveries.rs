//! What the environment handed to a program, as inputs of a report.

use cfa::delivery::{DeliveryEvent, plain_number};
use cfa::{Cfa, Delivered, EdgeId, Op};

use crate::report::Input;
use crate::report::counterexample::place;

/// A delivery as an input; `None` if it says nothing to a reader.
pub(super) fn input(cfa: &Cfa, event: &DeliveryEvent) -> Option<Input> {
    let delivery = &cfa.deliveries[&event.edge];
    let call = event.call.unwrap_or(event.edge);
    let function = || called(cfa, call);
    // A file of tmpfile has no name.
    let path = || event.bytes.as_deref().filter(|bytes| !bytes.is_empty()).map(text).unwrap_or_default();
    let given = || event.bytes.as_deref().map_or_else(|| format!("({} bytes)", event.number.to_big()), text);
    let (source, value) = match &delivery.what {
        Delivered::Argument | Delivered::Entry if event.of >= event.detail => return None,
        // The program's name matters to few.
        Delivered::Argument if event.of == 0 && event.bytes.is_none() => return None,
        Delivered::Argument | Delivered::FurtherArguments => (format!("argv[{}]", event.of), given()),
        Delivered::Entry | Delivered::FurtherEntries => (format!("envp[{}]", event.of), given()),
        Delivered::Variable => {
            let value = event.bytes.as_deref().map_or_else(|| "not set".into(), text);
            (format!("{}({})", function(), text(&event.name)), value)
        }
        Delivered::Contents(function) => (function.to_string(), given()),
        Delivered::Bytes | Delivered::Line | Delivered::Word => (function(), given()),
        Delivered::Character => (function(), text(&[event.number.to_u64().unwrap_or(0) as u8])),
        Delivered::Number => (function(), plain_number(event.number.to_u64().unwrap_or(0), event.detail as u8)),
        Delivered::Mismatch => (function(), "(other input than wanted)".into()),
        Delivered::Skipped => (function(), "(skipped input)".into()),
        Delivered::Opened | Delivered::Unreadable | Delivered::Written => {
            (format!("{}({})", function(), path()), "opened".into())
        }
        Delivered::NotOpened => (format!("{}({})", function(), path()), "not opened".into()),
        Delivered::Folder => (format!("{}({})", function(), path()), "opened".into()),
        Delivered::Name => (function(), given()),
        Delivered::Moved | Delivered::Blank | Delivered::Literal => return None,
    };
    Some(Input { place: place(cfa, call), source, occurrence: 0, value })
}

/// The function that is called at an edge, by its name in C.
pub(super) fn called(cfa: &Cfa, call: EdgeId) -> String {
    let Op::Call(function) = cfa.edges[call].op else { return String::new() };
    let name = &cfa.funcs[function].name;
    let plain = ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    // Copies of small functions have a number.
    plain.split('.').next().unwrap_or(plain).to_string()
}

/// Maximum number of bytes of a text that is shown.
const SHOWN: usize = 200;

/// A text as C writes it.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes.iter().take(SHOWN) {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            0x20..0x7f => out.push(char::from(*byte)),
            other => out.push_str(&format!("\\{other:03o}")),
        }
    }
    out.push('"');
    if bytes.len() > SHOWN {
        out.push_str(&format!("... ({} bytes)", bytes.len()));
    }
    out
}
