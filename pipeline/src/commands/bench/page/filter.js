// Which tasks and tools are shown.

const filter = { text: "", category: "", property: "", expected: "", status: "", differ: false };

function applyFilter() {
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    shown.tasks = tasks.map((_, place) => place).filter((place) => {
        const task = tasks[place];
        const runs = shown.tools.map((tool) => tools[tool].runs[place]);
        const is = (field) => filter[field] === "" || task[field] === filter[field];
        if (!["category", "property", "expected"].every(is)) return false;
        const statuses = runs.map((run) => (run ? statusOf(run) : "none"));
        if (filter.status && !statuses.includes(filter.status)) return false;
        if (filter.differ && new Set(statuses.filter((status) => status !== "none")).size < 2) return false;
        if (words.length === 0) return true;
        const text = [task.category, task.id, task.property, ...runs.map((run) => run?.detail ?? "")].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
    });
    for (const draw of listeners) draw();
}

/** A choice among values, of which the empty one stands for all. */
function choice(label, field, values) {
    const options = [["", "all"], ...values].map(([value, text]) => h("option", { value }, text ?? value));
    return h("label", {}, label, h("select", { name: field, change: (event) => {
        filter[field] = event.target.value;
        applyFilter();
    } }, options));
}

function filterSection() {
    const different = (field) => [...new Set(tasks.map((task) => task[field]))].sort().map((value) => [value]);
    const choices = [["category", "category"], ["property", "property"], ["expected verdict", "expected"]]
        .map(([label, field]) => [label, field, different(field)]).filter(([, , values]) => values.length > 1);
    const search = h("input", { type: "search", name: "text", size: 26, placeholder: "words in names and reasons", input: (event) => {
        filter.text = event.target.value;
        applyFilter();
    } });
    const statuses = [["correct"], ["WRONG", "wrong"], ["unknown"], ["timeout"], ["error"], ["none", "not run"]];
    const fields = [h("label", {}, "text", search), ...choices.map((one) => choice(...one)), choice("status of any tool shown", "status", statuses)];
    if (tools.length > 1) {
        const buttons = tools.map((tool, place) => toggle(tool.name, true, (pressed) => {
            shown.tools = tools.map((_, other) => other).filter((other) => (other === place ? pressed : shown.tools.includes(other)));
            applyFilter();
        }));
        const differ = toggle("only where tools differ", false, (pressed) => {
            filter.differ = pressed;
            applyFilter();
        });
        fields.push(h("fieldset", {}, h("legend", {}, "tools"), h("div", { class: "choices" }, buttons)), h("div", {}, differ));
    }
    return section("filter", "Filter", h("div", { class: "fields" }, fields));
}

/** How many tasks are shown, which stays in sight. */
function shownCount() {
    const count = h("span", { id: "shown", role: "status" });
    whenShown(() => { count.textContent = `${number(shown.tasks.length)} of ${number(tasks.length)} tasks`; });
    return count;
}
