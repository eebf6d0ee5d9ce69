// The source: marks of the slice, what a proof covers, invariants at loops, and paths of executions, step by step.

const SLICE_SIGNS = { criterion: "▶", kept: "+", cut: "−" };
const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long " +
    "register return short signed sizeof static struct switch typedef union unsigned void volatile while bool _Bool").split(" "));

/** What executions there are to step through: name, and the part of the report. */
const paths = [["the violation", report?.violation], ["the possible error", report?.possible_error]]
    .filter(([, path]) => path && path.steps.length > 0);

let current = { file: undefined, path: paths[0]?.[1], step: 0 };

const sourceBox = h("div", { class: "code", tabindex: 0, "aria-label": "Source" });
const stepBox = h("div", { class: "steps" });

function sourceSection() {
    if (details.sources.length === 0) {
        return section("source", "Source", h("p", {}, "The program has no lines to show: it was given without debug information."));
    }
    const select = h("select", { id: "file", "aria-label": "File", change: () => showFile(select.value) },
        details.sources.map((file) => h("option", { value: file.file }, file.file)));
    const tools = h("div", { class: "tools" }, details.sources.length > 1 ? select : h("code", {}, details.sources[0].file), legend());
    const both = h("div", { class: paths.length > 0 ? "with-steps" : "alone" }, sourceBox, paths.length > 0 && stepBox);
    showFile(details.sources[0].file);
    if (paths.length > 0) showStep(0);
    const note = details.unsliced && h("p", {}, "An alarm on this slice did not replay, so the whole program was explored in the end.");
    return section("source", paths.length > 0 ? "Source and counterexample" : "Source", tools, note, both);
}

/** What the signs mean, with the number of lines that have them. */
function legend() {
    const rows = details.sources.flatMap((file) => file.rows);
    const entry = (className, sign, text, count) => count > 0 && h("span", { class: `key ${className}` },
        h("b", {}, sign), ` ${text} (${number(count)})`);
    const marked = (mark) => rows.filter((row) => row.mark === mark).length;
    return h("p", { class: "legend" },
        entry("criterion", SLICE_SIGNS.criterion, "slice criterion", marked("criterion")),
        entry("kept", SLICE_SIGNS.kept, "kept by the slice", marked("kept")),
        entry("cut", SLICE_SIGNS.cut, "cut: cannot matter", marked("cut")),
        entry("covered", "●", "covered by the proof", details.coverage.filter((line) => line.reached).length),
        entry("unreachable", "○", "proved unreachable", details.coverage.filter((line) => !line.reached).length),
        entry("passed", "→", "on the path", passedLines().size));
}

/** The lines on the current path. */
function passedLines() {
    return new Set((current.path?.steps ?? []).map((step) => placeText(step.place)));
}

function showFile(name) {
    const file = fileAt(name);
    if (!file || current.file === name) return;
    current.file = name;
    const select = document.getElementById("file");
    if (select) select.value = name;
    const coverage = new Map(details.coverage.filter((line) => line.file === name).map((line) => [line.line, line.reached]));
    const passed = passedLines();
    const invariants = Map.groupBy(details.invariants.filter((fact) => fact.file === name), (fact) => fact.line);
    const rowsOf = (row, text) => {
        const reached = coverage.get(row.line);
        const proof = reached === undefined ? "" : reached ? "●" : "○";
        const path = passed.has(`${name}:${row.line}`) ? "→" : "";
        const classes = [row.mark, reached === false && "unreachable", path && "passed"].filter(Boolean).join(" ");
        const line = h("tr", { class: classes, "data-line": row.line, title: explain(row, reached) },
            h("td", { class: "line-number" }, String(row.line)),
            h("td", { class: "sign" }, SLICE_SIGNS[row.mark] ?? ""),
            proofIsShown && h("td", { class: "sign proof" }, proof),
            paths.length > 0 && h("td", { class: "sign path" }, path),
            h("td", { class: "text" }, text),
            paths.length === 0 && h("td", { class: "why" }, row.why));
        return [line, ...(invariants.get(row.line) ?? []).map(invariantRow)];
    };
    const isTelling = (row) => file.rows.length <= LARGE || row.mark === "kept" || row.mark === "criterion" || passed.has(`${name}:${row.line}`);
    const scan = scanner();
    const body = h("tbody", {});
    let quiet = [];
    const endQuiet = () => {
        if (quiet.length > FOLDED) body.append(foldedRow(quiet));
        else body.append(...quiet.flatMap(({ make }) => make()));
        quiet = [];
    };
    for (const row of file.rows) {
        const text = scan(row.text);
        if (isTelling(row)) {
            endQuiet();
            body.append(...rowsOf(row, text));
        } else {
            quiet.push({ line: row.line, make: () => rowsOf(row, text) });
        }
    }
    endQuiet();
    sourceBox.replaceChildren(h("table", {}, body));
}

