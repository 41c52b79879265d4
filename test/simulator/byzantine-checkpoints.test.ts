/** Deviations of strategies from an honest program's checkpoints. */
import { describe, expect, test } from "vitest";
import type { CheckpointPolicy } from "../../src/core/base/epoch.ts";
import type { Address, Millis } from "../../src/core/base/ids.ts";
import { type CheckpointHeader, type LedgerValue, type ListedDecision, slotKey } from "../../src/core/base/slot.ts";
import type { RoundChange } from "../../src/core/consensus/message.ts";
import { checkpointContent } from "../../src/core/validator/checkpoints/checkpoint.ts";
import {
  type CheckpointContent,
  type Content,
  copiesOf,
  isCheckpoint,
  type LedgerContent,
  type ListedContent,
  listedSlots,
  sizeOf,
} from "../../src/core/validator/content.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { withList } from "../../src/simulator/byzantine/checkpoint-lists.ts";
import type { Mutation } from "../../src/simulator/byzantine/field-mutations.ts";
import { modesOf, type StrategyPlan } from "../../src/simulator/byzantine/registry.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import { Cluster, type Recorded } from "../core/validator/support/cluster.ts";
import { cancellation, payment, USD } from "../core/validator/support/operations.ts";
import { player, proposalOf, sign } from "./player.ts";

const POLICY: CheckpointPolicy = { intervalMs: 3_600_000, slots: 4, limit: 4, periodSeconds: 1, empty: false };
const cluster = new Cluster(4, 5, rules, POLICY);
const pay = (nonce: number): void => {
  cluster.submit(0, payment("alice", nonce, "bob", 1n));
  cluster.run(cluster.now + 100);
};
// A first checkpoint lists four; carol signs two for one nonce, and a payment of bob stays open.
for (const nonce of [0, 1, 2, 3]) pay(nonce);
cluster.submit(0, payment("carol", 0, "bob", 1n));
cluster.run(cluster.now + 100);
for (const nonce of [4, 5]) pay(nonce);
const state = cluster.node(0);
/** Three slots without a certificate: the next honest proposal. */
const honest = checkpointContent(state, cluster.now as Millis) as CheckpointContent;
const { header } = honest.value;
const PEERS = [1, 2, 3].map((node) => cluster.address(node));
const ALL = [cluster.address(0), ...PEERS];
const other = payment("carol", 0, "alice", 7n);
const open = payment("bob", 0, "alice", 7n);

const operation = (signed: typeof other): Content => ({
  value: { type: "operation", id: state.environment.hashes.operationId(signed) },
  operations: [signed],
  certificates: [],
});
const slotOf = (signed: typeof other): ListedDecision["slot"] => ({
  kind: "account",
  address: signed.sender,
  sequence: 0 as never,
});

function proposing(content: Content, justification: readonly object[] = []): Output {
  const slot = { kind: "checkpoint", number: header.number } as const;
  return sign(proposalOf(slot, content, 0, justification as readonly RoundChange[]), [content], undefined, ALL);
}

/** Due burn of an account, as a peer offers it: its outcome is a word that a mutation may put elsewhere. */
const burn: Content = {
  value: { type: "burn", id: state.environment.hashes.operationId(open), outcome: "burned" },
  operations: [],
  certificates: [],
};

/** Returns the outputs of a strategy for these outputs, after it has received all of its program's earlier ones. */
function made(plan: StrategyPlan, outputs: readonly Output[], again = false): readonly Output[] {
  const play = player(plan, { now: cluster.now as Millis, self: ALL[0] as Address, peers: PEERS });
  for (const { input, outputs: done } of cluster.recorded[0] as readonly Recorded[]) play(done, input);
  for (const content of [operation(other), operation(open), burn]) {
    const message = { type: "offer", slot: slotOf(content.operations[0] ?? open), content } as PeerMessage;
    play([], { from: PEERS[0] as Address, message });
  }
  if (again) play(outputs);
  return play(outputs);
}

/** Returns the checkpoint that a strategy signs in place of an honest one. */
function falsified(plan: StrategyPlan, proposed: CheckpointContent = honest): CheckpointContent {
  const output = made(plan, [proposing(proposed)]).at(-1);
  if (output?.type !== "sign" || output.message.body.type !== "proposal") throw new Error("no proposal");
  const [content] = output.message.contents;
  if (content === undefined || !isCheckpoint(content)) throw new Error("no checkpoint");
  expect(output.message.body.value).toBe(hashOf(content));
  return content;
}

const mutant = (field: string, mutation: Mutation): StrategyPlan => ({
  name: "mutate",
  field: `proposal.contents[].value.${field}`,
  mutation,
  chance: { of: 1, in: 1 },
});
const listing = (mode: string): StrategyPlan => ({ name: "false-checkpoint", mode });

const keys = ({ value }: CheckpointContent): readonly string[] => value.listed.map(({ slot }) => slotKey(slot));
const differing = (one: CheckpointHeader): readonly string[] =>
  (Object.keys(header) as (keyof CheckpointHeader)[]).filter((key) => one[key] !== header[key]);

