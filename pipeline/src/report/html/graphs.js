// Graphs that can be unfolded: only what is shown is laid out, so that a graph may have any number of nodes. A model is
// { roots, nodes }: ids to begin with, and a map from ids to { lines, kind, edges, full, open }: the text in the box, a class, edges with
// `to`, `text` and `kind`, the whole text, and buttons of the form [text, action].

/** Number of nodes that are shown first, and that unfolding a node adds at most. */
const FIRST = 60, MORE = 30;
const MAX_LINES = 6, MAX_CHARACTERS = 44;
const READABLE = 0.85;
const CHARACTER = 6.6, LINE = 15, PADDING = 8;

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

class GraphView {
    constructor() {
        this.group = svg("g", {});
        this.drawing = svg("svg", { role: "application", tabindex: 0, class: "graph", "aria-label": "Graph" }, arrowHead(), this.group);
        this.details = h("div", { class: "node-details", "aria-live": "polite" });
        this.count = h("span", { class: "count" });
        const button = (sign, name, action) => h("button", { type: "button", title: name, "aria-label": name, click: action }, sign);
        this.tools = h("div", { class: "tools" },
            button("+", "Zoom in (+)", () => this.zoom(1.25)), button("−", "Zoom out (−)", () => this.zoom(0.8)),
            button("fit", "Show all (0)", () => this.fit(0)), button("start again", "Fold all and begin at the start", () => this.show(this.model)),
            this.searchField(), this.count);
        this.element = h("div", { class: "graph-view" }, this.tools, this.drawing, this.details);
        this.drawing.addEventListener("keydown", (event) => this.key(event));
        this.drawing.addEventListener("wheel", (event) => {
            if (!this.drawing.contains(document.activeElement) && !event.ctrlKey) return;
            event.preventDefault();
            this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, event.offsetX, event.offsetY);
        }, { passive: false });
        this.drawing.addEventListener("pointerdown", (event) => this.drag(event));
    }

    searchField() {
        const field = h("input", { type: "search", placeholder: "find text, Enter", "aria-label": "Find text in the graph" });
        field.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && field.value) this.find(field.value);
        });
        return field;
    }

    /** Shows the first nodes of a model. */
    show(model) {
        this.model = model;
        this.shown = new Set();
        this.roots = model.roots;
        this.unfold(model.roots, FIRST);
        this.select(undefined);
        this.draw();
        // A small graph needs no large window; the style sheet limits the height.
        this.drawing.style.height = `${Math.max(...[...this.placed.values()].map((node) => node.y + node.height)) + 60}px`;
        this.fit(READABLE);
    }

    /** Shows at most `most` further nodes that are reachable from those in `from`, nearest first. */
    unfold(from, most) {
        const queue = [...from], seen = new Set(queue);
        for (const id of queue) {
            if (!this.shown.has(id)) {
                if (most === 0) break;
                this.shown.add(id);
                most -= 1;
            }
            for (const { to } of this.model.nodes.get(id).edges) {
                if (!seen.has(to)) { seen.add(to); queue.push(to); }
            }
        }
    }

    hidden(id) {
        return this.model.nodes.get(id).edges.filter(({ to }) => !this.shown.has(to)).length;
    }

    /** Shows what follows a node; or, if that is shown already, hides what only this node leads to. */
    turn(id) {
        if (this.hidden(id) > 0) {
            this.unfold([id], MORE);
        } else {
            const stays = new Set(), open = this.roots.filter((root) => this.shown.has(root));
            open.push(id);
            while (open.length > 0) {
                const next = open.pop();
                if (stays.has(next) || !this.shown.has(next)) continue;
                stays.add(next);
                if (next !== id) open.push(...this.model.nodes.get(next).edges.map(({ to }) => to));
            }
            this.shown = stays;
        }
        this.draw();
        this.select(id);
        this.group.querySelector(`[data-id="${id}"]`)?.focus({ preventScroll: true });
    }

    /** Begins at the next node, after the selected one, whose text contains `text`. */
    find(text) {
        const ids = [...this.model.nodes.keys()], at = ids.indexOf(this.selected);
        const order = [...ids.slice(at + 1), ...ids.slice(0, at + 1)];
        const contains = (other) => (other ?? "").toLowerCase().includes(text.toLowerCase());
        const found = order.find((id) => contains(this.model.nodes.get(id).full) || this.model.nodes.get(id).edges.some((edge) => contains(edge.text)));
        if (found === undefined) {
            this.details.replaceChildren(h("p", {}, `Nothing contains “${text}”.`));
            return;
        }
        if (!this.shown.has(found)) {
            this.shown = new Set();
            this.roots = [found];
            this.unfold([found], FIRST);
            this.draw();
            this.fit(READABLE);
        }
        this.select(found);
        this.center(found);
    }

    select(id) {
        this.selected = id;
        this.group.querySelectorAll(".selected").forEach((box) => box.classList.remove("selected"));
        this.group.querySelector(`[data-id="${id}"]`)?.classList.add("selected");
        const node = this.model.nodes.get(id);
        const hint = "Click a box to see all of it; double-click or Enter unfolds what follows, and folds it again. Drag, arrow keys, + and − move and zoom.";
        this.details.replaceChildren(...(node
            ? [h("pre", {}, node.full), h("p", { class: "buttons" }, (node.open ?? []).map(([text, action]) => h("button", { type: "button", click: action }, text)))]
            : [h("p", {}, hint)]));
    }

    draw() {
        const nodes = [...this.shown].map((id) => this.box(id));
        const edges = nodes.flatMap(({ id }) => this.model.nodes.get(id).edges.filter(({ to }) => this.shown.has(to)).map((edge, i) => ({ ...edge, from: id, labelRow: i })));
        layout(nodes, edges);
        this.placed = new Map(nodes.map((node) => [node.id, node]));
        this.group.replaceChildren(...edges.map((edge) => this.drawEdge(edge)), ...nodes.map((node) => this.drawNode(node)));
        const all = this.model.nodes.size;
        this.count.textContent = nodes.length < all ? `${number(nodes.length)} of ${number(all)} nodes` : `${number(all)} nodes`;
    }

    box(id) {
        const { lines } = this.model.nodes.get(id);
        const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 2), `… ${lines.length - MAX_LINES + 1} more`, lines.at(-1)] : lines;
        const texts = shown.map((line) => cut(line, MAX_CHARACTERS));
        const width = Math.max(26, Math.max(0, ...texts.map((text) => text.length)) * CHARACTER + 2 * PADDING);
        return { id, texts, width, height: Math.max(1, texts.length) * LINE + PADDING };
    }

    drawNode(node) {
        const { kind } = this.model.nodes.get(node.id);
        const hidden = this.hidden(node.id);
        const left = node.x - node.width / 2;
        const parts = [svg("rect", { x: left, y: node.y, width: node.width, height: node.height, rx: 4 })];
        node.texts.forEach((text, i) => {
            const line = svg("text", { x: left + PADDING, y: node.y + LINE * (i + 1) - 1 });
            line.textContent = text;
            parts.push(line);
        });
        if (hidden > 0) {
            const more = svg("text", { x: node.x, y: node.y + node.height + 13, class: "more" });
            more.textContent = `▾ ${hidden} more`;
            parts.push(more);
        }
        const label = `${node.texts.join(", ")}${hidden > 0 ? `, ${hidden} more` : ""}`;
        const group = svg("g", { class: `node ${kind ?? ""}`, "data-id": node.id, tabindex: 0, role: "button", "aria-label": label }, ...parts);
        group.addEventListener("click", () => this.select(node.id));
        group.addEventListener("dblclick", () => this.turn(node.id));
        group.addEventListener("keydown", (event) => {
            if (event.key === "Enter") this.turn(node.id);
            if (event.key === " ") { event.preventDefault(); this.select(node.id); }
        });
        return group;
    }

    drawEdge(edge) {
        const { from, to, points, isBackward } = edge;
        const kind = edge.kind ?? "";
        if (from === to) {
            const node = this.placed.get(from), x = node.x + node.width / 2, y = node.y + node.height / 2;
            return svg("path", { class: `edge ${kind}`, d: `M${x},${y - 5} c26,-14 26,24 0,10`, "marker-end": "url(#arrow)" });
        }
        let path = `M${points[0]}`;
        for (let i = 1; i < points.length; i++) {
            const [x0, y0] = points[i - 1], [x1, y1] = points[i], bend = (y1 - y0) / 2;
            path += ` C${x0},${y0 + bend} ${x1},${y1 - bend} ${x1},${y1}`;
        }
        const marker = isBackward ? "marker-start" : "marker-end";
        const line = svg("path", { class: `edge ${kind}${isBackward ? " backward" : ""}`, d: path, [marker]: "url(#arrow)" });
        if (!edge.text) return line;
        // The labels of the edges that leave a node stand below each other, since conditions are long.
        const [[x0], [x1]] = points;
        const [x, y] = isBackward ? [points.at(-1)[0], points.at(-1)[1] - 6]
            : [(x0 + 2 * x1) / 3, points[0][1] + 15 + 13 * edge.labelRow];
        const label = svg("text", { class: "edge-label", x, y });
        label.textContent = cut(edge.text, 30);
        return svg("g", { class: kind }, line, label);
    }

    /** Shows all, or, if it would be smaller than `least`, its beginning. */
    fit(least) {
        const nodes = [...this.placed.values()];
        const left = Math.min(...nodes.map((n) => n.x - n.width / 2)), right = Math.max(...nodes.map((n) => n.x + n.width / 2));
        const bottom = Math.max(...nodes.map((n) => n.y + n.height));
        const { clientWidth: width, clientHeight: height } = this.drawing;
        const k = Math.min(1, Math.max(least, Math.min(width / (right - left + 40), height / (bottom + 50))));
        const first = nodes[0].x;
        const middle = (right - left) * k > width ? first : (left + right) / 2;
        this.move(width / 2 - middle * k, 16, k);
    }

    center(id) {
        const node = this.placed.get(id);
        const { clientWidth: width, clientHeight: height } = this.drawing;
        this.move(width / 2 - node.x * this.k, height / 2 - node.y * this.k, this.k);
    }

    zoom(factor, x = this.drawing.clientWidth / 2, y = this.drawing.clientHeight / 2) {
        const k = Math.max(0.05, Math.min(4, this.k * factor)), by = k / this.k;
        this.move(x - (x - this.x) * by, y - (y - this.y) * by, k);
    }

    move(x, y, k) {
        Object.assign(this, { x, y, k });
        this.group.setAttribute("transform", `translate(${x},${y}) scale(${k})`);
    }

    key(event) {
        const by = 60;
        const moves = { ArrowLeft: [by, 0], ArrowRight: [-by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
        if (moves[event.key]) this.move(this.x + moves[event.key][0], this.y + moves[event.key][1], this.k);
        else if (event.key === "+") this.zoom(1.25);
        else if (event.key === "-") this.zoom(0.8);
        else if (event.key === "0") this.fit(0);
        else return;
        event.preventDefault();
    }

    drag(begin) {
        const { x, y } = this;
        const move = (event) => this.move(x + event.clientX - begin.clientX, y + event.clientY - begin.clientY, this.k);
        const end = () => {
            window.removeEventListener("pointermove", move);
            window.removeEventListener("pointerup", end);
        };
        window.addEventListener("pointermove", move);
        window.addEventListener("pointerup", end);
    }
}

function arrowHead() {
    const marker = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
        svg("path", { d: "M0,0 L8,4 L0,8 z" }));
    return svg("defs", {}, marker);
}

