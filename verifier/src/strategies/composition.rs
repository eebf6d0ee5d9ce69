//! Compositions of analyses, and how they are explored. Every strategy by exploration is a composition [Lemberger 2018, 2.6.3, 4.2].
//!
//! Explicit values suffice if the relevant values are known, but not if they are inputs [Beyer, Stahlbauer 2014, 1]. Symbolic
//! execution follows each path with symbolic inputs, and covers states that are equal up to renaming [Lemberger 2015, 2]. Analyses run
//! alone or side by side; the named strategies are compositions, too.

use crate::blocks::Blocks;
use crate::cpa::Stop;
use crate::cpa::precision::Conditions;
use crate::cpa::skeleton::composite::Composite;
use crate::domains::bdd;
use crate::domains::intervals::{Additions, Interesting, InvariantsCpa};
use crate::domains::predicate::{self, Method};
use crate::domains::symbolic;
use crate::domains::{Analyses, Merge, Part, PartKind, Parts, Settings, WithPart};
use crate::invariants::abstract_interpretation;
use crate::program::domain_types::DomainType;
use crate::program::reversed::Reversed;
use crate::program::{Budget, Program};
use crate::reach::driver::{ExploreOptions, Explored, Paths};
use crate::reach::explore::Limits;
use crate::reach::waitlist::Order;
use crate::refine;
use crate::refine::slicing;
use crate::strategies::backward::{Turn, both_ends};
use crate::strategies::reachability::{self, Configuration};
use smt::Solver;
use std::rc::Rc;
use std::time::Duration;
use thiserror::Error;

/// A composition, and how it is explored.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The analyses of values that run side by side, on top of location and call stack.
    pub parts: Vec<PartKind>,
    /// How states are merged where paths meet.
    pub merge: Merge,
    /// When reached states cover another one.
    pub stop: Stop,
    /// The order of expansion.
    pub order: Order,
    /// Maximum number of frames on the call stack.
    pub max_depth: u32,
    /// Maximum number of states.
    pub max_states: usize,
    /// If set, precisions begin empty and are refined with these options.
    pub refine: Option<refine::Options>,
    /// If set, the slice begins empty and grows with these options.
    pub slicing: Option<slicing::Options>,
    /// Limits on checking paths to targets.
    pub paths: Paths,
    /// For symbolic execution, the time limits of solver queries.
    pub questions: symbolic::Limits,
    /// For symbolic execution, when states cover others.
    pub cover: symbolic::Cover,
    /// For intervals, what else is tracked.
    pub additions: Additions,
    /// For intervals that are joined, what keeps states apart.
    pub interesting: Interesting,
    /// For predicate abstraction, its blocks, its method, and where predicates are tracked.
    pub predicates: predicate::Options,
    /// For decision diagrams, the order of variables, which variables are tracked, and a limit.
    pub bdd: bdd::Options,
    /// Whether the program is sliced for the targets before it is explored.
    pub slices_first: bool,
    /// From where to where the program is explored.
    pub direction: Direction,
    /// From both ends: the number of states of the first turn of each direction. Each later turn has twice as many.
    pub first_turn: usize,
}

/// From where to where a program is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// From the entry to the targets.
    #[default]
    Forward,
    /// From the targets to the entry, in the [reversed program](crate::program::reversed).
    Backward,
    /// [From both ends](crate::strategies::backward::both_ends).
    Both,
}

impl Direction {
    /// All directions, by the names used in configurations.
    pub const ALL: [(&'static str, Direction); 3] =
        [("forward", Direction::Forward), ("backward", Direction::Backward), ("both", Direction::Both)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Direction::ALL.iter().find(|(_, direction)| *direction == self).map_or("", |(name, _)| name)
    }
}

/// Says what does not fit in a composition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Misfit {
    /// The offending setting, by the name used in configurations.
    pub key: &'static str,
    /// What does not fit, and what would.
    pub reason: String,
}

impl Misfit {
    /// A misfit of the setting `key`, for this reason.
    pub fn new(key: &'static str, reason: impl Into<String>) -> Misfit {
        Misfit { key, reason: reason.into() }
    }
}

impl Composition {
    /// The names of compositions. Those that [Lemberger 2018, 4.2] evaluates, and the corresponding ones with explicit values, explore the
    /// whole program, since they show what slicing and refinement achieve during exploration.
    pub const PRESETS: [&'static str; 21] = [
        "bdd",
        "bdd-backward",
        "bdd-backward-dfs",
        "both-ends",
        "invariants",
        "predicate",
        "predicate-backward",
        "predicate-backward-dfs",
        "predicate-cartesian",
        "predicate-sbe",
        "predicate-slicing",
        "symex",
        "symex-merged",
        "symex-slicing",
        "symex-cegar",
        "symex-cegar-slicing",
        "value",
        "value-backward",
        "value-slicing",
        "value-cegar",
        "value-cegar-slicing",
    ];

