/** The snapshot beside a recording: a restart from it repeats what follows, and one of no use says why. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Millis } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { ServedNetwork } from "../../../src/live/network.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { effectiveOf } from "../../../src/live/replay.ts";
import { EMPTY } from "../../../src/server/host/disk.ts";
import { readSnapshot, SnapshotKeeper, snapshotPath } from "../../../src/server/host/snapshot-file.ts";
import { openRecords, RecordingFile, recordsPath } from "../../../src/server/host/state-file.ts";
import { plainOf } from "../../live/plain.ts";
import { EVENTS } from "../../live/sessions.ts";
import { HEAD, payment, SETUP, submit } from "../../live/support.ts";

const DISTANCE = 60;

interface Options {
  readonly rest?: number;
  readonly finish?: boolean;
  readonly before?: (recording: string) => void;
  readonly warn?: (message: string) => void;
  /** Called in each turn of the event loop. */
  readonly inTurn?: () => void;
}

const failOn = (warning: string): never => {
  throw new Error(warning);
};

/** A network with a recording and its snapshot, after so many payments; it is left as a killed process leaves it. */
async function killedAfter(payments: number, options: Options = {}) {
  const recording = join(mkdtempSync(join(tmpdir(), "snapshot-")), "network.ndjson");
  options.before?.(recording);
  const { rest = 0, warn = failOn } = options;
  const sink = RecordingFile.begin(recording, HEAD, [], "never");
  const old = openRecords(recordsPath(recording), EMPTY, warn);
  const network = new ServedNetwork(SETUP, keyedHash, {
    record: (entry) => sink.write(entry),
    listeners: {},
    files: { old, readInputs: () => whole(recording).inputs, sizeFault: () => undefined },
  });
  const keeper = new SnapshotKeeper({ recording, end: () => sink.end, old, warn, events: DISTANCE, rest });
  keeper.noteStart(network, 0);
  for (let number = 0; number < payments; number++) {
    if (number % 4 === 1) network.takeSnapshot();
    submit(network, "v1", payment("alice", number));
    network.runTo((network.now + 100) as Millis, EVENTS);
    keeper.pointWritten(network, network.writeVerificationPoint());
    for (let turn = 0; turn < 20; turn++) {
      options.inTurn?.();
      await setImmediate();
    }
  }
  if (options.finish === true) keeper.finish(network, network.writeVerificationPoint());
  sink.close();
  return { recording, network };
}

const whole = (recording: string) => {
  const read = readRecording(readFileSync(recording, "utf8"));
  if (!read.ok) throw new Error(read.error);
  return effectiveOf(read.value.entries);
};

function restarted(recording: string) {
  const read = readSnapshot(recording, () => whole(recording).inputs);
  if (!read.ok) throw new Error(read.error);
  if (read.value === undefined) throw new Error("expected a snapshot");
  const { start, recording: rest, old } = read.value;
  let events = 0;
  const watcher = () => ({ eventBegins: () => void events++ });
  const past = effectiveOf(rest.entries, start);
  const network = new ServedNetwork(rest.head.setup, keyedHash, {
    record: () => undefined,
    listeners: { watcher },
    past,
    start,
    files: {
      old: openRecords(recordsPath(recording), old, failOn),
      readInputs: () => whole(recording).inputs,
      sizeFault: () => undefined,
    },
  });
  return { network, events };
}

const whyNot = (recording: string): string => {
  const read = readSnapshot(recording, () => []);
  return read.ok ? "it is of use" : read.error;
};

