import { describe, expect, test } from "vitest";
import type { Epoch, Round } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { amnesia } from "../../src/invariants/oracles/amnesia.ts";
import { checkpoint, checkpointSlot, claim, epochSlotOf, POLICY } from "./closings.ts";
import { finder, judged, Stream, testRuns } from "./support.ts";
import { ALICE, accountSlot, address, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("x"), hash("y")];
const V1 = ["v1"];
const FIRST = hash("checkpoint 1");
const LOCKED = claim(SLOT, X, { locked: 0 });
const LISTED = claim(checkpointSlot(1), FIRST);
const lockOn = (value: typeof X, round = 0) => ({ round, value });

const fresh = (byzantine: readonly string[] = []): Stream =>
  new Stream(setting({ byzantine, genesis: { checkpoints: POLICY } }));
const find = finder(amnesia);
const crashed = (stream: Stream): Stream => stream.crash("v1").restart("v1");

/** Checkpoint 1 lists slot 0, and is final. */
function withCheckpoint(stream: Stream): Stream {
  const decision = own("x", 0, payment(ALICE, 0, BOB, 1));
  stream.content(FIRST, { value: checkpoint(1, [[decision, "x"]]), operations: decision.operations });
  return stream.vote(stream.names(), checkpointSlot(1), FIRST).commit(["v1", "v2", "v3"], checkpointSlot(1), FIRST);
}

const AFTER_CLOSE = "committed to value 0x78000000… in round 0 after it had closed epoch 0";

test.each<[string, (s: Stream) => Stream, string]>([
  [
    "votes for two values across a crash",
    (s) => crashed(s.vote(V1, SLOT, X)).vote(V1, SLOT, Y),
    "voted twice in round 0",
  ],
  ["commits to two values", (s) => s.commit(V1, SLOT, X).commit(V1, SLOT, Y), "committed twice in round 0"],
  ["proposes two values", (s) => s.propose("v1", SLOT, X, 1).propose("v1", SLOT, Y, 1), "proposed twice in round 1"],
  [
    "changes to one round with two locks",
    (s) => s.change(V1, SLOT, 2).change(V1, SLOT, 2, lockOn(X, 1)),
    "changed to round 2 twice",
  ],
  ["votes below its round change", (s) => s.change(V1, SLOT, 1).vote(V1, SLOT, X), "after changing to round 1"],
  ["commits below its round change", (s) => s.change(V1, SLOT, 2).commit(V1, SLOT, X, 1), "after changing to round 2"],
  [
    "votes below a round that it voted in",
    (s) => s.vote(V1, SLOT, X, 2).vote(V1, SLOT, X, 1),
    "after acting in round 2",
  ],
  ["hides a lock", (s) => s.commit(V1, SLOT, X).change(V1, SLOT, 1), "omitted that lock"],
  ["names a lower lock", (s) => s.commit(V1, SLOT, X, 1).change(V1, SLOT, 2, lockOn(X)), "omitted that lock"],
  [
    "names another value for its lock",
    (s) => s.commit(V1, SLOT, X, 1).change(V1, SLOT, 2, lockOn(Y, 1)),
    "omitted that lock",
  ],
  ["votes in an epoch that it has closed", (s) => s.close(V1).vote(V1, SLOT, X), "voted for value"],
  [
    "commits there, across a crash",
    (s) => crashed(s.vote(V1, SLOT, X).close(V1, [LOCKED])).commit(V1, SLOT, X),
    AFTER_CLOSE,
  ],
  ["changes round there", (s) => s.close(V1).change(V1, SLOT, 1), "changed in round 1 after it had"],
  ["proposes there", (s) => s.close(V1).propose("v1", SLOT, X, 1), "proposed value 0x78000000… in round 1"],
  ["closes one epoch twice", (s) => s.close(V1).close(V1, [LOCKED]), "closed epoch 0 twice, with different claims"],
  [
    "hides its commit in its close",
    (s) => s.commit(V1, SLOT, X).close(V1),
    "omitted from its close of epoch 0 its lock",
  ],
  ["claims a lower lock", (s) => s.commit(V1, SLOT, X, 1).close(V1, [LOCKED]), "its lock of round 1 on value 0x78"],
  [
    "claims another value for its lock",
    (s) => s.commit(V1, SLOT, X).close(V1, [claim(SLOT, Y, { locked: 0 })]),
    "its lock of round 0 on value 0x78",
  ],
  [
    "hides a lock that it named in a round change",
    (s) => s.change(V1, SLOT, 1, lockOn(X)).close(V1),
    "its lock of round 0 on value 0x78",
  ],
  [
    "hides a slot above its last checkpoint",
    (s) => withCheckpoint(s).commit(V1, accountSlot(ALICE, 1), X).close(V1, [LISTED]),
    "in slot 1 of account",
  ],
  [
    "hides a checkpoint that it committed to",
    (s) => withCheckpoint(s).close(V1),
    "its lock of round 0 on a checkpoint of 1 slot",
  ],
])("an honest validator that %s is found", (_what, build, words) => {
  const found = judged(amnesia(), build(fresh()));
  expect(found).toEqual([expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] })]);
  expect(find(build(fresh(V1)))).toEqual([]);
});