    /// The composition with this name.
    pub fn named(name: &str) -> Option<Composition> {
        if !Composition::PRESETS.contains(&name) {
            return None;
        }
        let (base, additions) = name.split_once('-').unwrap_or((name, ""));
        let composition = match base {
            "value" => Composition::value(),
            "invariants" => Composition::invariants(),
            "predicate" => Composition::predicate(),
            "bdd" => Composition::bdd(),
            "both" => {
                let both = Composition::of_parts(vec![PartKind::Bdd, PartKind::Predicate]);
                return Some(Composition { direction: Direction::Both, ..both });
            }
            _ if additions == "merged" => Composition::symex_merged(),
            _ => Composition::symex(),
        };
        let has = |addition: &str| additions.split('-').any(|a| a == addition);
        let composition = match (has("backward"), has("dfs")) {
            (false, _) => composition,
            (true, dfs) => {
                let order = if dfs { Order::DEPTH_FIRST } else { Order::BREADTH_FIRST };
                Composition { direction: Direction::Backward, order, slices_first: true, ..composition }
            }
        };
        let slicing = has("slicing").then(slicing::Options::default);
        if base == "predicate" {
            let blocks = if has("sbe") { Blocks::Edges } else { Blocks::default() };
            let method = if has("cartesian") { Method::Cartesian } else { Method::default() };
            let predicates = predicate::Options { blocks, method, ..predicate::Options::default() };
            let slices_first = slicing.is_none();
            return Some(Composition { predicates, slicing, slices_first, ..composition });
        }
        Some(Composition { refine: has("cegar").then(refine::Options::default), slicing, ..composition })
    }

    /// Explicit values only.
    pub fn value() -> Composition {
        Composition {
            parts: vec![PartKind::Value],
            max_states: 20_000_000,
            paths: Paths { limit: Duration::from_secs(5), max_paths: 200 },
            ..Composition::symex()
        }
    }

    /// Symbolic execution only.
    pub fn symex() -> Composition {
        Composition {
            parts: vec![PartKind::Symbolic],
            merge: Merge::Sep,
            stop: Stop::Sep,
            order: Order::BREADTH_FIRST,
            max_depth: 20_000,
            max_states: 5_000_000,
            refine: None,
            slicing: None,
            paths: Paths { limit: Duration::from_secs(60), max_paths: 200 },
            questions: symbolic::Limits::default(),
            cover: symbolic::Cover::default(),
            additions: Additions::default(),
            interesting: Interesting::default(),
            predicates: predicate::Options::default(),
            bdd: bdd::Options::default(),
            slices_first: false,
            direction: Direction::Forward,
            first_turn: 10_000,
        }
    }

    /// Symbolic execution only, in which states with the same constants are merged. Paths are followed side by side, so that states meet
    /// before they are expanded.
    pub fn symex_merged() -> Composition {
        Composition { merge: Merge::Join, order: Order::SIDE_BY_SIDE, ..Composition::symex() }
    }

    /// Sets of intervals only, joined where paths meet.
    pub fn invariants() -> Composition {
        Composition {
            parts: vec![PartKind::Invariants],
            merge: Merge::Join,
            order: Order::REVERSE_POSTORDER,
            paths: Paths { limit: Duration::from_secs(5), max_paths: 20 },
            slices_first: true,
            ..Composition::symex()
        }
    }

    /// Decision diagrams only, joined where paths meet.
    pub fn bdd() -> Composition {
        Composition {
            parts: vec![PartKind::Bdd],
            paths: Paths { limit: Duration::from_secs(60), max_paths: 20 },
            ..Composition::invariants()
        }
    }

