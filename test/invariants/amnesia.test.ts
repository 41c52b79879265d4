import { describe, expect, test } from "vitest";
import type { Address, Epoch, Round } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { amnesia } from "../../src/invariants/oracles/amnesia.ts";
import { checkpoint, checkpointSlot, claim, epochSlotOf, POLICY } from "./closings.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("x"), hash("y")];

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine }));
}

test.each([
  [
    "votes for two values across a crash",
    (s: Stream) => s.vote(["v1"], SLOT, X).crash("v1").restart("v1").vote(["v1"], SLOT, Y),
    "voted twice in round 0",
  ],
  [
    "commits to two values",
    (s: Stream) => s.commit(["v1"], SLOT, X).commit(["v1"], SLOT, Y),
    "committed twice in round 0",
  ],
  [
    "proposes two values",
    (s: Stream) => s.propose("v1", SLOT, X, 1).propose("v1", SLOT, Y, 1),
    "proposed twice in round 1",
  ],
  [
    "changes to one round with two locks",
    (s: Stream) => s.change(["v1"], SLOT, 2).change(["v1"], SLOT, 2, { round: 1, value: X }),
    "changed to round 2 twice",
  ],
  [
    "votes below its round change",
    (s: Stream) => s.change(["v1"], SLOT, 1).vote(["v1"], SLOT, X),
    "after changing to round 1",
  ],
  [
    "commits below its round change",
    (s: Stream) => s.change(["v1"], SLOT, 2).commit(["v1"], SLOT, X, 1),
    "after changing to round 2",
  ],
  [
    "votes below a round that it voted in",
    (s: Stream) => s.vote(["v1"], SLOT, X, 2).vote(["v1"], SLOT, X, 1),
    "after acting in round 2",
  ],
  ["hides a lock", (s: Stream) => s.commit(["v1"], SLOT, X).change(["v1"], SLOT, 1), "omitted that lock"],
  [
    "names a lower lock than its own",
    (s: Stream) => s.commit(["v1"], SLOT, X, 1).change(["v1"], SLOT, 2, { round: 0, value: X }),
    "omitted that lock",
  ],
  [
    "names another value for its lock",
    (s: Stream) => s.commit(["v1"], SLOT, X, 1).change(["v1"], SLOT, 2, { round: 1, value: Y }),
    "omitted that lock",
  ],
])("an honest validator that %s is found", (_what, build, words) => {
  const found = judged(amnesia(setting()), build(fresh()));
  expect(found).toEqual([expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] })]);
  expect(details(amnesia(setting({ byzantine: ["v1"] })), build(fresh(["v1"])))).toEqual([]);
});

test("the same statement again, other rounds, other slots and honest locks are no amnesia", () => {
  const stream = fresh().vote(["v1"], SLOT, X).vote(["v1"], SLOT, X).commit(["v1"], SLOT, X);
  stream
    .change(["v1"], SLOT, 1, { round: 0, value: X })
    .vote(["v1"], SLOT, Y, 1)
    .vote(["v1"], accountSlot(ALICE, 1), Y);
  expect(details(amnesia(stream.setting), stream)).toEqual([]);
});

describe("the reason of a round change", () => {
  const ROUND_CHANGE = { kind: "roundChange", epoch: 0 as Epoch, slot: slotKey(SLOT), lock: undefined } as const;
  const change = (stream: Stream, round: number, hasReason: boolean): Stream =>
    stream.sign("v1", { ...ROUND_CHANGE, round: round as Round, ...(hasReason ? { hasReason } : {}) });
  const restarted = (stream: Stream, isDurable: boolean): Stream => {
    const reasoned = isDurable ? { reasoned: [{ epoch: 0 as Epoch, slot: slotKey(SLOT) }] } : {};
    return stream.push({ type: "restarted", node: "v1", wiped: false, durableStatements: [], ...reasoned });
  };
  const forgotten = "v1 changes to round 2 of slot 0 of account 0x616c6963… without a reason, and has forgotten";

  test.each([
    ["was shown before", () => change(fresh(), 1, true)],
    ["was durable at a restart", () => restarted(fresh().crash("v1"), true)],
  ])("that %s is shown again", (_what, begin) => {
    const found = details(amnesia(setting()), change(change(begin(), 2, false), 2, false));
    expect(found).toEqual([expect.stringContaining(forgotten)]);
    expect(details(amnesia(setting()), change(begin(), 2, true))).toEqual([]);
  });

  test("that came after the record was written is lost with the memory, and none is owed before one was shown", () => {
    const stream = restarted(change(change(fresh(), 1, false), 1, true).crash("v1"), false);
    expect(details(amnesia(setting()), change(stream, 2, false))).toEqual([]);
  });
});