/** The calls between functions. */
function callModel(openFunction) {
    const nodes = new Map(details.functions.map((f, i) => {
        const callees = [...new Set(f.edges.map((edge) => edge.calls).filter((callee) => callee !== undefined))];
        const kind = f.targets.length > 0 ? "target" : f.library ? "library" : f.edges.some((edge) => edge.mark === "kept") ? "" : "cut";
        return [i, {
            lines: [f.name],
            full: `${f.name}, ${placeText({ ...f, function: f.name })}${f.library ? ", a model of a library function" : ""}: ${number(f.edges.length)} edges`,
            kind,
            edges: callees.map((to) => ({ to })),
            open: [["show its automaton", () => openFunction(i)]],
        }];
    }));
    const called = new Set([...nodes.values()].flatMap((node) => node.edges.map(({ to }) => to)));
    const roots = [...nodes.keys()].filter((id) => !called.has(id));
    return { nodes, roots: roots.length > 0 ? roots : [0] };
}

/** The automaton of a function, folded: a chain of edges is one box. */
function functionModel(f, openFunction) {
    const edges = f.edges;
    const out = Map.groupBy(edges, (edge) => edge.from), into = Map.groupBy(edges, (edge) => edge.to);
    const count = (map, l) => map.get(l)?.length ?? 0;
    const begins = (l) => l === f.entry || count(into, l) !== 1 || count(out, into.get(l)[0].from) !== 1;
    const locations = new Set([f.entry, f.exit, ...edges.flatMap((edge) => [edge.from, edge.to])]);
    const nodes = new Map();
    for (const first of [...locations].filter(begins)) {
        const passed = [];
        let last = first;
        while (count(out, last) === 1 && !begins(out.get(last)[0].to)) {
            passed.push(out.get(last)[0]);
            last = passed.at(-1).to;
        }
        const leaving = out.get(last) ?? [];
        // An edge that leaves alone belongs to the box; of a branch, each edge has its text.
        if (leaving.length === 1) passed.push(leaving[0]);
        nodes.set(first, block(f, first, last, passed, leaving, openFunction));
    }
    return { roots: [f.entry], nodes };
}

