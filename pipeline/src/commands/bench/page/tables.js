// The table of scores, the table of all tasks, and how the tools ran.

function scoreSection() {
    const heads = ["category", "configuration", "#score", "#of", "#solved", "#tasks", "#true", "#false", "#wrong true", "#wrong false", "#unknown", "#timeout", "#error", "#CPU s", "#CPU s/solved"];
    const numeric = (head) => (head.startsWith("#") ? "number" : undefined);
    const body = h("tbody");
    const draw = () => {
        const groups = new Map([["all", shown.tasks]]);
        for (const place of shown.tasks) {
            const { category } = tasks[place];
            const name = ` ${category}`; // apart from the group of all, whatever the category's name is
            if (!groups.has(name)) groups.set(name, []);
            groups.get(name).push(place);
        }
        const names = [...groups.keys()].slice(1).sort();
        const single = names.length === 1;
        body.replaceChildren(...["all", ...(single ? [] : names)].flatMap((name) => shown.tools.map((tool, i) => {
            const row = scores(tool, groups.get(name));
            const solved = row.true + row.false;
            const count = (n, className) => h("td", { class: `number ${n === 0 ? "zero" : className ?? ""}` }, number(n));
            return h("tr", { class: i === 0 && "first" }, i === 0 && h("th", { scope: "rowgroup", rowspan: shown.tools.length }, name.trim()), h("td", {}, tools[tool].name),
                h("td", { class: "number" }, h("b", {}, number(row.score))), count(row.best), h("td", { class: "number" }, row.tasks === 0 ? "–" : `${((100 * solved) / row.tasks).toFixed(1)} %`),
                count(row.tasks), count(row.true), count(row.false), count(row.wrongTrue, "answer bad"), count(row.wrongFalse, "answer bad"), count(row.unknown), count(row.timeout), count(row.error),
                h("td", { class: "number" }, row.cpu.toFixed(1)), h("td", { class: "number" }, solved === 0 ? "–" : (row.cpuCorrect / solved).toFixed(2)));
        })));
    };
    whenShown(draw);
    const head = h("tr", {}, heads.map((head) => h("th", { scope: "col", class: numeric(head) }, head.replace("#", ""))));
    return section("scores", "Scores", h("div", { class: "scores", tabindex: 0, role: "region", "aria-label": "Scores" }, h("table", {}, h("thead", {}, head), body)),
        h("p", {}, h("small", {}, "A correct true scores 2, a correct false 1, a wrong true −32, a wrong false −16.")));
}

/** The number of rows that the table of tasks has at first, and gets at a time. */
const ROWS = 200;

const listing = { sort: undefined, descending: false, columns: new Set([0, 2].filter((i) => i < measures.length)), rows: ROWS };

/** What a row is sorted by; undefined comes last. */
function sortKey(place) {
    const { tool, measure, field } = listing.sort;
    if (field) return tasks[place][field];
    const run = tools[tool].runs[place];
    if (!run) return undefined;
    return measure === undefined ? STATUSES[statusOf(run)].rank : run.values[measure] ?? undefined;
}

function sorted(places) {
    if (!listing.sort) return places;
    const sign = listing.descending ? -1 : 1;
    const collator = new Intl.Collator("en", { numeric: true });
    const keyed = places.map((place, i) => ({ place, i, key: sortKey(place) }));
    const compare = (a, b) => (typeof a === "string" ? collator.compare(a, b) : a - b);
    keyed.sort((a, b) => (a.key === undefined) - (b.key === undefined) || (a.key !== undefined && sign * compare(a.key, b.key)) || a.i - b.i);
    return keyed.map(({ place }) => place);
}

/** The rest of what is known about a task's runs. */
function taskDetails(place) {
    const rows = shown.tools.map((tool) => ({ tool, run: tools[tool].runs[place] })).filter(({ run }) => run);
    const known = measures.filter(({ index }) => rows.some(({ run }) => run.values[index] !== null));
    const texts = [["reason", "detail"], ["native run", "native"], ["second solver", "second"]].filter(([, field]) => rows.some(({ run }) => run[field]));
    const heads = ["configuration", "answer", ...known.map(({ name }) => `#${name}`), ...texts.map(([name]) => name)];
    const cells = rows.map(({ tool, run }) => [tools[tool].name, answerText(run),
        ...known.map(({ index, show }) => (run.values[index] === null ? "" : show(run.values[index]))), ...texts.map(([, field]) => h("div", { class: "reason" }, run[field]))]);
    const { category, property, expected } = tasks[place];
    return [h("p", {}, `${category}: ${property} is ${expected}`), table(heads, cells)];
}

