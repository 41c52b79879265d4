/** The model behind the page: messages, causes, states and filters of a run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulate } from "../../src/library/simulate.ts";
import { shortText } from "../../src/page/diagram/labels.ts";
import { GROUP_NAMES, START, type View, viewOf, viewsOf } from "../../src/page/view.ts";
import { siblingOf } from "../../src/report/sibling.ts";
import { coneOf, isInCone } from "../../src/report/timeline/causality.ts";
import { conflictBehind, conflictsOf } from "../../src/report/timeline/conflicts.ts";
import { distribution, measuresOf, progressOf } from "../../src/report/timeline/measures.ts";
import { lowerBound, modelOf, type Timeline } from "../../src/report/timeline/model.ts";
import { StateReader } from "../../src/report/timeline/party-state.ts";
import type { RunEvent } from "../../src/run/events/run-event.ts";
import { CHAOS, dataOf, FAULTS, PASSING, VIOLATION } from "./runs.ts";

const data = dataOf(FAULTS);
const model = modelOf(data);
const positions = fc.integer({ min: 0, max: model.events.length - 1 });

describe("messages", () => {
  it("end where an event says so, each event once", () => {
    const kinds = model.messages.flatMap(({ end }) => (end === undefined ? [] : [model.events[end]?.kind]));
    const ends = model.messages.flatMap(({ end }) => end ?? []);
    expect(new Set(ends).size).toBe(ends.length);
    for (const kind of ["delivered", "lost"] as const) {
      const crossing = model.events.filter((event) => event.kind === kind && event.number > 0);
      expect(kinds.filter((one) => one === kind)).toHaveLength(crossing.length);
      expect(crossing.length).toBeGreaterThan(0);
    }
    for (const { sent, end = sent, from, to } of model.messages) {
      expect(end).toBeGreaterThanOrEqual(sent);
      expect(["sent", "lost"]).toContain(model.events[sent]?.kind);
      expect(model.events[sent]).toMatchObject({ from: model.lanes[from], to: model.lanes[to] });
      expect(model.events[end]).toMatchObject({ from: model.lanes[from], to: model.lanes[to] });
    }
  });
});

describe("causes and effects", () => {
  it("are mutual: an event is in the past of those in its future", () => {
    fc.assert(
      fc.property(positions, positions, (a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)];
        if ((model.laneOf[first] ?? -1) < 0 || (model.laneOf[second] ?? -1) < 0) return;
        expect(isInCone(model, coneOf(model, first), second)).toBe(isInCone(model, coneOf(model, second), first));
      }),
    );
  });

  it("contain with a delivery its sending", () => {
    fc.assert(
      fc.property(positions, (chosen) => {
        const cone = coneOf(model, chosen);
        for (const { sent, end, fate } of model.messages)
          if (fate === "delivered" && end !== undefined && end <= chosen && isInCone(model, cone, end))
            expect(isInCone(model, cone, sent)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe("contradictions", () => {
  it("have two sides, and one that a violation's step completes is behind it, or an earlier one of a faulty validator", () => {
    const broken = modelOf(dataOf(VIOLATION));
    const found = conflictsOf(broken);
    expect(found.map(({ statement, slot }) => [statement, slot])).toContainEqual(["certificate", "alice 0"]);
    for (const { sides } of found) {
      expect(sides[0].position).toBeLessThan(sides[1].position);
      expect(sides[0].text).not.toBe(sides[1].text);
    }
    const [violation] = broken.data.violations;
    if (violation === undefined) throw new Error("expected a violation");
    for (const conflict of found) {
      const { signer, sides } = conflict;
      const { step } = broken.events[sides[1].position] ?? { step: 0 };
      expect(conflictBehind(broken, [conflict], { ...violation, step, faulty: [] })).toBe(conflict);
      expect(conflictBehind(broken, [conflict], { ...violation, step: step + 1, faulty: [signer] })).toBe(conflict);
      expect(conflictBehind(broken, [conflict], { ...violation, step: step + 1, faulty: [] })).toBeUndefined();
      expect(conflictBehind(broken, [conflict], { ...violation, step: step - 1, faulty: [signer] })).toBeUndefined();
    }
  });

  it("are none in a run of correct validators", () => {
    expect(conflictsOf(model)).toEqual([]);
  });
});

describe("states", () => {
  const plain = (reader: StateReader, at: number) => structuredClone(new Map(reader.statesAfter(at)));

  it("do not depend on the order in which they are asked for", () => {
    const reader = new StateReader(model);
    fc.assert(
      fc.property(positions, (at) => {
        expect(plain(reader, at)).toEqual(plain(new StateReader(model), at));
      }),
    );
  });

  it("end with the balances of the ledgers", () => {
    const { validators } = simulate(FAULTS);
    const states = new StateReader(model).statesAfter(model.events.length - 1);
    expect(validators.length).toBeGreaterThan(2);
    for (const { validator, balances } of validators) {
      const shown = states.get(validator)?.balances;
      for (const account of ["alice", "bob"])
        expect(shown?.get(`${account} USD`)).toBe(decimal(balances[account]?.["USD"] ?? 0n));
    }
  });

  it("show a crash: nothing volatile stays", () => {
    const at = model.events.findIndex(({ kind }) => kind === "crashed");
    const state = new StateReader(model).statesAfter(at).get("v2");
    expect(state).toMatchObject({ isRunning: false, timers: new Map(), pending: new Set() });
    expect([...(state?.slots.values() ?? [])].every(({ isDurable }) => isDurable)).toBe(true);
  });
});

function decimal(amount: bigint): string {
  const text = String(amount).padStart(7, "0");
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, "");
}

describe("bands", () => {
  it("show the crash until the restart, and the partition until the healing", () => {
    const found = model.bands.map(({ kind, from, to }) => [kind, model.events[from]?.at, model.events[to]?.at]);
    expect(found).toContainEqual(["down", 60, 260]);
    expect(found.some(([kind, from]) => kind === "fault" && from === 150)).toBe(true);
  });
});

describe("rows of faults", () => {
  it("are those of one fault at a time", () => {
    const faults = modelOf(dataOf(CHAOS)).bands.filter(({ kind }) => kind === "fault");
    expect(new Set(faults.map(({ row }) => row)).size).toBeGreaterThan(1);
    for (const [at, one] of faults.entries())
      for (const other of faults.slice(at + 1))
        if (one.row === other.row) expect(other.from).toBeGreaterThanOrEqual(one.to);
  });
});

describe("short texts", () => {
  it("name a statement with its operation, or with its slot where the operation has no name", () => {
    const texts = (of: typeof model) => new Set(of.events.map((event) => shortText(event)));
    expect([...texts(modelOf(dataOf(VIOLATION)))]).toEqual(expect.arrayContaining(["submit x", "vote x", "commit y"]));
    expect([...texts(model)]).toEqual(
      expect.arrayContaining(["vote alice 0", "certificate bob 0", "crash", "restart"]),
    );
  });
});

describe("filters", () => {
  it("show what matches, at ascending places", () => {
    const texts = fc.constantFrom("", "vote", "alice", "nothing like this");
    const groups = fc.subarray([...GROUP_NAMES]).map((names) => new Set(names));
    const parties = fc.subarray([...model.lanes]).map((names) => new Set(names));
    fc.assert(
      fc.property(groups, parties, texts, fc.constantFrom("order", "time"), (chosen, party, text, axis) => {
        const view = viewOf(model, { ...START, groups: chosen, parties: party, text }, axis as "order" | "time");
        for (const at of view.shown) expect(model.text(at).toLowerCase()).toContain(text);
        for (let at = 1; at < view.places.length; at++)
          expect(view.places[at]).toBeGreaterThanOrEqual(view.places[at - 1] as number);
        expect(view.shown.length).toBe(view.isShown.reduce((sum, one) => sum + one, 0));
      }),
      { numRuns: 40 },
    );
  });

  it("place two runs on one axis: what is equal at equal places, and the rest by time", () => {
    const runs = [modelOf(dataOf(VIOLATION)), modelOf(dataOf(PASSING))] as const;
    const { event } = siblingOf(runs[0].events, runs[1].data, "passing.yaml");
    const same = event?.here ?? 0;
    expect(same).toBeGreaterThan(10);
    const groups = fc.subarray([...GROUP_NAMES]).map((names) => new Set(names));
    fc.assert(
      fc.property(groups, fc.constantFrom("order", "time"), (chosen, axis) => {
        const filter = { ...START, groups: chosen };
        const [here, there] = viewsOf(runs, same, filter, axis as "order" | "time") as [View, View];
        expect(there.places.slice(0, same)).toEqual(here.places.slice(0, same));
        const rest = ({ events }: Timeline, places: Float64Array) =>
          events.map(({ at }, index) => [at, places[index] as number] as const).slice(same);
        const all = [...rest(runs[0], here.places), ...rest(runs[1], there.places)].sort(
          (a, b) => a[0] - b[0] || a[1] - b[1],
        );
        for (const [index, [, place]] of all.entries()) expect(place).toBeGreaterThanOrEqual(all[index - 1]?.[1] ?? 0);
        expect([...here.shown]).toEqual([...viewOf(runs[0], filter, axis as "order" | "time").shown]);
        expect([here.width, there.width]).toEqual([Math.max(1, all.at(-1)?.[1] ?? 0), here.width]);
      }),
      { numRuns: 20 },
    );
  });

  it("of an account show its slots alone", () => {
    const { shown } = viewOf(model, { ...START, slot: "alice" }, "order");
    expect(shown.length).toBeGreaterThan(10);
    for (const at of shown) expect(model.text(at)).toContain("alice");
  });

  it("search as a scan does", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: -1, max: 51 }), (all, wanted) => {
        const sorted = all.toSorted((a, b) => a - b);
        const found = sorted.findIndex((one) => one >= wanted);
        expect(lowerBound(sorted, wanted)).toBe(found < 0 ? sorted.length : found);
      }),
    );
  });
});

/** An event without what moves when an earlier one is left out. */
function plain(event: RunEvent | undefined): object {
  return { ...event, step: 0, number: 0 };
}