/** In files with more lines than this, runs of lines outside the slice are folded if they are longer than that. */
const LARGE = 3000, FOLDED = 30;

function foldedRow(lines) {
    const fold = h("tr", { class: "folded", "data-from": lines[0].line, "data-to": lines.at(-1).line }, h("td", { colspan: 6 },
        h("button", { type: "button", click: () => fold.unfold() }, `⋯ ${number(lines.length)} lines outside the slice`)));
    fold.unfold = () => fold.replaceWith(...lines.flatMap(({ make }) => make()));
    return fold;
}

const proofIsShown = details.coverage.length > 0;

function invariantRow(fact) {
    return h("tr", { class: "invariant" }, h("td", { colspan: 2 + proofIsShown + (paths.length > 0) }),
        h("td", { class: "text" }, h("b", {}, "invariant "), fact.text), paths.length === 0 && h("td", {}));
}

function explain(row, reached) {
    const slice = { criterion: "The slice was made for this line", kept: "Kept by the slice", cut: "Cut: cannot matter to the property" }[row.mark];
    const proof = { true: "covered by the proof", false: "the proof shows that no execution passes it on a way to a violation" }[reached];
    return [slice && (row.why ? `${slice}: ${row.why}` : slice), proof].filter(Boolean).join("; ") || undefined;
}

