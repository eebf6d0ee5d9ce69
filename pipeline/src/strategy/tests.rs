//! Tests of how strategies are read and written.

use super::*;

/// The settings that differ from those of explicit values, or the error.
fn check(text: &str) -> String {
    let strategy = match read(text) {
        Ok(Chosen { strategy, .. }) => strategy,
        Err(error) => return error,
    };
    let Strategy::Only(Technique::Explore { composition, .. }) = strategy else { return "no composition".into() };
    let usual = of_composition(&Composition::value());
    let other = of_composition(&composition).into_iter().filter(|setting| !usual.contains(setting));
    other.map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join("; ")
}

#[test]
fn settings_stand_after_the_name() {
    assert_eq!(check("value"), "");
    assert_eq!(check("bmc"), "no composition");
    assert_eq!(
        check("value,merge=join,order=few-iterations+dfs,states=7,path-time=90ms"),
        "merge = \"join\"; order = [\"few-iterations\", \"dfs\"]; states = 7; path-time = \"90ms\""
    );
    assert_eq!(
        check("value-cegar,slicing=target-location,prefixes=2,slice-first=true"),
        "cegar = true; slicing = \"target-location\"; slice-first = true; joint = false; prefixes = 2"
    );
    assert!(check("value+symbolic,merge=agree").starts_with("parts = [\"value\", \"symbolic\"]; merge = \"agree\""));
}

#[test]
fn techniques_have_settings_of_their_own() {
    let check = |text: &str| match read(text) {
        Ok(chosen) => {
            settings(&chosen.strategy).iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
        }
        Err(error) => error,
    };
    assert_eq!(check("bmc,first-bound=7,last-bound=9"), "base=\"bmc\",first-bound=7,last-bound=9");
    assert_eq!(
        check("k-induction,first-k=3,last-k=3,parallel-base=false"),
        "base=\"k-induction\",first-k=3,last-k=3,parallel-base=false,interesting-variables=2,interesting-predicates=0"
    );
    assert!(check("k-induction,interesting-variables=0").ends_with("interesting-variables=0,interesting-predicates=0"));
    assert!(check("k-induction-plain").ends_with("parallel-base=true"));
    assert_eq!(check("auto"), "");
}

#[test]
fn what_does_not_fit_is_named() {
    let known = check("velue");
    assert!(
        known.starts_with(
            "unknown strategy 'velue' (known: auto, concrete, bmc, k-induction, k-induction-plain, contracts, impact, bdd+impact, imc, pdr, explicit, bdd, bdd-backward, bdd-backward-dfs, both-ends, invariants"
        ),
        "{known}"
    );
    assert!(
        known.ends_with("PART+PART of the parts value, signs, invariants, symbolic, bdd, predicate; FILE.toml)"),
        "{known}"
    );
    for (text, error) in [
        ("auto,states=3", "states: has no effect on several techniques ('auto')"),
        ("bmc,states=3", "states: bmc has no such setting (its settings: first-bound, last-bound)"),
        ("imc,last-k=3", "last-k: imc has no settings"),
        ("value,last-k=3", "last-k: a composition of analyses has no such setting"),
        ("bmc,first-bound=0", "first-bound: must be at least 1"),
        ("k-induction,first-k=3,last-k=2", "last-k: must not be less than first-k, which is 3"),
        ("k-induction-plain,interesting-variables=1", "interesting-variables: has no effect without invariants"),
        (
            "value,interesting-variables=1",
            "interesting-variables: has no effect unless states of the part 'invariants' are joined",
        ),
        ("value,states", "'states' is not a setting (KEY=VALUE)"),
        ("value,merge=jion", "merge: unknown merge operator 'jion' (known: sep, join, agree)"),
        ("value+value", "'value' is already part 1"),
        ("value+symbolic,merge=join", "merge: 'symbolic' cannot join states; 'sep' would fit, or 'agree'"),
        ("symex,merge=agree", "merge: no part can join states, so there is nothing to agree on; 'sep' would fit"),
        (
            "value-cegar,merge=join",
            "merge: a refinement is for one path, but merged states lie on several; use 'sep' with cegar, or this \
             without",
        ),
        ("value,order=dfs+deep-calls", "order: 'dfs' compares all states, so 'deep-calls' after it has no effect"),
        ("value,order=deep-calls+shallow-calls", "order: 'shallow-calls' has no effect after 'deep-calls'"),
        ("value,prefixes=3", "prefixes: has no effect without cegar or slicing"),
        ("value,branch-time=3s", "branch-time: has no effect without the part 'symbolic'"),
        (
            "value,interesting-variables=1",
            "interesting-variables: has no effect unless states of the part 'invariants' are joined",
        ),
        ("value,nodes=3", "nodes: has no effect without the part 'bdd'"),
        ("bdd,nodes=0", "nodes: must be at least 1"),
        ("bdd,first-turn=3", "first-turn: has no effect without direction 'both'"),
        ("both-ends,first-turn=0", "first-turn: must be at least 1"),
        (
            "bdd,variable-order=any",
            "variable-order: unknown order of variables 'any' (known: dependence, declaration, reversed)",
        ),
        ("value,blocks=edges", "blocks: has no effect without the part 'predicate'"),
        ("predicate,scope=here", "scope: unknown scope 'here' (known: location, function, program)"),
        (
            "predicate+symbolic",
            "'predicate' and 'symbolic' each need their own labels in certificates; use one of them",
        ),
        ("value,states=0", "states: must be at least 1"),
        ("value,path-time=soon", "path-time: 'soon' does not begin with a number"),
    ] {
        assert_eq!(check(text), error, "{text}");
    }
    assert!(check("value,sates=3").starts_with("unknown field `sates`, expected one of"), "{}", check("value,sates=3"));
}

#[test]
fn files_are_read_strictly() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("mine.toml");
    let check_file = |text: &str, more: &str| {
        std::fs::write(&path, text).expect("a file");
        check(&format!("{}{more}", path.display())).replace(&*dir.path().to_string_lossy(), "DIR")
    };
    assert_eq!(check_file("parts = ['value']\nmerge = 'join'", ",states=3"), "merge = \"join\"; states = 3");
    assert_eq!(check_file("base = 'value-cegar'\nprefixes = 1", ""), "cegar = true; prefixes = 1");
    assert!(check_file("parts = ['value']\nmege = 'join'", "").starts_with("DIR/mine.toml:2: unknown field `mege`"));
    assert_eq!(
        check_file("# nothing\nparts = [\n  'value', 'symbolic',\n]\n\nmerge = 'join'", ""),
        "DIR/mine.toml:6: merge: 'symbolic' cannot join states; 'sep' would fit, or 'agree'"
    );
    assert_eq!(
        check_file("\nstates = 3", ""),
        "DIR/mine.toml:2: parts: a composition needs parts, or a base that has them"
    );
    // What is printed can be read again.
    for name in Composition::PRESETS {
        let composition = Composition::named(name).expect("a preset");
        let lines: Vec<String> =
            of_composition(&composition).iter().map(|(key, value)| format!("{key} = {value}")).collect();
        assert_eq!(check_file(&lines.join("\n"), ""), check(name));
    }
}