    /// Predicate abstraction only, with blocks that end at loops; paths of a block are joined.
    pub fn predicate() -> Composition {
        Composition {
            parts: vec![PartKind::Predicate],
            merge: Merge::Join,
            order: Order::REVERSE_POSTORDER,
            refine: Some(refine::Options::default()),
            paths: Paths { limit: Duration::from_secs(60), max_paths: 20 },
            slices_first: true,
            ..Composition::symex()
        }
    }

    /// The composition of these parts, with the defaults of predicate abstraction or of decision diagrams if it is one of them, or else of the last part.
    pub fn of_parts(parts: Vec<PartKind>) -> Composition {
        let defaults = match parts.last() {
            _ if parts.contains(&PartKind::Predicate) => Composition::predicate(),
            _ if parts.contains(&PartKind::Bdd) => Composition::bdd(),
            Some(PartKind::Value) => Composition::value(),
            Some(part) if parts.len() == 1 && part.joins_alone() => Composition::invariants(),
            _ => Composition::symex(),
        };
        // Beside others, diagrams have the variables that suit them [Beyer, Stahlbauer 2014, 4.5].
        let types = (parts.len() > 1).then_some(DomainType::Eq);
        Composition { parts, bdd: bdd::Options { types, ..defaults.bdd }, ..defaults }
    }

    /// Whether symbolic states with the same constants are merged.
    fn merges_states(&self) -> bool {
        self.merge == Merge::Join && self.parts == [PartKind::Symbolic]
    }

    /// Checks whether all settings fit together.
    ///
    /// Errors: the first setting that does not fit.
    pub fn check(&self) -> Result<(), Misfit> {
        let known = PartKind::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        if self.parts.is_empty() {
            return Err(Misfit::new("parts", format!("a composition must have at least one part (known: {known})")));
        }
        if let Some((i, part)) = self.parts.iter().enumerate().find(|(i, part)| self.parts[..*i].contains(part)) {
            return Err(Misfit::new("parts", format!("'{}' is already part {i}", part.name())));
        }
        if [PartKind::Predicate, PartKind::Symbolic].iter().all(|p| self.parts.contains(p)) {
            let reason = "'predicate' and 'symbolic' each need their own labels in certificates; use one of them";
            return Err(Misfit::new("parts", reason));
        }
        let joins: Vec<PartKind> = self.parts.iter().copied().filter(|p| p.joins()).collect();
        let keeps_apart = |p: &&PartKind| !p.joins() && !self.merges_states();
        let others: Vec<&str> = self.parts.iter().filter(keeps_apart).map(|p| p.name()).collect();
        match self.merge {
            Merge::Join if !others.is_empty() => {
                let reason = format!("'{}' cannot join states; 'sep' would fit", others.join(", "));
                let agree = if joins.is_empty() { "" } else { ", or 'agree'" };
                return Err(Misfit::new("merge", format!("{reason}{agree}")));
            }
            Merge::Agree if joins.is_empty() => {
                return Err(Misfit::new(
                    "merge",
                    "no part can join states, so there is nothing to agree on; 'sep' would fit",
                ));
            }
            Merge::Join | Merge::Agree if self.refine.is_some() && !self.parts.contains(&PartKind::Predicate) => {
                let reason = "a refinement is for one path, but merged states lie on several; use 'sep' with cegar, \
                              or this without";
                return Err(Misfit::new("merge", reason));
            }
            _ => {}
        }
        if self.direction != Direction::Forward && self.slicing.is_some() {
            let reason = "slices on the way are for paths from the entry; without slicing, this would fit";
            return Err(Misfit::new("direction", reason));
        }
        if self.stop == Stop::Join && !self.parts.iter().any(|p| p.subtracts()) {
            let able: Vec<&str> = PartKind::ALL.iter().filter(|(_, p)| p.subtracts()).map(|(name, _)| *name).collect();
            let reason = format!("no part subtracts states ({} do); 'sep' would fit", able.join(" and "));
            return Err(Misfit::new("stop", reason));
        }
        let positive = [
            ("call-stack", u64::from(self.max_depth)),
            ("states", self.max_states as u64),
            ("paths", u64::from(self.paths.max_paths)),
            ("prefixes", self.refine.map_or(1, |o| o.prefixes as u64)),
            ("prefixes", self.slicing.map_or(1, |o| o.prefixes as u64)),
            ("nodes", self.bdd.max_nodes as u64),
            ("first-turn", self.first_turn as u64),
        ];
        match positive.iter().find(|(_, n)| *n == 0) {
            Some((key, _)) => Err(Misfit::new(key, "must be at least 1")),
            None => Ok(()),
        }
    }