function block(f, first, last, passed, leaving, openFunction) {
    const told = passed.filter((edge) => edge.text);
    const text = (edge) => `${edge.line > 0 ? `${edge.line}: ` : ""}${edge.text}`;
    const name = first === f.entry ? [`enter ${f.name}`] : [];
    if (last === f.exit || leaving[0]?.to === f.exit && leaving.length === 1) name.push("leave");
    const isTarget = [first, last, ...passed.map((edge) => edge.to)].some((l) => f.targets.includes(l));
    const own = [...passed, ...leaving];
    const kind = isTarget ? "target" : own.length > 0 && own.every((edge) => edge.mark !== "kept") ? "cut" : "";
    const callees = [...new Set(passed.map((edge) => edge.calls).filter((callee) => callee !== undefined))];
    const lines = [...name.slice(0, first === f.entry ? 1 : 0), ...told.map(text), ...name.slice(first === f.entry ? 1 : 0)];
    if (isTarget) lines.push("the property is violated");
    return {
        lines: lines.length > 0 ? lines : [`location ${first}`],
        full: [`location ${first}`, ...lines, ...told.filter((edge) => edge.mark !== "kept").map((edge) => `not in the slice: ${edge.text}`)].join("\n"),
        kind,
        edges: leaving.map((edge) => ({ to: edge.to, text: leaving.length > 1 ? edge.text : "", kind: edge.mark })),
        open: [
            ...callees.map((i) => [`open ${details.functions[i].name}`, () => openFunction(i)]),
            ...(f.file && own.some((edge) => edge.line > 0) ? [["show in the source", () => showLine(f.file, own.find((edge) => edge.line > 0).line, true)]] : []),
        ],
    };
}

