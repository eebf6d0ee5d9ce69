//! Decides which objects become scalar variables, and which variables these are.
//!
//! An object is promoted if it is alone in its region, every access of it has a known offset inside it, and it has one
//! instance at a time, or one for each activation of the only function that can name it. Overlapping accesses form one
//! variable, except for copies, which are split at the bounds of the other accesses.

use crate::points_to::PointsTo;
use crate::prepare::occurrences::locations_in_cycles;
use crate::prepare::opaque_calls::OpaqueReads;
use crate::prepare::promote::definite::DefiniteAddresses;
use crate::prepare::regions::{Access, Regions, Role, is_data};
use cfa::{Cfa, EdgeId, FuncId, Id, ObjectId, ObjectKind, Scope, Sort, SourceName, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum length of a promoted variable, in bytes.
const MAX_VARIABLE_BYTES: u64 = 64;
/// Maximum number of variables into which one object is split.
const MAX_VARIABLES: usize = 1024;
/// Maximum length of variables for bytes that only copies touch, in bytes.
const GAP_BYTES: u64 = 8;

/// A scalar variable that replaces some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cluster {
    /// First byte.
    pub lo: u64,
    /// One past the last byte.
    pub hi: u64,
    /// The variable.
    pub var: VarId,
}

/// A promoted object: its variables, ascending and disjoint.
#[derive(Clone, Debug)]
pub(super) struct Promoted {
    /// The object.
    pub object: ObjectId,
    /// Its variables.
    pub clusters: Vec<Cluster>,
}

impl Promoted {
    /// Indices of the clusters that share bytes with `lo..hi`.
    pub(super) fn overlapping(&self, lo: u64, hi: u64) -> std::ops::Range<usize> {
        let begin = self.clusters.partition_point(|c| c.hi <= lo);
        let end = self.clusters.partition_point(|c| c.lo < hi);
        begin..end.max(begin)
    }
}

/// What each region becomes.
pub(super) struct Plan {
    /// The promoted objects, by region.
    pub promoted: Vec<Option<Promoted>>,
    /// The region of the promoted site of which each edge makes an instance.
    allocated: FxHashMap<EdgeId, usize>,
    /// The offset of each access of a promoted object, by the access's address and length.
    offsets: FxHashMap<(Term, Option<u64>), u64>,
    /// Addresses that are known to be always at that offset.
    definite: FxHashSet<(Term, Option<u64>)>,
}

impl Plan {
    /// A plan that promotes nothing.
    pub(super) fn nothing(regions: &Regions) -> Plan {
        Plan {
            promoted: vec![None; regions.regions.len()],
            allocated: FxHashMap::default(),
            offsets: FxHashMap::default(),
            definite: FxHashSet::default(),
        }
    }

    /// Decides which regions are promoted, and makes their variables.
    pub(super) fn new(
        cfa: &mut Cfa,
        points_to: &PointsTo,
        regions: &Regions,
        opaque: &OpaqueReads,
        definite: &DefiniteAddresses,
    ) -> Plan {
        let mut plan = Plan::nothing(regions);
        let sites = promotable_sites(cfa, points_to);
        let accessors = accessors(cfa, regions, opaque);
        let written_constants = written_constants(cfa, regions);
        let mut names: FxHashSet<String> = cfa.vars.iter().map(|v| v.name.clone()).collect();
        for (r, region) in regions.regions.iter().enumerate() {
            let [object] = region.objects[..] else { continue };
            if written_constants.contains(&r) {
                continue;
            }
            let site = match cfa.objects[object].kind {
                ObjectKind::Global | ObjectKind::Stack(_) => None,
                ObjectKind::Site(_) => match sites.get(&object) {
                    Some(&e) => Some(e),
                    None => continue,
                },
                ObjectKind::Function(_) | ObjectKind::Outside => continue,
            };
            let accesses: Vec<&Access> = region.accesses.iter().map(|&i| &regions.accesses[i as usize]).collect();
            let Some(offsets) =
                accesses.iter().map(|a| offset(cfa, points_to, object, a)).collect::<Option<Vec<u64>>>()
            else {
                continue;
            };
            let at = |i: usize| definite.of(cfa, accesses[i].address) == Some((object, offsets[i] as i64));
            if site.is_some() && !(0..accesses.len()).all(at) {
                continue;
            }
            let Some(ranges) = cluster(&accesses, &offsets, opaque.reads(object)) else { continue };
            let scope = match (cfa.objects[object].kind, accessors[r]) {
                (ObjectKind::Site(f), _) => Scope::Local(f),
                // The outside may access objects that it knows in any activation.
                _ if points_to.known().binary_search(&object).is_ok() => Scope::Global,
                (ObjectKind::Stack(f), Some(g)) if f == g => Scope::Local(f),
                _ => Scope::Global,
            };
            for (i, a) in accesses.iter().enumerate() {
                plan.offsets.insert((a.address, a.bytes), offsets[i]);
                if at(i) {
                    plan.definite.insert((a.address, a.bytes));
                }
            }
            let clusters =
                ranges.into_iter().map(|(lo, hi)| new_variable(cfa, &mut names, object, lo, hi, scope)).collect();
            plan.promoted[r] = Some(Promoted { object, clusters });
            plan.allocated.extend(site.map(|e| (e, r)));
        }
        plan
    }

