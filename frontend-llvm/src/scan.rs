//! What a program may execute, determined before lowering: the reachable functions, and which of them may be active twice.
//!
//! A function in a cycle of the call graph needs a new stack slot in each activation. An indirect call may reach every function
//! whose address is taken and whose number of parameters fits, which over-approximates the result of the later points-to
//! analysis.

use crate::builtin::Builtin;
use crate::ir::{Opcode, Value, ValueKind};
use crate::resolve::{Callee, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of the scan.
#[derive(Default)]
pub(crate) struct Reachable<'m> {
    /// Functions with a body of which several activations may exist at a time.
    pub recursive: FxHashSet<Value<'m>>,
    /// Names of called functions without a body.
    pub called: FxHashSet<String>,
    /// Functions with a body, in order of discovery.
    pub functions: Vec<Value<'m>>,
    /// The number of their instructions.
    pub instructions: usize,
    /// The least number of parameters of the variadic functions to which a pointer may be, if there are any.
    pub fewest_named: Option<usize>,
}

/// The number of arguments that an indirect call passes; `None` for a call without a prototype.
type Arity = Option<u32>;

struct Scan<'r, 's, 'm> {
    resolver: &'r mut Resolver<'s, 'm>,
    found: Reachable<'m>,
    index: FxHashMap<Value<'m>, usize>,
    calls: Vec<Vec<usize>>,
    indirect: Vec<(usize, Arity)>,
    taken: Vec<Value<'m>>,
    constants: FxHashSet<Value<'m>>,
    exit_callers: Vec<usize>,
}

/// Determines what is reachable from `roots`.
pub(crate) fn scan<'m>(resolver: &mut Resolver<'_, 'm>, roots: &[Value<'m>]) -> Reachable<'m> {
    let mut s = Scan {
        resolver,
        found: Reachable::default(),
        index: FxHashMap::default(),
        calls: Vec::new(),
        indirect: Vec::new(),
        taken: Vec::new(),
        constants: FxHashSet::default(),
        exit_callers: Vec::new(),
    };
    for &root in roots {
        s.function(root);
    }
    let mut next = 0;
    loop {
        while next < s.found.functions.len() {
            s.body(next);
            next += 1;
        }
        // Leaving through exit() runs the functions registered with atexit().
        let runs = s.resolver.exit_runner(|f| s.index.contains_key(&f));
        match runs {
            Some(f) if !s.index.contains_key(&f) => {
                s.function(f);
            }
            _ => break,
        }
    }
    s.finish()
}

impl<'m> Scan<'_, '_, 'm> {
    fn function(&mut self, f: Value<'m>) -> usize {
        if let Some(&i) = self.index.get(&f) {
            return i;
        }
        let i = self.found.functions.len();
        self.index.insert(f, i);
        self.found.functions.push(f);
        self.calls.push(Vec::new());
        i
    }

    fn body(&mut self, caller: usize) {
        for block in self.found.functions[caller].blocks() {
            for inst in block.instructions() {
                self.found.instructions += 1;
                let call = matches!(inst.opcode(), Opcode::Call | Opcode::Invoke | Opcode::CallBr);
                let n = inst.n_operands();
                if call {
                    self.call(caller, inst);
                }
                // The last operand of a call is the called value.
                for i in 0..if call { n - 1 } else { n } {
                    self.operand(inst.operand(i));
                }
            }
        }
    }

    fn call(&mut self, caller: usize, inst: Value<'m>) {
        let callee = inst.called().stripped();
        if !callee.is_function() {
            if callee.kind() != ValueKind::LLVMInlineAsmValueKind {
                let ty = inst.called_type();
                let arity = (!ty.is_variadic()).then(|| inst.call_args().len() as u32);
                self.indirect.push((caller, arity));
            }
            return;
        }
        match self.resolver.callee(callee) {
            Callee::Body(f) => {
                let to = self.function(f);
                self.calls[caller].push(to);
            }
            Callee::Intrinsic => {}
            other => {
                if other == Callee::Builtin(Builtin::Exit) {
                    self.exit_callers.push(caller);
                }
                self.found.called.insert(callee.name());
            }
        }
    }

    /// Visits the functions and globals that a constant refers to.
    fn operand(&mut self, v: Value<'m>) {
        let mut stack = vec![v];
        while let Some(v) = stack.pop() {
            match v.kind() {
                ValueKind::LLVMFunctionValueKind => {
                    if !self.constants.insert(v) {
                        continue;
                    }
                    let ty = match self.resolver.callee(v) {
                        // A model may be variadic where the program's declaration is not.
                        Callee::Body(f) => {
                            self.function(f);
                            self.taken.push(f);
                            f.value_type()
                        }
                        _ => {
                            self.found.called.insert(v.name());
                            v.value_type()
                        }
                    };
                    if ty.is_variadic() {
                        let named = ty.params().len();
                        self.found.fewest_named = Some(self.found.fewest_named.map_or(named, |n| n.min(named)));
                    }
                }
                ValueKind::LLVMGlobalVariableValueKind => {
                    let definition = self.resolver.global(v);
                    if self.constants.insert(definition) {
                        stack.extend(definition.initializer());
                    }
                }
                ValueKind::LLVMGlobalAliasValueKind => stack.push(v.aliasee()),
                ValueKind::LLVMConstantExprValueKind
                | ValueKind::LLVMConstantArrayValueKind
                | ValueKind::LLVMConstantStructValueKind
                | ValueKind::LLVMConstantVectorValueKind
                    if self.constants.insert(v) =>
                {
                    stack.extend((0..v.n_operands()).map(|i| v.operand(i)));
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Reachable<'m> {
        if let Some(f) = self.resolver.exit_runner(|f| self.index.contains_key(&f)) {
            let runs = self.index[&f];
            for &caller in &self.exit_callers {
                self.calls[caller].push(runs);
            }
        }
        // For each arity, one auxiliary node connects the indirect calls with the functions that they may reach.
        let mut nodes: FxHashMap<Arity, usize> = FxHashMap::default();
        for &(caller, arity) in &self.indirect {
            let node = *nodes.entry(arity).or_insert_with(|| {
                let fits = |f: &Value| {
                    let ty = f.value_type();
                    arity.is_none() || ty.is_variadic() || arity == Some(ty.params().len() as u32)
                };
                self.calls.push(self.taken.iter().filter(|f| fits(f)).map(|f| self.index[f]).collect());
                self.calls.len() - 1
            });
            self.calls[caller].push(node);
        }
        for component in components(&self.calls) {
            let cyclic = component.len() > 1 || self.calls[component[0]].contains(&component[0]);
            if cyclic {
                let functions = component.into_iter().filter_map(|i| self.found.functions.get(i));
                self.found.recursive.extend(functions.copied());
            }
        }
        self.found
    }
}

/// Strongly connected components (Tarjan 1972, without recursion).
fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = successors.len();
    let (mut order, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut result, mut clock) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (v, ref mut next)) = path.last_mut() {
            if *next == 0 {
                order[v] = clock;
                low[v] = clock;
                clock += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&w) = successors[v].get(*next) {
                *next += 1;
                if order[w] == UNSEEN {
                    path.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] == order[v] {
                let at = stack.iter().rposition(|&w| w == v).expect("a component's root is on the stack");
                let component = stack.split_off(at);
                for &w in &component {
                    on_stack[w] = false;
                }
                result.push(component);
            }
        }
    }
    result
}
