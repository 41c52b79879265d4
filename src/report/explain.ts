/** What a refusal code, an invariant or a mark means. */

import type { RefusalCode } from "../core/base/refusal.ts";
import { REFUSAL_CODES, REFUSALS } from "../core/ledger/refusals.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { ALL_MARKS, type AnyMark, MARK_NAMES, WORLD_MARKS } from "../scenario/coverage-points.ts";
import { closest } from "../scenario/suggest.ts";

/** One thing explained. */
export interface Explanation {
  readonly kind: "refusal" | "invariant" | "mark";
  readonly name: string;
  readonly sentence: string;
  /** Where it stands in `docs/specification.md` or `docs/protocol.md`. */
  readonly section: string;
  /** Label and text, in the order in which to show them. */
  readonly more: readonly (readonly [label: string, text: string])[];
}

/** Every name that can be explained. */
export function explainable(): readonly string[] {
  return [...REFUSAL_CODES, ...CATALOGUE.map(({ name }) => name), ...MARK_NAMES];
}

/** What a name means; for an unknown one the closest that is known. */
export function explain(name: string): Explanation | { readonly closest: string | undefined } {
  if (Object.hasOwn(REFUSALS, name)) return ofRefusal(name as RefusalCode);
  const entry = CATALOGUE.find((one) => one.name === name);
  if (entry !== undefined) {
    const excuse = entry.needsBound
      ? "more than f Byzantine validators can break it: then it is reported as beyond_f"
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
  if (Object.hasOwn(ALL_MARKS, name))
    return { kind: "mark", name, sentence: `${ALL_MARKS[name as AnyMark]}.`, section: sectionOf(name), more: [] };
  return { closest: closest(name, explainable()) };
}

function ofRefusal(code: RefusalCode): Explanation {
  const { rule, status, section, givenBy } = REFUSALS[code];
  const who =
    givenBy === "ledger" ? "the ledger's rules" : "a validator that knows what is pending and checks signatures";
  return {
    kind: "refusal",
    name: code,
    sentence: `Refused unless ${rule}.`,
    section,
    more: [
      ["HTTP status", String(status)],
      ["given by", who],
    ],
  };
}

/** Validators follow the protocol; the world around them, what it says of faults. */
function sectionOf(mark: string): string {
  return Object.hasOwn(WORLD_MARKS, mark) ? "protocol 1.2" : "protocol 3 to 12";
}
