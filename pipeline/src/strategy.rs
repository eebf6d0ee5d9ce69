//! Strategies as users write them: a name, parts such as `value+symbolic`, or a TOML file that describes a composition. Settings
//! may follow each of them: `value,merge=join,order=few-iterations+dfs`, `k-induction,first-k=3,last-k=3`.
//!
//! A strategy is read strictly and checked at once: an error names the position and the values that would fit.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use verifier::blocks::Blocks;
use verifier::cpa::Stop;
use verifier::domains::symbolic::Cover;
use verifier::domains::{Merge, PartKind, bdd, predicate};
use verifier::reach::waitlist::Order;
use verifier::refine::slicing::SlicingCriterion;
use verifier::refine::{self, slicing};
use verifier::strategies::composition::{Composition, Direction, Misfit};
use verifier::strategies::portfolio::{Strategy, Technique};

use crate::limits::{parse_duration, show_duration};

/// The text of `--help` about the settings of strategies.
pub const HELP: &str = "\
Settings of bmc:
  first-bound  = 1                  number of iterations of each loop in the first unwinding
  last-bound   = 1048576            number of iterations of each loop in the last unwinding
Settings of k-induction and k-induction-plain:
  first-k      = 1                  the first k to try
  last-k       = 4294967295         the last k to try; if it equals first-k, only this k is tried
  parallel-base = true              search for violations in parallel, with separate bounds; if false, only up to k iterations
  interesting-variables, interesting-predicates   of k-induction: as for joined intervals (below), which generate candidates