describe("a restart from a snapshot", () => {
  test("carries out no more events than lie between two snapshots, however long the history is", async () => {
    const most = [];
    for (const payments of [10, 40]) {
      const { recording, network } = await killedAfter(payments);
      const again = restarted(recording);
      expect([again.network.hash, again.network.steps]).toEqual([network.hash, network.steps]);
      expect(network.steps).toBeGreaterThan(payments * 5);
      most.push(again.events);
      // Those before the snapshot file and those after it, of which the first return undoes some.
      for (const one of [network, again.network]) one.revert(one.snapshots[1] ?? { inputs: 0, at: 0 as Millis });
      expect([again.network.hash, again.network.snapshots]).toEqual([network.hash, network.snapshots]);
      expect(network.snapshots.map(({ number }) => number)).toEqual([1, 2]);
      expect(again.network.takeSnapshot()).toEqual(network.takeSnapshot());
    }
    // One payment's events lie between two verification points.
    expect(Math.max(...most)).toBeLessThan(DISTANCE + 60);
  });

  test("repeats no more where other work of the thread stood between the slices", async () => {
    let clock = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
    const { recording } = await killedAfter(40, { rest: 1_000_000, inTurn: () => void clock++ });
    now.mockRestore();
    expect(restarted(recording).events).toBeLessThan(DISTANCE + 60);
  });

  test("carries out none after a clean end", async () => {
    const { recording, network } = await killedAfter(5, { rest: 1_000_000, finish: true });
    const again = restarted(recording);
    expect([again.events, again.network.hash]).toEqual([0, network.hash]);
  });

  test("is not to be had where the file cannot be written; a warning says so, and the network goes on", async () => {
    const warnings: string[] = [];
    const { recording, network } = await killedAfter(12, {
      before: (path) => mkdirSync(`${snapshotPath(path)}.graph`),
      finish: true,
      warn: (message) => void warnings.push(message),
    });
    expect(warnings.filter((text) => /\.snapshot is not written: .*EISDIR/.test(text)).length).toBeGreaterThan(1);
    expect(network.archive.finals).toBe(12);
    expect(readSnapshot(recording, () => [])).toEqual({ ok: true, value: undefined });
  });

  test("answers from the old records beside the recording, which are a condition of it", async () => {
    const { recording, network } = await killedAfter(90, { finish: true });
    expect(network.capture().archive.shelf.length).toBeGreaterThan(4);
    const again = restarted(recording);
    expect(again.events).toBe(0);
    const answersOf = (one: ServedNetwork) =>
      one.archive
        .finalCertificates()
        .map(([id, certificate]) => plainOf([id, certificate, one.archive.copyOf(id), one.archive.progressOf(id)]));
    expect(answersOf(network)).toHaveLength(90);
    expect(answersOf(again.network)).toEqual(answersOf(network));
    truncateSync(recordsPath(recording), 1_000);
    expect(whyNot(recording)).toMatch(/old records are missing or damaged/);
  });
});

describe("a snapshot of no use", () => {
  test.each<readonly [string, RegExp, (snapshot: string, recording: string) => void]>([
    ["cut short", /cut short|damaged|format/, (snapshot) => truncateSync(snapshot, 1_000)],
    ["empty", /cut short/, (snapshot) => writeFileSync(snapshot, "")],
    [
      "of another recording",
      /another one/,
      (_, recording) => replaceIn(recording, /(sum":")(.{16})("}\n)$/, `$1${"0".repeat(16)}$3`),
    ],
    ["after the end of a recording", /ends before it/, (_, recording) => truncateSync(recording, 2_000)],
    [
      "before a changed line",
      /was changed after it/,
      (_, recording) => appendFileSync(recording, '{"type":"x"}\n{"type":"y"}\n{}\n'),
    ],
  ])("that is %s is refused with the reason", async (_name, reason, change) => {
    const { recording } = await killedAfter(3, { finish: true });
    expect(whyNot(recording)).toBe("it is of use");
    change(snapshotPath(recording), recording);
    expect(whyNot(recording)).toMatch(reason);
  });
});

function replaceIn(path: string, what: RegExp, by: string): void {
  const bytes = readFileSync(path).toString("latin1");
  expect(bytes).toMatch(what);
  writeFileSync(path, Buffer.from(bytes.replace(what, by), "latin1"));
}
