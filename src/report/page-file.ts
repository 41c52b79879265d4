/** One self-contained HTML file: the built page with its data, which opens from `file://` and requests nothing. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Code and style of the page as `npm run build` writes them. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** `report`: of one run; `live`: of a served network; `campaign`: of a campaign. */
export type PageName = "report" | "live" | "campaign";

/** Reads a page that `npm run build` has made. @throws where it is not built */
export function pageAssets(page: PageName): PageAssets {
  // Sources and the build's chunks lie equally deep below the package.
  const read = (name: string): string => readFileSync(new URL(`../../dist/page/${name}`, import.meta.url), "utf8");
  return { script: read(`${page}.js`), style: read(`${page}.css`) };
}

/**
 * Returns the file. Its content policy admits this script and this style by their hashes, and no request. The data is
 * compressed: about 10 bytes an event.
 */
export function pageHtml(title: string, data: object, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This report needs JavaScript; it requests nothing from any network.</noscript></div>
<script type="application/octet-stream" id="data">${packed}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Returns the content policy of a page whose script, style and data are files of its server; `also`: one more address. */
export function servedPolicy(also?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${also === undefined ? "" : ` ${also}`}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns the file of such a page; `without` says where its data is found without JavaScript. */
export function servedHtml(
  title: string,
  { script, style }: { readonly script: string; readonly style: string },
  without: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; ${htmlText(without)}.</noscript></div>
</body>
</html>
`;
}

function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function htmlText(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark);
}
