/** A judge that keeps records back and judges many at once. */
import type { Finding, Judge, JudgeState } from "../invariants/judge.ts";
import type { ObservedEvent } from "../invariants/observation.ts";

/** Findings of the oracles; reading them judges all that was observed until then. */
export interface Findings extends Pick<Judge, "findings" | "count"> {
  /** Judges all that was observed until now. */
  catchUp(): void;
  /** Judges all that was observed until now, and returns a copy of the state of the oracles. O(state). */
  capture(): JudgeState;
  /** Returns to a captured state; what was observed and not yet judged is dropped. O(state). */
  restore(captured: JudgeState): void;
}

interface DeferredJudge extends Findings {
  observe(record: ObservedEvent): void;
}

export interface Deferral {
  /** Records judged at once. */
  readonly kept: number;
  /** Called with each violation when its record is judged. */
  readonly violated?: ((finding: Finding) => void) | undefined;
}

/**
 * Simulator and oracles, record by record in turn, displace each other from the caches of the processor: the oracles
 * then took up to twice their time. Past some dozens nothing more is gained.
 */
const USUAL: Deferral = { kept: 128 };

/** The same findings as those of `judge`, for records that never change. An exception of an oracle comes later. */
export function createDeferredJudge(judge: Judge, { kept: most, violated }: Deferral = USUAL): DeferredJudge {
  let kept: ObservedEvent[] = [];
  const catchUp = (): void => {
    const records = kept;
    kept = [];
    for (const record of records) {
      for (const finding of judge.observe(record)) violated?.(finding);
    }
  };
  return {
    catchUp,
    observe(record) {
      kept.push(record);
      if (kept.length >= most) catchUp();
    },
    capture() {
      catchUp();
      return judge.capture();
    },
    restore(captured) {
      kept = [];
      judge.restore(captured);
    },
    get findings() {
      catchUp();
      return judge.findings;
    },
    get count() {
      catchUp();
      return judge.count;
    },
  };
}
