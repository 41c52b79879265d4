/** A judge that keeps records back and judges many at once. */
import type { Judge } from "../invariants/judge.ts";
import type { ObservedEvent } from "../invariants/observation.ts";

/** Findings of the oracles; reading them judges all that was observed until then. */
export type Findings = Pick<Judge, "findings" | "count">;

interface DeferredJudge extends Findings {
  observe(record: ObservedEvent): void;
}

/**
 * Records judged at once. Simulator and oracles, record by record in turn, displace each other from the caches of the
 * processor: the oracles then took up to twice their time. Past some dozens nothing more is gained.
 */
const RECORDS_KEPT = 128;

/** The same findings as those of `judge`, for records that never change. An exception of an oracle comes later. */
export function deferred(judge: Judge): DeferredJudge {
  let kept: ObservedEvent[] = [];
  const judgeKept = (): void => {
    const records = kept;
    kept = [];
    for (const record of records) judge.observe(record);
  };
  return {
    observe(record) {
      kept.push(record);
      if (kept.length === RECORDS_KEPT) judgeKept();
    },
    get findings() {
      judgeKept();
      return judge.findings;
    },
    get count() {
      judgeKept();
      return judge.count;
    },
  };
}
