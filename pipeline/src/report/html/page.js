// What all parts of the page of a verification or a slice use.

const { report, details } = data;

/** A place as text, such as `a.c:3`. */
function placeText(place) {
    if (!place.file) return place.function ? `${place.function}()` : "?";
    return place.line ? `${place.file}:${place.line}` : place.file;
}

/** A link that shows a place in the source. */
function placeLink(place) {
    if (!place.file || !place.line || !fileAt(place.file)) return placeText(place);
    return h("a", { href: "#source", click: (event) => {
        event.preventDefault();
        showLine(place.file, place.line, true);
    } }, placeText(place));
}

/** The source file with this name. */
function fileAt(name) {
    return details.sources.find((file) => file.file === name);
}
