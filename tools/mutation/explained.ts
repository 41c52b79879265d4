/** Why survivors may survive: `explained.yaml`, each change of the program by its text. */
import { parse } from "yaml";
import { type Survivor, short } from "./results.ts";

interface Change {
  /** The line that it begins in. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

interface Explanation {
  readonly why: string;
  readonly changes: readonly Change[];
}

/** Each survivor with its reason, and what of the two lists has no counterpart in the other. */
export interface Matched {
  readonly explained: readonly { readonly survivor: Survivor; readonly why: string }[];
  readonly unexplained: readonly Survivor[];
  /** Changes that are explained and did not survive, or are explained twice. */
  readonly idle: readonly string[];
}

/** Explanations by `keyOf`. @throws Error where the text is not a map of files to lists of `why` and `changes`. */
export function readExplained(text: string): ReadonlyMap<string, string> {
  const files = (parse(text) ?? {}) as Readonly<Record<string, readonly Explanation[]>>;
  const reasons = new Map<string, string>();
  for (const [file, explanations] of Object.entries(files)) {
    for (const { why, changes } of explanations) {
      if (typeof why !== "string" || !Array.isArray(changes))
        throw new Error(`explained.yaml: ${file}: expected a list of { why, changes: [{ at, from, to }] }`);
      for (const { at, from, to } of changes as readonly Change[]) {
        const key = keyOf({ file, at: short(at), from: short(from), to: short(to) });
        if (reasons.has(key)) throw new Error(`explained.yaml: explained twice: ${key}`);
        reasons.set(key, oneLine(why));
      }
    }
  }
  return reasons;
}

/** Survivors with their reasons; one reason may stand for several places of one text. */
export function matchReasons(survivors: readonly Survivor[], reasons: ReadonlyMap<string, string>): Matched {
  const explained: { survivor: Survivor; why: string }[] = [];
  const unexplained: Survivor[] = [];
  const idle = new Set(reasons.keys());
  for (const survivor of survivors) {
    const key = keyOf(survivor);
    const why = reasons.get(key);
    idle.delete(key);
    if (why === undefined) unexplained.push(survivor);
    else explained.push({ survivor, why });
  }
  return { explained, unexplained, idle: [...idle] };
}

function keyOf({ file, at, from, to }: Pick<Survivor, "file" | "at" | "from" | "to">): string {
  return `${file}: in "${at}": "${from}" -> "${to}"`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