concrete, contracts, impact, imc, pdr and explicit have no settings. All other strategies are compositions of analyses: a name (symex, value-cegar, ...), PART+PART,
or a TOML file, each with ,KEY=VALUE...
  base         = \"NAME\"             the strategy whose settings are the defaults (in files)
  parts        = [\"value\", \"symbolic\"]   the analyses that run together
  merge        = \"sep\"              sep|join|agree: where paths meet, keep states separate, join them, or join them if all parts agree
  stop         = \"sep\"              sep|join: a state is covered by one reached state, or by several together
  direction    = \"forward\"          forward|backward|both: from the entry to the targets, against the direction of control, or in turns
  first-turn   = 10000              from both ends: number of states of the first turn of each direction; each later one has twice as many
  order        = [\"bfs\"]            what to expand first; each criterion breaks ties of the one before it: deep-calls|shallow-calls,
                                    many-iterations|few-iterations, few-inputs, small-constants, reverse-postorder, near-target, near-cause,
                                    bfs|dfs|random
  cegar        = false              begin by tracking nothing, and add what infeasible paths require
  slicing      = \"none\"             none|conflict|target-path|target-location: begin with the empty slice, and add for each infeasible
                                    path conditions that contradict each other, all its conditions, or what the target depends on
  joint        = false              with cegar and slicing: refine precision and slice by the same path, not one after the other
  prefixes     = 4                  maximum number of infeasible prefixes of a path from which cegar and slicing choose one
  relations    = false              with intervals: track which of =, !=, <, <=, >, >= hold between variables
  array-slots  = false              with intervals: track the values of cells of arrays, by their addresses
  interesting-variables  = 2        with joined intervals: maximum number of variables close to a target whose ranges keep states separate
  interesting-predicates = 0        with joined intervals: maximum number of conditions close to a target that keep states separate
  blocks       = \"loops\"            loops|calls|edges: with predicates, where abstractions are computed: at loops, also at calls and
                                    returns, after each edge
  abstraction  = \"boolean\"          cartesian|boolean: with predicates, compute which of them hold, or which combinations of them
  scope        = \"location\"         location|function|program: where the predicates are tracked that a path needs at a location
  variable-order = \"dependence\"    of bdd: dependence, declaration or reversed
  domain-types = \"all\"              of bdd: the variables that are tracked: bool, eq, add (and those before), all
  nodes        = 4000000            of bdd: maximum number of nodes of a decision diagram
  slice-first  = false              slice the program for the targets before it is explored
  call-stack   = 20000              maximum number of frames of the call stack
  states       = 5000000            maximum number of states
  paths        = 200                maximum number of paths to targets that are neither confirmed nor excluded
  path-time    = \"60s\"              time limit for checking one such path
  cover        = \"terms\"            terms|renaming: a symbolic state covers others whose values replace its symbols by any terms, or only
                                    those that rename its symbols
  branch-time  = \"2s\"               time limit for checking whether symbolic execution can take a branch
  cover-time   = \"100ms\"            time limit for checking whether a symbolic state covers another one
Examples: --strategy k-induction,first-k=5,last-k=5   --strategy value+symbolic,merge=agree   --strategy symex-cegar,order=few-iterations+dfs   --strategy mine.toml,states=1000";

/// A strategy, together with the way it was written.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Chosen {
    /// The strategy as it was written.
    pub text: String,
    /// Its meaning.
    pub strategy: Strategy,
}

impl TryFrom<String> for Chosen {
    type Error = String;

    fn try_from(text: String) -> Result<Chosen, String> {
        read(&text)
    }
}

/// A strategy in a settings file: in the form of the `--strategy` option, or as the settings of a composition.
#[derive(Debug, Clone)]
pub enum Stated {
    /// A strategy in the form of the `--strategy` option.
    Chosen(Chosen),
    /// A composition that has not been checked yet.
    Table(Box<Keys>),
}

impl<'de> Deserialize<'de> for Stated {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Stated, D::Error> {
        struct TextOrTable;
        impl<'de> Visitor<'de> for TextOrTable {
            type Value = Stated;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a strategy's name or a table with the settings of a composition")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Stated, E> {
                read(text).map(Stated::Chosen).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Stated, A::Error> {
                Keys::deserialize(MapAccessDeserializer::new(map)).map(|keys| Stated::Table(Box::new(keys)))
            }
        }
        input.deserialize_any(TextOrTable)
    }
}

impl Stated {
    /// The strategy described by a file with the text `text`.
    ///
    /// # Errors
    /// The line, the offending setting, and what does not fit.
    pub fn check(self, text: &str) -> Result<Chosen, String> {
        match self {
            Stated::Chosen(chosen) => Ok(chosen),
            Stated::Table(keys) => match keys.strategy() {
                Ok(strategy) => Ok(Chosen { text: strategy.name().to_string(), strategy }),
                Err(misfit) => Err(format!("{}: {}: {misfit}", line_of(text, keys.place(misfit.key)), misfit.key)),
            },
        }
    }
}

/// Reads the argument of `--strategy`.
///
/// # Errors
/// One line that says what does not fit; for a file, with its line.
pub fn read(text: &str) -> Result<Chosen, String> {
    let (base, settings) = text.split_once(',').map_or((text, None), |(base, settings)| (base, Some(settings)));
    let mut strategy = match Strategy::named(base) {
        Some(strategy) => strategy,
        None if base.ends_with(".toml") => read_file(Path::new(base))?,
        None => {
            let parts = base.split('+').map(|name| named(PartKind::ALL, "part", name));
            let parts = parts.collect::<Result<Vec<_>, _>>().map_err(|_| unknown(base))?;
            checked(Composition::of_parts(parts)).map_err(|misfit| misfit.to_string())?
        }
    };
    if let Some(settings) = settings {
        let toml = settings.split(',').map(setting).collect::<Result<Vec<_>, _>>()?.join("\n");
        let keys: Keys = toml::from_str(&toml).map_err(|e| e.message().to_string())?;
        strategy = keys.over(strategy).map_err(|misfit| format!("{}: {misfit}", misfit.key))?;
    }
    if let Strategy::Only(Technique::Explore { name, .. }) = &mut strategy {
        *name = text.to_string();
    }
    Ok(Chosen { text: text.to_string(), strategy })
}

/// Checks the limits of a range.
fn check_range(first: (&'static str, u32), last: (&'static str, u32)) -> Result<(), Misfit> {
    match (first, last) {
        ((key, 0), _) => Err(Misfit::new(key, "must be at least 1")),
        ((key, from), (last, to)) if to < from => {
            Err(Misfit::new(last, format!("must not be less than {key}, which is {from}")))
        }
        _ => Ok(()),
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = Strategy::names().collect();
    let parts = PartKind::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    format!("unknown strategy '{name}' (known: {}; PART+PART of the parts {parts}; FILE.toml)", known.join(", "))
}

/// `KEY=VALUE` as a line of TOML: lists are written with plus signs, texts without quotes.
fn setting(text: &str) -> Result<String, String> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(format!("'{text}' is not a setting (KEY=VALUE)"));
    };
    let value = match key {
        "parts" | "order" => format!("[{}]", value.split('+').map(quoted).collect::<Vec<_>>().join(", ")),
        _ if toml::from_str::<toml::Table>(&format!("value = {value}")).is_ok() => value.to_string(),
        _ => quoted(value),
    };
    Ok(format!("{key} = {value}"))
}

