//! Laws of the persistent maps and sets that states are kept in: maps that share parts are compared and subtracted as if they shared none.
//!
//! Joins, coverage and the certificate checker look only at what `diff` and `==` report: an entry that one of them passes over is a value
//! that takes the place of another one. imbl 6.1 passed over the first entry after a shared leaf, which made a wrong proof.

use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A change of a map: a new value of a key, or none any more.
type Change = (u32, Option<u8>);

fn changes(keys: u32) -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((0..keys, prop::option::weighted(0.8, 0..3u8)), 0..12)
}

fn apply(map: &mut OrdMap<u32, u8>, model: &mut BTreeMap<u32, u8>, changes: &[Change]) {
    for &(key, value) in changes {
        match value {
            Some(v) => {
                map.insert(key, v);
                model.insert(key, v);
            }
            None => {
                map.remove(&key);
                model.remove(&key);
            }
        }
    }
}

/// What is different, by key: the value before, the value after.
fn differences(a: &BTreeMap<u32, u8>, b: &BTreeMap<u32, u8>) -> BTreeMap<u32, (Option<u8>, Option<u8>)> {
    let keys: BTreeSet<u32> = a.keys().chain(b.keys()).copied().collect();
    let both = |k: u32| (k, (a.get(&k).copied(), b.get(&k).copied()));
    keys.into_iter().map(both).filter(|(_, (x, y))| x != y).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn maps_that_share_parts_differ_in_what_was_changed(
        (keys, common, left, right) in (1u32..400).prop_flat_map(|n| (Just(n), changes(n), changes(n), changes(n)))
    ) {
        let mut model: BTreeMap<u32, u8> = (0..keys).map(|k| (k, 0)).collect();
        let mut map: OrdMap<u32, u8> = model.iter().map(|(k, v)| (*k, *v)).collect();
        apply(&mut map, &mut model, &common);
        let ((mut a, mut model_a), (mut b, mut model_b)) = ((map.clone(), model.clone()), (map, model));
        apply(&mut a, &mut model_a, &left);
        apply(&mut b, &mut model_b, &right);
        let found: Vec<_> = a.diff(&b).map(|d| match d {
            DiffItem::Add(k, y) => (*k, (None, Some(*y))),
            DiffItem::Remove(k, x) => (*k, (Some(*x), None)),
            DiffItem::Update { old, new } => (*old.0, (Some(*old.1), Some(*new.1))),
        }).collect();
        prop_assert_eq!(found.len(), differences(&model_a, &model_b).len());
        prop_assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), differences(&model_a, &model_b));
        prop_assert_eq!(a == b, model_a == model_b);
        let sets = |m: &BTreeMap<u32, u8>| m.keys().copied().collect::<BTreeSet<u32>>();
        let keys = |m: &OrdMap<u32, u8>| m.keys().copied().collect::<OrdSet<u32>>();
        prop_assert_eq!(keys(&a) == keys(&b), sets(&model_a) == sets(&model_b));
    }
}

/// One entry after a shared leaf is another one: the least map with two leaves.
#[test]
fn the_first_entry_after_a_shared_part_counts() {
    for n in [17u32, 64, 1000] {
        let a: OrdMap<u32, u8> = (0..n).map(|k| (k, 0)).collect();
        for k in 0..n {
            let b = a.update(k, 1);
            assert_eq!(a.diff(&b).count(), 1, "key {k} of {n}");
            assert_ne!(a, b, "key {k} of {n}");
        }
        let s: OrdSet<u32> = (0..n).map(|k| 2 * k).collect();
        for k in 0..n {
            assert_ne!(s, s.update(2 * k + 1), "{k} of {n}");
            assert_ne!(s, s.without(&(2 * k)), "{k} of {n}");
        }
    }
}
