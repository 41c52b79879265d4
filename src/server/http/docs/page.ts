/** The page of the interface: one file without a single request to elsewhere, so that it works offline. */
import { createHash } from "node:crypto";
import { type Html, html, NOTHING, trusted } from "./html.ts";
import { type Listed, listedUnder, type OpenApi } from "./openapi.ts";
import { anchorOf, operationView } from "./operation-view.ts";
import { PAGE_SCRIPT } from "./script.ts";
import { PAGE_STYLE } from "./style.ts";

/** Nothing but the page's own script and style run, and they talk to this server only. */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  `script-src ${sourceOf(PAGE_SCRIPT)}`,
  `style-src ${sourceOf(PAGE_STYLE)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of a document. */
export function docsPage(document: OpenApi): string {
  const { info } = document;
  const groups = groupsOf(document);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#top">To the content</a>
<nav aria-label="Endpoints">
<a class="brand" href="#top">quorumlab</a>
<input id="find" type="search" placeholder="Find an endpoint" aria-label="Find an endpoint">
${groups.map(({ name, operations }) => groupLinks(name, operations))}
</nav>
<main id="top">
<header class="page">
<h1>${info.title}</h1>
<p class="lead">${info.description ?? ""}</p>
<p class="facts"><span>version ${info.version}</span> <a href="/openapi.json">openapi.json</a> <a href="/metrics">metrics</a></p>
</header>
${groups.map(
  ({ name, description, operations }) => html`<section id="group-${name}">
<h2>${name}</h2>
${description === undefined ? NOTHING : html`<p class="about">${description}</p>`}
${operations.map(operationView)}
</section>`,
)}
</main>
<script>${trusted(PAGE_SCRIPT)}</script>
</body>
</html>
`.html;
}

interface Group {
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly Listed[];
}

/** The groups that have operations: first those that the document describes, in its order, then all others. */
function groupsOf(document: OpenApi): readonly Group[] {
  const described = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  const used = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ tags = [] }) => tags),
  );
  return [...new Set([...described.keys(), ...used])]
    .map((name) => ({ name, description: described.get(name), operations: listedUnder(document, name) }))
    .filter(({ operations }) => operations.length > 0);
}

function groupLinks(name: string, operations: readonly Listed[]): Html {
  const links = operations.map(
    (listed) =>
      html`<li><a href="#${anchorOf(listed)}"><span class="method ${listed.method.toLowerCase()}">${listed.method}</span><span class="where">${lastParts(listed.path)}</span></a></li>`,
  );
  return html`<div class="group"><h2><a href="#group-${name}">${name}</a></h2><ul>${links}</ul></div>`;
}

/** A path without its version and group, which stand above it. */
function lastParts(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length > 2 ? parts.slice(2).join("/") : path;
}

function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
