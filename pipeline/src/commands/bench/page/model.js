// The results: tasks, and for each tool a list with the task's run, or null, at the task's place.

const { tasks, tools, texts } = data;

/** A run's fields have names instead of places. */
for (const tool of tools) {
    tool.runs = tool.runs.map((run) => run && { status: run[0], verdict: run[1], score: run[2],
        detail: texts[run[3][0]], native: texts[run[3][1]], second: texts[run[3][2]], values: run[4] });
}

/** What is measured, with a function that writes a value. */
const measures = data.measures.map(({ title, unit }, index) => ({ title, unit, index, name: unit ? `${title} (${unit})` : title,
    show: unit === "s" ? (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1)) : (value) => number(Math.round(value)) }));

/** The statuses, best last, with what stands in the table beside the colour. */
const STATUSES = {
    WRONG: { rank: 0, kind: "bad", text: (run) => `✗ wrong ${run.verdict}` },
    error: { rank: 1, kind: "open", text: () => "! error" },
    timeout: { rank: 2, kind: "open", text: () => "… timeout" },
    unknown: { rank: 3, kind: "open", text: () => "? unknown" },
    correct: { rank: 4, kind: "good", text: (run) => `✓ ${run.verdict}` },
};

/** What a run without a known status is, is an error of the tool. */
const statusOf = (run) => (run.status in STATUSES ? run.status : "error");
const answerText = (run) => STATUSES[statusOf(run)].text(run);

/** What the filters leave: places of tasks, and places of tools. Everything on the page is about these. */
const shown = { tasks: tasks.map((_, place) => place), tools: tools.map((_, place) => place) };

const listeners = [];

/** Calls `draw` now and whenever another part of the results is shown. */
function whenShown(draw) {
    listeners.push(draw);
    draw();
}

/** The counts and sums of the table of scores, for a tool on some tasks. */
function scores(tool, places) {
    const row = { tasks: 0, true: 0, false: 0, wrongTrue: 0, wrongFalse: 0, unknown: 0, timeout: 0, error: 0, score: 0, best: 0, cpu: 0, cpuCorrect: 0 };
    for (const place of places) {
        const run = tools[tool].runs[place];
        if (!run) continue;
        const status = statusOf(run);
        row.tasks += 1;
        row.score += run.score;
        row.best += tasks[place].expected === "true" ? 2 : 1;
        row.cpu += run.values[0];
        if (status === "correct") {
            row[run.verdict === "true" ? "true" : "false"] += 1;
            row.cpuCorrect += run.values[0];
        } else if (status === "WRONG") row[run.verdict === "true" ? "wrongTrue" : "wrongFalse"] += 1;
        else row[status] += 1;
    }
    return row;
}

/** The values of a measure of a tool's correct runs, ascending: `[{ value, score, place }]`. */
function correctRuns(tool, measure, places) {
    const runs = places.map((place) => ({ place, run: tools[tool].runs[place] })).filter(({ run }) => run?.status === "correct");
    const known = runs.map(({ place, run }) => ({ place, score: run.score, value: run.values[measure] })).filter(({ value }) => value !== null);
    return known.sort((a, b) => a.value - b.value);
}

/** The quantile plot's points: the value of the n-th smallest correct run. */
function quantiles(tool, measure, places) {
    return correctRuns(tool, measure, places).map(({ value, place }, i) => ({ x: i + 1, y: value, place }));
}

/** The points of SV-COMP's plot: each correct run adds its score to the sum of all negative ones. */
function scoreQuantiles(tool, measure, places) {
    let x = places.reduce((sum, place) => sum + Math.min(0, tools[tool].runs[place]?.score ?? 0), 0);
    return correctRuns(tool, measure, places).map(({ value, score, place }) => ({ x: (x += score), y: value, place }));
}
