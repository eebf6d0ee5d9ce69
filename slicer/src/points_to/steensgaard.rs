//! The unification-based solver (Steensgaard, "Points-to analysis in almost linear time", POPL 1996).
//!
//! A value points to at most one class of objects, and the objects of a class have one content. Where a value flows to another
//! one, both point to the same class, but only once the first one points to something: integers unify nothing. Offsets are not tracked.
//! Whether a value was computed from an address in a way that hides the pointer is tracked along the flows, not by class.

use crate::points_to::location::Flow;
use crate::points_to::solver::{Arrival, Node, Solution, Solver, Summary, Waiting};
use cfa::offset::{Offset, Pointee};
use cfa::pointers::{ContentClaim, Grid};
use cfa::{Cfa, EdgeId, Id, ObjectId};
use rustc_hash::FxHashMap;

/// A class of objects.
type Class = u32;
const NONE: u32 = u32::MAX;

/// What is known of a value; for unified values, stored at the representative.
#[derive(Default)]
struct Value {
    mangled: bool,
    /// The values that this one flows to, each with whether the flow mangles it.
    flows: Vec<(Node, bool)>,
    waiting: Vec<Waiting>,
}

/// What is known of a class; for unified classes, stored at the representative.
#[derive(Default)]
struct Members {
    objects: Vec<ObjectId>,
    content: Option<Node>,
    calls: Vec<EdgeId>,
}

/// A pending unification step.
enum Task {
    Point(Node, Class),
    Unite(Class, Class),
}

/// Values, classes, and the solution so far.
pub(super) struct Steensgaard {
    value_rep: Vec<Node>,
    values: Vec<Value>,
    /// The class that each value points to.
    class: Vec<Class>,
    class_rep: Vec<Class>,
    members: Vec<Members>,
    /// The class of each object.
    of_object: Vec<Class>,
    /// The object that stands for all memory outside the program.
    outside: Option<ObjectId>,
    tasks: Vec<Task>,
    arrivals: Vec<Arrival>,
    /// Values to which mangled pointees were added directly.
    mangled: Vec<Node>,
}

impl Steensgaard {
    /// An empty graph.
    pub(super) fn new(cfa: &Cfa) -> Steensgaard {
        Steensgaard {
            value_rep: Vec::new(),
            values: Vec::new(),
            class: Vec::new(),
            class_rep: Vec::new(),
            members: Vec::new(),
            of_object: vec![NONE; cfa.objects.len()],
            outside: cfa.outside(),
            tasks: Vec::new(),
            arrivals: Vec::new(),
            mangled: Vec::new(),
        }
    }

    fn value(&self, n: Node) -> Node {
        representative(&self.value_rep, n)
    }

    /// The class that a value points to.
    fn class(&self, n: Node) -> Option<Class> {
        let class = self.class[self.value(n) as usize];
        (class != NONE).then(|| representative(&self.class_rep, class))
    }

    fn class_of_object(&mut self, o: ObjectId) -> Class {
        if self.of_object[o.index()] == NONE {
            let class = self.class_rep.len() as Class;
            self.of_object[o.index()] = class;
            self.class_rep.push(class);
            self.members.push(Members { objects: vec![o], ..Members::default() });
        }
        representative(&self.class_rep, self.of_object[o.index()])
    }

    fn content(&mut self, class: Class) -> Node {
        match self.members[class as usize].content {
            Some(n) => n,
            None => {
                let n = self.add_node();
                self.members[class as usize].content = Some(n);
                n
            }
        }
    }

