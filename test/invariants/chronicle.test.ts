import { expect, test } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { Chronicle, currentEpoch, signaturesOf } from "../../src/invariants/history/chronicle.ts";
import { committeeDirectory } from "../../src/invariants/history/epochs.ts";
import { createJudge } from "../../src/invariants/judge.ts";
import { parametersOf } from "./closings.ts";
import { epochRun, FIRST, handover, NEXT } from "./runs.ts";
import { copyOf, Stream } from "./support.ts";
import { ALICE, accountSlot, address, hash, members, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const KEY = `account/${ALICE}/0000000000000000`;
const X = hash("x");

function chronicleOf(stream: Stream): Chronicle {
  const chronicle = new Chronicle(stream.setting);
  for (const record of stream.records) chronicle.observe(record);
  return chronicle;
}

test("keys have one index during the whole run: the first committee's, then whatever else nodes sign with", () => {
  const base = setting({ validators: 5, byzantine: ["v5"] });
  const nodes = base.nodes.map((node) =>
    node.node === "v2" ? { ...node, keys: [address("v2"), address("new")] } : node,
  );
  const directory = committeeDirectory({ ...base, nodes, genesis: { ...base.genesis, validators: members(FIRST) } });
  expect(["v1", "v2", "v3", "v4", "new", "v5"].map((name) => directory.indexOf(address(name)))).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  expect(directory.indexOf(address("nobody"))).toBeUndefined();
  expect([
    directory.nameOf(address("new")),
    directory.isHonestKey(address("new")),
    directory.isHonestKey(address("v5")),
  ]).toEqual(["v2", true, false]);
  const later = directory.committeeOf(members(["v5", "new", "nobody"]));
  expect([later.isMember(5), later.isMember(4), later.isMember(1)]).toEqual([true, true, false]);
  expect([later.bounds.validators, later.byzantine]).toEqual([3, 1]);
});

test("the first closing that an honest node applies opens the next epoch", () => {
  const stream = handover(["v1"]).turn([], { next: NEXT, nodes: FIRST, appliers: ["v1"] });
  expect(chronicleOf(stream).epochs[1]?.committee).toBeUndefined();
  const honest = handover(["v1"]).turn([], { next: NEXT, nodes: FIRST, appliers: ["v1", "v2", "v3"] });
  expect(chronicleOf(honest).epochs[1]?.committee.validators).toEqual(NEXT.validators);
  expect(currentEpoch(chronicleOf(honest))).toMatchObject({ epoch: 1, opened: 1 });
});

test("only members' signatures stand in the books of an epoch, the early ones from its opening on", () => {
  const stream = handover().inEpoch(1).vote(["v1", "v5"], SLOT, X);
  expect(signaturesOf(chronicleOf(stream), KEY, 1 as Epoch).rounds).toEqual([]);
  const chronicle = chronicleOf(stream.inEpoch(0).turn([], { next: NEXT, nodes: FIRST, appliers: ["v2"] }));
  expect(chronicle.signatures.map(({ signer }) => signer)).toEqual([4]);
  expect(signaturesOf(chronicle, KEY, 1 as Epoch).rounds[0]?.votes).toEqual([{ value: X, signers: [4] }]);
});

test("more than f Byzantine members in one committee are beyond f from there on", () => {
  const stream = handover(["v4", "v5"]);
  expect(chronicleOf(stream).isBeyond).toBe(false);
  expect(chronicleOf(stream.turn([], { next: NEXT, nodes: FIRST, appliers: ["v2"] })).isBeyond).toBe(true);
  const all = createJudge(stream.setting);
  for (const record of stream.records) all.observe(record);
  expect(all.findings).toEqual([]);
  stream.vote(["v2"], SLOT, X).vote(["v2"], SLOT, hash("y"));
  for (const record of stream.records.slice(-2)) all.observe(record);
  expect(all.findings.map(({ invariant, beyondF }) => [invariant, beyondF])).toEqual([
    ["amnesia", false],
    ["accountability", false],
  ]);
});

test("every prefix of a run of three epochs, continued in a copy, ends as the whole", () => {
  const stream = epochRun();
  const [other, Y] = [accountSlot(address("other"), 0), hash("y")];
  const early = new Stream(stream.setting).inEpoch(1).vote(["v2"], other, X).vote(["v2"], other, Y);
  // v3 omits this commit from its close, and v2 votes in the epoch after its close.
  early.inEpoch(0).commit(["v3"], other, X);
  const late = new Stream(stream.setting).vote(["v2"], other, X);
  const at = stream.records.findIndex(({ type }) => type === "closed");
  const records = [...early.records, ...stream.records.slice(0, at), ...late.records, ...stream.records.slice(at)];
  const run = (rest: ReturnType<typeof createJudge>, from: number) => {
    for (const record of records.slice(from)) rest.observe(record);
    return rest.findings;
  };
  const whole = run(createJudge(stream.setting), 0);
  const forgot = whole.filter(({ invariant }) => invariant === "amnesia").map(({ detail }) => detail);
  expect(forgot).toEqual([
    expect.stringMatching(/^v3 .* omitted from its close of epoch 0 its lock/),
    expect.stringMatching(/^v2 .* after it had closed epoch 0/),
    expect.stringMatching(/^v2 .* voted twice/),
  ]);
  const original = createJudge(stream.setting);
  records.forEach((record, place) => {
    if (place % 5 === 0) expect(run(copyOf(original, createJudge(stream.setting)), place)).toEqual(whole);
    original.observe(record);
  });
  expect(original.findings).toEqual(whole);
});

test("a committee of which no node runs anybody is one of silent validators", () => {
  const stream = new Stream(setting());
  const next = { ...parametersOf(stream.setting), validators: members(["w1", "w2", "w3", "w4"]) };
  const chronicle = chronicleOf(stream.turn([], { next }).vote(["v1", "v2", "v3"], SLOT, X));
  expect(signaturesOf(chronicle, KEY, 1 as Epoch).rounds).toEqual([]);
  expect(chronicle.epochs[1]?.committee.bounds.quorum).toBe(3);
});