describe("no amnesia is", () =>
  testRuns(find, [
    ["the same statement again", () => fresh().vote(V1, SLOT, X).vote(V1, SLOT, X).commit(V1, SLOT, X)],
    [
      "another round, an honest lock, and another slot",
      () =>
        fresh()
          .commit(V1, SLOT, X)
          .change(V1, SLOT, 1, lockOn(X))
          .vote(V1, SLOT, Y, 1)
          .vote(V1, accountSlot(ALICE, 1), Y),
    ],
    ["the closing's own slot", () => fresh().close(V1).vote(V1, epochSlotOf(0), X).change(V1, epochSlotOf(0), 1)],
    [
      "the same close again",
      () =>
        fresh()
          .close(V1, [claim(SLOT, X)])
          .close(V1, [claim(SLOT, X)]),
    ],
    ["a commit that its close claims", () => fresh().commit(V1, SLOT, X).close(V1, [LOCKED])],
    [
      "a higher lock, on another value",
      () =>
        fresh()
          .commit(V1, SLOT, X)
          .close(V1, [claim(SLOT, Y, { locked: 2 })]),
    ],
    [
      "a decision in place of its lock",
      () =>
        fresh()
          .commit(V1, SLOT, X)
          .close(V1, [claim(SLOT, X)]),
    ],
    [
      "a decision of an earlier round",
      () =>
        fresh()
          .commit(V1, SLOT, X, 1)
          .close(V1, [claim(SLOT, X, { round: 0 })]),
    ],
    ["a slot that its last checkpoint lists", () => withCheckpoint(fresh().commit(V1, SLOT, X)).close(V1, [LISTED])],
    [
      "a slot that may stand in a checkpoint of which nobody knows the list",
      () => fresh().commit(V1, SLOT, X).close(V1, [LISTED]),
    ],
    ["another vote of the next epoch", () => fresh().vote(V1, SLOT, X).turn().vote(V1, SLOT, Y)],
  ]));

const ROUND_CHANGE = { kind: "roundChange", epoch: 0 as Epoch, slot: slotKey(SLOT), lock: undefined } as const;
const change = (stream: Stream, round: number, hasReason: boolean): Stream =>
  stream.sign("v1", { ...ROUND_CHANGE, round: round as Round, ...(hasReason ? { hasReason } : {}) });
const restarted = (stream: Stream, isDurable: boolean): Stream => {
  const reasoned = isDurable ? { reasoned: [{ epoch: 0 as Epoch, slot: slotKey(SLOT) }] } : {};
  return stream.push({ type: "restarted", node: "v1", wiped: false, durableStatements: [], ...reasoned });
};
const durable = (): Stream => restarted(fresh().crash("v1"), true);
const FORGOTTEN = "v1 changes to round 2 of slot 0 of account 0x616c6963… without a reason, and has forgotten";

