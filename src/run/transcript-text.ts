/** Golden transcripts in the text of their file. */
import { parseDocument } from "yaml";

/** The file with this transcript: only the transcript's own lines change, so that comments and layout elsewhere stay. */
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
