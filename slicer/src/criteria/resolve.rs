//! Resolution of criteria in a prepared CFA: by names, by the source positions of edges, and by what edges access.
//!
//! After promotion, a variable of the source is either one scalar variable for each of its parts that is accessed separately,
//! or some bytes of the memory that its object lies in; such bytes are named as a whole.

use crate::criteria::{CriterionError, Request, Wanted};
use crate::slice::Criterion;
use cfa::bytes::Bytes;
use cfa::footprint::Footprints;
use cfa::{Cfa, EdgeId, FuncId, ObjectId, ObjectKind, Op, Origin, Scope, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximum number of names that an error lists.
const LISTED: usize = 8;
/// Maximum number of characters that are shown of each of these names.
const SHOWN: usize = 200;

/// The criteria that `requests` name in `cfa`, in their order; `entry` is the function that the program begins with.
///
/// A call becomes a criterion with the transfer variables of its arguments, and an access becomes a criterion with its edge.
///
/// # Errors
/// A request that names nothing; the error lists names, lines or variables that may have been meant.
pub fn resolve(cfa: &Cfa, entry: &str, requests: &[Request]) -> Result<Vec<Criterion>, CriterionError> {
    let mut found = Vec::new();
    for request in requests {
        let look = Lookup { cfa, request };
        found.extend(match &request.what {
            Wanted::Calls(name) => look.calls(name),
            Wanted::Everything => look.line(),
            Wanted::Variable(name) => look.variable(name),
            Wanted::Global(name) => look.global(name),
            Wanted::Return => look.result_of(entry),
        }?);
    }
    Ok(found)
}

/// A criterion for each of the program's targets, with the edges that lead to it.
pub fn of_targets(cfa: &Cfa) -> Vec<Criterion> {
    cfa.targets.iter().map(|&at| Criterion { edges: cfa.into(at).to_vec(), ..Criterion::reach(at) }).collect()
}

/// Everything that `functions` do where they have a body, and what these call. This is for slices that are executed, in which
/// a call that is a criterion must do what it does in the whole program (print its arguments, say).
pub fn of_bodies(cfa: &Cfa, functions: &[String]) -> Vec<Criterion> {
    let named = cfa.funcs.iter_enumerated().filter(|(_, f)| functions.contains(&f.name)).map(|(id, _)| id);
    let mut stack: Vec<FuncId> = named.collect();
    let mut inside: FxHashSet<FuncId> = stack.iter().copied().collect();
    let mut edges_of: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
    for (e, edge) in cfa.edges.iter_enumerated() {
        edges_of.entry(cfa.locs[edge.from].func).or_default().push(e);
    }
    let mut found = Vec::new();
    while let Some(f) = stack.pop() {
        let edges = edges_of.remove(&f).unwrap_or_default();
        for &e in &edges {
            if let Op::Call(g) = cfa.edges[e].op
                && inside.insert(g)
            {
                stack.push(g);
            }
        }
        found.push(Criterion { edges, ..Criterion::reach(cfa.funcs[f].entry) });
    }
    found
}

/// A criterion for each assume edge of `path`: a slice for them keeps what decides whether exactly this path is feasible
/// [Lemberger 2018, 3.2].
pub fn of_path(cfa: &Cfa, path: &[EdgeId]) -> Vec<Criterion> {
    let mut seen = FxHashSet::default();
    let assumes = path.iter().filter(|e| matches!(cfa.edges[**e].op, Op::Assume { .. }) && seen.insert(**e));
    assumes.map(|&e| Criterion::acts(cfa, e)).collect()
}

/// The criterion that consists of the next construct on each path after `call`, for a call that only marks a place. Edges of the
/// call's own construct and edges without an origin are passed over.
pub fn after(cfa: &Cfa, call: &Criterion) -> Criterion {
    let origin = call.edges.first().map_or(Origin::NONE, |e| cfa.edges[*e].origin);
    let mut found = Criterion::reach(call.at);
    let mut seen: FxHashSet<EdgeId> = FxHashSet::default();
    // Edges to visit, each with the construct found on the path to it, if any.
    let mut work: Vec<(EdgeId, Option<Origin>)> = call.edges.iter().map(|e| (*e, None)).collect();
    while let Some((e, next)) = work.pop() {
        let own = cfa.edges[e].origin;
        let marks = own == origin || own == Origin::NONE;
        let next = match next {
            Some(next) if next == own => Some(next),
            Some(_) => continue,
            None => (!marks).then_some(own),
        };
        if seen.insert(e) {
            found.edges.extend(next.map(|_| e));
            work.extend(cfa.out(cfa.edges[e].to).iter().map(|e| (*e, next)));
        }
    }
    found.edges.sort_unstable();
    found
}

struct Lookup<'a> {
    cfa: &'a Cfa,
    request: &'a Request,
}

