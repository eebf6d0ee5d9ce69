//! What to verify: a property given by name or by an SV-COMP `.prp` file.
//!
//! A `.prp` file consists of lines `CHECK( init(ENTRY()), LTL(FORMULA) )`. Of SV-COMP's formulas, only the unreachability of a
//! call is verified so far; the others are recognised so that the error message can name them.

use thiserror::Error;

/// A property of all executions that start at some entry function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Property {
    /// No execution calls a target function.
    UnreachCall(Targets),
}

/// Which calls violate [`Property::UnreachCall`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Targets {
    /// Exactly the function of this name, as given by a `.prp` file.
    Function(String),
    /// The label of this name, in any function.
    Label(String),
    /// The property was given by name only, which means the customary functions; see [`Property::target_functions`].
    Customary,
    /// No function is a target; slicing for other criteria uses this.
    Nothing,
}

/// A property together with the function at which executions start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// The function in `init(...)`; `None` when the property was given by name.
    pub entry: Option<String>,
    /// What must hold.
    pub property: Property,
}

/// Why a property cannot be verified. Each message is one line, for the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PropertyError {
    /// A property that SV-COMP defines and kerf does not verify.
    #[error("the property {0} is not supported yet (supported: {UNREACH_CALL})")]
    NotSupported(String),
    /// A name that is not one of SV-COMP's properties.
    #[error("unknown property '{0}' (supported: {UNREACH_CALL}, label:NAME, a .prp file, or a .spc file of automata)")]
    Unknown(String),
    /// The text is not of the form `CHECK( init(ENTRY()), LTL(FORMULA) )`.
    #[error("not a property: '{0}' (expected CHECK( init(main()), LTL(G ! call(reach_error())) ))")]
    Malformed(String),
    /// The text holds no `CHECK` at all.
    #[error("the property file is empty")]
    Empty,
}

/// SV-COMP's name of the property that no target is ever called.
pub const UNREACH_CALL: &str = "unreach-call";

/// SV-COMP's other property names, and the formulas by which `.prp` files state them.
const OTHERS: [(&str, &str); 9] = [
    ("no-overflow", "G!overflow"),
    ("valid-free", "Gvalid-free"),
    ("valid-deref", "Gvalid-deref"),
    ("valid-memtrack", "Gvalid-memtrack"),
    ("valid-memcleanup", "Gvalid-memcleanup"),
    ("no-data-race", "G!data-race"),
    ("termination", "Fend"),
    ("valid-memsafety", "Gvalid-memsafety"),
    ("def-behavior", "Gdef-behavior"),
];

impl Property {
    /// The property that `name` stands for: `unreach-call`, or `label:ERROR` for "control never reaches a label of that name".
    ///
    /// # Errors
    /// A name of SV-COMP that kerf does not verify, or an unknown name.
    pub fn from_name(name: &str) -> Result<Property, PropertyError> {
        if let Some(label) = name.strip_prefix("label:") {
            return match is_identifier(label) {
                true => Ok(Property::UnreachCall(Targets::Label(label.to_string()))),
                false => Err(PropertyError::Unknown(name.to_string())),
            };
        }
        match name {
            UNREACH_CALL => Ok(Property::UnreachCall(Targets::Customary)),
            _ if OTHERS.iter().any(|(other, _)| *other == name) => Err(PropertyError::NotSupported(name.to_string())),
            _ => Err(PropertyError::Unknown(name.to_string())),
        }
    }

