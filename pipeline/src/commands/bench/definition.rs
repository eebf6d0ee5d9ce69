//! BenchExec's benchmark definitions (`.xml`): the files that their task sets name, with their properties.
//!
//! Only the tasks are read. Limits and options belong to the run, which the command line describes.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use crate::worker::UserError;

/// A set of tasks: `<tasks>` with what its surroundings add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskSet {
    /// The set's name, if it has one.
    pub name: Option<String>,
    /// Patterns of task files.
    pub include: Vec<PathBuf>,
    /// `.set` files.
    pub include_sets: Vec<PathBuf>,
    /// Patterns of task files that do not belong to it.
    pub exclude: Vec<PathBuf>,
    /// `.set` files whose tasks do not belong to it.
    pub exclude_sets: Vec<PathBuf>,
    /// The properties to check, by the names of their files; those of the tasks' definitions if there are none.
    pub properties: Vec<String>,
}

/// The task sets of a benchmark definition, and of each of its run definitions, in order. Sets that several run definitions share
/// appear once.
///
/// # Errors
/// The file is no benchmark definition, or it uses something that is not known here.
pub(super) fn read(path: &Path, text: &str) -> Result<Vec<TaskSet>, UserError> {
    let failed = |what: String| UserError(format!("{}: {what}", path.display()));
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|e| failed(format!("not XML: {e}")))?;
    let root = document.root_element();
    if !root.has_tag_name("benchmark") {
        return Err(failed(format!("not a benchmark definition: its root is <{}>", root.tag_name().name())));
    }
    let base = path.parent().unwrap_or(Path::new(""));
    let of = |parent: Node| children(parent, "propertyfile");
    let mut sets: Vec<TaskSet> = Vec::new();
    for level in [root].into_iter().chain(root.children().filter(|n| n.has_tag_name("rundefinition"))) {
        for tasks in level.children().filter(|n| n.has_tag_name("tasks")) {
            if let Some(tag) =
                ["withoutfile", "append", "requiredfiles"].into_iter().find(|t| !children(tasks, t).is_empty())
            {
                return Err(failed(format!("<{tag}> in <tasks> is not supported: tasks are .yml files")));
            }
            let mut properties: Vec<String> = [of(root), of(level), of(tasks)].concat();
            properties =
                properties.iter().filter_map(|file| Some(Path::new(file).file_stem()?.to_str()?.into())).collect();
            properties.sort();
            properties.dedup();
            let files = |tag: &str| children(tasks, tag).into_iter().map(|file| base.join(file)).collect();
            let set = TaskSet {
                name: tasks.attribute("name").map(str::to_string),
                include: files("include"),
                include_sets: files("includesfile"),
                exclude: files("exclude"),
                exclude_sets: files("excludesfile"),
                properties,
            };
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    Ok(sets)
}

/// The texts of the children with this tag.
fn children(parent: Node, tag: &str) -> Vec<String> {
    let found = parent.children().filter(|n| n.has_tag_name(tag));
    found.filter_map(|n| n.text()).map(|text| text.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_get_what_surrounds_them() {
        let text = r#"<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 3.0//EN" "https://www.sosy-lab.org/benchexec/benchmark-3.0.dtd">
<benchmark tool="kerf">
  <rundefinition name="one"><propertyfile>c/unreach-call.prp</propertyfile>
    <tasks name="Arrays"><includesfile>c/Arrays.set</includesfile><exclude>c/a/*big*.yml</exclude></tasks>
  </rundefinition>
  <tasks><include>
    b.yml </include></tasks>
</benchmark>"#;
        let sets = read(Path::new("d/x.xml"), text).expect("sets");
        let set = |name: Option<&str>| TaskSet {
            name: name.map(str::to_string),
            include: Vec::new(),
            include_sets: Vec::new(),
            exclude: Vec::new(),
            exclude_sets: Vec::new(),
            properties: Vec::new(),
        };
        let arrays = TaskSet {
            include_sets: vec!["d/c/Arrays.set".into()],
            exclude: vec!["d/c/a/*big*.yml".into()],
            properties: vec!["unreach-call".into()],
            ..set(Some("Arrays"))
        };
        assert_eq!(sets, [TaskSet { include: vec!["d/b.yml".into()], ..set(None) }, arrays]);
    }

    #[test]
    fn other_files_are_refused() {
        let error = |text: &str| read(Path::new("x.xml"), text).unwrap_err().0;
        assert!(error("<result/>").contains("its root is <result>"));
        assert!(error("<benchmark>").contains("not XML"));
        assert!(error("<benchmark><tasks><withoutfile>a</withoutfile></tasks></benchmark>").contains("<withoutfile>"));
    }
}
