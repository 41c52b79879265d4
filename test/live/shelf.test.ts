/** Old records leave the tables of the archive, and the answers about them stay. */
import { expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { MemoryStore } from "../../src/live/shelf.ts";
import { plainOf } from "./plain.ts";
import { payment, recorded, submit } from "./support.ts";

const EVENTS = 1_000_000;

/** Pays by turns, and returns what was answered of each operation when its checkpoint was young. */
function paid(payments: number, old = new MemoryStore()) {
  const { network } = recorded({ old });
  const answers = new Map<string, unknown>();
  for (let nonce = 0; nonce < payments; nonce++) {
    for (const from of ["alice", "bob"]) expect(submit(network, "v1", payment(from, nonce))).toBeUndefined();
    network.runTo((network.now + 700) as Millis, EVENTS);
    for (const [id] of network.archive.finalCertificates().slice(-8)) {
      const progress = network.archive.progressOf(id);
      if (progress?.status === "final" && progress.place !== undefined)
        answers.set(id, plainOf([network.archive.copyOf(id), answerOf(progress)]));
    }
  }
  network.runTo((network.now + 10_000) as Millis, EVENTS);
  return { network, answers };
}

/** The accounts of an old state are dropped before it is old. */
function answerOf(progress: object): unknown {
  return JSON.parse(JSON.stringify(progress, (key, value) => withoutState(key, value)));
}

function withoutState(key: string, value: unknown): unknown {
  if (key === "state" || key === "after") return undefined;
  return typeof value === "bigint" ? String(value) : value;
}

test("what is said of an operation is the same when its checkpoint is old", () => {
  const { network, answers } = paid(40);
  const shelved = network.capture().archive.shelf.length;
  expect(shelved).toBeGreaterThan(25);
  expect(answers.size).toBeGreaterThan(70);
  for (const [id, answer] of answers) {
    const copy = network.archive.copyOf(id as never);
    const progress = network.archive.progressOf(id as never);
    expect(plainOf([copy, answerOf(progress ?? {})])).toEqual(answer);
    expect(copy && network.archive.find(copy.hash)).toEqual(copy);
  }
  for (let number = 1; number <= shelved; number++) {
    const link = network.archive.link(number);
    expect(link?.content.value.header.number).toBe(number);
    expect(link && network.archive.linkByHash(link.hash)).toBe(link);
  }
  expect(network.archive.finals).toBe(80);
});

test("an old operation that is submitted again is answered as known, and comes to no table", () => {
  const { network } = paid(30);
  const before = network.capture().archive;
  const seen = network.archive.progressOf(network.archive.finalCertificates()[0]?.[0] as never);
  expect(seen?.status).toBe("final");
  submit(network, "v2", payment("alice", 0));
  network.runTo((network.now + 100) as Millis, EVENTS);
  const { tables, finalCount } = network.capture().archive;
  expect(tables.operations.size).toBe(before.tables.operations.size);
  expect(finalCount).toBe(before.finalCount);
});

test("a record that its store has no more is made again from the past, and so are all others of this kind", () => {
  const lost = new Set<number>();
  class Damaged extends MemoryStore {
    override read(place: Parameters<MemoryStore["read"]>[0]): Uint8Array {
      return lost.has(place.at) ? (undefined as never) : super.read(place);
    }
  }
  const { network } = paid(30, new Damaged());
  const linksOf = () => [1, 2, 3, 4].map((number) => plainOf(network.archive.link(number)));
  const before = linksOf();
  const { shelf } = network.capture().archive;
  expect(shelf.length).toBeGreaterThan(10);
  for (const number of [1, 3]) lost.add(shelf[number - 1]?.at ?? -1);
  for (let number = 5; number <= 10; number++) network.archive.link(number);
  expect(linksOf()).toEqual(before);
  const healed = network.capture().archive.shelf;
  expect(healed.flatMap(({ at }, index) => (at === shelf[index]?.at ? [] : [index + 1]))).toEqual([1, 3]);
});