fn read_file(path: &Path) -> Result<Strategy, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{shown}: {e}"))?;
    let keys: Keys = parse(&text).map_err(|e| format!("{shown}:{e}"))?;
    Ok(Stated::Table(Box::new(keys)).check(&text).map_err(|e| format!("{shown}:{e}"))?.strategy)
}

/// Reads TOML.
///
/// # Errors
/// The line and what is wrong there.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        format!("{}: {}", line_of(text, error.span().map_or(0, |span| span.start)), error.message())
    })
}

/// The number of the line (from 1) that contains a byte.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset.min(text.len())].matches('\n').count()
}

fn named<T: Copy>(all: &[(&'static str, T)], what: &str, name: &str) -> Result<T, String> {
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        format!("unknown {what} '{name}' (known: {})", known.join(", "))
    })
}

fn checked(composition: Composition) -> Result<Strategy, Misfit> {
    composition.check()?;
    let parts: Vec<&str> = composition.parts.iter().map(|p| p.name()).collect();
    Ok(Strategy::explore(&parts.join("+"), composition))
}

/// The settings of a strategy, as a file states them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Keys {
    base: Option<Spanned<String>>,
    parts: Option<Spanned<Vec<String>>>,
    merge: Option<Spanned<String>>,
    stop: Option<Spanned<String>>,
    direction: Option<Spanned<String>>,
    first_turn: Option<Spanned<usize>>,
    order: Option<Spanned<Vec<String>>>,
    cegar: Option<Spanned<bool>>,
    slicing: Option<Spanned<String>>,
    joint: Option<Spanned<bool>>,
    prefixes: Option<Spanned<usize>>,
    blocks: Option<Spanned<String>>,
    abstraction: Option<Spanned<String>>,
    scope: Option<Spanned<String>>,
    variable_order: Option<Spanned<String>>,
    domain_types: Option<Spanned<String>>,
    nodes: Option<Spanned<usize>>,
    slice_first: Option<Spanned<bool>>,
    call_stack: Option<Spanned<u32>>,
    states: Option<Spanned<usize>>,
    paths: Option<Spanned<u32>>,
    path_time: Option<Spanned<String>>,
    branch_time: Option<Spanned<String>>,
    cover_time: Option<Spanned<String>>,
    cover: Option<Spanned<String>>,
    relations: Option<Spanned<bool>>,
    array_slots: Option<Spanned<bool>>,
    interesting_variables: Option<Spanned<usize>>,
    interesting_predicates: Option<Spanned<usize>>,
    first_bound: Option<Spanned<u32>>,
    last_bound: Option<Spanned<u32>>,
    first_k: Option<Spanned<u32>>,
    last_k: Option<Spanned<u32>>,
    parallel_base: Option<Spanned<bool>>,
}

/// The settings of bounded model checking.
const OF_BMC: [&str; 2] = ["first-bound", "last-bound"];
/// The settings of k-induction.
const OF_INDUCTION: [&str; 5] =
    ["first-k", "last-k", "parallel-base", "interesting-variables", "interesting-predicates"];
/// Those of them that compositions have, too.
const SHARED: [&str; 2] = ["interesting-variables", "interesting-predicates"];

