/** Insertion of golden transcripts into the text of a scenario file. */
import { parseDocument } from "yaml";

/** The text of the file with this transcript. All other lines, comments included, stay as they are. */
export function withTranscript(text: string, lines: readonly string[]): string {
  const block = `transcript:\n${lines.map((line) => `  - ${JSON.stringify(line)}\n`).join("")}`;
  const node = parseDocument(text).get("transcript", true) as
    | { readonly range?: readonly [number, number, number] }
    | undefined;
  if (node?.range === undefined) return `${text.replace(/\n*$/, "\n")}${block}`;
  const start = text.lastIndexOf("transcript:", node.range[0]);
  const rest = text.slice(node.range[2]).replace(/^\n+/, "");
  return `${text.slice(0, start)}${block}${rest}`;
}
