/** Protocol 7.15: a validator at rest keeps what is open, what no checkpoint lists, and the last checkpoints. */
import { expect, test } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import type { KeptItem, KeptSubject } from "../../src/invariants/observation.ts";
import { footprint } from "../../src/invariants/oracles/footprint.ts";
import { checkpoint } from "./closings.ts";
import { details, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, hash, ISSUER, list, own, pause, payment, setting, tokenSlot } from "./vocabulary.ts";

const nonce = (value: number, account = ALICE): KeptSubject => ({ of: "nonce", account, nonce: value });
const slot = (sequence: number): KeptSubject => ({ of: "slot", slot: slotKey(accountSlot(ALICE, sequence)) });

function found(stream: Stream, collection: string, ...subjects: readonly KeptSubject[]): readonly string[] {
  const items: readonly KeptItem[] = [{ collection, subjects }];
  return details(footprint(), stream.push({ type: "kept", node: "v1", honest: true, items }).end());
}

/** Alice's payments of nonces 0, 1, ..., each applied at v1. */
function paid(count: number, stream = new Stream(setting())): Stream {
  for (let at = 0; at < count; at++) stream.apply("v1", own(`p${at}`, at, payment(ALICE, at, BOB, 1)));
  return stream;
}

/** Links 1 to `count` list a payment each. */
function linked(count: number, payments = count): Stream {
  const stream = paid(payments);
  for (let number = 1; number <= count; number++) {
    const name = `p${number - 1}`;
    const listed = own(name, number - 1, payment(ALICE, number - 1, BOB, 1));
    stream.checkpointed("v1", hash(`checkpoint ${number}`), checkpoint(number, [[listed, name]]));
  }
  return stream;
}

test.each(["pending", "pendingByAccount", "subscribers"])("%s holds an item until its nonce is used", (collection) => {
  expect(found(paid(1), collection, nonce(1))).toEqual([]);
  expect(found(paid(1), collection, nonce(0))).toEqual([
    `v1 keeps 1 item in ${collection} that is over, the first about nonce 0 of ${ALICE.slice(0, 10)}…`,
  ]);
});

test("an item about nothing is over, and one about an operation that waits to be executed is not", () => {
  expect(found(paid(0), "subscribers")).toEqual([expect.stringContaining("the first about nothing")]);
  const waiting = paid(0).apply("v1", own("p", 0, pause(ISSUER, 0)));
  const subjects: readonly KeptSubject[] = [nonce(0, ISSUER), { of: "authorised", id: hash("p") }];
  expect(found(waiting, "pending", ...subjects)).toEqual([]);
  expect(found(paid(0), "pending", { of: "authorised", id: hash("p") })).toHaveLength(1);
});

test("a warrant stays until a link lists the list that executes its operation, its outcome for eight links more", () => {
  const warrant = own("p", 0, pause(ISSUER, 0));
  const executes = list(0, [["p", pause(ISSUER, 0)]]);
  const subjects: readonly KeptSubject[] = [
    { of: "slot", slot: slotKey(accountSlot(ISSUER, 0)) },
    { of: "authorised", id: hash("p") },
  ];
  const upTo = (links: number): Stream => {
    const stream = new Stream(setting()).apply("v1", warrant);
    for (let number = 1; number <= links; number++) {
      if (number === 2) stream.apply("v1", executes);
      const listing = number === 1 ? [[warrant] as const] : number === 2 ? [[executes, "p"] as const] : [];
      stream.checkpointed("v1", hash(`checkpoint ${number}`), checkpoint(number, listing));
    }
    return stream;
  };
  expect(found(upTo(1), "records", ...subjects)).toEqual([]);
  expect(found(upTo(1).apply("v1", executes), "records", ...subjects)).toEqual([]);
  expect(found(upTo(1).apply("v1", executes), "pending", nonce(0, ISSUER), ...subjects.slice(1))).toHaveLength(1);
  expect(found(upTo(2), "records", ...subjects)).toHaveLength(1);
  expect(found(upTo(9), "outcomes", ...subjects)).toEqual([]);
  expect(found(upTo(10), "outcomes", ...subjects)).toHaveLength(1);
});