impl Keys {
    /// The settings that are stated, with their positions.
    fn stated(&self) -> Vec<(&'static str, usize)> {
        fn start<T>(setting: &Option<Spanned<T>>) -> Option<usize> {
            setting.as_ref().map(|s| s.span().start)
        }
        let all = [
            ("base", start(&self.base)),
            ("parts", start(&self.parts)),
            ("merge", start(&self.merge)),
            ("stop", start(&self.stop)),
            ("direction", start(&self.direction)),
            ("first-turn", start(&self.first_turn)),
            ("order", start(&self.order)),
            ("cegar", start(&self.cegar)),
            ("slicing", start(&self.slicing)),
            ("joint", start(&self.joint)),
            ("prefixes", start(&self.prefixes)),
            ("blocks", start(&self.blocks)),
            ("abstraction", start(&self.abstraction)),
            ("scope", start(&self.scope)),
            ("variable-order", start(&self.variable_order)),
            ("domain-types", start(&self.domain_types)),
            ("nodes", start(&self.nodes)),
            ("slice-first", start(&self.slice_first)),
            ("call-stack", start(&self.call_stack)),
            ("states", start(&self.states)),
            ("paths", start(&self.paths)),
            ("path-time", start(&self.path_time)),
            ("branch-time", start(&self.branch_time)),
            ("cover-time", start(&self.cover_time)),
            ("cover", start(&self.cover)),
            ("relations", start(&self.relations)),
            ("array-slots", start(&self.array_slots)),
            ("interesting-variables", start(&self.interesting_variables)),
            ("interesting-predicates", start(&self.interesting_predicates)),
            ("first-bound", start(&self.first_bound)),
            ("last-bound", start(&self.last_bound)),
            ("first-k", start(&self.first_k)),
            ("last-k", start(&self.last_k)),
            ("parallel-base", start(&self.parallel_base)),
        ];
        all.into_iter().filter_map(|(name, start)| Some((name, start?))).collect()
    }

    /// The position of the offending setting; if it is not stated, that of the first setting that is.
    fn place(&self, key: &str) -> usize {
        let all = self.stated();
        let blamed = all.iter().find(|(name, _)| *name == key);
        blamed.or(all.iter().min_by_key(|(_, start)| *start)).map_or(0, |(_, start)| *start)
    }

    /// The strategy described by a file.
    fn strategy(&self) -> Result<Strategy, Misfit> {
        let strategy = match (&self.base, &self.parts) {
            (Some(base), _) => Strategy::named(base.as_ref()).ok_or_else(|| {
                let known = Strategy::names().collect::<Vec<_>>().join(", ");
                Misfit::new("base", format!("unknown strategy '{}' (known: {known})", base.as_ref()))
            })?,
            (None, Some(parts)) => Strategy::explore("", Composition::of_parts(kinds(parts.as_ref())?)),
            (None, None) => {
                return Err(Misfit::new("parts", "a composition needs parts, or a base that has them"));
            }
        };
        Keys { base: None, ..self.clone() }.over(strategy)
    }

    /// The strategy that results from another one with these settings.
    fn over(&self, strategy: Strategy) -> Result<Strategy, Misfit> {
        let Strategy::Only(mut technique) = strategy else {
            return match self.stated().first() {
                Some((key, _)) => Err(Misfit::new(key, "has no effect on several techniques ('auto')")),
                None => Ok(strategy),
            };
        };
        let is_other = |key: &str| match technique {
            Technique::Bmc(_) => !OF_BMC.contains(&key),
            Technique::Induction(_) => !OF_INDUCTION.contains(&key),
            Technique::Impact(_)
            | Technique::Imc(_)
            | Technique::Pdr(_)
            | Technique::Contracts
            | Technique::Concrete(_)
            | Technique::Explicit => true,
            Technique::Explore { .. } => OF_BMC.contains(&key) || OF_INDUCTION.contains(&key) && !SHARED.contains(&key),
        };
        if let Some((key, _)) = self.stated().iter().find(|(key, _)| is_other(key)) {
            let reason = match technique {
                Technique::Bmc(_) => format!("bmc has no such setting (its settings: {})", OF_BMC.join(", ")),
                Technique::Induction(_) => {
                    format!("k-induction has no such setting (its settings: {})", OF_INDUCTION.join(", "))
                }
                Technique::Impact(_)
                | Technique::Imc(_)
                | Technique::Pdr(_)
                | Technique::Contracts
                | Technique::Concrete(_)
                | Technique::Explicit => {
                    format!("{} has no settings", technique.name())
                }
                Technique::Explore { .. } => "a composition of analyses has no such setting".into(),
            };
            return Err(Misfit::new(key, reason));
        }
        match &mut technique {
            Technique::Bmc(options) => {
                set(&mut options.first_bound, &self.first_bound);
                set(&mut options.last_bound, &self.last_bound);
                check_range(("first-bound", options.first_bound), ("last-bound", options.last_bound))?;
            }
            Technique::Induction(options) => {
                set(&mut options.first_k, &self.first_k);
                set(&mut options.last_k, &self.last_k);
                set(&mut options.base, &self.parallel_base);
                check_range(("first-k", options.first_k), ("last-k", options.last_k))?;
                set(&mut options.interesting.variables, &self.interesting_variables);
                set(&mut options.interesting.predicates, &self.interesting_predicates);
                let mut stated = self.stated().into_iter().map(|(key, _)| key);
                if let Some(key) = stated.find(|key| SHARED.contains(key) && !options.invariants) {
                    return Err(Misfit::new(key, "has no effect without invariants"));
                }
            }
            Technique::Impact(_)
            | Technique::Imc(_)
            | Technique::Pdr(_)
            | Technique::Contracts
            | Technique::Concrete(_)
            | Technique::Explicit => {}
            Technique::Explore { composition, .. } => return self.over_composition((**composition).clone()),
        }
        Ok(Strategy::Only(technique))
    }

