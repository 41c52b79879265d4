import { describe, expect, it } from "vitest";
import type { Finding, Judge, JudgeState } from "../../src/invariants/judge.ts";
import type { ObservedEvent } from "../../src/invariants/observation.ts";
import { createDeferredJudge } from "../../src/run/observers.ts";

/** A judge that finds something in each record, and fails on the record of one step. */
function judgeFailingAt(step: number): Judge {
  const findings: Finding[] = [];
  return {
    observe: (record) => {
      if (record.step === step) throw new Error(`step ${step}`);
      const { step: here, at } = record;
      const finding: Finding = { invariant: "agreement", step: here, at, detail: "", faulty: [], beyondF: false };
      findings.push(finding);
      return [finding];
    },
    findings,
    get count() {
      return findings.length;
    },
    scope: { judged: [], isBeyond: false },
    capture: () => ({ findings: [...findings] }) as unknown as JudgeState,
    restore: (captured) => void findings.splice(0, findings.length, ...captured.findings),
  };
}

function recordAt(step: number): ObservedEvent {
  return { type: "ended", quiescent: true, step, at: 0 } as ObservedEvent;
}

describe("a deferred judge", () => {
  it("has judged all records, in order, when its findings are read", () => {
    const judge = createDeferredJudge(judgeFailingAt(-1));
    const steps = Array.from({ length: 300 }, (_, step) => step);
    for (const step of steps) judge.observe(recordAt(step));
    expect(judge.findings.map(({ step }) => step)).toEqual(steps);
    judge.observe(recordAt(300));
    expect(judge.count).toBe(301);
  });

  it("reports violations in order, once as many records as asked for are kept, or when it catches up", () => {
    const reported: number[] = [];
    const judge = createDeferredJudge(judgeFailingAt(-1), {
      kept: 3,
      violated: ({ step }) => void reported.push(step),
    });
    for (const step of [1, 2]) judge.observe(recordAt(step));
    expect(reported).toEqual([]);
    for (const step of [3, 4]) judge.observe(recordAt(step));
    expect(reported).toEqual([1, 2, 3]);
    judge.catchUp();
    judge.catchUp();
    expect(reported).toEqual([1, 2, 3, 4]);
  });

  it("fails once with the exception of an oracle, and keeps what was found before", () => {
    const judge = createDeferredJudge(judgeFailingAt(2));
    for (const step of [1, 2, 3]) judge.observe(recordAt(step));
    expect(() => judge.findings).toThrow("step 2");
    expect(judge.findings.map(({ step }) => step)).toEqual([1]);
  });

  it("captures what it has observed, judged, and drops what it keeps back when it returns", () => {
    const judge = createDeferredJudge(judgeFailingAt(9), { kept: 128 });
    judge.observe(recordAt(1));
    const captured = judge.capture();
    judge.observe(recordAt(2));
    judge.restore(captured);
    expect(judge.findings.map(({ step }) => step)).toEqual([1]);
  });
});
