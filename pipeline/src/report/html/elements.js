// What all pages use: the data, and functions that make elements. Text of the data is only ever set as text, never as markup, so none of
// it can become an element or a script.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

/** An element with these attributes (functions listen to events) and children (texts or elements; others are left out). */
function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    set(element, attributes);
    element.append(...children.flat().filter((child) => child instanceof Node || typeof child === "string"));
    return element;
}

/** Likewise in a drawing. */
function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    set(element, attributes);
    element.append(...children);
    return element;
}

function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
    }
}

/** A part of the page with a heading, to which the navigation leads. */
function section(id, title, ...children) {
    return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

/** A table; columns whose heading begins with `#` have numbers. */
function table(heads, rows) {
    const numeric = heads.map((head) => (head.startsWith("#") ? "number" : undefined));
    const cells = (tag, row) => row.map((cell, i) => h(tag, { class: numeric[i] }, cell ?? ""));
    const head = h("thead", {}, h("tr", {}, cells("th", heads.map((head) => head.replace("#", "")))));
    const body = h("tbody", {}, rows.map((row) => h("tr", {}, cells("td", row))));
    return h("div", { class: "scroll" }, h("table", {}, head, body));
}

/** A button that is pressed or not; `onchange` gets the new state. */
function toggle(text, pressed, onchange) {
    const button = h("button", { type: "button", "aria-pressed": String(pressed), click: () => {
        pressed = !pressed;
        button.setAttribute("aria-pressed", String(pressed));
        onchange(pressed);
    } }, text);
    return button;
}

const number = (n) => n.toLocaleString("en");

function duration(ms) {
    if (ms < 1) return "< 1 ms";
    if (ms < 1000) return `${Math.round(ms)} ms`;
    return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Chooses light or dark by hand; the default is what the system says. */
function themeButton() {
    const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const button = h("button", { type: "button", id: "theme", click: () => {
        document.documentElement.dataset.theme = isDark() ? "light" : "dark";
        name();
    } });
    const name = () => { button.textContent = isDark() ? "light" : "dark"; };
    name();
    return button;
}

/** Fills the page with these sections, to which the navigation leads; `more` stands in it after the links. */
function showPage(sections, ...more) {
    const links = sections.map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent));
    document.querySelector("header").prepend(themeButton());
    document.body.append(h("nav", { "aria-label": "Sections" }, links, ...more), h("main", {}, sections));
}