    /// The strategy that results from `composition` with these settings.
    fn over_composition(&self, mut composition: Composition) -> Result<Strategy, Misfit> {
        if self.base.is_some() {
            return Err(Misfit::new("base", "is stated twice"));
        }
        if let Some(parts) = &self.parts {
            composition.parts = kinds(parts.as_ref())?;
        }
        if let Some(merge) = &self.merge {
            composition.merge =
                named(&Merge::ALL, "merge operator", merge.as_ref()).map_err(|e| Misfit::new("merge", e))?;
        }
        if let Some(stop) = &self.stop {
            composition.stop =
                named(&Stop::ALL, "termination check", stop.as_ref()).map_err(|e| Misfit::new("stop", e))?;
        }
        if let Some(direction) = &self.direction {
            composition.direction =
                named(&Direction::ALL, "direction", direction.as_ref()).map_err(|e| Misfit::new("direction", e))?;
        }
        if self.first_turn.is_some() && composition.direction != Direction::Both {
            return Err(Misfit::new("first-turn", "has no effect without direction 'both'"));
        }
        set(&mut composition.first_turn, &self.first_turn);
        if let Some(order) = &self.order {
            let names = order.as_ref().iter().map(String::as_str);
            composition.order = Order::of_names(names).map_err(|e| Misfit::new("order", e))?;
        }
        self.set_refinement(&mut composition)?;
        self.set_predicates(&mut composition)?;
        self.set_diagrams(&mut composition)?;
        self.set_limits(&mut composition)?;
        checked(composition)
    }

    fn set_refinement(&self, composition: &mut Composition) -> Result<(), Misfit> {
        if let Some(cegar) = &self.cegar {
            composition.refine = cegar.as_ref().then(|| composition.refine.unwrap_or_default());
        }
        if let Some(slicing) = &self.slicing {
            let all: Vec<_> = SlicingCriterion::ALL.map(|(name, criterion)| (name, Some(criterion))).into();
            let all = [vec![("none", None)], all].concat();
            let criterion = named(&all, "way of slicing", slicing.as_ref()).map_err(|e| Misfit::new("slicing", e))?;
            let options = composition.slicing.unwrap_or_default();
            composition.slicing = criterion.map(|criterion| slicing::Options { criterion, ..options });
        }
        if let Some(joint) = &self.joint {
            match &mut composition.slicing {
                Some(options) if composition.refine.is_some() => options.joint = *joint.as_ref(),
                _ => return Err(Misfit::new("joint", "has no effect without both cegar and slicing")),
            }
        }
        if let Some(prefixes) = &self.prefixes {
            let prefixes = *prefixes.as_ref();
            if composition.refine.is_none() && composition.slicing.is_none() {
                return Err(Misfit::new("prefixes", "has no effect without cegar or slicing"));
            }
            composition.refine = composition.refine.map(|options| refine::Options { prefixes, ..options });
            composition.slicing = composition.slicing.map(|options| slicing::Options { prefixes, ..options });
        }
        if let Some(first) = &self.slice_first {
            composition.slices_first = *first.as_ref();
        }
        Ok(())
    }

    fn set_predicates(&self, composition: &mut Composition) -> Result<(), Misfit> {
        let stated = [("blocks", &self.blocks), ("abstraction", &self.abstraction), ("scope", &self.scope)];
        let has_predicates = composition.parts.contains(&PartKind::Predicate);
        if let Some((key, _)) = stated.iter().find(|(_, setting)| setting.is_some() && !has_predicates) {
            return Err(Misfit::new(key, "has no effect without the part 'predicate'"));
        }
        let options = &mut composition.predicates;
        if let Some(blocks) = &self.blocks {
            let all = &Blocks::ALL;
            options.blocks = named(all, "kind of blocks", blocks.as_ref()).map_err(|e| Misfit::new("blocks", e))?;
        }
        if let Some(method) = &self.abstraction {
            let all = &predicate::Method::ALL;
            options.method = named(all, "abstraction", method.as_ref()).map_err(|e| Misfit::new("abstraction", e))?;
        }
        if let Some(scope) = &self.scope {
            let all = &predicate::Scope::ALL;
            options.scope = named(all, "scope", scope.as_ref()).map_err(|e| Misfit::new("scope", e))?;
        }
        Ok(())
    }

