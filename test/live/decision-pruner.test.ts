/** Old decisions leave the memory of a served network's observers; what comes after is judged as before. */
import { expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { Chronicle } from "../../src/invariants/history/chronicle.ts";
import { accounts } from "../../src/invariants/oracles/accounts.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { CHECKPOINTS_REMEMBERED } from "../../src/live/decision-pruner.ts";
import { details, Stream } from "../invariants/support.ts";
import { ALICE, accountSlot, BOB, hash, own, payment as pay, setting } from "../invariants/vocabulary.ts";
import { payment, recorded, submit } from "./support.ts";

const EVENTS = 1_000_000;
const NODES = ["v1", "v2", "v3", "v4"];

/** Payments one after the other; those before the last few are forgotten. */
function paid(payments: number, kept: number): Stream {
  const stream = new Stream(setting());
  for (let nonce = 0; nonce < payments; nonce++) {
    const [name, slot] = [`p${nonce}`, accountSlot(ALICE, nonce)];
    const decision = own(name, nonce, pay(ALICE, nonce, BOB, 1));
    const value = hash(`value ${name}`);
    stream.content(value, decision).submitPending("alice", name, pay(ALICE, nonce, BOB, 1), "v1", false);
    stream.vote(NODES, slot, value).commit(NODES, slot, value);
    for (const node of NODES) stream.apply(node, decision);
    if (nonce < kept) continue;
    const old = nonce - kept;
    const [operations, slots] = [[hash(`p${old}`)], [slotKey(accountSlot(ALICE, old))]];
    stream.push({ type: "forgotten", slots, values: [hash(`value p${old}`)], operations, upTo: 0 });
  }
  return stream;
}

test("what is said about a forgotten slot is not judged, and begins no new history of it", () => {
  const stream = paid(20, 5);
  stream.vote(["v2"], accountSlot(ALICE, 3), hash("another")).commit(NODES, accountSlot(ALICE, 3), hash("another"));
  stream.push({ type: "crashed", node: "v2" });
  stream.push({ type: "restarted", node: "v2", wiped: false, durableStatements: [] });
  const chronicle = new Chronicle(setting());
  for (const record of stream.records) chronicle.observe(record);
  expect(chronicle.isForgotten(slotKey(accountSlot(ALICE, 14)))).toBe(true);
  expect(chronicle.isForgotten(slotKey(accountSlot(ALICE, 15)))).toBe(false);
  expect(chronicle.isForgotten(slotKey(accountSlot(BOB, 3)))).toBe(false);
  expect(chronicle.finality.finals.size).toBe(5);
  for (const oracle of [irreversibility, accounts]) expect(details(oracle(), stream)).toEqual([]);
});

test("a decision that is kept is still compared", () => {
  const stream = paid(20, 5).apply("v1", own("y", 17, pay(ALICE, 17, ALICE, 1)));
  expect(details(irreversibility(), stream)[0]).toContain("was final and changed");
});

test("validators that restart from a snapshot, and lag, are judged without a false alarm after much was forgotten", () => {
  const { network } = recorded();
  const wait = (ms: number): void => void network.runTo((network.now + ms) as Millis, EVENTS);
  const turn = (nonce: number): void => {
    for (const from of ["alice", "bob"]) expect(submit(network, "v1", payment(from, nonce))).toBeUndefined();
    wait(700);
  };
  for (let nonce = 0; nonce < 15; nonce++) turn(nonce);
  expect(network.checkpointOf("v1")).toBeGreaterThan(12);
  network.step({ crash: { node: "v2" } });
  for (let nonce = 15; nonce < 30; nonce++) turn(nonce);
  network.step({ restart: "v2" });
  network.step({ byzantine: { node: "v4", strategy: "replay-stale" } });
  for (let nonce = 30; nonce < 35; nonce++) turn(nonce);
  wait(40_000);
  network.judge();
  expect(network.archive.finals).toBe(70);
  expect(network.checkpointOf("v2")).toBe(network.checkpointOf("v1"));
  expect(network.findings).toEqual([]);
  expect(network.checkpointOf("v1")).toBeGreaterThan(3 * CHECKPOINTS_REMEMBERED);
  // All have applied the last one, and the oracle keeps those before it as long as decisions are kept.
  const { oracles } = network.capture().observers.judge;
  expect(oracles.flatMap(linksIn).map(({ size }) => size)).toEqual([CHECKPOINTS_REMEMBERED]);
});

/** Links that the state of an oracle holds, if it is the one of the checkpoint chain. */
function linksIn(state: unknown): readonly { readonly size: number }[] {
  const { links } = (state ?? {}) as { readonly links?: { readonly size: number } };
  return links === undefined ? [] : [links];
}
