//! What the operations of a slice do with each variable, and which variables they relate.
//!
//! Each term has a *source*: a variable whose partition the term's value belongs to, or none if it is a constant, a choice among constants, or
//! computed in a way that has no partition (a product, a truth value). Terms come with their arguments first, so one pass finds all
//! sources, however terms share subterms; constants are shared by everything, which is why they are no members of partitions.

use super::{DomainType, Program};
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{Id, Op, Scope, Sort, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is done with a variable.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    /// The least type that has all operations, of those that do not depend on values.
    demand: DomainType,
    /// Any value of more than one bit may flow into it.
    arbitrary: bool,
    /// It is compared for equality with something else than 0.
    distinguished: bool,
    /// It is made wider, or comes from something narrower.
    widened: bool,
    /// It takes part in operations that keep 0 and 1, and are bit operations on other values.
    bitwise: bool,
}

impl Facts {
    pub(super) fn join(&mut self, other: Facts) {
        self.demand = self.demand.max(other.demand);
        self.arbitrary |= other.arbitrary;
        self.distinguished |= other.distinguished;
        self.widened |= other.widened;
        self.bitwise |= other.bitwise;
    }

    /// The type of a partition with these facts. `zero_or_one`: its constants are 0 and 1.
    pub(super) fn domain(self, zero_or_one: bool) -> DomainType {
        if self.demand <= DomainType::Bool && zero_or_one {
            // Either there are two values, or two classes of values.
            let two_classes = !self.distinguished && !self.bitwise;
            if !self.arbitrary || two_classes {
                return DomainType::Bool;
            }
        }
        if self.widened || self.bitwise { DomainType::Other } else { self.demand.max(DomainType::Eq) }
    }
}

/// Where the value of a term comes from.
#[derive(Clone, Copy)]
enum Source {
    /// It is of the partition of this variable.
    Variable(VarId),
    /// It is a constant, or computed; what is assigned it or compared with it has at least this type.
    Computed(DomainType),
}

/// The result of the pass.
pub(super) struct Usage {
    /// Which variables are related.
    pub classes: UnionFind<u32>,
    /// By variable.
    pub facts: Vec<Facts>,
    /// Terms without variables that variables are assigned or compared with.
    pub flows: Vec<(VarId, Term)>,
    /// The variables in the slice, without arrays.
    pub occurring: FixedBitSet,
}

/// The terms of which `t` is one, if it is a choice.
pub(super) fn alternatives(terms: &Terms, t: Term) -> &[Term] {
    if terms.kind(t) == Kind::Ite { &terms.args(t)[1..] } else { &[] }
}

impl Usage {
    /// Looks at all operations that the view of the slice reaches.
    pub(super) fn new(program: &Program) -> Usage {
        let n = program.cfa.vars.len();
        let mut pass = Pass {
            program,
            sources: FxHashMap::default(),
            found: Usage {
                classes: UnionFind::new(n),
                facts: vec![Facts::default(); n],
                flows: Vec::new(),
                occurring: FixedBitSet::with_capacity(n),
            },
        };
        let view = &program.view;
        let edges = || view.reachable(&program.cfa).into_iter().flat_map(|l| view.out(l));
        let roots: Vec<Term> = edges().flat_map(|e| program.op(e).terms()).collect();
        for t in program.base.subterms(&roots, |_| false) {
            let source = pass.source(t);
            pass.sources.insert(t, source);
        }
        for e in edges() {
            pass.operation(program.op(e), e.to);
        }
        pass.initial_values();
        pass.found
    }
}

struct Pass<'p> {
    program: &'p Program,
    sources: FxHashMap<Term, Source>,
    found: Usage,
}

