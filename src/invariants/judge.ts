/** Judge: all oracles of a run as one, with the violations that more than f Byzantine validators excuse. */
import { allOracles, NEEDS_BOUND } from "./catalogue.ts";
import type { Oracle } from "./fold.ts";
import { Chronicle, type ChronicleState } from "./history/chronicle.ts";
import { VIOLATIONS_KEPT } from "./limits.ts";
import type { Event, InvariantName, ObservedEvent, RunSetting, Violation } from "./observation.ts";

export interface Finding extends Violation {
  /**
   * True if more than f validators of an epoch so far are Byzantine and the invariant holds only up to f: reported as
   * `beyond_f`, a failure only of a run without expected violations. Per-node oracles and accountability always apply
   * (protocol 7).
   */
  readonly beyondF: boolean;
}

export interface Judge {
  /** Checks one event and returns its violations. */
  observe(record: ObservedEvent): readonly Finding[];
  /** First violations, at most `VIOLATIONS_KEPT` of each invariant. */
  readonly findings: readonly Finding[];
  /** Total number of violations. */
  readonly count: number;
  /** Invariants of which an oracle compared something, and whether more than f validators of an epoch are Byzantine. */
  readonly scope: { readonly judged: readonly InvariantName[]; readonly isBeyond: boolean };
  /** Returns an independent copy of its state. O(state), which grows with the run. */
  capture(): JudgeState;
  /** Returns to a state that a judge of the same setting and oracles captured; it stays as it is. O(state). */
  restore(captured: JudgeState): void;
}

/** State of a judge without its setting. */
export interface JudgeState {
  /** States in the order of the oracles. */
  readonly oracles: readonly unknown[];
  readonly chronicle: ChronicleState;
  readonly findings: readonly Finding[];
  readonly count: number;
}

const NONE: readonly Finding[] = [];
const NO_ORACLES: readonly Oracle[] = [];

/** Returns a judge over all invariants, or over chosen oracles. */
export function createJudge(setting: RunSetting, oracles: readonly Oracle[] = allOracles(setting)): Judge {
  const chronicle = new Chronicle(setting);
  const byEventType = oraclesByEventType(oracles);
  let findings = NONE;
  let count = 0;
  return {
    observe(record) {
      let fresh: Finding[] | undefined;
      chronicle.observe(record);
      for (const oracle of byEventType.get(record.type) ?? NO_ORACLES) {
        const violations = oracle.observe(record, chronicle);
        if (violations.length === 0) continue;
        fresh ??= [];
        for (const violation of violations)
          fresh.push({ ...violation, beyondF: chronicle.isBeyond && NEEDS_BOUND.has(violation.invariant) });
      }
      if (fresh === undefined) return NONE;
      count += fresh.length;
      for (const finding of fresh) {
        const sameInvariant = findings.filter(({ invariant }) => invariant === finding.invariant);
        if (sameInvariant.length < VIOLATIONS_KEPT) findings = [...findings, finding];
      }
      return fresh;
    },
    get findings() {
      return findings;
    },
    get count() {
      return count;
    },
    get scope() {
      const judged = oracles.flatMap(({ name, judgements }) => (judgements > 0 ? [name] : []));
      return { judged, isBeyond: chronicle.isBeyond };
    },
    capture: () => ({
      oracles: oracles.map((oracle) => oracle.capture()),
      chronicle: chronicle.capture(),
      findings,
      count,
    }),
    restore: (captured) => {
      for (const [index, oracle] of oracles.entries()) oracle.restore(captured.oracles[index]);
      chronicle.restore(captured.chronicle);
      ({ findings, count } = captured);
    },
  };
}

/** Oracles by type of event, in their own order. */
function oraclesByEventType(oracles: readonly Oracle[]): ReadonlyMap<Event["type"], readonly Oracle[]> {
  const found = new Map<Event["type"], Oracle[]>();
  for (const oracle of oracles)
    for (const type of oracle.handles) found.set(type, [...(found.get(type) ?? []), oracle]);
  return found;
}
