/** Lines of JSON with a type, as commands print them. */
import { err, ok, type Result } from "../../core/base/result.ts";

export interface ReadLine {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Returns the lines; a torn last line is left out. The error names the first line that is no object with a type. */
export function readLines(text: string): Result<readonly ReadLine[], string> {
  const lines: ReadLine[] = [];
  const parts = text.split("\n");
  for (const [at, part] of parts.entries()) {
    if (part.trim() === "") continue;
    const line = parseLine(part);
    if (line !== undefined) lines.push(line);
    else if (at < parts.length - 1)
      return err(`line ${at + 1}: expected an object with a type, got ${part.slice(0, 60)}`);
  }
  return ok(lines);
}

function parseLine(part: string): ReadLine | undefined {
  try {
    const value = JSON.parse(part) as Partial<ReadLine> | null;
    return typeof value?.type === "string" ? (value as ReadLine) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
