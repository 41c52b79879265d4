/** Goal: a loss of power costs a state file what `--fsync` says and no more, and what is left can be continued. */
import { fstatSync, mkdtempSync, readFileSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RecordingEntry, readRecording } from "../../../src/live/recording.ts";
import { disk, endAt } from "../../../src/server/host/disk.ts";
import { type Fsync, RecordingFile, type Sink } from "../../../src/server/host/state-file.ts";
import { FSYNC_MS } from "../../../src/server/limits.ts";
import { HEAD } from "../../live/support.ts";

let path = "";
/** Bytes that are certainly on the disk. */
let safe = 0;
const force = vi.fn((file: number): void => {
  safe = fstatSync(file).size;
});

const forceLater = (file: number, done: (error: Error | null) => void): void => {
  force(file);
  done(null);
};
const REAL = { ...disk };

beforeEach(() => {
  vi.useFakeTimers();
  path = join(mkdtempSync(join(tmpdir(), "state-")), "net.ndjson");
  safe = 0;
  force.mockClear();
  Object.assign(disk, { force, forceFolder: () => undefined, forceLater });
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(disk, REAL);
});

function entry(at: number): RecordingEntry {
  return { type: "verification", at, steps: at, hash: "0x00" };
}

/** Writes six entries, half an interval apart. */
function sixEntries(fsync: Fsync): Sink {
  const sink = RecordingFile.begin(path, HEAD, [], fsync);
  for (let at = 0; at < 6; at++) {
    sink.write(entry(at));
    vi.advanceTimersByTime(FSYNC_MS / 2);
  }
  return sink;
}

/** Entries that are left after the loss of all that was not forced. */
function leftAfterPowerLoss(): number {
  truncateSync(path, safe);
  const read = readRecording(readFileSync(path, "utf8"));
  if (!read.ok) throw new Error(read.error);
  return read.value.entries.length;
}

test("interval: what is written while a slow disk works is forced once it is done", () => {
  const waiting: (() => void)[] = [];
  Object.assign(disk, {
    forceLater: (file: number, done: (error: null) => void) =>
      waiting.push(() => {
        force(file);
        done(null);
      }),
  });
  const sink = sixEntries("interval");
  vi.advanceTimersByTime(3 * FSYNC_MS);
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  sink.write(entry(6));
  const before = safe;
  vi.advanceTimersByTime(FSYNC_MS);
  expect(waiting).toHaveLength(2);
  waiting[1]?.();
  expect(safe).toBeGreaterThan(before);
  expect(leftAfterPowerLoss()).toBe(7);
});

test("what is past is written and forced once, under always too", () => {
  RecordingFile.begin(path, HEAD, [0, 1, 2, 3].map(entry), "always");
  // Before the file stands at its path, and when it is opened there.
  expect(force).toHaveBeenCalledTimes(2);
  expect(leftAfterPowerLoss()).toBe(4);
});

test("never: nothing is forced, not even at the end", () => {
  sixEntries("never").close();
  expect(safe).toBe(0);
});

test.each(["always", "interval"] as const)("%s: the end forces what is left", (fsync) => {
  const sink = RecordingFile.begin(path, HEAD, [], fsync);
  sink.write(entry(0));
  sink.close();
  expect(leftAfterPowerLoss()).toBe(1);
});

test("a file that lost its tail is continued from the last whole entry", () => {
  sixEntries("interval").close();
  truncateSync(path, statSync(path).size - 5);
  const read = readRecording(readFileSync(path, "utf8"));
  if (!read.ok) throw new Error(read.error);
  const end = endAt(path, read.value.bytes);
  if (end === undefined) throw new Error("the file is shorter than it was");
  const sink = RecordingFile.continue(path, { ...end, sum: read.value.sum }, "always");
  sink.write(entry(9));
  sink.close();
  const continued = readRecording(readFileSync(path, "utf8"));
  expect(continued.ok && continued.value.entries.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 9]);
});

/** Writes, and the milliseconds that pass after each. */
const writes = fc.array(fc.integer({ min: 0, max: 2 * FSYNC_MS }), { minLength: 1, maxLength: 20 });
/** Bytes of a line that a disk may have written without being told to. */
const further = fc.integer({ min: 0, max: 60 });

test.each(["always", "interval", "never"] as const)(
  "%s: whenever power is lost, what is left is a beginning of the entries, short of no more than it says",
  (fsync) => {
    const lose = (pauses: readonly number[], bytes: number): void => {
      path = join(mkdtempSync(join(tmpdir(), "state-")), "net.ndjson");
      safe = 0;
      const sink = RecordingFile.begin(path, HEAD, [], fsync);
      const head = statSync(path).size;
      const written: number[] = [];
      for (const [at, pause] of pauses.entries()) {
        sink.write(entry(at));
        written.push(Date.now());
        vi.advanceTimersByTime(pause);
      }
      const end = Date.now();
      // The head is as old as the file: the test is about what comes later.
      truncateSync(path, Math.min(statSync(path).size, Math.max(head, safe) + bytes));
      const read = readRecording(readFileSync(path, "utf8"));
      if (!read.ok) throw new Error(read.error);
      const { entries, torn } = read.value;
      expect(entries.map(({ at }) => at)).toEqual(written.slice(0, entries.length).map((_, at) => at));
      const lost = written.slice(entries.length);
      if (fsync === "always") expect(lost).toEqual([]);
      if (fsync === "interval") for (const at of lost) expect(end - at).toBeLessThan(FSYNC_MS);
      if (torn !== undefined) {
        expect(torn.line).toBe(entries.length + 2);
        expect(torn.bytes).toBe(statSync(path).size - read.value.bytes);
      }
    };
    fc.assert(fc.property(writes, further, lose), { numRuns: 60 });
  },
);
