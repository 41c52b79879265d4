import { expect, test } from "vitest";
import { amnesia } from "../../src/invariants/oracles/amnesia.ts";
import { checkpoint, checkpointSlot, claim, epochSlotOf, POLICY } from "./closings.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("x"), hash("y")];
const FIRST = hash("checkpoint 1");

function fresh(byzantine: readonly string[] = []): Stream {
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
  const found = judged(amnesia(setting()), build(fresh()));
  expect(found).toEqual([expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] })]);
  expect(details(amnesia(setting({ byzantine: ["v1"] })), build(fresh(["v1"])))).toEqual([]);
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
  expect(details(amnesia(setting()), build(fresh()))).toEqual([]);
});

test("an honest key's double signature before the epoch opened is found once it is open", () => {
  const stream = fresh();
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
  const rotated = base.nodes.map((one) =>
    one.node === "v1" ? { ...one, keys: [address("v1"), address("new")] } : one,
  );
  const stream = new Stream({ ...base, nodes: rotated });
  const next = {
    ...base.genesis,
    validators: base.genesis.validators.map((one, at) => (at === 0 ? { ...one, key: address("new") } : one)),
  };
  stream.vote(["v1"], SLOT, X).turn([], { next });
  stream.keys.set("v1", address("new"));
  expect(details(amnesia(stream.setting), stream.vote(["v1"], SLOT, Y))).toEqual([]);
  expect(details(amnesia(stream.setting), stream.vote(["v1"], SLOT, X))).toEqual([
    expect.stringMatching(/^v1 contradicts its own signature .* voted twice/),
  ]);
});