function taskRow(place, width) {
    const task = tasks[place];
    const button = h("button", { type: "button", "aria-expanded": "false", click: () => {
        const open = button.getAttribute("aria-expanded") === "true";
        button.setAttribute("aria-expanded", String(!open));
        if (open) row.nextElementSibling.remove();
        else row.after(h("tr", { class: "more" }, h("td", { colspan: width }, h("div", { class: "details" }, taskDetails(place)))));
    } }, task.id);
    const row = h("tr", {}, h("th", { scope: "row" }, button), h("td", { class: "meta" }, task.category), h("td", { class: "meta" }, task.expected));
    for (const tool of shown.tools) {
        const run = tools[tool].runs[place];
        row.append(h("td", { class: `first ${run ? `${STATUSES[statusOf(run)].kind} answer` : ""}`, title: run?.detail }, run ? answerText(run) : "–"));
        for (const { index, show } of measures.filter(({ index }) => listing.columns.has(index))) {
            const value = run?.values[index] ?? null;
            row.append(h("td", { class: "number" }, value === null ? "" : show(value)));
        }
    }
    return row;
}

function taskSection() {
    const [head, body] = [h("thead"), h("tbody")];
    const more = h("button", { type: "button", click: () => {
        listing.rows += ROWS;
        drawRows();
    } }, `show ${ROWS} more`);
    const all = h("button", { type: "button", click: () => {
        listing.rows = Infinity;
        drawRows();
    } }, "show all");
    const count = h("span", { class: "count", role: "status" });
    const sameSort = (one) => listing.sort && ["tool", "measure", "field"].every((key) => listing.sort[key] === one[key]);
    const columnHead = (title, by, className) => {
        const state = () => (sameSort(by) ? (listing.descending ? "descending" : "ascending") : "none");
        const mark = () => ({ none: "", ascending: " ▲", descending: " ▼" })[state()];
        const button = h("button", { type: "button", click: () => {
            listing.descending = sameSort(by) && !listing.descending;
            listing.sort = by;
            listing.rows = ROWS;
            // The heads stay, and with them the focus.
            for (const cell of head.querySelectorAll("[aria-sort]")) cell.update();
            drawRows();
        } }, title + mark());
        const cell = h("th", { scope: "col", class: className, "aria-sort": state() }, button);
        cell.update = () => {
            cell.setAttribute("aria-sort", state());
            button.textContent = title + mark();
        };
        return cell;
    };
    const drawRows = () => {
        const places = sorted(shown.tasks), width = 3 + shown.tools.length * (1 + listing.columns.size);
        body.replaceChildren(...places.slice(0, listing.rows).map((place) => taskRow(place, width)));
        const visible = Math.min(listing.rows, places.length);
        more.hidden = all.hidden = visible === places.length;
        count.textContent = visible === places.length ? `${number(visible)} tasks` : `the first ${number(visible)} of ${number(places.length)} tasks`;
    };
    const draw = () => {
        const columns = measures.filter(({ index }) => listing.columns.has(index));
        const names = shown.tools.map((tool) => h("th", { scope: "colgroup", class: "tool-name", colspan: 1 + columns.length }, tools[tool].name));
        const heads = shown.tools.flatMap((tool) => [columnHead("status", { tool }, "first"), ...columns.map(({ index, name }) => columnHead(name, { tool, measure: index }, "number"))]);
        head.replaceChildren(h("tr", {}, h("td"), h("td", { class: "meta" }), h("td", { class: "meta" }), names), h("tr", {}, columnHead("task", { field: "id" }), columnHead("category", { field: "category" }, "meta"), columnHead("expected", { field: "expected" }, "meta"), heads));
        listing.rows = ROWS;
        drawRows();
    };
    const choices = measures.map(({ index, title }) => toggle(title, listing.columns.has(index), (pressed) => {
        if (pressed) listing.columns.add(index);
        else listing.columns.delete(index);
        draw();
    }));
    whenShown(draw);
    return section("tasks", "Tasks", h("fieldset", {}, h("legend", {}, h("small", {}, "columns")), h("div", { class: "choices" }, choices)),
        h("p", {}, h("small", {}, "Heads of columns sort; a task's name opens the rest of what is known about its runs.")),
        h("div", { class: "tasks", tabindex: 0, role: "region", "aria-label": "Tasks" }, h("table", {}, head, body)), h("p", { class: "tools" }, count, more, all));
}

function toolSection() {
    return section("tools", "Configurations", table(["name", "command and limits"], tools.map(({ name, settings }) => [name, h("code", {}, settings || "not stated")])), h("p", { class: "versions" }, `Page by ${data.versions}`));
}
