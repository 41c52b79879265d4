/** Goal: a disk is what its acknowledged writes made of it, but for those that a losing one loses in a crash. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DurableRecord } from "../../src/core/validator/output.ts";
import { Disk } from "../../src/simulator/nodes/disk.ts";

const key = fc.constantFrom("a", "b", "c");
const deeds = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), key }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("erase" as const), key }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("crash", "crash", "wipe", "capture", "restore") }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("backUp", "rollBack") }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("change" as const), loses: fc.nat(4) }) },
  ),
  { maxLength: 40 },
);

type Records = ReadonlyMap<string, DurableRecord>;

/** The records now, and before each of the writes that may be lost, the oldest first. */
interface Model {
  readonly now: Records;
  readonly before: readonly Records[];
  readonly backup: Records;
  readonly loses: number;
}

/** The last writes that may be lost, by their settings. */
function settled({ before, loses, ...rest }: Model): Model {
  return { ...rest, before: before.slice(Math.max(0, before.length - loses)), loses };
}

function altered({ now, before, ...rest }: Model, alter: (records: Map<string, DurableRecord>) => void): Model {
  const next = new Map(now);
  alter(next);
  return settled({ ...rest, now: next, before: [...before, now] });
}

test("a losing disk goes back in a crash by as many writes as it loses, and only then", () => {
  fc.assert(
    fc.property(deeds, fc.nat(4), (all, loses) => {
      const disk = new Disk({ losesLast: loses });
      let model: Model = { now: new Map(), before: [], backup: new Map(), loses };
      let kept = { captured: disk.capture(), model };
      for (const [at, one] of all.entries()) {
        const record = { of: "closed", close: at, cause: at } as never as DurableRecord;
        switch (one.do) {
          case "write":
            disk.write(one.key, record);
            model = altered(model, (records) => records.set(one.key, record));
            break;
          case "erase":
            disk.erase(one.key);
            model = altered(model, (records) => records.delete(one.key));
            break;
          case "crash":
            disk.crash();
            model = { ...model, now: model.before[0] ?? model.now, before: [] };
            break;
          case "wipe":
            disk.wipe();
            model = { ...model, now: new Map(), before: [] };
            break;
          case "change":
            disk.change({ losesLast: one.loses });
            model = settled({ ...model, loses: one.loses });
            break;
          case "capture":
            kept = { captured: disk.capture(), model };
            break;
          case "backUp":
            disk.backUp();
            model = { ...model, backup: model.now };
            break;
          case "rollBack":
            disk.rollBack();
            model = { ...model, now: model.backup, before: [] };
            break;
          case "restore":
            disk.restore(kept.captured);
            model = kept.model;
        }
        const sorted = [...model.now].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(disk.records()).toEqual(sorted);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("numbers its writes, also after a return to a captured state", () => {
  const disk = new Disk();
  expect([disk.begin(), disk.begin()]).toEqual([1, 2]);
  const captured = disk.capture();
  expect(disk.begin()).toBe(3);
  disk.restore(captured);
  expect(disk.begin()).toBe(3);
});
