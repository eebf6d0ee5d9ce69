//! Reads a certificate from text.

use super::{program_hash, set, sort};
use crate::certificate::{
    Certificate, Contract, Explored, ForAll, Frame, FrameId, Label, LoopLabel, Node, NodeId, StateSet, Step, Successor,
    Window,
};
use cfa::term::Kind;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, LocId, ObjectId, Op, Range, Sort, SymId, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why a text is not a certificate for a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

type Parsed<T> = Result<T, String>;

/// The certificate for `cfa` that `text` describes. Whether the certificate proves anything is decided by the check.
///
/// Errors: the first line that is wrong; or the last one if something is missing, such as the hash of `cfa`.
pub fn read(text: &str, cfa: &Cfa) -> Result<Certificate, ReadError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut reader = Reader {
        cfa,
        is_for_cfa: false,
        kept: None,
        live: None,
        terms: Terms::over(Arc::new(cfa.terms.clone())),
        defined: Vec::new(),
        symbols: Vec::new(),
        frames: Vec::new(),
        nodes: Vec::new(),
        contracts: Vec::new(),
        explored: None,
    };
    let mut at = 0;
    while at < lines.len() {
        let line = at + 1;
        let failed = |message: String| ReadError { line, message };
        let words: Vec<&str> = lines[at].split_whitespace().collect();
        at += 1;
        if line == 1 && words != ["certificate", "1"] {
            return Err(failed("not a certificate in a known format".into()));
        }
        match words[..] {
            ["terms", n] => {
                let n: usize = number(n).map_err(failed)?;
                let code = lines
                    .get(at..)
                    .and_then(|rest| rest.get(..n))
                    .ok_or_else(|| failed("the certificate is cut off".into()))?;
                at += n;
                reader.definitions(&code.join("\n")).map_err(failed)?;
            }
            _ => reader.line(&words).map_err(failed)?,
        }
    }
    let cut_off = || ReadError { line: lines.len(), message: "the certificate is cut off".into() };
    // Ids have no meaning without the program to which they belong.
    if !reader.is_for_cfa {
        return Err(ReadError {
            line: lines.len(),
            message: "the certificate does not say which program it is for".into(),
        });
    }
    let slice = Slice { kept: reader.kept.ok_or_else(cut_off)?, live: reader.live.ok_or_else(cut_off)? };
    let Reader { terms, frames, nodes, contracts, explored, .. } = reader;
    Ok(Certificate { slice, terms, frames, nodes, contracts, explored })
}

struct Reader<'a> {
    cfa: &'a Cfa,
    /// Whether the certificate contains the hash of the program.
    is_for_cfa: bool,
    kept: Option<fixedbitset::FixedBitSet>,
    live: Option<fixedbitset::FixedBitSet>,
    terms: Terms,
    /// The terms `t0`, `t1`, ...
    defined: Vec<Term>,
    symbols: Vec<Term>,
    frames: Vec<Frame>,
    nodes: Vec<Node>,
    contracts: Vec<Contract>,
    explored: Option<Explored>,
}

fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    word.parse().map_err(|_| format!("`{word}` is not a number"))
}

/// The index in a name such as `v3`.
fn id<I: Id>(word: &str, prefix: char, len: usize) -> Parsed<I> {
    let i: Option<usize> = word.strip_prefix(prefix).and_then(|n| n.parse().ok());
    i.filter(|i| *i < len).map(I::from_index).ok_or_else(|| format!("there is no `{word}`"))
}

fn frame(word: &str) -> Parsed<Option<FrameId>> {
    if word == "-" { Ok(None) } else { number(word).map(Some) }
}

/// A range such as `-3..7`, or a number.
fn range(word: &str) -> Parsed<Range> {
    let (lo, hi) = word.split_once("..").unwrap_or((word, word));
    Ok(Range { lo: number(lo)?, hi: number(hi)? })
}

fn equation(word: &str) -> Parsed<(&str, &str)> {
    word.split_once('=').ok_or_else(|| format!("`{word}` gives no value"))
}