    /// What is added to the slice, by the name used in configurations.
    pub fn slicing_name(&self) -> &'static str {
        self.slicing.map_or("none", |options| options.criterion.name())
    }

    fn configuration<'a>(&self, draw: bool, turn: Option<&'a Turn<'a>>) -> Configuration<'a> {
        let symbolic = self.parts.contains(&PartKind::Symbolic);
        Configuration {
            explore: ExploreOptions {
                limits: Limits { order: self.order, max_states: self.max_states, stop: self.stop },
                paths: self.paths,
                draw,
            },
            conditions: if symbolic { Conditions::Constraints } else { Conditions::Values },
            // The part that is asked last knows most.
            imprecise: self.parts.iter().max().map_or("", |part| part.imprecise(self.merge != Merge::Sep)),
            refine: self.refine,
            predicates: self.parts.contains(&PartKind::Predicate).then_some(self.predicates.scope),
            slicing: self.slicing,
            turn,
        }
    }
}

/// Explores `program` with a composition whose settings fit; `draw` says whether to draw the graph of reached states.
///
/// There is no outcome if time or budget run out, or at a construct without a model.
pub fn run(
    program: &Program,
    composition: &Composition,
    draw: bool,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Explored {
    match composition.direction {
        Direction::Forward => explore(program, None, composition, draw, solver, budget),
        Direction::Backward => {
            let reversed = Reversed::new(program, &[]);
            let turn = Turn::backward(program, &reversed);
            explore(&reversed.program, Some(&turn), composition, draw, solver, budget)
        }
        Direction::Both => both_ends::run(program, composition, draw, budget),
    }
}

/// Explores `program` as it is, which `turn` made of another one.
pub(super) fn explore(
    program: &Program,
    turn: Option<&Turn<'_>>,
    composition: &Composition,
    draw: bool,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Explored {
    let configuration = composition.configuration(draw, turn);
    let merges = composition.merge != Merge::Sep;
    let bounds = if merges && composition.parts.contains(&PartKind::Invariants) {
        let cpa = InvariantsCpa::keeping_apart(program, composition.interesting).with(composition.additions);
        Rc::new(abstract_interpretation::bounds(program, cpa, solver, budget))
    } else {
        Rc::default()
    };
    let Composition { questions, cover, additions, interesting, predicates, bdd, .. } = *composition;
    let left_out = bdd.types.filter(|_| composition.parts.contains(&PartKind::Bdd));
    let merges_states = composition.merges_states();
    let settings =
        Settings { left_out, merges, merges_states, questions, cover, bounds, additions, interesting, predicates, bdd };
    match composition.parts[..] {
        // A single part is performance-critical, so it is compiled without the indirection of a composition.
        [kind] => kind.with(Alone { program, composition, settings, configuration, solver, budget }),
        ref kinds => {
            let analysis = |slice: &Program| {
                let parts = Parts::new(Analyses::new(slice, kinds, &settings), composition.merge);
                Composite::new(parts, composition.max_depth)
            };
            reachability::configured(program, &analysis, &configuration, solver, budget)
        }
    }
}

/// An exploration with one part.
struct Alone<'a, 'b> {
    program: &'a Program,
    composition: &'a Composition,
    settings: Settings,
    configuration: Configuration<'a>,
    solver: &'a mut dyn Solver,
    budget: Budget<'b>,
}

impl WithPart for Alone<'_, '_> {
    type Output = Explored;

    fn with<C: Part>(self) -> Explored {
        let analysis =
            |slice: &Program| Composite::new(C::with_settings(slice, &self.settings), self.composition.max_depth);
        reachability::configured(self.program, &analysis, &self.configuration, self.solver, self.budget)
    }
}
