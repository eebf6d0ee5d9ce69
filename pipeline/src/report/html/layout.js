// Layered drawings of directed graphs (Sugiyama, Tagawa, Toda 1981): layers by longest paths, order by neighbours, and places that are as
// close to those of the neighbours as the order permits.

const GAP_X = 18, GAP_Y = 44, WAYPOINT_WIDTH = 8, SWEEPS = 6;

/**
 * Places nodes. In: `nodes` with `id`, `width` and `height`, the entry first; `edges` with `from` and `to`. Sets `x` and `y` (of the middle
 * of the upper side) of nodes, and `points` of edges, from the node above to the one below; `isBackward` if that is against their direction.
 */
function layout(nodes, edges) {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    edges = edges.filter((edge) => edge.from !== edge.to);
    turnBackward(nodes, edges);
    const layers = layersOf(nodes, edges);
    const chains = addWaypoints(edges, layers, byId);
    const above = new Map(), below = new Map();
    const add = (map, key, value) => map.has(key) ? map.get(key).push(value) : map.set(key, [value]);
    for (const chain of chains) {
        for (let i = 1; i < chain.length; i++) {
            add(below, chain[i - 1], chain[i]);
            add(above, chain[i], chain[i - 1]);
        }
    }
    layers.forEach((layer) => layer.forEach((node, i) => { node.order = i; }));
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        const down = sweep % 2 === 0;
        for (const layer of down ? layers : layers.toReversed()) sortBy(layer, (node) => (down ? above : below).get(node) ?? []);
    }
    for (const layer of layers) {
        let x = 0;
        for (const node of layer) { node.x = x + node.width / 2; x += node.width + GAP_X; }
    }
    for (let sweep = 0; sweep <= SWEEPS; sweep++) {
        const down = sweep % 2 === 0;
        for (const layer of down ? layers : layers.toReversed()) align(layer, (node) => (down ? above : below).get(node) ?? []);
    }
    let y = 0;
    for (const layer of layers) {
        const height = Math.max(...layer.map((node) => node.height));
        layer.forEach((node) => { node.y = y; });
        y += height + GAP_Y;
    }
    edges.forEach((edge, i) => {
        const [first, ...rest] = chains[i];
        edge.points = [[first.x, first.y + first.height], ...rest.map((node) => [node.x, node.y])];
    });
}

/** Marks the edges that close cycles in a depth-first search. */
function turnBackward(nodes, edges) {
    const out = Map.groupBy(edges, (edge) => edge.from);
    const state = new Map();
    for (const root of nodes) {
        if (state.has(root.id)) continue;
        state.set(root.id, "open");
        const stack = [[root.id, (out.get(root.id) ?? [])[Symbol.iterator]()]];
        while (stack.length > 0) {
            const [id, rest] = stack.at(-1);
            const { value: edge, done } = rest.next();
            if (done) {
                state.set(id, "done");
                stack.pop();
                continue;
            }
            edge.isBackward = state.get(edge.to) === "open";
            if (state.has(edge.to)) continue;
            state.set(edge.to, "open");
            stack.push([edge.to, (out.get(edge.to) ?? [])[Symbol.iterator]()]);
        }
    }
}

const upper = (edge) => (edge.isBackward ? edge.to : edge.from);
const lower = (edge) => (edge.isBackward ? edge.from : edge.to);

/** The nodes in layers: each below all nodes that lead to it. Sets `layer`. */
function layersOf(nodes, edges) {
    const out = Map.groupBy(edges, upper);
    const waiting = new Map(nodes.map((node) => [node.id, 0]));
    edges.forEach((edge) => waiting.set(lower(edge), waiting.get(lower(edge)) + 1));
    const layer = new Map(nodes.map((node) => [node.id, 0]));
    const ready = nodes.filter((node) => waiting.get(node.id) === 0).map((node) => node.id);
    for (const id of ready) {
        for (const edge of out.get(id) ?? []) {
            const to = lower(edge);
            layer.set(to, Math.max(layer.get(to), layer.get(id) + 1));
            waiting.set(to, waiting.get(to) - 1);
            if (waiting.get(to) === 0) ready.push(to);
        }
    }
    const layers = [];
    for (const node of nodes) {
        node.layer = layer.get(node.id);
        (layers[node.layer] ??= []).push(node);
    }
    return layers;
}

/** For each edge the nodes that it passes: a waypoint in each layer between its ends. */
function addWaypoints(edges, layers, byId) {
    return edges.map((edge) => {
        const first = byId.get(upper(edge)), last = byId.get(lower(edge));
        const chain = [first];
        for (let layer = first.layer + 1; layer < last.layer; layer++) {
            const waypoint = { width: WAYPOINT_WIDTH, height: 0, layer };
            layers[layer].push(waypoint);
            chain.push(waypoint);
        }
        chain.push(last);
        return chain;
    });
}

/** Sorts a layer by the mean order of the neighbours. */
function sortBy(layer, neighbours) {
    for (const node of layer) {
        const all = neighbours(node);
        node.wish = all.length > 0 ? all.reduce((sum, other) => sum + other.order, 0) / all.length : node.order;
    }
    layer.sort((a, b) => a.wish - b.wish || a.order - b.order);
    layer.forEach((node, i) => { node.order = i; });
}

/** Moves the nodes of a layer to the mean place of their neighbours, as well as their order permits: regression by merging groups that collide. */
function align(layer, neighbours) {
    const groups = [];
    let offset = 0;
    for (const node of layer) {
        const all = neighbours(node);
        const wish = all.length > 0 ? all.reduce((sum, other) => sum + other.x, 0) / all.length : node.x;
        node.offset = offset + node.width / 2;
        offset += node.width + GAP_X;
        let group = { sum: wish - node.offset, nodes: [node] };
        while (groups.length > 0 && groups.at(-1).sum / groups.at(-1).nodes.length >= group.sum / group.nodes.length) {
            const before = groups.pop();
            group = { sum: before.sum + group.sum, nodes: [...before.nodes, ...group.nodes] };
        }
        groups.push(group);
    }
    for (const group of groups) {
        for (const node of group.nodes) node.x = group.sum / group.nodes.length + node.offset;
    }
}