/** A function that splits the lines of a C file, one after the other, into texts and coloured elements. */
function scanner() {
    let inComment = false;
    const token = /\/\*|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b\d[\w.]*|[A-Za-z_]\w*|^\s*#\s*\w+/g;
    return (text) => {
        const parts = [];
        let at = 0;
        const add = (end, className) => {
            if (end > at) parts.push(className ? h("span", { class: className }, text.slice(at, end)) : text.slice(at, end));
            at = end;
        };
        const skipComment = () => {
            const end = text.indexOf("*/", at);
            inComment = end < 0;
            add(inComment ? text.length : end + 2, "comment");
        };
        if (inComment) skipComment();
        while (at < text.length) {
            token.lastIndex = at;
            const found = token.exec(text);
            if (!found) break;
            add(found.index);
            const word = found[0];
            if (word === "/*") skipComment();
            else add(at + word.length, word.startsWith("//") ? "comment" : /^["']/.test(word) ? "string" : /^\d/.test(word) ? "literal"
                : KEYWORDS.has(word) || word.trimStart().startsWith("#") ? "keyword" : undefined);
        }
        add(text.length);
        return parts;
    };
}

/** Shows a line in its file; with `scroll`, also brings the source into view. */
function showLine(file, line, scroll) {
    showFile(file);
    sourceBox.querySelectorAll(".current").forEach((row) => row.classList.remove("current"));
    const folded = [...sourceBox.querySelectorAll(".folded")].find(({ dataset }) => dataset.from <= line && line <= dataset.to);
    folded?.unfold();
    const row = sourceBox.querySelector(`[data-line="${Number(line)}"]`);
    if (row) {
        row.classList.add("current");
        sourceBox.scrollTop = row.offsetTop - sourceBox.clientHeight / 2;
    }
    if (scroll) document.getElementById("source").scrollIntoView();
}

/** The controls of the steps; they stay, so that they keep the focus and can be dragged. */
const slider = h("input", { type: "range", min: 0, "aria-label": "Step", input: () => showStep(Number(slider.value)) });
const position = h("span", {});
const stepText = h("div", { "aria-live": "polite" });
const stepTo = [["|◀", "First step (Home)", () => 0], ["◀", "Step back (←)", () => current.step - 1],
    ["▶", "Step (→)", () => current.step + 1], ["▶|", "Last step (End)", () => Infinity]];
const stepButtons = stepTo.map(([sign, title, to]) =>
    h("button", { type: "button", title, "aria-label": title, click: () => showStep(to()) }, sign));
if (paths.length > 1) stepBox.append(pathSelect());
stepBox.append(h("div", { class: "buttons" }, stepButtons, position), slider, stepText);

function showStep(index) {
    const steps = current.path.steps, last = steps.length - 1;
    current.step = Math.max(0, Math.min(last, index));
    const step = steps[current.step];
    if (step.place.file && step.place.line) showLine(step.place.file, step.place.line, false);
    slider.max = last;
    slider.value = current.step;
    position.textContent = `step ${number(current.step + 1)} of ${number(steps.length)}`;
    stepButtons.forEach((button, i) => { button.disabled = current.step === (i < 2 ? 0 : last); });
    const changed = new Set(step.values.map(([name]) => name));
    stepText.replaceChildren(
        h("p", { class: "where" }, placeText(step.place), step.place.function ? ` in ${step.place.function}()` : ""),
        h("pre", {}, step.text),
        current.step === last ? h("p", { class: "end" }, current.path.what) : "",
        ...frames(changed));
}

function pathSelect() {
    const select = h("select", { "aria-label": "Path to", change: () => {
        current = { file: undefined, path: paths[select.selectedIndex][1], step: 0 };
        showStep(0);
    } }, paths.map(([name]) => h("option", {}, `path to ${name}`)));
    return select;
}

/** Maximum number of frames of the call stack that are shown. */
const MAX_FRAMES = 20;

/** The call stack at the current step, the running function first, with the values that each has set; then those of calls that returned. */
function frames(changed) {
    const stack = [];
    const returned = new Map();
    for (const step of current.path.steps.slice(0, current.step + 1)) {
        while (stack.length > 0 && (stack.at(-1).depth > step.depth
            || (stack.at(-1).depth === step.depth && stack.at(-1).name !== step.place.function))) {
            const ended = stack.pop();
            ended.values.forEach((value, name) => returned.set(`${ended.name}: ${name}`, value));
        }
        if (stack.at(-1)?.depth !== step.depth) stack.push({ name: step.place.function, depth: step.depth, values: new Map() });
        const frame = stack.at(-1);
        frame.place = step.place;
        for (const [name, value] of step.values) {
            frame.values.delete(name);
            frame.values.set(name, value);
        }
    }
    const values = (entries, isTop) => entries.size > 0 && h("table", { class: "values" }, h("tbody", {}, [...entries].reverse().map(([name, value]) =>
        h("tr", { class: isTop && changed.has(name) ? "changed" : undefined }, h("td", {}, name), h("td", {}, value)))));
    const shown = stack.slice(-MAX_FRAMES).reverse().map((frame, i) => h("div", { class: "frame" },
        h("h4", {}, `${frame.name}()`, h("small", {}, frame.place.line ? ` line ${frame.place.line}` : "")), values(frame.values, i === 0)));
    const more = stack.length > MAX_FRAMES ? [h("p", {}, `${number(stack.length - MAX_FRAMES)} more callers`)] : [];
    const ended = returned.size > 0 ? [h("details", {}, h("summary", {}, "Set in calls that have returned"), values(returned, false))] : [];
    return [h("h3", {}, "Call stack and values"), ...shown, ...more, ...ended];
}

/** Arrow keys step through the counterexample, except where they have another meaning. */
document.addEventListener("keydown", (event) => {
    if (paths.length === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, svg")) return;
    const to = { ArrowRight: current.step + 1, ArrowLeft: current.step - 1, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    showStep(to);
});