    fn work(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Point(n, class) => self.point(n, class),
                Task::Unite(a, b) => self.unite(a, b),
            }
        }
    }

    /// Makes `n` point to `class`.
    fn point(&mut self, n: Node, class: Class) {
        let n = self.value(n);
        let class = representative(&self.class_rep, class);
        if let Some(present) = self.class(n) {
            return self.unite(present, class);
        }
        self.class[n as usize] = class;
        for i in 0..self.values[n as usize].flows.len() {
            let (to, _) = self.values[n as usize].flows[i];
            self.tasks.push(Task::Point(to, class));
        }
        for i in 0..self.values[n as usize].waiting.len() {
            let w = self.values[n as usize].waiting[i];
            self.apply(w, class);
        }
    }

    fn apply(&mut self, w: Waiting, class: Class) {
        match w {
            Waiting::Load { to, plain, .. } => {
                let content = self.content(class);
                self.flow(content, to, !plain);
            }
            Waiting::Store { from, plain, .. } => {
                let content = self.content(class);
                self.flow(from, content, !plain);
            }
            Waiting::Call(e) => {
                let members = &mut self.members[class as usize];
                members.calls.push(e);
                self.arrivals.extend(members.objects.iter().map(|o| (e, *o)));
            }
        }
    }

    fn flow(&mut self, from: Node, to: Node, mangles: bool) {
        let (from, to) = (self.value(from), self.value(to));
        self.values[from as usize].flows.push((to, mangles));
        if let Some(class) = self.class(from) {
            self.tasks.push(Task::Point(to, class));
        }
    }

    /// Finds the values that were computed from addresses in a way that hides the pointer.
    fn find_mangled(&mut self) {
        let mut stack = self.mangled.clone();
        for n in 0..self.values.len() as Node {
            self.values[n as usize].mangled = false;
            if self.class(n).is_some() {
                stack.extend(self.values[n as usize].flows.iter().filter(|f| f.1).map(|f| f.0));
            }
        }
        while let Some(n) = stack.pop() {
            let n = self.value(n);
            let value = &mut self.values[n as usize];
            if !std::mem::replace(&mut value.mangled, true) {
                stack.extend(value.flows.iter().map(|f| f.0));
            }
        }
    }

    fn unite(&mut self, a: Class, b: Class) {
        let (a, b) = (representative(&self.class_rep, a), representative(&self.class_rep, b));
        if a == b {
            return;
        }
        let size = |c: Class| self.members[c as usize].objects.len();
        let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
        self.class_rep[small as usize] = large;
        let other = std::mem::take(&mut self.members[small as usize]);
        let own = &mut self.members[large as usize];
        let pairs = |calls: &[EdgeId], objects: &[ObjectId], found: &mut Vec<Arrival>| {
            calls.iter().for_each(|e| found.extend(objects.iter().map(|o| (*e, *o))));
        };
        pairs(&own.calls, &other.objects, &mut self.arrivals);
        pairs(&other.calls, &own.objects, &mut self.arrivals);
        own.objects.extend(other.objects);
        own.calls.extend(other.calls);
        match (own.content, other.content) {
            (None, content) => own.content = content,
            (Some(x), Some(y)) => self.unite_values(x, y),
            (Some(_), None) => {}
        }
    }

    fn unite_values(&mut self, a: Node, b: Node) {
        let (a, b) = (self.value(a), self.value(b));
        if a == b {
            return;
        }
        let (class_a, class_b) = (self.class(a), self.class(b));
        // A value that points to a class already becomes the representative.
        let (rep, other) = if class_a.is_some() { (a, b) } else { (b, a) };
        self.value_rep[other as usize] = rep;
        let Value { flows, waiting, .. } = std::mem::take(&mut self.values[other as usize]);
        match (class_a, class_b) {
            (Some(x), Some(y)) => self.tasks.push(Task::Unite(x, y)),
            (None, None) => {}
            (Some(class), None) | (None, Some(class)) => {
                self.tasks.extend(flows.iter().map(|f| Task::Point(f.0, class)));
                waiting.iter().for_each(|w| self.apply(*w, class));
            }
        }
        self.values[rep as usize].flows.extend(flows);
        self.values[rep as usize].waiting.extend(waiting);
    }
}

fn representative(parents: &[u32], mut x: u32) -> u32 {
    while parents[x as usize] != x {
        x = parents[x as usize];
    }
    x
}

impl Solver for Steensgaard {
    fn add_node(&mut self) -> Node {
        let n = self.value_rep.len() as Node;
        self.value_rep.push(n);
        self.values.push(Value::default());
        self.class.push(NONE);
        n
    }

    fn add_location(&mut self, n: Node, (object, offset): Pointee) {
        let class = self.class_of_object(object);
        if offset.is_mangled() {
            self.mangled.push(n);
        }
        self.tasks.push(Task::Point(n, class));
        self.work();
    }

    fn outside(&mut self, o: ObjectId) -> Node {
        let class = self.class_of_object(o);
        let n = self.content(class);
        self.add_location(n, (o, Offset::ANY));
        n
    }

    fn add_flow(&mut self, from: Node, to: Node, flow: Flow) {
        self.flow(from, to, matches!(flow, Flow::Mangle | Flow::Compute));
        self.work();
    }

    fn unify(&mut self, a: Node, b: Node) {
        self.unite_values(a, b);
        self.work();
    }

    fn add_waiting(&mut self, n: Node, w: Waiting) {
        let n = self.value(n);
        self.values[n as usize].waiting.push(w);
        if let Some(class) = self.class(n) {
            self.apply(w, class);
            self.work();
        }
    }

    fn run(&mut self) -> Vec<Arrival> {
        self.find_mangled();
        std::mem::take(&mut self.arrivals)
    }

    fn summary(&self, n: Node) -> Summary {
        let objects = self.class(n).map_or(&[][..], |c| &self.members[c as usize].objects);
        let mangled = !objects.is_empty() && self.values[self.value(n) as usize].mangled;
        let mut inside = objects.iter().copied().filter(|o| Some(*o) != self.outside);
        Summary {
            first: inside.next(),
            several: inside.next().is_some(),
            outside: objects.iter().any(|o| Some(*o) == self.outside),
            mangled,
        }
    }

    fn solution(self, objects: usize) -> Solution {
        let mut sets = vec![Vec::new()];
        let mut numbers: FxHashMap<(Class, bool), u32> = FxHashMap::default();
        let mut set_of = |n: Node| -> u32 {
            let Some(class) = self.class(n) else { return 0 };
            let mangled = self.values[self.value(n) as usize].mangled;
            *numbers.entry((class, mangled)).or_insert_with(|| {
                let offset = if mangled { Offset::MANGLED } else { Offset::ANY };
                let mut set: Vec<Pointee> = self.members[class as usize].objects.iter().map(|&o| (o, offset)).collect();
                set.sort_unstable_by_key(|p| p.0);
                sets.push(set);
                sets.len() as u32 - 1
            })
        };
        let of_node = (0..self.value_rep.len() as Node).map(&mut set_of).collect();
        let of_content: Vec<u32> = (0..objects)
            .map(|o| match self.of_object[o] {
                NONE => 0,
                class => {
                    let class = representative(&self.class_rep, class);
                    self.members[class as usize].content.map_or(0, &mut set_of)
                }
            })
            .collect();
        let claims = of_content.iter().map(|all| ContentClaim { all: *all, ..ContentClaim::default() }).collect();
        let grid = Grid { granule_bytes: 1, granules: 0, period: 1 };
        Solution { of_node, of_content, apart: sets.clone(), sets, claims, grid }
    }
}
