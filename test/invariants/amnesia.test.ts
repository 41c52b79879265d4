import { describe, expect, test } from "vitest";
import type { Address, Epoch, Round } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { amnesia } from "../../src/invariants/oracles/amnesia.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, hash, setting } from "./vocabulary.ts";

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
    nodes: base.nodes.map((one) => (one.node === "v1" ? { ...one, keys: [OLD, NEW] } : one)),
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
