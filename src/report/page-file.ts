/** One self-contained HTML file: the built page with its data, which opens from `file://` and requests nothing. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Code and style of the page as `npm run build` writes them, or where a server has them. */
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
  const policy = policyText([`script-src ${sourceHash(script)}`, `style-src ${sourceHash(style)}`, "img-src data:"]);
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString("base64");
  return htmlFile(title, {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
    assets: `<style>${style}</style>`,
    without: "This report needs JavaScript; it requests nothing from any network.",
    data: `<script type="application/octet-stream" id="data">${packed}</script>\n<script>${script}</script>\n`,
  });
}

/** Returns the content policy of a page whose script, style and data are files of its server; `also`: one more address. */
export function servedPolicy(also?: string): string {
  const connect = `connect-src 'self'${also === undefined ? "" : ` ${also}`}`;
  return `${policyText(["script-src 'self'", "style-src 'self'", connect, "img-src data:"])}; frame-ancestors 'none'`;
}

/** Returns the file of such a page; `without` says where its data is found without JavaScript. */
export function servedHtml(title: string, { script, style }: PageAssets, without: string): string {
  return htmlFile(title, {
    policy: "",
    assets: `<link rel="stylesheet" href="${style}">\n<script src="${script}" defer></script>`,
    without: `This page needs JavaScript; ${htmlText(without)}.`,
    data: "",
  });
}

/** Nothing is admitted that these directives do not name. */
function policyText(directives: readonly string[]): string {
  return ["default-src 'none'", ...directives, "base-uri 'none'", "form-action 'none'"].join("; ");
}

function htmlFile(
  title: string,
  { policy, assets, without, data }: Readonly<Record<"policy" | "assets" | "without" | "data", string>>,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(title)}</title>
<link rel="icon" href="data:,">
${assets}
</head>
<body>
<div id="app"><noscript>${without}</noscript></div>
${data}</body>
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
