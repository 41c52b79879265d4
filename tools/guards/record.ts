/** The record of each guard in reports/guards.json, and the reasons of those that nothing notices. */
import { parse } from "yaml";
import { type Guard, guardKey } from "./find.ts";

export const RECORD = "reports/guards.json";
export const EXPLAINED = "tools/guards/explained.yaml";

/** Path of what fails without the guard, a kept scenario or a test file, by `guardKey`; null for a survivor. */
export type Killers = Readonly<Record<string, string | null>>;

interface Explanation {
  readonly why: string;
  /** Present if the program does the same without the guards. */
  readonly changes?: "nothing";
  /** Each as "function: condition". */
  readonly guards: readonly string[];
}

export interface Reason {
  readonly why: string;
  /** True if the program does the same without the guard, so that nothing can notice it. */
  readonly isEquivalent: boolean;
}

/** Reasons by `guardKey`. @throws Error where the text is not a map of files to lists of `why` and `guards`. */
export function readReasons(text: string): ReadonlyMap<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (const [file, explanations] of Object.entries((parse(text) ?? {}) as Record<string, readonly Explanation[]>)) {
    for (const { why, changes, guards } of explanations) {
      if (typeof why !== "string" || !Array.isArray(guards))
        throw new Error(`${EXPLAINED}: ${file}: expected a list of { why, guards: ["function: condition"] }`);
      for (const guard of guards as readonly string[]) {
        const key = `${file} ${guard}`;
        if (reasons.has(key)) throw new Error(`${EXPLAINED}: explained twice: ${key}`);
        reasons.set(key, { why: why.replace(/\s+/g, " ").trim(), isEquivalent: changes === "nothing" });
      }
    }
  }
  return reasons;
}

/** Survivors without a reason, and reasons of no survivor. */
export function faultsOf(
  guards: readonly Guard[],
  killers: Killers,
  reasons: ReadonlyMap<string, Reason>,
): readonly string[] {
  const survivors = new Set(guards.map(guardKey).filter((key) => killers[key] == null));
  const unexplained = [...survivors].filter((key) => !reasons.has(key)).map((key) => `no explanation: ${key}`);
  const idle = [...reasons.keys()].filter((key) => !survivors.has(key)).map((key) => `explains no survivor: ${key}`);
  return [...unexplained, ...idle];
}