test("a key that runs twice contradicts itself, whichever twin signs", () => {
  const base = setting();
  const twins = { ...base, nodes: [...base.nodes, { node: "v1'", keys: [address("v1")], honest: true }] };
  const stream = new Stream(twins).vote(["v1"], SLOT, X).vote(["v1'"], SLOT, Y);
  expect(details(amnesia(twins), stream)).toHaveLength(1);
});

describe("a validator that lost its disk", () => {
  const [OLD, NEW] = [address("v1"), address("v1/2")];
  const base = setting();
  const twoKeys = {
    ...base,
    nodes: base.nodes.map((node) => (node.node === "v1" ? { ...node, keys: [OLD, NEW] } : node)),
  };
  const lost = (): Stream => new Stream(twoKeys).vote(["v1"], SLOT, X).crash("v1").restart("v1", [], true);
  const next = accountSlot(ALICE, 1);
  const vote = (epoch: number) => ({
    kind: "vote" as const,
    epoch: epoch as Epoch,
    slot: slotKey(next),
    round: 0 as Round,
    value: Y,
  });

  test.each([0, 1, 7])("signs nothing with its old key, in epoch %i neither", (epoch) => {
    const words = "v1 signed in slot 1 of account 0x616c6963… with a key that it had before it lost its disk";
    expect(judged(amnesia(twoKeys), lost().sign("v1", vote(epoch)))).toEqual([
      expect.objectContaining({ detail: words, faulty: [OLD] }),
    ]);
  });

  test("may sign with a new key, and with an old one that had signed nothing", () => {
    const signed = (key: Address, stream: Stream): Stream =>
      stream.push({ type: "signed", node: "v1", key, honest: true, statement: vote(0) });
    expect(details(amnesia(twoKeys), signed(NEW, lost()))).toEqual([]);
    const early = new Stream(twoKeys).vote(["v2"], SLOT, X).crash("v1").restart("v1", [], true);
    expect(details(amnesia(twoKeys), signed(OLD, early))).toEqual([]);
  });

  test("loses its new key with a second disk", () => {
    const signed = (stream: Stream): Stream =>
      stream.push({ type: "signed", node: "v1", key: NEW, honest: true, statement: vote(0) });
    const again = signed(signed(lost()).crash("v1").restart("v1", [], true));
    expect(judged(amnesia(twoKeys), again)).toEqual([expect.objectContaining({ faulty: [NEW] })]);
  });
});

const FIRST = hash("checkpoint 1");

function withPolicy(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine, genesis: { checkpoints: POLICY } }));
}

/** Checkpoint 1 lists slot 0, and is final. */
function withCheckpoint(stream: Stream): Stream {
  const decision = own("x", 0, payment(ALICE, 0, BOB, 1));
  stream.content(FIRST, { value: checkpoint(1, [[decision, "x"]]), operations: decision.operations });
  return stream.vote(stream.names(), checkpointSlot(1), FIRST).commit(["v1", "v2", "v3"], checkpointSlot(1), FIRST);
}

