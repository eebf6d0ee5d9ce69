// Quantile plots and the scatter plot. Arrow keys and the pointer choose a point, which is told below the plot.

/** The smallest number that a logarithmic axis distinguishes, by unit. */
const LEAST = { s: 0.01, MiB: 1, "": 1 };

const MARGIN = { left: 62, right: 14, top: 12, bottom: 42 };

const plotting = { measure: 0, log: true };

/** Where a number lies between `from` and `to` (pixels), and the numbers with a line of their own, which are whole if values are `whole`. */
function scaleOf(least, most, from, to, log, whole = false) {
    if (log) {
        const [low, high] = [Math.log10(least), Math.log10(Math.max(most, least * 10))];
        const ticks = [];
        for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; power += 1) ticks.push(10 ** power);
        return { at: (value) => from + ((Math.log10(Math.max(value, least)) - low) / (high - low)) * (to - from), ticks };
    }
    const span = Math.max(most - least, 1e-9);
    const rough = span / 6, power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(whole ? 1 : 0, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough));
    const ticks = [];
    for (let value = Math.ceil(least / step) * step; value <= most + step / 1e6; value += step) ticks.push(Math.round(value / step) * step);
    return { at: (value) => from + ((Math.max(value, least) - least) / span) * (to - from), ticks };
}

const tickText = (value) => (Math.abs(value) >= 1e6 ? value.toExponential(0).replace("+", "") : value.toLocaleString("en", { maximumFractionDigits: 4 }));