    /// SV-COMP's name, as it appears in verdicts such as `false(unreach-call)`.
    pub fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall(_) => UNREACH_CALL,
        }
    }

    /// The functions whose calls violate the property. `declares` says whether the program declares or defines a function.
    ///
    /// If the property was given by name, these are `reach_error` and `__VERIFIER_error`, and `__assert_fail` only in a program
    /// that has neither of them: otherwise a failing `assert` merely ends the execution.
    pub fn target_functions(&self, declares: impl Fn(&str) -> bool) -> Vec<String> {
        let Property::UnreachCall(targets) = self;
        match targets {
            Targets::Function(name) => vec![name.clone()],
            Targets::Nothing | Targets::Label(_) => Vec::new(),
            Targets::Customary => {
                let errors = ["reach_error", "__VERIFIER_error"];
                let mut names: Vec<&str> = errors.into_iter().filter(|name| declares(name)).collect();
                if names.is_empty() {
                    names.push("__assert_fail");
                }
                names.into_iter().map(str::to_string).collect()
            }
        }
    }
}

/// Reads the text of a `.prp` file. Several `CHECK`s are accepted only if they are identical.
///
/// # Errors
/// The text has no `CHECK`, or one of another form, or states a property that is not supported.
pub fn parse_prp(text: &str) -> Result<Specification, PropertyError> {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//") && !l.starts_with('#'));
    let mut found: Option<Specification> = None;
    for line in lines {
        let specification = parse_check(line)?;
        match &found {
            Some(first) if *first != specification => {
                return Err(PropertyError::NotSupported(format!("of several parts: {line}")));
            }
            _ => found = Some(specification),
        }
    }
    found.ok_or(PropertyError::Empty)
}

/// Reads one line of the form `CHECK( init(ENTRY()), LTL(FORMULA) )`.
fn parse_check(line: &str) -> Result<Specification, PropertyError> {
    let malformed = || PropertyError::Malformed(line.to_string());
    let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = compact.strip_prefix("CHECK(").and_then(|s| s.strip_suffix(')')).ok_or_else(malformed)?;
    let inner = inner.strip_prefix("init(").ok_or_else(malformed)?;
    let (entry, rest) = inner.split_once("()),").ok_or_else(malformed)?;
    let formula = rest.strip_prefix("LTL(").and_then(|s| s.strip_suffix(')')).ok_or_else(malformed)?;
    if !is_identifier(entry) {
        return Err(malformed());
    }
    if let Some((name, _)) = OTHERS.iter().find(|(_, other)| *other == formula) {
        return Err(PropertyError::NotSupported(name.to_string()));
    }
    let target = formula.strip_prefix("G!call(").and_then(|s| s.strip_suffix("())")).ok_or_else(malformed)?;
    if !is_identifier(target) {
        return Err(malformed());
    }
    let property = Property::UnreachCall(Targets::Function(target.to_string()));
    Ok(Specification { entry: Some(entry.to_string()), property })
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        match parse_prp(text) {
            Ok(s) => format!("{} {}", s.entry.unwrap_or_default(), s.property.target_functions(|_| true).join(",")),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn reads_the_forms_in_use() {
        assert_eq!(check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), "main reach_error");
        assert_eq!(check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n\n"), "main __VERIFIER_error");
        assert_eq!(check("CHECK(init(f()),LTL(G!call(g())))"), "f g");
    }

    #[test]
    fn names_what_it_cannot_verify() {
        assert!(
            check("CHECK( init(main()), LTL(G ! overflow) )").starts_with("the property no-overflow is not supported")
        );
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )";
        assert!(check(memory).starts_with("the property valid-free is not supported"));
        assert!(check("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").starts_with("not a property"));
        assert_eq!(check("\n"), "the property file is empty");
    }

    #[test]
    fn customary_targets_depend_on_the_program() {
        let property = Property::from_name("unreach-call").expect("a known name");
        assert_eq!(property.target_functions(|f| f == "reach_error"), ["reach_error"]);
        assert_eq!(property.target_functions(|_| false), ["__assert_fail"]);
        assert_eq!(property.target_functions(|_| true), ["reach_error", "__VERIFIER_error"]);
        assert!(matches!(Property::from_name("termination"), Err(PropertyError::NotSupported(_))));
        assert!(matches!(Property::from_name("nonsense"), Err(PropertyError::Unknown(_))));
    }
}