    /// The offset of an access of a promoted object.
    pub(super) fn offset(&self, a: &Access) -> u64 {
        self.offsets[&(a.address, a.bytes)]
    }

    /// The promoted site of which `e` makes an instance.
    pub(super) fn allocated(&self, e: EdgeId) -> Option<&Promoted> {
        self.promoted[*self.allocated.get(&e)?].as_ref()
    }

    /// Whether the address of an access of a promoted object is known to be always at its offset.
    pub(super) fn is_definite(&self, a: &Access) -> bool {
        self.definite.contains(&(a.address, a.bytes))
    }

    /// The promoted object of an access.
    pub(super) fn promoted(&self, a: &Access) -> Option<&Promoted> {
        self.promoted[a.region? as usize].as_ref()
    }
}

/// The only offset at which a valid access can lie in `object`.
fn offset(cfa: &Cfa, points_to: &PointsTo, object: ObjectId, a: &Access) -> Option<u64> {
    let &(_, offset) = points_to.of(a.address).iter().find(|p| p.0 == object)?;
    let last = cfa.objects[object].size_bytes?.checked_sub(a.bytes?)?;
    if let Some(k) = offset.as_exact() {
        return u64::try_from(k).ok().filter(|k| *k <= last);
    }
    // The offset is known modulo a number: is there only one that fits?
    const PERIOD: u64 = 1 << crate::points_to::MODULUS_BITS;
    let mut fitting = (0..=last.min(2 * PERIOD)).filter(|&k| offset.admits(k as i64));
    match (fitting.next(), fitting.next()) {
        (Some(k), None) => Some(k),
        _ => None,
    }
}

/// For each region, the only function that accesses it, if there is just one.
fn accessors(cfa: &Cfa, regions: &Regions, opaque: &OpaqueReads) -> Vec<Option<FuncId>> {
    let mut found: Vec<Option<Option<FuncId>>> = vec![None; regions.regions.len()];
    for (e, edge) in cfa.edges.iter_enumerated() {
        let f = cfa.locs[edge.from].func;
        for r in regions.of_edge(e).filter_map(|a| a.region).chain(opaque.regions(e, regions)) {
            let slot = &mut found[r as usize];
            *slot = match *slot {
                None => Some(Some(f)),
                Some(Some(g)) if f == g => Some(Some(f)),
                Some(_) => Some(None),
            };
        }
    }
    found.into_iter().map(Option::flatten).collect()
}

/// Regions of one constant object that the program writes. An execution ends at such a write, which a replay detects only if the object
/// is in a memory.
fn written_constants(cfa: &Cfa, regions: &Regions) -> FxHashSet<usize> {
    let writes = |a: &&Access| matches!(a.role, Role::Write { .. } | Role::CopyTo);
    let is_constant = |r: &usize| matches!(regions.regions[*r].objects[..], [o] if cfa.objects[o].constant);
    let of_program = cfa.edges.ids().filter(|e| !cfa.funcs[cfa.locs[cfa.edges[*e].from].func].is_start());
    let written = of_program.flat_map(|e| regions.of_edge(e).filter(writes)).filter_map(|a| a.region);
    written.map(|r| r as usize).filter(is_constant).collect()
}

/// Stack sites whose address stays in local variables of their function and which are executed at most once in an activation,
/// with the edge that makes their instance.
fn promotable_sites(cfa: &Cfa, points_to: &PointsTo) -> FxHashMap<ObjectId, EdgeId> {
    let mut sites: FxHashMap<ObjectId, Option<EdgeId>> = FxHashMap::default();
    for e in cfa.edges.ids() {
        if let Some(a) = cfa.allocations.get(&e)
            && matches!(cfa.objects[a.object].kind, ObjectKind::Site(_))
            && !cfa.objects[a.object].heap
        {
            sites.entry(a.object).and_modify(|one| *one = None).or_insert(Some(e));
        }
    }
    if sites.is_empty() {
        return FxHashMap::default();
    }
    // Few of the sets differ, and most of the variables that have one are of the same function.
    let of_vars: FxHashSet<(u32, Scope)> =
        cfa.vars.iter_enumerated().map(|(v, var)| (points_to.set_of_var(v), var.scope)).collect();
    for (set, scope) in of_vars {
        for &(o, _) in points_to.set(set) {
            if is_data(cfa, o)
                && !matches!((cfa.objects[o].kind, scope), (ObjectKind::Site(f), Scope::Local(g)) if f == g)
            {
                sites.remove(&o);
            }
        }
    }
    let of_contents: FxHashSet<u32> = cfa.objects.ids().map(|o| points_to.set_of_contents(o)).collect();
    for (pointee, _) in of_contents.iter().flat_map(|set| points_to.set(*set)) {
        sites.remove(pointee);
    }
    let cycles = locations_in_cycles(cfa);
    sites.into_iter().filter_map(|(o, e)| e.filter(|e| !cycles[cfa.edges[*e].from.index()]).map(|e| (o, e))).collect()
}

