// The sections of the page, and the page itself.

const verdict = report?.verdict.answer ?? "slice";

function answerSection() {
    if (!report) return undefined;
    const { violation, possible_error: error, proof } = report;
    const parts = [];
    if (proof) parts.push(h("p", {}, `No execution violates the property: ${proof.method}; the certificate was checked on the whole program (${proof.checked}).`));
    if (report.vacuity) parts.push(vacuityTable(report.vacuity));
    if (violation) {
        parts.push(h("p", {}, `${violation.what} at `, placeLink(violation.place), violation.place.function ? ` in ${violation.place.function}(). ` : ". ", nativeRun(violation.native_run)));
        if (violation.signed_overflow) parts.push(h("p", {}, `On the way there is a signed overflow at ${violation.signed_overflow}, which C leaves undefined.`));
        parts.push(inputTable(violation.inputs));
    }
    if (verdict === "unknown") parts.push(h("p", {}, `Neither a proof nor a violation was found: ${report.verdict.reason}.`));
    if (report.undecided) parts.push(...undecidedParts(report.undecided));
    if (error) {
        parts.push(h("p", {}, `Undefined behaviour that the property does not ask for: ${error.what} at `, placeLink(error.place), "."));
        if (error.rests_on) parts.push(h("p", {}, `It rests on ${error.rests_on}.`));
        if (!violation) parts.push(inputTable(error.inputs));
    }
    const list = (items) => h("ul", {}, items.map((item) => h("li", {}, item)));
    if (report.notes.length > 0) parts.push(h("h3", {}, "Notes"), list(report.notes));
    if (report.warnings.length > 0) parts.push(h("h3", {}, "Warnings"), list(report.warnings));
    parts.push(h("h3", {}, "Assumptions"));
    if (report.assumptions.length > 0) parts.push(list(report.assumptions));
    else parts.push(h("p", {}, verdict === "unknown" ? "There is no verdict that could rest on any." : "None beyond the meaning of the program."));
    return section("answer", "Answer", parts);
}

/** Whether the places of a proof's checks are reached. */
function vacuityTable({ checks, end }) {
    const mark = (reach) => ({ reached: h("span", { class: "answer good" }, "✓ an execution comes there"),
        never: h("span", { class: "answer bad" }, "✗ vacuous: no execution comes there"), undecided: h("span", { class: "answer open" }, "? not decided") })[reach];
    const rows = checks.map((check) => [placeLink(check.place), check.place.function ? `${check.place.function}()` : "", mark(check.reach)]);
    return h("div", {}, h("h3", {}, "Is the property checked at all?"), table(["check", "function", "reached"], [...rows, ["the end of the program", "", mark(end)]]));
}

/** What was tried without success, what blocked a proof, and what may help. */
function undecidedParts({ tried, blocked, advice }) {
    const parts = [];
    if (tried.length > 0) parts.push(h("h3", {}, "What was tried"), table(["what", "#turns", "#time", "how the last turn ended"], tried.map((one) => [one.name, number(one.turns), duration(one.ms), one.end])));
    if (blocked) {
        parts.push(h("h3", {}, "What blocks a proof by induction"), h("p", {}, "No invariant that was found excludes this state of the loop at ", placeLink(blocked.place), `, from which ${blocked.what} at `, placeLink(blocked.target), ` (k = ${blocked.k}).`));
        if (blocked.values.length > 0) parts.push(table(["variable", "#value"], blocked.values));
    }
    if (advice.length > 0) parts.push(h("h3", {}, "What may help"), h("ul", {}, advice.map((item) => h("li", {}, item))));
    return parts;
}

function nativeRun(run) {
    if (!run) return "";
    if (run === "reproduced") return "The compiled program does the same with these inputs.";
    return run["not-reproduced"] ? `The compiled program does not show it: ${run["not-reproduced"]}.` : `The compiled program does something else: ${run.unexplained}.`;
}

function inputTable(inputs) {
    if (inputs.length === 0) return h("p", {}, "The program reads no inputs on the way.");
    return h("div", {}, h("h3", {}, "Inputs"), table(["place", "function", "#value"], inputs.map((input) => [placeLink(input.place), `${input.source}()`, input.value])));
}