test.each([
  ["votes in an epoch that it has closed", (s: Stream) => s.close(["v1"]).vote(["v1"], SLOT, X), "voted for value"],
  [
    "commits there, across a crash",
    (s: Stream) =>
      s
        .vote(["v1"], SLOT, X)
        .close(["v1"], [claim(SLOT, X, { locked: 0 })])
        .crash("v1")
        .restart("v1")
        .commit(["v1"], SLOT, X),
    "committed to value 0x78000000… in round 0 after it had closed epoch 0",
  ],
  ["changes round there", (s: Stream) => s.close(["v1"]).change(["v1"], SLOT, 1), "changed in round 1 after it had"],
  ["proposes there", (s: Stream) => s.close(["v1"]).propose("v1", SLOT, X, 1), "proposed value 0x78000000… in round 1"],
  [
    "closes one epoch twice",
    (s: Stream) => s.close(["v1"]).close(["v1"], [claim(SLOT, X, { locked: 0 })]),
    "closed epoch 0 twice, with different claims",
  ],
  [
    "hides its commit in its close",
    (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"]),
    "omitted from its close of epoch 0 its lock",
  ],
  [
    "claims a lower lock than its own",
    (s: Stream) => s.commit(["v1"], SLOT, X, 1).close(["v1"], [claim(SLOT, X, { locked: 0 })]),
    "its lock of round 1 on value 0x78",
  ],
  [
    "claims another value for its lock",
    (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"], [claim(SLOT, Y, { locked: 0 })]),
    "its lock of round 0 on value 0x78",
  ],
  [
    "hides a lock that it named in a round change",
    (s: Stream) => s.change(["v1"], SLOT, 1, { round: 0, value: X }).close(["v1"]),
    "its lock of round 0 on value 0x78",
  ],
  [
    "hides a slot above its last checkpoint",
    (s: Stream) =>
      withCheckpoint(s)
        .commit(["v1"], accountSlot(ALICE, 1), X)
        .close(["v1"], [claim(checkpointSlot(1), FIRST)]),
    "in slot 1 of account",
  ],
  [
    "hides a checkpoint that it committed to",
    (s: Stream) => withCheckpoint(s).close(["v1"]),
    "its lock of round 0 on a checkpoint of 1 slot",
  ],
])("an honest validator that %s is found", (_what, build, words) => {
  const found = judged(amnesia(setting()), build(withPolicy()));
  expect(found).toEqual([expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] })]);
  expect(details(amnesia(setting({ byzantine: ["v1"] })), build(withPolicy(["v1"])))).toEqual([]);
});

test.each([
  [
    "the closing's own slot",
    (s: Stream) => s.close(["v1"]).vote(["v1"], epochSlotOf(0), X).change(["v1"], epochSlotOf(0), 1),
  ],
  ["the same close again", (s: Stream) => s.close(["v1"], [claim(SLOT, X)]).close(["v1"], [claim(SLOT, X)])],
  [
    "a commit that its close claims",
    (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"], [claim(SLOT, X, { locked: 0 })]),
  ],
  [
    "a higher lock, on another value",
    (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"], [claim(SLOT, Y, { locked: 2 })]),
  ],
  ["a decision in place of its lock", (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"], [claim(SLOT, X)])],
  [
    "a decision of an earlier round",
    (s: Stream) => s.commit(["v1"], SLOT, X, 1).close(["v1"], [claim(SLOT, X, { round: 0 })]),
  ],
  [
    "a slot that its last checkpoint lists",
    (s: Stream) => withCheckpoint(s.commit(["v1"], SLOT, X)).close(["v1"], [claim(checkpointSlot(1), FIRST)]),
  ],
  [
    "a slot that may stand in a checkpoint of which nobody knows the list",
    (s: Stream) => s.commit(["v1"], SLOT, X).close(["v1"], [claim(checkpointSlot(1), FIRST)]),
  ],
  ["another vote of the next epoch", (s: Stream) => s.vote(["v1"], SLOT, X).turn().vote(["v1"], SLOT, Y)],
])("%s is no amnesia", (_what, build) => {
  expect(details(amnesia(setting()), build(withPolicy()))).toEqual([]);
});

test("an honest key's double signature before the epoch opened is found once it is open", () => {
  const stream = withPolicy();
  stream.epoch = 1;
  stream.vote(["v1"], SLOT, X).vote(["v1"], SLOT, Y);
  stream.epoch = 0;
  expect(details(amnesia(stream.setting), stream)).toEqual([]);
  expect(details(amnesia(stream.setting), stream.turn())).toEqual([
    expect.stringContaining("v1 contradicts its own signature"),
  ]);
});

test("a validator that goes on under a new key has signed nothing with it", () => {
  const base = setting();
  const rotated = base.nodes.map((node) =>
    node.node === "v1" ? { ...node, keys: [address("v1"), address("new")] } : node,
  );
  const stream = new Stream({ ...base, nodes: rotated });
  const next = {
    ...base.genesis,
    validators: base.genesis.validators.map((validator, at) =>
      at === 0 ? { ...validator, key: address("new") } : validator,
    ),
  };
  stream.vote(["v1"], SLOT, X).turn([], { next });
  stream.keys.set("v1", address("new"));
  expect(details(amnesia(stream.setting), stream.vote(["v1"], SLOT, Y))).toEqual([]);
  expect(details(amnesia(stream.setting), stream.vote(["v1"], SLOT, X))).toEqual([
    expect.stringMatching(/^v1 contradicts its own signature .* voted twice/),
  ]);
});