impl Reader<'_> {
    fn line(&mut self, words: &[&str]) -> Parsed<()> {
        let cfa = self.cfa;
        match words {
            [] | ["certificate", "1"] => {}
            ["symbol", name, of] => self.symbol(name, of)?,
            ["program", hash] => {
                if *hash != format!("{:016x}", program_hash(cfa)) {
                    return Err("the certificate is for another program".into());
                }
                self.is_for_cfa = true;
            }
            ["kept", ranges] => self.kept = Some(self.edges(ranges)?),
            ["live", ranges] => self.live = Some(self.edges(ranges)?),
            ["frame", to, below] => {
                let return_to: LocId = id(to, 'l', cfa.locs.len())?;
                self.frames.push(Frame { return_to, below: frame(below)? });
            }
            ["node", loc, stack] => {
                let (loc, stack) = (id(loc, 'l', cfa.locs.len())?, frame(stack)?);
                self.nodes.push(Node { loc, stack, label: None, repeats: None, successors: Vec::new() });
            }
            ["explored" | "split" | "set" | "ranges" | "row", ..] => self.exploration(words)?,
            ["label", base @ ..] => {
                let mut label = Label::default();
                if let [base] = base {
                    let base: usize = number(base)?;
                    let of = self.nodes.get(base).and_then(|n| n.label.as_ref());
                    label.env = of.ok_or_else(|| format!("node {base} has no label"))?.env.clone();
                }
                self.node()?.label = Some(Box::new(label));
            }
            ["below", values @ ..] => {
                let mut locals = imbl::OrdMap::new();
                for word in values {
                    if let (v, Some(t)) = self.value(word)? {
                        locals.insert(v, t);
                    }
                }
                self.label()?.below.push(locals);
            }
            ["where", terms @ ..] => {
                let terms = self.terms_of(terms)?;
                self.label()?.constraints = terms;
            }
            ["loop", written, invariants @ ..] => {
                let written = match *written {
                    "-" => Vec::new(),
                    list => list.split(',').map(|v| id(v, 'v', cfa.vars.len())).collect::<Parsed<Vec<VarId>>>()?,
                };
                let invariants = self.terms_of(invariants)?;
                self.node()?.repeats = Some(Box::new(LoopLabel { written, invariants, ..LoopLabel::default() }));
            }
            ["forall", index, body] => {
                let universal = ForAll { index: self.symbol_of(index)?, body: self.term(body)? };
                self.node()?.repeats.as_mut().ok_or("no loop before")?.universals.push(universal);
            }
            ["window", copies @ .., "checked", checked, end] => {
                let at = copies.iter().position(|w| *w == "assumed").ok_or("a window without assumed iterations")?;
                let nodes = |words: &[&str]| words.iter().map(|w| number(w)).collect::<Parsed<Vec<NodeId>>>();
                let (base, assumed) = (nodes(&copies[..at])?, nodes(&copies[at + 1..])?);
                let window = Window { base, assumed, checked: number(checked)?, end: number(end)? };
                self.node()?.repeats.as_mut().ok_or("no loop before")?.window = Some(window);
            }
            ["contract", func] => {
                let (func, root) = (id(func, 'f', cfa.funcs.len())?, self.nodes.len() as NodeId);
                self.contracts.push(Contract { func, root, entry: Vec::new(), pre: Vec::new(), post: Vec::new() });
            }
            ["entry", values @ ..] => {
                let entry = values.iter().map(|word| self.named(word)).collect::<Parsed<Vec<(VarId, SymId)>>>()?;
                self.contract()?.entry = entry;
            }
            ["pre", terms @ ..] => {
                let pre = self.terms_of(terms)?;
                self.contract()?.pre = pre;
            }
            ["post", terms @ ..] => {
                let post = self.terms_of(terms)?;
                self.contract()?.post = post;
            }
            [step, "->", to, rest @ ..] => self.successor(step, to, rest)?,
            values => self.values(values)?,
        }
        Ok(())
    }

    /// A line about sets of states.
    fn exploration(&mut self, words: &[&str]) -> Parsed<()> {
        let cfa = self.cfa;
        match words {
            ["explored"] => self.explored = Some(Explored::default()),
            ["split", var, at @ ..] => {
                let v = id(var, 'v', cfa.vars.len())?;
                let at = at.iter().map(|w| number(w)).collect::<Parsed<Vec<i64>>>()?;
                self.explored()?.splits.push((v, at));
            }
            ["set", loc, stack] => {
                let (loc, stack) = (id(loc, 'l', cfa.locs.len())?, frame(stack)?);
                let set = StateSet { loc, stack, vars: Vec::new(), ranges: Vec::new(), rows: Vec::new() };
                self.explored()?.sets.push(set);
            }
            ["ranges", var, all @ ..] => {
                let v = id(var, 'v', cfa.vars.len())?;
                let ranges = all.iter().map(|w| range(w)).collect::<Parsed<Vec<Range>>>()?;
                let set = self.set_of_states()?;
                set.vars.push(v);
                set.ranges.push(ranges);
            }
            ["row", row @ ..] => {
                let row = row.iter().map(|w| number(w)).collect::<Parsed<Vec<u16>>>()?;
                let set = self.set_of_states()?;
                if row.len() != set.vars.len() {
                    return Err("a row with another number of ranges than there are variables".into());
                }
                set.rows.extend(row);
            }
            _ => return Err("not a line about sets of states".into()),
        }
        Ok(())
    }

    /// A step from the last node, with the values of symbols there, and the case in which it leads there.
    fn successor(&mut self, step: &str, to: &str, rest: &[&str]) -> Parsed<()> {
        let step = match step {
            "return" => Step::Return,
            e => Step::Edge(id::<EdgeId>(e, 'e', self.cfa.edges.len())?),
        };
        let is_if = |word: &&str| *word == "if";
        let (equations, case) = match rest.iter().position(is_if) {
            Some(at) => (&rest[..at], self.terms_of(&rest[at + 1..])?),
            None => (rest, Vec::new()),
        };
        let mut witness = Vec::new();
        for word in equations {
            let (symbol, t) = equation(word)?;
            witness.push((self.symbol_of(symbol)?, self.term(t)?));
        }
        let to = number(to)?;
        self.node()?.successors.push(Successor { step, to, case, witness });
        Ok(())
    }

    /// Values of variables in the last label.
    fn values(&mut self, values: &[&str]) -> Parsed<()> {
        for word in values {
            let (v, value) = self.value(word)?;
            let local = self.cfa.is_local(v);
            let env = &mut self.label()?.env;
            let map = if local { &mut env.locals } else { &mut env.globals };
            match value {
                Some(t) => map.insert(v, t),
                None => map.remove(&v),
            };
        }
        Ok(())
    }

    fn edges(&self, ranges: &str) -> Parsed<fixedbitset::FixedBitSet> {
        set(ranges, self.cfa.edges.len()).ok_or_else(|| format!("`{ranges}` is not a set of edges"))
    }

    fn node(&mut self) -> Parsed<&mut Node> {
        self.nodes.last_mut().ok_or_else(|| "no node before".into())
    }

    fn explored(&mut self) -> Parsed<&mut Explored> {
        self.explored.as_mut().ok_or_else(|| "no exploration before".into())
    }

    fn set_of_states(&mut self) -> Parsed<&mut StateSet> {
        self.explored()?.sets.last_mut().ok_or_else(|| "no set before".into())
    }

    fn label(&mut self) -> Parsed<&mut Label> {
        self.node()?.label.as_deref_mut().ok_or_else(|| "no label before".into())
    }

    fn contract(&mut self) -> Parsed<&mut Contract> {
        self.contracts.last_mut().ok_or_else(|| "no contract before".into())
    }

    /// A variable with the symbol for its value.
    fn named(&mut self, word: &str) -> Parsed<(VarId, SymId)> {
        let (v, symbol) = equation(word)?;
        Ok((id(v, 'v', self.cfa.vars.len())?, self.symbol_of(symbol)?))
    }

    fn symbol_of(&mut self, word: &str) -> Parsed<SymId> {
        let named = self.term(word)?;
        match self.terms.kind(named) {
            Kind::Sym(s) => Ok(s),
            _ => Err(format!("`{word}` is not a symbol")),
        }
    }

    fn value(&mut self, word: &str) -> Parsed<(VarId, Option<Term>)> {
        let (v, value) = equation(word)?;
        let v = id(v, 'v', self.cfa.vars.len())?;
        Ok((v, if value == "-" { None } else { Some(self.term(value)?) }))
    }

    fn terms_of(&mut self, words: &[&str]) -> Parsed<Vec<Term>> {
        words.iter().map(|w| self.term(w)).collect()
    }

    fn term(&mut self, word: &str) -> Parsed<Term> {
        match word {
            "true" => return Ok(self.terms.tt()),
            "false" => return Ok(self.terms.ff()),
            _ => {}
        }
        if let Some((value, width)) = word.split_once(':') {
            let (value, width): (u64, u32) = (number(value)?, number(width)?);
            if !(1..=64).contains(&width) || (width < 64 && value >> width != 0) {
                return Err(format!("`{word}` is not a constant"));
            }
            return Ok(self.terms.int(width, value));
        }
        match word.chars().next() {
            Some('s') => Ok(self.symbols[id::<SymId>(word, 's', self.symbols.len())?.index()]),
            Some('t') => Ok(self.defined[id::<Term>(word, 't', self.defined.len())?.index()]),
            _ => self.leaf(word),
        }
    }

    /// A variable or the address of an object.
    fn leaf(&mut self, name: &str) -> Parsed<Term> {
        if name.starts_with('a') {
            let o: ObjectId = id(name, 'a', self.cfa.objects.len())?;
            return Ok(self.terms.addr(o, self.cfa.pointer_bits));
        }
        let v: VarId = id(name, 'v', self.cfa.vars.len())?;
        Ok(self.terms.var(v, self.cfa.vars[v].sort))
    }

    fn symbol(&mut self, name: &str, of: &str) -> Parsed<()> {
        let next = format!("s{}", self.symbols.len());
        if name != next {
            return Err(format!("`{name}` appears where {next} is expected"));
        }
        let sort = sort(of).ok_or_else(|| format!("`{of}` is not a sort"))?;
        self.symbols.push(self.terms.fresh(next, sort));
        Ok(())
    }

    /// Executes the function that defines the terms.
    fn definitions(&mut self, text: &str) -> Parsed<()> {
        let code = cfa::text::parse(text).map_err(|e| format!("in the terms: {e}"))?;
        let mut values: FxHashMap<VarId, Term> = FxHashMap::default();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for edge in code.edges.iter() {
            let Op::Assign(list) = &edge.op else { return Err("terms must be defined by assignments".into()) };
            let [(var, t)] = **list else { return Err("terms must be defined one by one".into()) };
            let name = format!("t{}", self.defined.len());
            if code.vars[var].name != name || code.vars[var].sort != code.terms.sort(t) {
                return Err(format!("a definition of {name} is expected"));
            }
            let value = self.rebuild(&code, t, &mut values, &mut done)?;
            values.insert(var, value);
            self.defined.push(value);
        }
        Ok(())
    }

    /// The term `t` of `code`, with its variables replaced by what they represent.
    fn rebuild(
        &mut self,
        code: &Cfa,
        t: Term,
        values: &mut FxHashMap<VarId, Term>,
        done: &mut FxHashMap<Term, Term>,
    ) -> Parsed<Term> {
        for u in code.terms.subterms(&[t], |u| done.contains_key(&u)) {
            let sort: Sort = code.terms.sort(u);
            let r = match code.terms.kind(u) {
                Kind::Var(v) => match values.get(&v) {
                    Some(&known) => known,
                    None => {
                        let name = &code.vars[v].name;
                        let leaf = if name.starts_with('s') { self.term(name)? } else { self.leaf(name)? };
                        values.insert(v, leaf);
                        leaf
                    }
                },
                Kind::BigConst(_) => self.terms.constant(&code.terms.as_bv(u).expect("a constant")),
                Kind::Addr(_) | Kind::Sym(_) => return Err("terms must be over variables".into()),
                kind => {
                    let args: Vec<Term> = code.terms.args(u).iter().map(|a| done[a]).collect();
                    self.terms.make(kind, &args, sort)
                }
            };
            if self.terms.sort(r) != sort {
                return Err(format!("`{}` has a different sort", code.show(u)));
            }
            done.insert(u, r);
        }
        Ok(done[&t])
    }
}