impl Pass<'_> {
    fn is_scalar(&self, v: VarId) -> bool {
        !matches!(self.program.cfa.vars[v].sort, Sort::Array { .. })
    }

    fn operation(&mut self, op: &Op, to: cfa::LocId) {
        for v in op.written() {
            self.occurs(v);
        }
        match op {
            Op::Assign(list) => {
                for &(v, t) in list {
                    if self.is_scalar(v) {
                        self.flow(v, t);
                    }
                }
            }
            // Globals have arbitrary values before their initial ones: nothing depends on them.
            Op::Input { var, .. } if self.program.liveness.is_live(to, *var) => self.arbitrary(*var),
            Op::CallIndirect(call) => {
                for t in op.terms() {
                    self.demand_of_term(t, DomainType::Other);
                }
                call.result.into_iter().for_each(|v| self.demand(v, DomainType::Other));
            }
            Op::Unsupported(u) => {
                for v in [&u.reads, &u.writes].into_iter().flatten().flat_map(|list| list.iter()) {
                    self.occurs(*v);
                    self.demand(*v, DomainType::Other);
                }
            }
            Op::Input { .. } | Op::Skip | Op::Assume { .. } | Op::Call(_) => {}
        }
    }

    fn occurs(&mut self, v: VarId) {
        if self.is_scalar(v) {
            self.found.occurring.insert(v.index());
        }
    }

    /// A variable that is read before it is assigned has any value. Transfer variables of parameters and results are always assigned
    /// before: by callers, before the entry, and by functions that return.
    fn initial_values(&mut self) {
        let funcs = &self.program.cfa.funcs;
        let transfer: FxHashSet<VarId> = funcs.iter().flat_map(|f| f.params.iter().copied().chain(f.result)).collect();
        for v in self.found.occurring.ones().map(VarId::from_index).collect::<Vec<_>>() {
            if transfer.contains(&v) {
                continue;
            }
            let begin = match self.program.cfa.vars[v].scope {
                Scope::Global => self.program.start(),
                Scope::Local(f) => self.program.entry_of(f),
            };
            if self.program.liveness.is_live(begin, v) {
                self.arbitrary(v);
            }
        }
    }

    fn arbitrary(&mut self, v: VarId) {
        let wide = matches!(self.program.cfa.vars[v].sort, Sort::Bv(width) if width > 1);
        self.found.facts[v.index()].arbitrary |= wide;
    }

    fn demand(&mut self, v: VarId, domain: DomainType) {
        let demand = &mut self.found.facts[v.index()].demand;
        *demand = domain.max(*demand);
    }

    fn demand_of_term(&mut self, t: Term, domain: DomainType) {
        if let Source::Variable(v) = self.sources[&t] {
            self.demand(v, domain);
        }
    }

    /// The value of `t` is one that `v` has, or is compared with.
    fn flow(&mut self, v: VarId, t: Term) {
        match self.sources[&t] {
            Source::Variable(w) => {
                self.found.classes.union(v.0, w.0);
            }
            Source::Computed(domain) => {
                self.demand(v, domain);
                self.found.flows.push((v, t));
            }
        }
    }

    /// Puts the values of all of `ts` into one partition.
    fn join(&mut self, ts: &[Term]) -> Source {
        let of = |t: &Term| self.sources[t];
        let Some(v) = ts.iter().find_map(|t| if let Source::Variable(v) = of(t) { Some(v) } else { None }) else {
            let domain = |t: &Term| if let Source::Computed(domain) = of(t) { domain } else { DomainType::Bool };
            return Source::Computed(ts.iter().map(domain).max().unwrap_or_default());
        };
        for &t in ts {
            self.flow(v, t);
        }
        Source::Variable(v)
    }

    /// The source of `t`, whose arguments have theirs; and what `t` does with its arguments.
    fn source(&mut self, t: Term) -> Source {
        use DomainType::{Add, Bool, Other};
        let terms = self.program.base.clone();
        let (args, scalar) = (terms.args(t), !matches!(terms.sort(t), Sort::Array { .. }));
        match terms.kind(t) {
            Kind::Var(v) if scalar => {
                self.occurs(v);
                Source::Variable(v)
            }
            Kind::Bool(_) | Kind::Const(_) | Kind::BigConst(_) | Kind::Not | Kind::And | Kind::Or => {
                Source::Computed(Bool)
            }
            Kind::Ite if scalar => self.join(&args[1..]),
            Kind::Eq if !matches!(terms.sort(args[0]), Sort::Array { .. }) => {
                if let Source::Variable(v) = self.join(args) {
                    let with_zero = args.iter().any(|a| terms.as_u64(*a) == Some(0));
                    self.found.facts[v.index()].distinguished |= !with_zero;
                }
                Source::Computed(Bool)
            }
            Kind::Cmp(_) => {
                if let Source::Variable(v) = self.join(args) {
                    self.demand(v, Add);
                }
                Source::Computed(Bool)
            }
            Kind::Bv(BvOp::Add | BvOp::Sub) | Kind::BvNeg => self.sum(&terms, args),
            Kind::Bv(BvOp::And | BvOp::Or | BvOp::Xor) | Kind::Extract { lo: 0, .. } => {
                self.resized(args, |facts| facts.bitwise = true)
            }
            Kind::Zext => self.resized(args, |facts| facts.widened = true),
            // The one bit becomes all bits.
            Kind::Sext if terms.width(args[0]) > 1 => self.resized(args, |facts| facts.widened = true),
            _ => {
                for a in args {
                    self.demand_of_term(*a, Other);
                }
                // Comparisons of floats are truth values.
                Source::Computed(if terms.sort(t) == Sort::Bool { Bool } else { Other })
            }
        }
    }

    /// A sum or difference. Addends that are constants are neither assigned nor compared.
    fn sum(&mut self, terms: &Terms, args: &[Term]) -> Source {
        let addends: Vec<Term> = args.iter().copied().filter(|a| terms.as_bv(*a).is_none()).collect();
        match self.join(&addends) {
            Source::Variable(v) => {
                self.demand(v, DomainType::Add);
                Source::Variable(v)
            }
            Source::Computed(domain) => Source::Computed(domain.max(DomainType::Add)),
        }
    }

    /// An operation that keeps 0 and 1.
    fn resized(&mut self, args: &[Term], note: impl Fn(&mut Facts)) -> Source {
        match self.join(args) {
            Source::Variable(v) => {
                note(&mut self.found.facts[v.index()]);
                Source::Variable(v)
            }
            // Constants are folded, so this is a value with other operations in it.
            Source::Computed(_) => Source::Computed(DomainType::Other),
        }
    }
}
