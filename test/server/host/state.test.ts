/** Goal: whatever a disk does, no final that was answered is lost, and no start is refused without its reason. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { OperationId } from "../../../src/core/base/operation.ts";
import { StateFileError } from "../../../src/server/host/disk.ts";
import { runsFor } from "../../depth.ts";
import { clear, FAULTS, type Fault, faultyDisk, Killed, Session, soundDisk } from "./state-support.ts";

const folder = mkdtempSync(join(tmpdir(), "state-"));
const path = join(folder, "net.ndjson");
beforeEach(() => clear(folder));
afterEach(soundDisk);
afterAll(() => rmSync(folder, { recursive: true }));

const PAYMENTS = 14;

const CASES = runsFor({ test: 30, nightly: 2_000, soak: 10_000 });
const FLIPS = runsFor({ test: 40, nightly: 1_000, soak: 5_000 });

/** Answers that were given as final. */
type Answers = Map<OperationId, unknown>;

/** Runs a network until the disk ends it; notes what it answered. Returns the error. */
function lived(answers: Answers, payments: number): unknown {
  try {
    const session = new Session(path);
    for (const id of session.pay(Array.from({ length: payments }, (_, nonce) => nonce)))
      answers.set(id, session.answerOf(id));
    session.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof StateFileError || error instanceof Killed)) throw error;
    return error;
  } finally {
    soundDisk();
  }
}

function expectAll(answers: Answers): void {
  const session = new Session(path);
  for (const [id, answer] of answers) expect(session.answerOf(id)).toEqual(answer);
  session.kill();
}

/** Files of a network after its first payments, and their answers. */
const begun = { answers: new Map() as Answers, files: new Map<string, Buffer>() };
beforeAll(() => {
  lived(begun.answers, PAYMENTS);
  for (const name of readdirSync(folder)) begun.files.set(name, readFileSync(join(folder, name)));
});

function putFiles(files: ReadonlyMap<string, Buffer>): void {
  clear(folder);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
}

const round = fc.record({
  fault: fc.constantFrom<Fault>(...FAULTS),
  at: fc.integer({ min: 1, max: 60 }),
  lasts: fc.constantFrom(1, 1, 3, 1_000),
});
const rounds = fc.array(round, { minLength: 1, maxLength: 2 });

test("a fault of any system call on a state file loses no final, and the next start succeeds", () => {
  let failed = 0;
  const survive = (isNew: boolean, faults: readonly { fault: Fault; at: number; lasts: number }[]): void => {
    putFiles(isNew ? new Map() : begun.files);
    const answers: Answers = new Map(isNew ? [] : begun.answers);
    let payments = isNew ? 0 : PAYMENTS;
    for (const { fault, at, lasts } of faults) {
      payments += 3;
      faultyDisk(fault, at, lasts);
      const error = lived(answers, payments);
      if (fault === "short") expect(error).toBeUndefined();
      if (error instanceof StateFileError) expect(error.message).toMatch(/net\.ndjson.*: (ENOSPC|EIO)/);
      if (error !== undefined) failed += 1;
      expectAll(answers);
    }
    expect(lived(answers, payments)).toBeUndefined();
    expect(answers.size).toBe(payments);
    expectAll(answers);
  };
  const isNew = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);
  fc.assert(fc.property(isNew, rounds, survive), { numRuns: CASES });
  expect(failed).toBeGreaterThan(CASES / 4);
});

test("a flipped bit in any file is named at the start, or healed", () => {
  putFiles(begun.files);
  const answers: Answers = new Map(begun.answers);
  const session = new Session(path);
  for (const id of session.pay([PAYMENTS, PAYMENTS + 1])) answers.set(id, session.answerOf(id));
  session.kill();
  const names = readdirSync(folder);
  expect(names.sort()).toEqual(["net.ndjson", "net.ndjson.archive", "net.ndjson.snapshot"]);
  const whole = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  const flip = (name: string, place: number): void => {
    putFiles(whole);
    const bytes = Buffer.from(whole.get(name) ?? []);
    const bit = Math.floor(place * bytes.length * 8);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(join(folder, name), bytes);
    if (name === "net.ndjson") {
      expect(() => new Session(path)).toThrow(/net\.ndjson: line \d+: /);
      return;
    }
    const again = new Session(path);
    if (name.endsWith("snapshot")) expect(again.warnings.join()).toContain("net.ndjson.snapshot is of no use");
    for (const [id, answer] of answers) expect(again.answerOf(id)).toEqual(answer);
    again.kill();
  };
  const places = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(fc.property(fc.constantFrom(...names), places, flip), { numRuns: FLIPS });
});

test("a missing recording beside its snapshot is refused", () => {
  lived(new Map(), 4);
  rmSync(path);
  expect(() => new Session(path)).toThrow(/net\.ndjson is missing or empty, and .*snapshot.* is there/);
  writeFileSync(path, "");
  expect(() => new Session(path)).toThrow(/is missing or empty/);
});

test("old records do not grow with restarts", () => {
  lived(new Map(), PAYMENTS);
  const size = (): number => statSync(`${path}.archive`).size;
  const before = size();
  for (let restart = 0; restart < 5; restart++) new Session(path).kill();
  expect(size()).toBe(before);
});

test("a file that is removed while it is in use is put back, and another one in its place ends its use", () => {
  const session = new Session(path);
  const [id] = session.pay([0]);
  rmSync(path);
  session.putBack();
  expect(session.warnings).toEqual([`${path} was removed while it was in use, and is put back`]);
  const [later] = session.pay([1]);
  session.kill();
  const again = new Session(path);
  expect([again.statusOf(id as OperationId), again.statusOf(later as OperationId)]).toEqual(["final", "final"]);
  rmSync(path);
  writeFileSync(path, "other");
  expect(() => again.putBack()).toThrow(/another file was put in its place/);
  expect(() => [...again.pay([2])]).toThrow(StateFileError);
});