test.each(["records", "reasons", "barriers", "retries", "timers", "waiting", "missingContents", "log"])(
  "%s holds a slot until a link lists it",
  (collection) => {
    expect(found(paid(2), collection, slot(1))).toEqual([]);
    expect(found(linked(1, 2), collection, slot(1))).toEqual([]);
    expect(found(linked(2, 2), collection, slot(1))).toEqual([expect.stringContaining("about slot 1 of account")]);
  },
);

test.each(["voided", "evidence", "evicted"])("%s holds a nonce until a link lists it", (collection) => {
  expect(found(linked(1, 2), collection, nonce(1))).toEqual([]);
  expect(found(linked(2, 2), collection, nonce(1))).toHaveLength(1);
});

test("an item is kept as long as one of its subjects is not over", () => {
  expect(found(linked(1, 2), "contents", slot(0), nonce(1))).toEqual([]);
  expect(found(linked(1, 1), "records", slot(0), { of: "slot", slot: slotKey(tokenSlot(0)) })).toEqual([]);
});

test("nothing is kept of a request that was refused, unless its nonce is used", () => {
  const request: KeptSubject = { of: "request", id: hash("c") };
  const refused = { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, disclosed: false } as const;
  const asked = (count: number): Stream => paid(count).reply("v1", "c", refused);
  expect(found(paid(0), "digests", nonce(0), request)).toEqual([]);
  expect(found(asked(0), "digests", nonce(0), request)).toEqual([
    expect.stringContaining("v1 keeps 1 item in digests, in nobody's room, that is over, the first about nonce 0"),
  ]);
  expect(found(asked(0).reply("v1", "c", { status: "pending" }), "digests", nonce(0), request)).toEqual([]);
  expect(found(asked(1), "digests", nonce(0), request)).toEqual([]);
});

test("what a peer showed stands in a budget", () => {
  expect(found(paid(0), "contents", nonce(7))).toEqual([]);
  expect(found(paid(0), "contents", nonce(7), { of: "nobody" })).toEqual([
    expect.stringContaining("v1 keeps 1 item in contents, in nobody's room, that is over"),
  ]);
});

test("outcomes stay for eight links", () => {
  expect(found(linked(8), "outcomes", nonce(0), slot(0))).toEqual([]);
  expect(found(linked(9), "outcomes", nonce(0), slot(0))).toHaveLength(1);
  expect(found(linked(9), "outcomes", nonce(1), slot(1))).toEqual([]);
});

test("outcomes stay longer behind a gap in the links", () => {
  const stream = linked(2);
  const jump = (number: number): Stream =>
    stream.checkpointed("v1", hash(`checkpoint ${number}`), checkpoint(number, []));
  jump(12);
  expect(found(jump(19), "outcomes", nonce(0), slot(0))).toEqual([]);
  expect(found(jump(20), "outcomes", nonce(0), slot(0))).toHaveLength(1);
});

test("the last eight links stay", () => {
  expect(found(linked(9), "states", { of: "link", number: 2 })).toEqual([]);
  expect(found(linked(9), "states", { of: "link", number: 1 })).toEqual([expect.stringContaining("checkpoint 1")]);
});

test.each(["contents", "digests"])("sixty-four %s may come back until the next link", (collection) => {
  const contents = (count: number): readonly KeptItem[] =>
    Array.from({ length: count }, () => ({ collection, subjects: [nonce(0)] }));
  const run = (count: number): readonly string[] => {
    const stream = linked(1).push({ type: "kept", node: "v1", honest: true, items: contents(count) });
    return details(footprint(), stream.end());
  };
  expect(run(64)).toEqual([]);
  expect(run(65)).toEqual([expect.stringContaining(`65 items in ${collection} that are over`)]);
});

test("a restart forgets positions, and a Byzantine node keeps what it likes", () => {
  const restarted = linked(2).push({ type: "restarted", node: "v1", wiped: false, durableStatements: [] });
  expect(found(restarted, "records", slot(0))).toEqual([]);
  const stream = new Stream(setting({ byzantine: ["v1"] }));
  stream.push({ type: "kept", node: "v1", honest: false, items: [{ collection: "pending", subjects: [] }] });
  expect(details(footprint(), stream.end())).toEqual([]);
});