describe("the reason of a round change", () =>
  testRuns(find, [
    ["that was shown is shown again", () => change(change(fresh(), 1, true), 2, true)],
    ["that was shown is not forgotten", () => change(change(change(fresh(), 1, true), 2, false), 2, false), FORGOTTEN],
    ["that was durable at a restart is shown again", () => change(durable(), 2, true)],
    ["that was durable is not forgotten", () => change(change(durable(), 2, false), 2, false), FORGOTTEN],
    [
      "that came after the record was written is lost with the memory, and none is owed before one was shown",
      () => change(restarted(change(change(fresh(), 1, false), 1, true).crash("v1"), false), 2, false),
    ],
  ]));

const base = setting();
const twins = { ...base, nodes: [...base.nodes, { node: "v1'", keys: [address("v1")], honest: true }] };
const withKeys = (...names: readonly string[]) => ({
  ...base,
  nodes: base.nodes.map((node) => (node.node === "v1" ? { ...node, keys: names.map(address) } : node)),
});
const twoKeys = withKeys("v1", "v1/2");
const vote = (epoch: number, value = Y) => {
  const place = { epoch: epoch as Epoch, slot: slotKey(accountSlot(ALICE, 1)), round: 0 as Round };
  return { kind: "vote", ...place, value } as const;
};
/** A vote of v1 with its key of this name. */
const signed = (stream: Stream, name: string): Stream =>
  stream.push({ type: "signed", node: "v1", key: address(name), honest: true, statement: vote(0) });
const lost = (): Stream => new Stream(twoKeys).vote(V1, SLOT, X).crash("v1").restart("v1", [], true);
const WITH_OLD = "v1 signed in slot 1 of account 0x616c6963… with a key that it had before it lost its disk";

/** v1 goes on under a new key after the first epoch. */
function rotated(): Stream {
  const stream = new Stream(withKeys("v1", "new")).vote(V1, SLOT, X);
  const validators = base.genesis.validators.map((one, at) => (at === 0 ? { ...one, key: address("new") } : one));
  stream.turn([], { next: { ...base.genesis, validators } }).keys.set("v1", address("new"));
  return stream.vote(V1, SLOT, Y);
}

/** An honest key signs twice for the epoch after this one. */
const early = (): Stream => fresh().inEpoch(1).vote(V1, SLOT, X).vote(V1, SLOT, Y).inEpoch(0);

describe("a key", () =>
  testRuns(find, [
    [
      "that runs twice contradicts itself, whichever twin signs",
      () => new Stream(twins).vote(V1, SLOT, X).vote(["v1'"], SLOT, Y),
      "voted twice",
    ],
    ["signs nothing after its disk was lost", () => lost().sign("v1", vote(0)), WITH_OLD],
    ["signs nothing then in the next epoch", () => lost().sign("v1", vote(1)), WITH_OLD],
    ["signs nothing then in a later epoch", () => lost().sign("v1", vote(7)), WITH_OLD],
    ["that is new may sign", () => signed(lost(), "v1/2")],
    [
      "that had signed nothing may sign",
      () => signed(new Stream(twoKeys).vote(["v2"], SLOT, X).crash("v1").restart("v1", [], true), "v1"),
    ],
    [
      "that is new is lost with a second disk",
      () => signed(signed(lost(), "v1/2").crash("v1").restart("v1", [], true), "v1/2"),
      WITH_OLD,
    ],
    ["that is new has signed nothing with the epoch", () => rotated()],
    [
      "that is new contradicts itself",
      () => rotated().vote(V1, SLOT, X),
      /^v1 contradicts its own signature .* voted twice/,
    ],
    ["may sign twice for an epoch that is not open", () => early()],
    ["has signed twice once the epoch is open", () => early().turn(), "v1 contradicts its own signature"],
  ]));

test("the key that a validator had before it lost its disk is faulty", () => {
  const faulty = (stream: Stream) => judged(amnesia(), stream).map((one) => one.faulty);
  expect(faulty(lost().sign("v1", vote(0)))).toEqual([[address("v1")]]);
  expect(faulty(signed(signed(lost(), "v1/2").crash("v1").restart("v1", [], true), "v1/2"))).toEqual([
    [address("v1/2")],
  ]);
});