    fn set_diagrams(&self, composition: &mut Composition) -> Result<(), Misfit> {
        let stated = [
            ("variable-order", self.variable_order.is_some()),
            ("domain-types", self.domain_types.is_some()),
            ("nodes", self.nodes.is_some()),
        ];
        let has_diagrams = composition.parts.contains(&PartKind::Bdd);
        if let Some((key, _)) = stated.iter().find(|(_, stated)| *stated && !has_diagrams) {
            return Err(Misfit::new(key, "has no effect without the part 'bdd'"));
        }
        let options = &mut composition.bdd;
        if let Some(order) = &self.variable_order {
            let all = &bdd::Order::ALL;
            options.order =
                named(all, "order of variables", order.as_ref()).map_err(|e| Misfit::new("variable-order", e))?;
        }
        if let Some(types) = &self.domain_types {
            let all = &bdd::TYPES;
            options.types = named(all, "domain type", types.as_ref()).map_err(|e| Misfit::new("domain-types", e))?;
        }
        set(&mut options.max_nodes, &self.nodes);
        Ok(())
    }

    fn set_limits(&self, composition: &mut Composition) -> Result<(), Misfit> {
        set(&mut composition.max_depth, &self.call_stack);
        set(&mut composition.max_states, &self.states);
        set(&mut composition.paths.max_paths, &self.paths);
        if let Some(cover) = &self.cover {
            if !composition.parts.contains(&PartKind::Symbolic) {
                return Err(Misfit::new("cover", "has no effect without the part 'symbolic'"));
            }
            composition.cover =
                named(&Cover::ALL, "way of covering", cover.as_ref()).map_err(|e| Misfit::new("cover", e))?;
        }
        let additions = [("relations", &self.relations), ("array-slots", &self.array_slots)];
        let has_intervals = composition.parts.contains(&PartKind::Invariants);
        if let Some((key, _)) = additions.iter().find(|(_, setting)| setting.is_some() && !has_intervals) {
            return Err(Misfit::new(key, "has no effect without the part 'invariants'"));
        }
        set(&mut composition.additions.relations, &self.relations);
        set(&mut composition.additions.array_slots, &self.array_slots);
        let interesting = [
            ("interesting-variables", &self.interesting_variables),
            ("interesting-predicates", &self.interesting_predicates),
        ];
        let joins_intervals = composition.parts.contains(&PartKind::Invariants) && composition.merge != Merge::Sep;
        if let Some((key, _)) = interesting.iter().find(|(_, setting)| setting.is_some() && !joins_intervals) {
            return Err(Misfit::new(key, "has no effect unless states of the part 'invariants' are joined"));
        }
        set(&mut composition.interesting.variables, &self.interesting_variables);
        set(&mut composition.interesting.predicates, &self.interesting_predicates);
        let symbolic = composition.parts.contains(&PartKind::Symbolic);
        let times: [(&'static str, &Option<Spanned<String>>, &mut Duration, bool); 3] = [
            ("path-time", &self.path_time, &mut composition.paths.limit, true),
            ("branch-time", &self.branch_time, &mut composition.questions.branch, symbolic),
            ("cover-time", &self.cover_time, &mut composition.questions.cover, symbolic),
        ];
        for (key, setting, value, matters) in times {
            let Some(setting) = setting else { continue };
            if !matters {
                return Err(Misfit::new(key, "has no effect without the part 'symbolic'"));
            }
            *value = parse_duration(setting.as_ref()).map_err(|e| Misfit::new(key, e))?;
        }
        Ok(())
    }
}

/// Sets `value` if `setting` is stated.
fn set<T: Copy>(value: &mut T, setting: &Option<Spanned<T>>) {
    if let Some(setting) = setting {
        *value = *setting.as_ref();
    }
}

fn kinds(names: &[String]) -> Result<Vec<PartKind>, Misfit> {
    let kinds = names.iter().map(|name| named(PartKind::ALL, "part", name));
    kinds.collect::<Result<_, _>>().map_err(|e| Misfit::new("parts", e))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The settings of a strategy, as files and `--strategy` state them.
pub fn settings(strategy: &Strategy) -> Vec<(&'static str, String)> {
    let number = |n: u32| n.to_string();
    match strategy {
        Strategy::Auto => Vec::new(),
        Strategy::Only(technique @ Technique::Bmc(options)) => vec![
            ("base", quoted(technique.name())),
            ("first-bound", number(options.first_bound)),
            ("last-bound", number(options.last_bound)),
        ],
        Strategy::Only(technique @ Technique::Induction(options)) => {
            let mut all = vec![
                ("base", quoted(technique.name())),
                ("first-k", number(options.first_k)),
                ("last-k", number(options.last_k)),
                ("parallel-base", options.base.to_string()),
            ];
            if options.invariants {
                all.push(("interesting-variables", options.interesting.variables.to_string()));
                all.push(("interesting-predicates", options.interesting.predicates.to_string()));
            }
            all
        }
        Strategy::Only(
            technique @ (Technique::Impact(_)
            | Technique::Imc(_)
            | Technique::Pdr(_)
            | Technique::Contracts
            | Technique::Concrete(_)
            | Technique::Explicit),
        ) => {
            vec![("base", quoted(technique.name()))]
        }
        Strategy::Only(Technique::Explore { composition, .. }) => of_composition(composition),
    }
}

/// The settings of a composition, in the form that [`Keys`] reads.
fn of_composition(composition: &Composition) -> Vec<(&'static str, String)> {
    let list = |names: Vec<&str>| format!("[{}]", names.into_iter().map(quoted).collect::<Vec<_>>().join(", "));
    let time = |time: Duration| quoted(&show_duration(time));
    let mut all = vec![
        ("parts", list(composition.parts.iter().map(|p| p.name()).collect())),
        ("merge", quoted(composition.merge.name())),
        ("stop", quoted(composition.stop.name())),
        ("direction", quoted(composition.direction.name())),
        ("order", list(composition.order.names())),
        ("cegar", composition.refine.is_some().to_string()),
        ("slicing", quoted(composition.slicing_name())),
        ("slice-first", composition.slices_first.to_string()),
        ("call-stack", composition.max_depth.to_string()),
        ("states", composition.max_states.to_string()),
        ("paths", composition.paths.max_paths.to_string()),
        ("path-time", time(composition.paths.limit)),
    ];
    if composition.direction == Direction::Both {
        all.push(("first-turn", composition.first_turn.to_string()));
    }
    if composition.refine.is_some() {
        all.extend(composition.slicing.map(|options| ("joint", options.joint.to_string())));
    }
    let prefixes = composition.slicing.map(|o| o.prefixes).or(composition.refine.map(|o| o.prefixes));
    all.extend(prefixes.map(|n| ("prefixes", n.to_string())));
    if composition.parts.contains(&PartKind::Invariants) {
        all.push(("relations", composition.additions.relations.to_string()));
        all.push(("array-slots", composition.additions.array_slots.to_string()));
    }
    if composition.parts.contains(&PartKind::Invariants) && composition.merge != Merge::Sep {
        all.push(("interesting-variables", composition.interesting.variables.to_string()));
        all.push(("interesting-predicates", composition.interesting.predicates.to_string()));
    }
    if composition.parts.contains(&PartKind::Predicate) {
        let options = composition.predicates;
        all.push(("blocks", quoted(options.blocks.name())));
        all.push(("abstraction", quoted(options.method.name())));
        all.push(("scope", quoted(options.scope.name())));
    }
    if composition.parts.contains(&PartKind::Bdd) {
        let options = composition.bdd;
        let types = bdd::TYPES.iter().find(|(_, types)| *types == options.types).map_or("", |(name, _)| name);
        all.push(("variable-order", quoted(options.order.name())));
        all.push(("domain-types", quoted(types)));
        all.push(("nodes", options.max_nodes.to_string()));
    }
    if composition.parts.contains(&PartKind::Symbolic) {
        all.push(("cover", quoted(composition.cover.name())));
        all.push(("branch-time", time(composition.questions.branch)));
        all.push(("cover-time", time(composition.questions.cover)));
    }
    all
}

#[cfg(test)]
mod tests;
