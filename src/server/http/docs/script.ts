/** What the page does in the browser: finds endpoints, and sends what its forms hold. Plain, without a library. */
export const PAGE_SCRIPT = `
"use strict";
const find = document.getElementById("find");
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const article of document.querySelectorAll("article")) {
    const shown = words.every((word) => article.dataset.find.includes(word));
    article.hidden = !shown;
    document.querySelector('nav a[href="#' + article.id + '"]').parentElement.hidden = !shown;
  }
});

function pretty(text) {
  // Only for the eye: indents without reading numbers, which may be larger than the browser's.
  let depth = 0, out = "", quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      out += sign;
      if (sign === "\\\\") out += text[++at] ?? "";
      else if (sign === '"') quoted = false;
    } else if (sign === '"') { quoted = true; out += sign; }
    else if (sign === "{" || sign === "[") {
      const empty = text[at + 1] === "}" || text[at + 1] === "]";
      out += empty ? sign + text[++at] : sign + "\\n" + "  ".repeat(++depth);
    } else if (sign === "}" || sign === "]") out += "\\n" + "  ".repeat(--depth) + sign;
    else if (sign === ",") out += ",\\n" + "  ".repeat(depth);
    else out += sign === ":" ? ": " : sign;
  }
  return out;
}

async function send(form) {
  const fields = [...new FormData(form)].filter(([name, value]) => name !== "body" && value !== "");
  const query = new URLSearchParams(fields).toString();
  const address = form.dataset.path + (query === "" ? "" : "?" + query);
  const body = form.elements.namedItem("body");
  const options = { method: form.dataset.method };
  if (body !== null) Object.assign(options, { body: body.value, headers: { "content-type": "application/json" } });
  const started = performance.now();
  const answer = await fetch(address, options);
  const text = await answer.text();
  const ms = Math.round(performance.now() - started);
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  return { good: answer.ok, line: answer.status + " " + answer.statusText + " in " + ms + " ms, " + options.method + " " + address, text: isJson ? pretty(text) : text };
}

for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    const button = form.querySelector("button");
    button.disabled = true;
    const shown = await send(form).catch((error) => ({ good: false, line: "no answer", text: String(error) }));
    button.disabled = false;
    output.hidden = false;
    output.className = shown.good ? "good" : "bad";
    output.querySelector(".line").textContent = shown.line;
    output.querySelector("pre").textContent = shown.text;
  });
}
`;