/// A variable of the source and a variable of the CFA that holds it or a part of it.
struct Named {
    name: String,
    /// The function of which it is a local; `None` for a global.
    owner: Option<FuncId>,
    var: VarId,
    /// The object that holds it, if `var` is a memory.
    object: Option<ObjectId>,
}

impl Lookup<'_> {
    fn error(&self, reason: String) -> CriterionError {
        CriterionError::new(self.request, reason)
    }

    fn func_of(&self, e: EdgeId) -> FuncId {
        self.cfa.locs[self.cfa.edges[e].from].func
    }

    fn is_of_library(&self, e: EdgeId) -> bool {
        self.cfa.funcs[self.func_of(e)].library
    }

    /// Whether `e` lies in the function and file of the request.
    fn in_scope(&self, e: EdgeId) -> bool {
        let span = self.cfa.edges[e].span;
        let of_function = |f: &String| self.cfa.funcs[self.func_of(e)].name == *f;
        let of_file = |f: &String| is_end_of_path(f, &self.cfa.files[span.file as usize]);
        self.request.function.as_ref().is_none_or(of_function) && self.request.file.as_ref().is_none_or(of_file)
    }

    /// Whether `e` lies at the place of the request.
    fn is_here(&self, e: EdgeId) -> bool {
        self.request.line.is_none_or(|line| self.cfa.edges[e].span.line == line) && self.in_scope(e)
    }

    /// The edges of the program's own functions on the request's line.
    fn on_line(&self) -> Result<Vec<EdgeId>, CriterionError> {
        let own = |e: &EdgeId| !self.is_of_library(*e);
        let here: Vec<EdgeId> = self.cfa.edges.ids().filter(|e| own(e) && self.is_here(*e)).collect();
        if here.is_empty() { Err(self.no_code()) } else { Ok(here) }
    }

    /// The error for a request at whose place there is no code of the program itself.
    fn no_code(&self) -> CriterionError {
        if let Some(name) = &self.request.function
            && !self.own_functions().any(|f| self.cfa.funcs[f].name == *name)
        {
            let names = self.own_functions().map(|f| self.cfa.funcs[f].name.clone()).collect();
            return self.error(format!("no function {name} that is called; functions: {}", near(name, names)));
        }
        let files = self.own_files();
        if let Some(file) = &self.request.file
            && !files.iter().any(|f| is_end_of_path(file, f))
        {
            return self.error(format!("no file {file} with code that is called; files: {}", near(file, files)));
        }
        let wanted = self.request.line.unwrap_or(0);
        let own = |e: &EdgeId| !self.is_of_library(*e) && self.in_scope(*e);
        let lines = self.cfa.edges.ids().filter(own).map(|e| self.cfa.edges[e].span.line).filter(|l| *l > 0);
        let mut lines: Vec<u32> = lines.collect::<BTreeSet<u32>>().into_iter().collect();
        if lines.is_empty() {
            return self.error("there are no line numbers; compile the program with -g".into());
        }
        lines.sort_by_key(|l| l.abs_diff(wanted));
        lines.truncate(LISTED);
        lines.sort_unstable();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let lines = lines.join(", ");
        self.error(format!("line {wanted} has no code that can be executed; the lines nearest to it: {lines}"))
    }

    fn own_functions(&self) -> impl Iterator<Item = FuncId> {
        self.cfa.funcs.ids().filter(|f| !self.cfa.funcs[*f].library)
    }

    fn own_files(&self) -> Vec<String> {
        let own = self.cfa.edges.ids().filter(|e| !self.is_of_library(*e));
        let files: BTreeSet<u32> = own.map(|e| self.cfa.edges[e].span.file).filter(|f| *f > 0).collect();
        files.into_iter().map(|f| self.cfa.files[f as usize].clone()).collect()
    }

    fn calls(&self, name: &str) -> Result<Vec<Criterion>, CriterionError> {
        let cfa = self.cfa;
        let called = |e: EdgeId| match (&cfa.edges[e].op, cfa.external_calls.get(&e)) {
            // Edges inside a stand-in for a function without a body are not calls of it.
            (_, Some(name)) if cfa.funcs[self.func_of(e)].name == *name => None,
            (_, Some(name)) => Some(name.as_str()),
            (Op::Call(f), None) => Some(cfa.funcs[*f].name.as_str()),
            _ => None,
        };
        let mut found = Vec::new();
        for e in cfa.edges.ids().filter(|e| called(*e) == Some(name) && self.is_here(*e)) {
            let mut criterion = Criterion::acts(cfa, e);
            if let Op::Call(f) = cfa.edges[e].op {
                criterion.vars.extend(&cfa.funcs[f].params);
                criterion.vars.extend(cfa.funcs[f].varargs);
                criterion.edges.extend(self.passing(e));
            }
            found.push(criterion);
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let all: BTreeSet<&str> = cfa.edges.ids().filter(|e| !self.is_of_library(*e)).filter_map(called).collect();
        Err(self.error(if all.contains(name) {
            let places: BTreeSet<String> = cfa
                .edges
                .ids()
                .filter(|e| called(*e) == Some(name))
                .map(|e| format!("{} in {}", cfa.place(cfa.edges[e].span), cfa.funcs[self.func_of(e)].name))
                .collect();
            format!("no call of {name} there; it is called at {}", some_of(places.into_iter().collect()))
        } else if all.is_empty() {
            format!("the program calls nothing{}", self.not_followed())
        } else {
            let names = near(name, all.into_iter().map(str::to_string).collect());
            format!("no call of {name} can be executed; functions called: {names}{}", self.not_followed())
        }))
    }

    /// The constructs that may call functions of the program without an edge that shows it, in words.
    fn not_followed(&self) -> String {
        let cfa = self.cfa;
        let reasons: BTreeSet<String> = cfa
            .edges
            .iter()
            .filter_map(|edge| match &edge.op {
                Op::Unsupported(u) if u.may_call => Some(format!("{} at {}", u.reason, cfa.place(edge.span))),
                _ => None,
            })
            .collect();
        if reasons.is_empty() {
            return String::new();
        }
        format!(", and what these may call: {}", some_of(reasons.into_iter().collect()))
    }

    /// The edges of the call's construct before the call itself: they pass the arguments, variadic ones through memory.
    fn passing(&self, call: EdgeId) -> Vec<EdgeId> {
        let cfa = self.cfa;
        let origin = cfa.edges[call].origin;
        let mut found = Vec::new();
        let mut next = vec![call];
        while let Some(e) = next.pop().filter(|_| origin != Origin::NONE) {
            let before = cfa.into(cfa.edges[e].from).iter().copied();
            let new: Vec<EdgeId> = before.filter(|b| cfa.edges[*b].origin == origin && !found.contains(b)).collect();
            next.extend(&new);
            found.extend(new);
        }
        found
    }

    fn line(&self) -> Result<Vec<Criterion>, CriterionError> {
        let cfa = self.cfa;
        let here = self.on_line()?;
        let acts = |e: &EdgeId| cfa.edges[*e].op != Op::Skip || cfa.external_calls.contains_key(e);
        let found: Vec<Criterion> = here.iter().copied().filter(acts).map(|e| Criterion::acts(cfa, e)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        // A `break` or `goto` has no effect of its own, but it matters whether it is reached.
        let reached = |e: &EdgeId| Criterion::reach(cfa.edges[*e].from);
        Ok(here.iter().map(reached).collect())
    }

    fn variable(&self, name: &str) -> Result<Vec<Criterion>, CriterionError> {
        let here = self.on_line()?;
        let functions: FxHashSet<FuncId> = here.iter().map(|e| self.func_of(*e)).collect();
        let mut visible = named(self.cfa);
        visible.retain(|n| n.owner.is_none_or(|f| functions.contains(&f)));
        let mut vars: Vec<&Named> = visible.iter().filter(|n| n.is(name)).collect();
        if vars.iter().any(|n| n.owner.is_some()) {
            // A local shadows a global.
            vars.retain(|n| n.owner.is_some());
        }
        if vars.is_empty() {
            let line = self.request.line.unwrap_or(0);
            let names: BTreeSet<String> = visible.into_iter().map(|n| n.name).collect();
            let names = near(name, names.into_iter().collect());
            return Err(self.error(format!("no variable {name} on line {line}; variables there: {names}")));
        }
        let parts: Vec<(VarId, Bytes)> = vars.iter().map(|n| (n.var, n.bytes(self.cfa, name))).collect();
        let accesses = accessing(self.cfa, here.iter().copied(), &parts);
        if !accesses.is_empty() {
            return Ok(accesses.into_iter().map(|e| Criterion::acts(self.cfa, e)).collect());
        }
        // No access: take the value before the line.
        let mut seen = FxHashSet::default();
        let line: FxHashSet<EdgeId> = here.iter().copied().collect();
        let begins = here.iter().filter(|e| {
            let from = self.cfa.edges[**e].from;
            !self.cfa.into(from).iter().any(|i| line.contains(i)) && seen.insert(from)
        });
        Ok(begins.map(|&e| self.value_before(e, &vars, name)).collect())
    }

    /// The value of `name` before `e`: all of `vars` that are visible in its function.
    fn value_before(&self, e: EdgeId, vars: &[&Named], name: &str) -> Criterion {
        let mut criterion = Criterion::reach(self.cfa.edges[e].from);
        for n in vars.iter().filter(|n| n.owner.is_none_or(|f| f == self.func_of(e))) {
            match n.object {
                None => criterion.vars.push(n.var),
                Some(_) => criterion.bytes.push((n.var, n.bytes(self.cfa, name))),
            }
        }
        criterion
    }

    fn global(&self, name: &str) -> Result<Vec<Criterion>, CriterionError> {
        let mut globals = named(self.cfa);
        globals.retain(|n| n.owner.is_none());
        let parts = globals.iter().filter(|n| n.is(name)).map(|n| (n.var, n.bytes(self.cfa, name)));
        let parts: Vec<(VarId, Bytes)> = parts.collect();
        let own = self.cfa.edges.ids().filter(|e| !self.is_of_library(*e));
        let found = accessing(self.cfa, own, &parts);
        if !found.is_empty() {
            return Ok(found.into_iter().map(|e| Criterion::acts(self.cfa, e)).collect());
        }
        let names: BTreeSet<String> = globals.into_iter().map(|n| n.name).collect();
        let names = near(name, names.into_iter().collect());
        Err(self.error(format!("no global variable {name} that the program accesses; global variables: {names}")))
    }

    fn result_of(&self, entry: &str) -> Result<Vec<Criterion>, CriterionError> {
        let Some(f) = self.cfa.funcs.iter().find(|f| f.name == entry) else {
            return Err(self.error(format!("there is no function {entry}")));
        };
        Ok(vec![Criterion { vars: f.result.into_iter().collect(), ..Criterion::reach(f.exit) }])
    }
}

impl Named {
    /// Whether `wanted` is the name of this variable, or of the whole of which it is a part.
    fn is(&self, wanted: &str) -> bool {
        if self.object.is_some() {
            return root(&self.name) == root(wanted);
        }
        is_part(&self.name, wanted)
    }

    /// The bytes of `var` that hold the variable, or part of one, that `wanted` names.
    fn bytes(&self, cfa: &Cfa, wanted: &str) -> Bytes {
        let Some(o) = self.object else { return Bytes::ALL };
        let whole = addresses(cfa, o);
        if wanted == root(wanted) || matches!(cfa.objects[o].kind, ObjectKind::Site(_)) || whole == Bytes::ALL {
            return whole;
        }
        let parts = cfa.object_parts.get(&o).into_iter().flatten().filter(|p| is_part(&p.source.name, wanted));
        let ranges = parts.filter_map(|p| Bytes::from(whole.first + p.offset_bytes, p.size_bytes));
        // Elements of long arrays have no names.
        ranges
            .reduce(|a, b| Bytes { first: a.first.min(b.first), last: a.last.max(b.last) })
            .map_or(whole, |part| if whole.overlaps(part) { part } else { whole })
    }
}

/// Whether `name` is `wanted` or a part of it.
fn is_part(name: &str, wanted: &str) -> bool {
    name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The variable that `path` names, or names a part of.
fn root(path: &str) -> &str {
    &path[..path.get(1..).and_then(|rest| rest.find(['.', '['])).map_or(path.len(), |at| at + 1)]
}

/// All variables with a name in the source; where there is no debug information, globals by their names in the module.
fn named(cfa: &Cfa) -> Vec<Named> {
    let functions: FxHashMap<&str, FuncId> = cfa.funcs.iter_enumerated().map(|(f, x)| (x.name.as_str(), f)).collect();
    let globals: FxHashSet<&str> =
        cfa.objects.iter().filter(|o| o.kind == ObjectKind::Global).map(|o| o.name.as_str()).collect();
    // The compiler's string literals and copies of initialisers have names that no C program can use.
    let of_compiler = |name: &str| name.starts_with('.') || name.starts_with("__const.");
    let mut all = Vec::new();
    for (var, v) in cfa.vars.iter_enumerated() {
        let owner = match v.scope {
            Scope::Local(f) => Some(f),
            // A promoted stack slot that other functions access as well.
            Scope::Global => v.name.rsplit_once("::").and_then(|(f, _)| functions.get(f).copied()),
        };
        let name = match &v.source {
            Some(source) => source.name.clone(),
            None => {
                // `counter`, or `pair.4` for the part at byte 4 of `pair`.
                let whole = v.name.rsplit_once('.').map_or(v.name.as_str(), |(whole, _)| whole);
                let Some(name) = [v.name.as_str(), whole].into_iter().find(|n| globals.contains(n)) else { continue };
                name.to_string()
            }
        };
        if !matches!(v.sort, Sort::Array { .. }) && !of_compiler(&name) {
            all.push(Named { name, owner, var, object: None });
        }
    }
    for (&var, objects) in &cfa.memory.objects {
        for &o in objects {
            let object = &cfa.objects[o];
            let owner = match object.kind {
                ObjectKind::Global => None,
                ObjectKind::Stack(f) => Some(f),
                ObjectKind::Site(f) if !object.heap => Some(f),
                ObjectKind::Function(_) | ObjectKind::Site(_) | ObjectKind::Outside => continue,
            };
            let part = cfa.object_parts.get(&o).and_then(|parts| parts.first());
            let name = part.map_or_else(
                || object.name.rsplit("::").next().unwrap_or("").to_string(),
                |part| root(&part.source.name).to_string(),
            );
            if !of_compiler(&name) {
                all.push(Named { name, owner, var, object: Some(o) });
            }
        }
    }
    all
}

/// The edges among `edges` that may read or write one of `parts`.
fn accessing(cfa: &Cfa, edges: impl Iterator<Item = EdgeId>, parts: &[(VarId, Bytes)]) -> Vec<EdgeId> {
    let mut footprints = Footprints::by_field(cfa);
    let hits = |var: VarId, bytes: Bytes| parts.iter().any(|(v, part)| *v == var && part.overlaps(bytes));
    edges
        .filter(|e| {
            let found = footprints.of(&cfa.edges[*e].op);
            found.reads.iter().any(|r| hits(r.var, r.bytes)) || found.writes.iter().any(|w| hits(w.var, w.bytes))
        })
        .collect()
}

/// The addresses of an object in its memory; all addresses if the layout gives it no place of its own.
fn addresses(cfa: &Cfa, o: ObjectId) -> Bytes {
    let object = &cfa.objects[o];
    let Some(first) = object.base else { return Bytes::ALL };
    match (object.kind, object.size_bytes) {
        (ObjectKind::Global | ObjectKind::Stack(_), Some(size)) => {
            Bytes::from(first, size.max(1)).unwrap_or(Bytes::ALL)
        }
        // The instances of a site are placed one after another, up to the next object.
        _ => {
            let next = cfa.objects.iter().filter_map(|other| other.base).filter(|base| *base > first).min();
            Bytes { first, last: next.map_or(u64::MAX, |base| base - 1) }
        }
    }
}

/// Whether `path` ends in the components of `end`, so that a user who writes `end` may mean it.
pub fn is_end_of_path(end: &str, path: &str) -> bool {
    let ends = |path: &str, end: &str| {
        path.strip_suffix(end).is_some_and(|front| front.is_empty() || front.ends_with('/') || end.starts_with('/'))
    };
    let (end, path) = (end.trim_start_matches("./"), path.trim_start_matches("./"));
    // File names in the debug information may be relative to the compiler's working directory.
    ends(path, end) || (end.starts_with('/') && !path.starts_with('/') && ends(end, path))
}

/// A few of `names`, those most similar to `wanted` first.
pub(crate) fn near(wanted: &str, mut names: Vec<String>) -> String {
    names.sort_by_cached_key(|name| strsim::osa_distance(wanted, name));
    some_of(names)
}

/// The first few of `names`, and how many more there are.
fn some_of(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    for name in &mut names {
        if let Some((end, _)) = name.char_indices().nth(SHOWN) {
            name.truncate(end);
            name.push_str("...");
        }
    }
    match (names.is_empty(), more) {
        (true, _) => "none".into(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    }
}
