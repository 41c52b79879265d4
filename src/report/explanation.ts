/** An explanation for a terminal. */
import type { Explanation } from "./explain.ts";
import type { Paint } from "./paint.ts";

/** Name, sentence, section, and what else there is. */
export function explanationText({ kind, name, sentence, section, more }: Explanation, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [["section", section], ...more];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${paint("dim", label.padEnd(width))}  ${text}`);
  return `${paint("strong", name)} ${paint("dim", `(${kind})`)}\n  ${sentence}\n${lines.join("\n")}\n`;
}
