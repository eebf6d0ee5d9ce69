//! Tests of the checker of points-to solutions and of the split of memory: it accepts what preparation claims, and rejects corrupted
//! claims.

use cfa::pointers::{Place, PointerClaims, SetId};
use cfa::{Cfa, Id, ObjectId, Op};
use checker::{check_open_calls, check_pointers, check_split};
use frontend_llvm::LoadOptions;
use frontend_llvm::load::Undefined;
use kerf_testing::Random;
use kerf_tests::kerf::parallel;
use kerf_tests::tasks::{load_program, programs};
use slicer::points_to::PointsToKind;
use slicer::{Claims, PrepareOptions, prepare_with_claims};
use std::path::{Path, PathBuf};

fn claims(file: &Path, points_to: PointsToKind, undefined: Undefined) -> Claims {
    prepared(file, points_to, undefined).1
}

fn prepared(file: &Path, points_to: PointsToKind, undefined: Undefined) -> (Cfa, Claims) {
    let loaded = load_program(file, &LoadOptions { undefined, ..LoadOptions::default() }).expect("it loads");
    let options = PrepareOptions { points_to, ..PrepareOptions::default() };
    let (cfa, _, claims) = prepare_with_claims(loaded.raw, &options).expect("it is prepared");
    (cfa, claims)
}

#[test]
fn what_preparation_claims_is_accepted() {
    let files: Vec<(usize, PathBuf)> = programs("programs").into_iter().enumerate().collect();
    let wrong = parallel(&files, 2, |(i, file)| {
        let undefined = if i % 2 == 0 { Undefined::default() } else { Undefined::ChangesAny };
        let kind = if i / 2 % 2 == 0 { PointsToKind::Andersen } else { PointsToKind::Steensgaard };
        let (cfa, claims) = prepared(file, kind, undefined);
        let pointers = check_pointers(&claims.raw, &claims.pointers);
        let calls = check_open_calls(&claims.raw, &claims.pointers, &cfa);
        let split = check_split(&claims.raw, &claims.pointers, &claims.split);
        let checked = [pointers, calls, split];
        checked.iter().any(Result::is_err).then(|| format!("{} {kind:?}: {checked:?}", file.display()))
    });
    assert_eq!(wrong.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// A call that may leave the program must not end where no function that is called by name fits.
#[test]
fn calls_that_were_closed_are_rejected() {
    let mut closed = 0;
    for file in programs("programs") {
        let (mut cfa, claims) = prepared(&file, PointsToKind::Andersen, Undefined::default());
        if claims.pointers.open_calls.is_empty() {
            continue;
        }
        for e in cfa.edges.ids() {
            if matches!(cfa.edges[e].op, Op::Unsupported(_)) {
                cfa.edges[e].op = Op::Skip;
            }
        }
        assert!(check_open_calls(&claims.raw, &claims.pointers, &cfa).is_err(), "{}", file.display());
        closed += 1;
    }
    assert!(closed >= 2, "{closed}");
}

/// A set without one of its objects, as a new one.
fn without(claims: &mut PointerClaims, set: SetId, random: &mut Random) -> (SetId, ObjectId) {
    let old = claims.sets[set as usize].clone();
    let dropped = old[random.below(old.len())].0;
    let left: Vec<_> = old.into_iter().filter(|p| p.0 != dropped).collect();
    claims.sets.push(left);
    (claims.sets.len() as SetId - 1, dropped)
}

/// Corrupts one set, at one of the places that have it. Returns a description.
fn bend(claims: &mut PointerClaims, random: &mut Random) -> Option<String> {
    let vars: Vec<usize> = (0..claims.vars.len()).filter(|v| claims.vars[*v] != 0).collect();
    let holders: Vec<usize> = (0..claims.contents.len()).filter(|o| claims.contents[*o].all != 0).collect();
    match random.below(4) {
        0 if claims.exposed != 0 => {
            let (set, o) = without(claims, claims.exposed, random);
            claims.exposed = set;
            Some(format!("object {} is not exposed", o.index()))
        }
        1 if !holders.is_empty() => {
            let at = holders[random.below(holders.len())];
            let (set, o) = without(claims, claims.contents[at].all, random);
            claims.contents[at].all = set;
            Some(format!("object {at} does not hold object {}", o.index()))
        }
        2 if !claims.callees.is_empty() => {
            let mut edges: Vec<_> = claims.callees.keys().copied().collect();
            edges.sort_unstable();
            let e = edges[random.below(edges.len())];
            claims.callees.get_mut(&e)?.pop().map(|f| format!("edge {} does not call {}", e.index(), f.index()))
        }
        _ if !vars.is_empty() => {
            let v = vars[random.below(vars.len())];
            let (set, o) = without(claims, claims.vars[v], random);
            claims.vars[v] = set;
            Some(format!("variable {v} does not point to object {}", o.index()))
        }
        _ => None,
    }
}

/// The checker notices that an object was dropped from a set if the object flows there. A solution that is still accepted is closed, too:
/// the analysis had claimed more than necessary, as it does where it merges nodes.
#[test]
fn bent_solutions_are_rejected() {
    let mut random = Random::new(14);
    let (mut rejected, mut accepted) = (0, Vec::new());
    for file in programs("programs").into_iter().step_by(3) {
        let claims = claims(&file, PointsToKind::Andersen, Undefined::default());
        for _ in 0..12 {
            let mut bent = claims.pointers.clone();
            let Some(what) = bend(&mut bent, &mut random) else { continue };
            match check_pointers(&claims.raw, &bent) {
                Err(_) => rejected += 1,
                Ok(()) => accepted.push(format!("{}: {what}", file.display())),
            }
        }
    }
    assert!(rejected > 1000, "{rejected}");
    assert!(accepted.len() * 20 < rejected, "{} of {}: {accepted:#?}", accepted.len(), rejected + accepted.len());
}

#[test]
fn bent_splits_are_rejected() {
    let mut random = Random::new(15);
    let mut rejected = [0; 4];
    for file in programs("programs").into_iter().step_by(4) {
        let Claims { raw, pointers, split } = claims(&file, PointsToKind::Andersen, Undefined::default());
        let mut addresses: Vec<_> = split.places.keys().copied().collect();
        addresses.sort_unstable();
        for _ in 0..8 {
            let mut bent = split.clone();
            let kind = random.below(4);
            let some = (!addresses.is_empty()).then(|| addresses[random.below(addresses.len())]);
            let place = some.and_then(|a| bent.places.get_mut(&a).filter(|_| a.1 != Some(0)));
            let changed = match (kind, place) {
                // The access is of another memory than the one that holds the object.
                (0, Some(Place::Memory(objects))) => match &objects[..] {
                    [fewer @ .., _] => {
                        *objects = fewer.into();
                        true
                    }
                    [] => false,
                },
                (1, Some(Place::Variables { offset, .. })) => {
                    *offset += 1;
                    true
                }
                (2, Some(place @ (Place::Memory(_) | Place::Variables { .. }))) => {
                    *place = Place::Nowhere;
                    true
                }
                (3, _) => {
                    let tested = bent.tested.len();
                    bent.tested.clear();
                    tested > 0
                }
                _ => false,
            };
            if changed {
                let checked = check_split(&raw, &pointers, &bent);
                assert!(checked.is_err(), "{}: {kind} {some:?}", file.display());
                rejected[kind] += 1;
            }
        }
    }
    assert!(rejected.iter().all(|n| *n > 0), "{rejected:?}");
}
