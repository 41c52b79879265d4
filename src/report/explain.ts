/** Explanations of refusal codes, invariants and coverage points. */
import type { RefusalCode } from "../core/base/refusal.ts";
import { REFUSAL_CODES, REFUSALS } from "../core/ledger/refusals.ts";
import { CATALOGUE, INVARIANTS } from "../invariants/catalogue.ts";
import {
  ALL_COVERAGE_POINTS,
  type AnyCoveragePoint,
  COVERAGE_POINT_NAMES,
  WORLD_COVERAGE_POINTS,
} from "../scenario/coverage-points.ts";
import { closest } from "../scenario/problem.ts";
import type { Paint } from "./paint.ts";

/** One explanation. */
interface Explanation {
  readonly kind: "refusal" | "invariant" | "coverage";
  readonly name: string;
  readonly sentence: string;
  /** Section of `docs/specification.md` or `docs/protocol.md`. */
  readonly section: string;
  /** Labels and texts in display order. */
  readonly more: readonly (readonly [label: string, text: string])[];
}

/** Every name that can be explained. */
export function explainable(): readonly string[] {
  return [...REFUSAL_CODES, ...INVARIANTS, ...COVERAGE_POINT_NAMES];
}

/** The explanation of a name; for an unknown name the closest known one. */
export function explain(name: string): Explanation | { readonly closest: string | undefined } {
  if (Object.hasOwn(REFUSALS, name)) return ofRefusal(name as RefusalCode);
  const entry = CATALOGUE.find((one) => one.name === name);
  if (entry !== undefined) {
    const excuse = entry.needsBound
      ? "more than f Byzantine validators can violate it: then it is reported as beyond_f"
      : "holds however many validators are Byzantine";
    return {
      kind: "invariant",
      name,
      sentence: entry.sentence,
      section: `protocol ${entry.section}`,
      more: [
        ["bugs ", entry.bugs.join(", ")],
        ["beyond f", excuse],
      ],
    };
  }
  if (Object.hasOwn(ALL_COVERAGE_POINTS, name))
    return {
      kind: "coverage",
      name,
      sentence: `${ALL_COVERAGE_POINTS[name as AnyCoveragePoint]}.`,
      section: sectionOf(name),
      more: [],
    };
  return { closest: closest(name, explainable()) };
}

function ofRefusal(code: RefusalCode): Explanation {
  const { rule, status, section, givenBy } = REFUSALS[code];
  const giver =
    givenBy === "ledger" ? "the ledger rules" : "a validator, from its pending operations and the signatures";
  return {
    kind: "refusal",
    name: code,
    sentence: `Refused unless ${rule}.`,
    section,
    more: [
      ["HTTP status", String(status)],
      ["given by", giver],
    ],
  };
}

/** The section of a coverage point: faults for those of the simulated world, else the protocol of the validators. */
function sectionOf(point: string): string {
  return Object.hasOwn(WORLD_COVERAGE_POINTS, point) ? "protocol 1.2" : "protocol 3 to 12";
}

/** Name, sentence, section, and what else there is. */
export function explanationText({ kind, name, sentence, section, more }: Explanation, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [["section", section], ...more];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${paint("dim", label.padEnd(width))}  ${text}`);
  return `${paint("strong", name)} ${paint("dim", `(${kind})`)}\n  ${sentence}\n${lines.join("\n")}\n`;
}