describe("a validator with false checkpoints", () => {
  test("has an honest program that would list three slots", () => expect(honest.value.listed).toHaveLength(3));

  test.each<readonly [keyof CheckpointHeader, Mutation, unknown]>([
    ["stateRoot", "changed", expect.not.stringContaining(header.stateRoot)],
    ["number", "next", header.number + 1],
    ["timestamp", "largest", Number.MAX_SAFE_INTEGER],
  ])("changes %s and nothing else in a header", (member, mutation, value) => {
    const content = falsified(mutant(`header.${member}`, mutation));
    expect(differing(content.value.header)).toEqual([member]);
    expect(content.value.header[member]).toEqual(value);
    expect({ ...content, value: { ...content.value, header } }).toEqual(honest);
  });

  const [carol, fifth, sixth] = keys(honest) as [string, string, string];

  test.each<readonly [string, StrategyPlan, readonly string[], boolean]>([
    ["an entry too few", mutant("listed", "dropped"), [fifth, sixth], true],
    ["an entry twice", mutant("listed", "doubled"), [carol, carol, fifth, sixth], true],
    ["another order", mutant("listed", "swapped"), [fifth, sixth, carol], true],
    ["nothing", mutant("listed", "emptied"), [], true],
    ["a copy that it does not show", mutant("listed[].copies[]", "changed"), [carol, fifth, sixth], false],
    ["an open slot", listing("undecided"), [carol, fifth, sixth, slotKey(slotOf(open))], true],
    ["another value", listing("other-value"), [carol, fifth, sixth], true],
  ])("lists %s with the copies of its entries, and with their size", (_, plan, listed, isShown) => {
    const content = falsified(plan);
    expect(keys(content)).toEqual(listed);
    const parts = listedSlots(content.value.listed, content.operations) ?? [];
    const isSame = parts.every(({ operations, copies }) => copiesOf(operations).join() === copies.join());
    expect(isSame).toBe(isShown);
    expect(content.value.header.size).toBe(sizeOf(content.operations));
  });

  test("lists another value with roots that follow from it, where it knows the state before", () => {
    const content = falsified(listing("other-value"));
    expect(content.value.listed[0]?.value).toEqual(operation(other).value);
    expect(content.operations[0]).toEqual(other);
    expect(differing(content.value.header)).toEqual(expect.arrayContaining(["stateRoot", "transactionsRoot"]));
  });

  test.each([
    ["of another account", other, other],
    ["before its turn", payment("bob", 2, "alice", 7n), payment("bob", 2, "alice", 7n)],
    ["under another's value", payment("bob", 0, "alice", 8n), open],
  ])("may list an operation %s, of which no roots follow", (_, stray, named) => {
    const [part] = listedSlots(honest.value.listed, honest.operations) ?? [];
    const { value } = operation(named) as LedgerContent;
    const { operations } = operation(stray);
    const parts = [part as ListedContent, { slot: slotOf(open), value, copies: copiesOf(operations), operations }];
    const content = withList(state.checkpoints.last.state, honest, parts);
    expect(content.operations.at(-1)).toEqual(stray);
    expect(differing(content.value.header)).toEqual(["size"]);
  });

  test("may list a value whose operation is missing, of which no roots follow either", () => {
    const listed = { slot: slotOf(open), value: operation(open).value as LedgerValue, copies: [], operations: [] };
    const content = withList(state.checkpoints.last.state, honest, [listed]);
    expect(content.value.listed).toHaveLength(1);
    expect(differing(content.value.header)).toEqual(["size"]);
  });

  test("derives nothing from a list that it has made malformed: a skip by what is no cause has no fee", () => {
    const operations = [cancellation("carol", 0), other];
    const [id, displaced] = operations.map((signed) => state.environment.hashes.operationId(signed));
    const value = { type: "skip", by: "cancellation", id, displaced: [displaced], feeToken: USD } as LedgerValue;
    const skip = { slot: slotOf(other), value, copies: copiesOf(operations), operations };
    const proposed = withList(state.checkpoints.last.state, honest, [skip]) as CheckpointContent;
    const content = falsified(mutant("listed[].value.by", "foreign"), proposed);
    expect(content.value.listed).not.toEqual(proposed.value.listed);
    expect(content.value.header).toEqual(proposed.value.header);
  });

  test.each(modesOf("false-checkpoint"))("repeats %s when asked again, and leaves a forced value unchanged", (mode) => {
    const plan = listing(mode);
    expect(made(plan, [proposing(honest)], true)).toEqual(made(plan, [proposing(honest)]));
    const forced = proposing(honest, [{ lock: { value: hashOf(honest) } }]);
    expect(made(plan, [forced])).toEqual([forced]);
  });
});

test.each([
  ["a later one", header.timestamp, 1],
  ["an earlier one, where no later time can be written,", Number.MAX_SAFE_INTEGER, -1],
])("a proposer of two checkpoints shows one to one half and %s to the other, each once", (_which, timestamp, by) => {
  const at = (seconds: number): typeof honest => ({
    ...honest,
    value: { ...honest.value, header: { ...header, timestamp: seconds } },
  });
  const [first, second, ...more] = made({ name: "double-proposal" }, [proposing(at(timestamp))]);
  expect(more).toEqual([]);
  expect(first).toEqual({ ...proposing(at(timestamp)), to: [ALL[0], PEERS[0], PEERS[1]] });
  expect(second).toEqual({ ...proposing(at(timestamp + by)), to: [PEERS[2]] });
});

test("nothing else is changed", () => {
  const list = proposing({
    value: { type: "list", ids: [] },
    operations: [cancellation("alice", 0)],
    certificates: [],
  });
  for (const mode of modesOf("false-checkpoint")) {
    expect(made({ name: "false-checkpoint", mode }, [list])).toEqual([list]);
  }
});