/** The states that were reached. */
function stateModel(states) {
    const nodes = new Map(states.nodes.map((node) => [node.id, { lines: node.text.split("\n"), full: node.text, kind: node.role, edges: [] }]));
    for (const edge of states.edges) {
        nodes.get(edge.from).edges.push({ to: edge.to, text: edge.text.replace("\n", " "), kind: edge.covers ? "covers" : "" });
    }
    return { roots: [states.nodes[0].id], nodes };
}

function graphSection() {
    if (details.functions.length === 0) return undefined;
    const view = new GraphView();
    const choices = h("select", { "aria-label": "Graph" });
    const openFunction = (i) => { choices.value = `f${i}`; choose(); };
    const choose = () => {
        const value = choices.value;
        view.show(value === "calls" ? callModel(openFunction) : value === "states" ? stateModel(details.states)
            : value === "proof" ? stateModel(details.proof) : functionModel(details.functions[Number(value.slice(1))], openFunction));
    };
    choices.addEventListener("change", choose);
    const option = (value, text) => h("option", { value }, text);
    const functions = (library) => details.functions.flatMap((f, i) => (f.library === library ? [option(`f${i}`, `${f.name} (${number(f.edges.length)})`)] : []));
    choices.append(option("calls", "calls between functions"));
    if (details.states?.nodes.length > 0) choices.append(option("states", "states reached (ARG)"));
    if (details.proof) choices.append(option("proof", "certificate of the proof"));
    choices.append(h("optgroup", { label: "automaton of the function" }, functions(false)));
    if (functions(true).length > 0) choices.append(h("optgroup", { label: "models of library functions" }, functions(true)));
    view.tools.prepend(choices);
    const notes = [];
    if (details.functions_left_out > 0) notes.push(`${number(details.functions_left_out)} functions are left out, since the program is very large.`);
    if (details.proof?.left > 0) notes.push(`Of the certificate, ${number(details.proof.left)} nodes are left out.`);
    if (details.states?.left > 0) notes.push(`Of the states, ${number(details.states.left)} are left out.`);
    const own = details.functions.findIndex((f) => f.name === "main");
    choices.value = own >= 0 ? `f${own}` : "calls";
    // Sizes are known once the section is on the page.
    requestAnimationFrame(choose);
    return section("graphs", "Graphs", view.element, notes.map((note) => h("p", {}, note)));
}
