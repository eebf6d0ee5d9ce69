//! Lists on the command line: names, and the criteria of `-2c` and `-sc`.

use slicer::criteria::{Request, Wanted};

/// The items of a list separated by commas.
pub(super) fn names(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(str::trim).filter(|n| !n.is_empty()).map(str::to_string)
}

/// Secondary criteria: `f` counts by control, `f()` only if it uses the criterion's memory. The latter is treated like the
/// former.
pub(super) fn secondary(list: &str) -> impl Iterator<Item = String> {
    names(list).map(|n| n.trim_end_matches("()").to_string())
}

/// Reads `[[[file#]function#]line#]object`, where the object is `name()` (calls), `ret`, `@name` (a global) or `name`, with an
/// optional `&` before it.
pub(super) fn structured_criterion(item: &str) -> Option<Request> {
    let parts: Vec<&str> = item.split('#').collect();
    let (place, object) = parts.split_at(parts.len() - 1);
    let [.., line] = *place else { return object_of(object[0], None, None, None) };
    let line = match line {
        "" => None,
        text => Some(text.parse().ok().filter(|l| *l > 0)?),
    };
    let at = |back: usize| place.len().checked_sub(back).map(|i| place[i].to_string()).filter(|t| !t.is_empty());
    if place.len() > 3 {
        return None;
    }
    object_of(object[0], line, at(2), at(3))
}

fn object_of(object: &str, line: Option<u32>, function: Option<String>, file: Option<String>) -> Option<Request> {
    let object = object.strip_prefix('&').unwrap_or(object);
    let what = match (object.strip_prefix('@'), object.strip_suffix("()")) {
        (_, Some(name)) => Wanted::Calls(name.to_string()),
        (Some(name), None) if line.is_none() && function.is_none() => Wanted::Global(name.to_string()),
        (Some(name), None) => Wanted::Variable(name.to_string()),
        (None, None) if object == "ret" => Wanted::Return,
        (None, None) => Wanted::Variable(object.to_string()),
    };
    let named = !matches!(&what, Wanted::Calls(n) | Wanted::Global(n) | Wanted::Variable(n) if n.is_empty());
    named.then_some(Request { file, function, line, what })
}