describe("the nearest passing run", () => {
  const [failing, passing] = [dataOf(VIOLATION), dataOf(PASSING)];

  it("equals the failing one up to the first event that differs", () => {
    const { event, statement, verdict, events } = siblingOf(failing.events, passing, "passing.yaml");
    expect(verdict).toBe("pass");
    if (event === undefined || statement === undefined) throw new Error("expected differences");
    for (let at = 0; at < event.here; at++) expect(plain(failing.events[at])).toEqual(plain(events[at]));
    expect(plain(failing.events[event.here])).not.toEqual(plain(events[event.there]));
    expect(failing.events[statement.here]).toMatchObject({ kind: "signed" });
    expect(events[statement.there]).toMatchObject({ kind: "signed" });
    expect(plain(failing.events[statement.here])).not.toEqual(plain(events[statement.there]));
  });

  it("has no difference from itself", () => {
    const { event, statement } = siblingOf(passing.events, passing, "passing.yaml");
    expect([event, statement]).toEqual([undefined, undefined]);
  });

  it("differs at its end from a run that goes on", () => {
    const { event } = siblingOf(passing.events.slice(0, 30), passing, "passing.yaml");
    expect(event).toEqual({ here: 30, there: 30 });
  });
});

describe("measures", () => {
  it("count each operation once, from its submission on", () => {
    const { finals, submissions } = measuresOf(model);
    expect([finals.length, submissions.length - finals.length]).toEqual([12, 0]);
    expect(finals.every(({ ms, kind }) => ms > 0 && kind === "payment")).toBe(true);
    const [, share] = distribution(finals.map(({ ms }) => ms));
    expect(share?.at(-1)).toBe(100);
    const [, pending, final] = progressOf(finals, submissions);
    expect([pending.at(-1), final.at(-1)]).toEqual([0, 12]);
  });
});

describe("the data", () => {
  it("is JSON, and equal for equal runs", () => {
    expect(JSON.parse(JSON.stringify(data))).toEqual(JSON.parse(JSON.stringify(dataOf(FAULTS))));
  });

  it("is cut where it is too long, and says so", () => {
    const cut = dataOf(FAULTS, "1", 100);
    expect([cut.events.length, cut.isCut, data.isCut]).toEqual([100, true, false]);
    expect(() => modelOf(cut)).not.toThrow();
  });

  it("has the violation with its step", () => {
    const { violations, end, lines } = dataOf(VIOLATION);
    expect([end.verdict, violations[0]?.invariant, lines.at(-1)?.isBreach]).toEqual(["pass", "agreement", true]);
    expect(violations[0]?.step).toBeGreaterThan(0);
  });
});