/** The axes of a plot as elements. Labels that would overlap are left out. */
function axes(size, x, y, names) {
    const [left, right, top, bottom] = [MARGIN.left, size.width - MARGIN.right, MARGIN.top, size.height - MARGIN.bottom];
    const parts = [];
    let last = -Infinity;
    for (const value of x.ticks) {
        const at = x.at(value), text = tickText(value);
        parts.push(svg("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }));
        if (at - last < text.length * 7 + 8) continue;
        last = at;
        parts.push(svg("text", { class: "tick", x: Math.min(at, right), y: bottom + 16, "text-anchor": at > right - 20 ? "end" : "middle" }, text));
    }
    last = Infinity;
    for (const value of y.ticks) {
        const at = y.at(value);
        parts.push(svg("line", { class: "grid", x1: left, x2: right, y1: at, y2: at }));
        if (last - at < 16) continue;
        last = at;
        parts.push(svg("text", { class: "tick", x: left - 6, y: at + 4, "text-anchor": "end" }, tickText(value)));
    }
    parts.push(svg("path", { class: "axis", fill: "none", d: `M${left},${top}V${bottom}H${right}` }));
    parts.push(svg("text", { x: (left + right) / 2, y: size.height - 8, "text-anchor": "middle" }, names.x));
    const middle = (top + bottom) / 2;
    parts.push(svg("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, names.y));
    return parts;
}

/** A plot that is drawn again for each width, with keys and pointer: `draw(size)` gives elements and the points that can be chosen. */
function plot(label, height, draw) {
    const canvas = svg("svg", { class: "plot", role: "img", tabindex: 0, "aria-label": `${label}; arrow keys choose a point` });
    const readout = h("p", { class: "readout", "aria-live": "polite" });
    let drawn, chosen = -1;
    const choose = (index) => {
        const stops = drawn.stops;
        if (stops.length === 0) return;
        chosen = Math.max(0, Math.min(index, stops.length - 1));
        canvas.querySelector(".choice")?.remove();
        canvas.append(svg("g", { class: "choice" }, ...stops[chosen].mark()));
        readout.textContent = stops[chosen].text();
    };
    const redraw = () => {
        const width = Math.max(280, Math.round(canvas.getBoundingClientRect().width || 640));
        const size = { width, height: Math.min(height, Math.max(300, width)) };
        canvas.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
        drawn = draw(size);
        chosen = -1;
        readout.textContent = drawn.note;
        canvas.replaceChildren(...drawn.parts);
    };
    canvas.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        const target = event.key === "Home" ? 0 : event.key === "End" ? Infinity : step && chosen + step;
        if (target === undefined) return;
        event.preventDefault();
        choose(target);
    });
    canvas.addEventListener("pointermove", (event) => {
        const box = canvas.getBoundingClientRect();
        const nearest = drawn.nearest(event.clientX - box.left, event.clientY - box.top);
        if (nearest >= 0 && nearest !== chosen) choose(nearest);
    });
    let width = 0;
    new ResizeObserver(() => {
        const now = Math.round(canvas.getBoundingClientRect().width);
        if (now !== width) {
            width = now;
            redraw();
        }
    }).observe(canvas);
    return { figure: h("div", {}, canvas, readout), redraw };
}

const dashes = (tool) => ["", "7 3", "2 3", "9 3 2 3"][Math.floor(tool / 6) % 4] || (tool % 2 ? "8 2" : "");
const taskName = (place) => `${tasks[place].category}/${tasks[place].id}`;

/** A plot with a line for each tool; `pointsOf` gives a tool's points, whose x grow. */
function linePlot(label, xName, pointsOf, about) {
    const draw = (size) => {
        const measure = measures[plotting.measure], least = plotting.log ? LEAST[measure.unit] : 0;
        const lines = shown.tools.map((tool) => ({ tool, points: pointsOf(tool, measure.index, shown.tasks) }));
        const all = lines.flatMap(({ points }) => points);
        const xs = all.map(({ x }) => x);
        const x = scaleOf(xs.reduce((a, b) => Math.min(a, b), 0), xs.reduce((a, b) => Math.max(a, b), 1), MARGIN.left, size.width - MARGIN.right, false, true);
        const y = scaleOf(least, all.reduce((most, point) => Math.max(most, point.y), least * 10) * 1.2, size.height - MARGIN.bottom, MARGIN.top, plotting.log);
        const parts = axes(size, x, y, { x: xName, y: measure.name });
        for (const { tool, points } of lines) {
            const path = points.map((point) => `${x.at(point.x).toFixed(1)},${y.at(point.y).toFixed(1)}`);
            const line = svg("polyline", { class: `line tool-${tool % 6}`, "stroke-dasharray": dashes(tool), points: path.join(" "), "data-tool": tools[tool].name });
            parts.push(line);
            const dots = points.length <= 40 ? points : points.slice(-1);
            parts.push(...dots.map((point) => svg("circle", { class: `dot tool-${tool % 6}`, cx: x.at(point.x), cy: y.at(point.y), r: 3 })));
        }
        const places = [...new Set(xs)].sort((a, b) => a - b);
        const stops = places.map((at) => ({
            mark: () => [svg("line", { class: "guide", x1: x.at(at), x2: x.at(at), y1: MARGIN.top, y2: size.height - MARGIN.bottom })],
            text: () => `${about(at)}: ${lines.map(({ tool, points }) => {
                const point = points.findLast((one) => one.x <= at);
                return `${tools[tool].name} ${point ? `${measure.show(point.y)} ${measure.unit} (${taskName(point.place)})` : "–"}`;
            }).join("; ")}`,
        }));
        return { parts, stops, note: all.length === 0 ? "No correct answer has this value." : "", nearest: (px) => places.reduce((best, at, i) => (best < 0 || Math.abs(x.at(at) - px) < Math.abs(x.at(places[best]) - px) ? i : best), -1) };
    };
    return plot(label, 420, draw);
}

/** The plot of two tools' values against each other; what has no correct answer is on the border. */
function scatterPlot(pair) {
    const draw = (size) => {
        const measure = measures[plotting.measure], least = plotting.log ? LEAST[measure.unit] : 0;
        const value = (tool, place) => {
            const run = tools[tool].runs[place];
            return run?.status === "correct" ? run.values[measure.index] : null;
        };
        const both = shown.tasks.filter((place) => tools[pair.x].runs[place] && tools[pair.y].runs[place]);
        const points = both.map((place) => ({ place, x: value(pair.x, place), y: value(pair.y, place) })).filter(({ x, y }) => x !== null || y !== null);
        const most = points.flatMap(({ x, y }) => [x, y]).reduce((a, b) => Math.max(a, b ?? 0), least * 10);
        const border = most * (plotting.log ? 2 : 1.08), end = border * (plotting.log ? 1.3 : 1.04);
        const x = scaleOf(least, end, MARGIN.left, size.width - MARGIN.right, plotting.log);
        const y = scaleOf(least, end, size.height - MARGIN.bottom, MARGIN.top, plotting.log);
        const parts = axes(size, x, y, { x: `${tools[pair.x].name}: ${measure.name}`, y: `${tools[pair.y].name}: ${measure.name}` });
        const line = (name, x1, y1, x2, y2) => parts.push(svg("line", { class: name, x1: x.at(x1), y1: y.at(y1), x2: x.at(x2), y2: y.at(y2) }));
        line("diagonal", least, least, border, border);
        // On linear axes these begin in the corner; the least value of a logarithmic axis is not zero.
        line("factor", least, least * 10, border / 10, border);
        line("factor", least * 10, least, border, border / 10);
        line("border", border, least, border, border);
        line("border", least, border, border, border);
        const isWrong = (place) => [pair.x, pair.y].some((tool) => tools[tool].runs[place].status === "WRONG");
        const at = (point) => [x.at(point.x ?? border), y.at(point.y ?? border)];
        for (const point of points) {
            const [px, py] = at(point);
            if (point.x !== null && point.y !== null) parts.push(svg("circle", { class: "point both", cx: px, cy: py, r: 3.5 }));
            else if (isWrong(point.place)) parts.push(svg("path", { class: "point wrong", d: `M${px - 4},${py - 4}l8,8m-8,0l8,-8` }));
            else parts.push(svg("path", { class: "point one", d: `M${px},${py - 4.5}l4.5,8h-9z` }));
        }
        points.sort((a, b) => (a.x ?? border) - (b.x ?? border) || (a.y ?? border) - (b.y ?? border));
        const told = (tool, number, place) => `${tools[tool].name} ${number === null ? answerText(tools[tool].runs[place]) : `${measure.show(number)} ${measure.unit}`}`;
        const stops = points.map((point) => ({
            mark: () => [svg("circle", { class: "chosen", cx: at(point)[0], cy: at(point)[1], r: 7 })],
            text: () => `${taskName(point.place)}: ${told(pair.x, point.x, point.place)}, ${told(pair.y, point.y, point.place)}`,
        }));
        const distance = (point, px, py) => Math.hypot(at(point)[0] - px, at(point)[1] - py);
        const nearest = (px, py) => points.reduce((best, point, i) => (best < 0 || distance(point, px, py) < distance(points[best], px, py) ? i : best), -1);
        const counts = [[pair.x, ({ x, y }) => x !== null && y === null], [pair.y, ({ x, y }) => x === null && y !== null]].map(([tool, only]) => `${tools[tool].name} alone ${points.filter(only).length}`);
        return { parts, stops, nearest, note: `Solved by both ${points.filter(({ x, y }) => x !== null && y !== null).length}, by ${counts.join(", by ")}.` };
    };
    return plot("scatter plot", 560, draw);
}

function lineKeys() {
    const box = h("div", { class: "lines", "aria-label": "Lines of the plots" });
    whenShown(() => box.replaceChildren(...shown.tools.map((tool) => h("span", { class: `tool-${tool % 6}` },
        svg("svg", { width: 30, height: 10, "aria-hidden": true }, svg("line", { class: "key-line", "stroke-dasharray": dashes(tool), x1: 0, x2: 30, y1: 5, y2: 5 })), ` ${tools[tool].name}`))));
    return box;
}

function plotSection() {
    const pair = { x: 0, y: 1 };
    const figures = [
        ["Quantile plot", "The value of each tool's n-th smallest correct run: further right solves more, lower is better.", linePlot("quantile plot", "n-th smallest correct run", quantiles, (at) => `n = ${at}`), "quantile"],
        ["Score-based quantile plot", "As in SV-COMP: a line begins right of the sum of the negative scores, and each correct run adds its score.", linePlot("score-based quantile plot", "accumulated score", scoreQuantiles, (at) => `score ${at}`), "score-quantile"],
    ];
    if (tools.length > 1) {
        figures.push(["Scatter plot", "Circles: both are correct. On the border: only one is, as the other has no answer (triangle) or a wrong one (cross). Lines: equal, and ten times as much.", scatterPlot(pair), "scatter"]);
    }
    const redraw = () => figures.forEach(([, , { redraw: draw }]) => draw());
    const chooser = (label, values, chosen, onchange) => h("label", {}, label, h("select", { change: (event) => {
        onchange(Number(event.target.value));
        redraw();
    } }, values.map((name, i) => h("option", { value: i, selected: i === chosen }, name))));
    const names = tools.map(({ name }) => name);
    const fields = [chooser("measure", measures.map(({ name }) => name), 0, (i) => { plotting.measure = i; }),
        h("div", {}, toggle("logarithmic", true, (pressed) => {
            plotting.log = pressed;
            redraw();
        }))];
    const pairFields = () => h("div", { class: "fields" }, chooser("across", names, 0, (i) => { pair.x = i; }), chooser("up", names, 1, (i) => { pair.y = i; }));
    const figure = ([title, caption, { figure: picture }, id]) => h("figure", { id }, h("h3", {}, title), id === "scatter" && pairFields(), picture, h("figcaption", {}, caption));
    const result = section("plots", "Plots", h("div", { class: "fields" }, fields), lineKeys(), h("div", { class: "plots" }, figures.map(figure)));
    listeners.push(redraw);
    return result;
}