/// Splits an object into the byte ranges of variables; `None` if they would be too long or too many. `read_outside`: whether
/// the whole object may be read other than by `accesses`.
fn cluster(accesses: &[&Access], offsets: &[u64], read_outside: bool) -> Option<Vec<(u64, u64)>> {
    let range = |i: usize| (offsets[i], offsets[i] + accesses[i].bytes.unwrap_or(0));
    let select = |wanted: &dyn Fn(Role) -> bool| -> Vec<(u64, u64)> {
        let chosen = (0..accesses.len()).filter(|&i| wanted(accesses[i].role));
        merged(chosen.map(range).filter(|(lo, hi)| lo < hi).collect())
    };
    let scalar = |role| matches!(role, Role::Read { copied: false } | Role::Write { constant: false, copied: false });
    let mut found = select(&scalar);
    // Writes of constants can be split anywhere: what no other access covers becomes a variable as it is.
    let constants = select(&|role| matches!(role, Role::Write { constant: true, .. }));
    found.extend(merged(gaps(&constants, &found)));
    found.sort_unstable();
    // Bytes that only copies touch matter only if they are copied elsewhere.
    if read_outside || accesses.iter().any(|a| matches!(a.role, Role::CopyFrom | Role::Read { copied: true })) {
        let copies =
            select(&|role| matches!(role, Role::CopyFrom | Role::CopyTo | Role::Read { .. } | Role::Write { .. }));
        for (mut lo, hi) in gaps(&copies, &found) {
            if (hi - lo).div_ceil(GAP_BYTES) as usize > MAX_VARIABLES {
                return None;
            }
            while lo < hi {
                let end = (lo / GAP_BYTES * GAP_BYTES + GAP_BYTES).min(hi);
                found.push((lo, end));
                lo = end;
            }
        }
        found.sort_unstable();
    }
    let fits = found.len() <= MAX_VARIABLES && found.iter().all(|(lo, hi)| hi - lo <= MAX_VARIABLE_BYTES);
    fits.then_some(found)
}

/// Merges overlapping ranges.
fn merged(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (lo, hi) in ranges {
        match found.last_mut() {
            Some(last) if lo < last.1 => last.1 = last.1.max(hi),
            _ => found.push((lo, hi)),
        }
    }
    found
}

/// The parts of `ranges` that `covered` (ascending, disjoint) does not cover.
fn gaps(ranges: &[(u64, u64)], covered: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut open = Vec::new();
    for &(lo, hi) in ranges {
        let mut at = lo;
        let begin = covered.partition_point(|c| c.1 <= lo);
        for &(clo, chi) in covered[begin..].iter().take_while(|c| c.0 < hi) {
            if at < clo {
                open.push((at, clo));
            }
            at = at.max(chi);
        }
        if at < hi {
            open.push((at, hi));
        }
    }
    open
}

fn new_variable(
    cfa: &mut Cfa,
    names: &mut FxHashSet<String>,
    object: ObjectId,
    lo: u64,
    hi: u64,
    scope: Scope,
) -> Cluster {
    let whole = (lo, hi - lo) == (0, cfa.objects[object].size_bytes.unwrap_or(0));
    let mut name = cfa.objects[object].name.clone();
    if !whole {
        name = format!("{name}.{lo}");
    }
    while !names.insert(name.clone()) {
        name.push('\'');
    }
    let var = cfa.add_var(name, Sort::Bv(8 * (hi - lo) as u32), scope);
    cfa.vars[var].source = source_name(cfa, object, lo, hi);
    Cluster { lo, hi, var }
}

/// The source name of the part of the object that the variable holds.
fn source_name(cfa: &Cfa, object: ObjectId, lo: u64, hi: u64) -> Option<SourceName> {
    let parts = cfa.object_parts.get(&object)?;
    let part = parts.iter().find(|p| p.offset_bytes == lo && p.size_bytes == hi - lo)?;
    Some(part.source.clone())
}
