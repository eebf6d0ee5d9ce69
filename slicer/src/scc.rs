//! Strongly connected components of a graph on `0..n` (Tarjan, SIAM J. Computing 1972), without recursion.

/// The components in reverse topological order (each after those it leads to); their members ascend. `next` appends the
/// successors of a node.
pub fn components(n: usize, next: impl FnMut(u32, &mut Vec<u32>)) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    for_each_component(n, next, |members| found.push(members.to_vec()));
    found
}

/// Calls `found` with the components, in the order of [`components`].
pub fn for_each_component(n: usize, mut next: impl FnMut(u32, &mut Vec<u32>), mut found: impl FnMut(&[u32])) {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; n];
    let mut low = vec![0u32; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut count): (Vec<u32>, u32) = (Vec::new(), 0);
    // The successors of all nodes on the path share one vector; each node knows where its own begin.
    let mut successors: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(v) = enter.take() {
                (index[v as usize], low[v as usize]) = (count, count);
                count += 1;
                stack.push(v);
                on_stack[v as usize] = true;
                path.push((v, successors.len()));
                next(v, &mut successors);
            }
            let Some(&(v, begin)) = path.last() else { break };
            if successors.len() > begin {
                let w = successors.pop().expect("not empty");
                if index[w as usize] == NEW {
                    enter = Some(w);
                } else if on_stack[w as usize] {
                    low[v as usize] = low[v as usize].min(index[w as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(p, _)) = path.last() {
                low[p as usize] = low[p as usize].min(low[v as usize]);
            }
            if low[v as usize] == index[v as usize] {
                let at = stack.iter().rposition(|&m| m == v).expect("on the stack");
                let component = &mut stack[at..];
                component.iter().for_each(|&m| on_stack[m as usize] = false);
                component.sort_unstable();
                found(component);
                stack.truncate(at);
            }
        }
    }
}