function checkSection() {
    if (!report || details.checks.length === 0) return undefined;
    const answer = (check) => {
        if (check.at === details.violated) return ["bad", "✗ violated"];
        if (verdict === "true") return ["good", check.connected ? "✓ proved: never reached" : "✓ no path leads there"];
        return check.connected ? ["open", "? not decided"] : ["good", "✓ no path leads there"];
    };
    const rows = details.checks.map((check) => {
        const [className, text] = answer(check);
        return [h("span", { class: `answer ${className}` }, text), check.what, placeLink(check), check.function ? `${check.function}()` : ""];
    });
    const lines = details.coverage.filter((line) => !line.reached);
    const gone = lines.length > 0 && h("p", {}, "Lines that no execution passes on a way to a violation: ",
        lines.slice(0, 40).flatMap((line, i) => [i > 0 ? ", " : "", placeLink(line)]), lines.length > 40 ? `, and ${number(lines.length - 40)} more.` : ".");
    return section("checks", "Checks", table(["answer", "what would happen", "place", "function"], rows), gone);
}

/** The activities of the run with bars on a common scale, and what each of them ended with. */
function timeSection() {
    const statistics = report?.statistics;
    if (!statistics) return undefined;
    const total = Math.max(1, ...[statistics.time_line.reduce((sum, activity) => sum + activity.ms, 0)]);
    let at = 0, part = 0;
    const rows = statistics.time_line.map((activity) => {
        const begin = at;
        at += activity.ms;
        const ended = statistics.parts[part]?.name === activity.detail ? statistics.parts[part++] : undefined;
        const name = `${activity.phase} ${activity.detail}`;
        const bar = h("div", { class: "bar-box" }, h("div", { class: `bar ${activity.phase} ${ended ? endKind(ended) : ""}`,
            style: `margin-left: ${(100 * begin) / total}%; width: ${(100 * activity.ms) / total}%` }));
        return h("tr", {}, h("td", {}, name), h("td", { class: "number" }, duration(activity.ms)), h("td", { class: "bars" }, bar), h("td", { class: "end" }, ended ? ending(ended) : ""));
    });
    const heads = ["what", "time", `from 0 to ${duration(total)}`, "how it ended"].map((head, i) => h("th", { class: i === 1 && "number" }, head));
    const counts = Object.entries(statistics.counts).map(([name, count]) => [name, number(count)]);
    const measures = [["wall-clock time", `${statistics.wall_s.toFixed(2)} s`], ["CPU time", `${statistics.cpu_s.toFixed(2)} s`], ["memory", `${number(Math.round(statistics.rss_mb))} MiB`]];
    return section("time", "What was tried", h("div", { class: "scroll" }, h("table", { class: "time-line" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))),
        h("h3", {}, "Statistics"), table(["measure", "#value"], [...measures, ...counts]));
}

const endKind = (part) => (["proof", "valid"].includes(part.end) ? "good" : ["alarm", "reached"].includes(part.end) ? "bad" : "open");

function ending(part) {
    const counts = Object.entries(part.counts).map(([name, count]) => [name, number(count)]);
    const times = Object.entries(part.times_ms).map(([name, ms]) => [name, duration(ms)]);
    if (counts.length + times.length === 0) return part.end;
    return h("details", {}, h("summary", {}, part.end), table(["count or time", "#value"], [...counts, ...times]));
}

function shapeSection() {
    if (details.shapes.length === 0) return undefined;
    const figure = (shape) => {
        const picture = document.importNode(new DOMParser().parseFromString(shape.svg, "image/svg+xml").documentElement, true);
        const box = h("div", { class: "shape" }, picture);
        return h("figure", {}, box, h("figcaption", {}, `The shape of ${shape.title}: ${number(shape.vertices)} vertices in ${number(shape.rows)} rows, a row for each distance from the start.`));
    };
    return section("shapes", "Shapes", h("div", { class: "shapes" }, details.shapes.map(figure)));
}

function settingsSection() {
    const files = report?.evidence.map((file) => [file.kind, h("code", {}, file.path)]) ?? [];
    return section("settings", "Configuration",
        table(["setting", "value", "from"], data.settings.map(([name, value, source]) => [name, h("code", {}, value), source])),
        files.length > 0 && h("h3", {}, "Files with evidence"), files.length > 0 && table(["kind", "file"], files),
        h("p", { class: "versions" }, data.versions));
}

document.body.classList.add(verdict);
const sections = [answerSection(), sourceSection(), checkSection(), graphSection(), shapeSection(), timeSection(), settingsSection()].filter(Boolean);
showPage(sections);
