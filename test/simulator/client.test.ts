import { expect, test } from "vitest";
import { toAmount } from "../../src/core/base/amount.ts";
import type { Epoch, Nonce } from "../../src/core/base/ids.ts";
import { isRecovery, type Operation, type OperationId, type Submission } from "../../src/core/base/operation.ts";
import { submissionId } from "../../src/core/ledger/identity.ts";
import type { Output, Reply } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { ClientPlan, PlannedAction, WorkloadPlan, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { addressOf, CHAIN, draft, inputLog, keyring, ms, nodesOf, payment, planOf } from "./support.ts";

type Answerer = (node: string, submission: Submission, id: OperationId, times: number) => Reply | undefined;

interface Sent {
  readonly to: string;
  readonly at: number;
  readonly kind: string;
  readonly nonce: number;
  readonly id: OperationId;
  readonly correct: boolean;
}

const REFUSED: Reply = { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, disclosed: false };

/** `recovery`, or the kind of its operation. */
function kindOf(submission: Submission): string {
  return isRecovery(submission) ? "recovery" : submission.operation.kind;
}

function final(id: OperationId): Reply {
  return { status: "final", receipt: { id } } as unknown as Reply;
}

/** Four nodes with scripted replies, one client with alice's account; returns the client's submissions. */
function clientRun(
  answer: Answerer,
  client: Partial<ClientPlan>,
  more: Partial<WorldPlan>,
  byzantine: readonly string[] = [],
): Sent[] {
  const nodes = nodesOf(["v1", "v2", "v3", "v4"], (name) => {
    const program = inputLog((input: Input, seen): Output[] => {
      if (input.type !== "submit") return [];
      const id = submissionId(input.submission);
      const reply = answer(name, input.submission, id, seen.filter(({ type }) => type === "submit").length);
      return reply === undefined ? [] : [{ type: "reply", client: input.client, id, reply }];
    });
    return program;
  }).map((node) => ({ ...node, honest: !byzantine.includes(node.name) }));
  const clients: ClientPlan[] = [{ name: "wallet", behaviour: "correct", home: "v1", timeoutMs: 100, ...client }];
  const sent: Sent[] = [];
  const world = createWorld(planOf(nodes, { clients, keyring, clientLink: { delayMs: { from: 1, to: 1 } }, ...more }), {
    submitted: (_, id, submission, to, correct) => {
      const operation = isRecovery(submission) ? undefined : submission.operation;
      const nonce = operation?.nonce ?? -1;
      sent.push({ to, at: world.now, kind: operation?.kind ?? "recovery", nonce, id, correct });
    },
  });
  expect(world.run({})).toBe("quiet");
  return sent;
}

/** Begins a workload of alice's account at a time: one order at once, if nothing else is said. */
function begin(at: number, more: Partial<WorkloadPlan> & Pick<WorkloadPlan, "mix">): PlannedAction {
  const clients = [{ client: "wallet", accounts: [addressOf("alice")] }];
  const workload = { name: "w", clients, chainId: CHAIN, count: 1, intervalMs: { from: 0, to: 0 }, ...more };
  return { at: ms(at), action: { do: "workload", workload } };
}

function orders(count: number): PlannedAction[] {
  const order = { weight: 1, kind: "drawn", client: "wallet", account: addressOf("alice") } as const;
  return Array.from({ length: count }, (_, number) =>
    begin(number, { name: `order ${number}`, mix: [{ ...order, drafts: [draft(BigInt(number + 1))] }] }),
  );
}

/** At most one operation besides its cancellation for each nonce. */
function expectNoEquivocation(sent: readonly Sent[]): void {
  const signed = new Map<number, OperationId>();
  for (const { kind, nonce, id } of sent) {
    if (kind !== "cancellation") expect(signed.get(nonce) ?? id).toBe(id);
    if (kind !== "cancellation") signed.set(nonce, id);
  }
}

test("a sequential wallet submits the next operation when the one before is final", () => {
  const sent = clientRun((_, __, id) => final(id), {}, { actions: orders(3) });
  expect(sent.map(({ nonce, at, to }) => [nonce, at, to])).toEqual([
    [0, 0, "v1"],
    [1, 2, "v1"],
    [2, 4, "v1"],
  ]);
});

test("a pipelined wallet keeps its window full", () => {
  const sent = clientRun((_, __, id) => final(id), { window: 2 }, { actions: orders(3) });
  expect(sent.map(({ nonce, at }) => [nonce, at])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test("without an answer it sends the same bytes to f + 1 validators in turn, then cancels, then gives up", () => {
  const sent = clientRun(() => undefined, { cancelAfter: 3, giveUpAfter: 4 }, { actions: orders(2) });
  expect(sent.map(({ at, to, kind }) => `${at} ${to} ${kind}`)).toEqual([
    "0 v1 payment",
    "100 v1 payment",
    "100 v2 payment",
    "300 v3 payment",
    "300 v4 payment",
    "700 v1 payment",
    "700 v1 cancellation",
    "700 v2 payment",
    "700 v2 cancellation",
  ]);
  expectNoEquivocation(sent);
});

test("once its cancellation is final it goes on with the next nonce", () => {
  const answer: Answerer = (_, submission, id) =>
    !isRecovery(submission) && (submission.operation.kind === "cancellation" || submission.operation.nonce === 1)
      ? final(id)
      : undefined;
  const sent = clientRun(answer, { cancelAfter: 1 }, { actions: orders(2) });
  expect(sent.at(-1)).toMatchObject({ kind: "payment", nonce: 1 });
  expectNoEquivocation(sent);
});

test("a refusal never makes it sign another operation for that nonce", () => {
  const sent = clientRun(() => REFUSED, { cancelAfter: 2, giveUpAfter: 6 }, { actions: orders(3) });
  expect(new Set(sent.map(({ nonce }) => nonce))).toEqual(new Set([0]));
  expectNoEquivocation(sent);
});

test("one that trusts its validator reuses the nonce after an undisclosed refusal", () => {
  const answer: Answerer = (_, __, id, times) => (times === 1 ? REFUSED : final(id));
  const sent = clientRun(answer, { onRefusal: "reuse" }, { actions: orders(2) });
  expect(sent.map(({ nonce }) => nonce)).toEqual([0, 0]);
  expect(sent[0]?.id).not.toBe(sent[1]?.id);
});

test("of a pipeline that is refused it takes all nonces back, and goes on from the first", () => {
  const answer: Answerer = (_, submission, id, times) => (times <= 3 || isRecovery(submission) ? REFUSED : final(id));
  const sent = clientRun(answer, { onRefusal: "reuse", window: 3 }, { actions: orders(5) });
  expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 0, 1]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(5);
});

test("it waits for the refusals of all validators that it asked, and reuses nothing after doubt", () => {
  const submit = (at: number, value: bigint, to: readonly string[]): PlannedAction => ({
    at: ms(at),
    action: { do: "submit", client: "wallet", submission: payment(0, value), to },
  });
  const actions = [submit(0, 1n, ["v1", "v2"]), submit(50, 2n, ["v1"])];
  const values = (answer: Answerer): number =>
    new Set(clientRun(answer, { onRefusal: "reuse", giveUpAfter: 2 }, { actions }).map(({ id }) => id)).size;
  expect(values(() => REFUSED)).toBe(2);
  expect(values((node) => (node === "v1" ? REFUSED : undefined))).toBe(1);
  // A second copy is under way when the first is refused: it may be admitted.
  const twice = [submit(0, 1n, ["v1"]), submit(0, 1n, ["v1"]), submit(50, 2n, ["v1"])];
  const sent = clientRun(() => REFUSED, { onRefusal: "reuse", cancelAfter: 0 }, { actions: twice });
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  const late = [submit(0, 1n, ["v1"]), submit(250, 2n, ["v1"])];
  const doubtful = clientRun(
    (_, __, ___, times) => (times === 1 ? undefined : REFUSED),
    { onRefusal: "reuse", cancelAfter: 0 },
    { actions: late },
  );
  expect(new Set(doubtful.map(({ id }) => id)).size).toBe(1);
});

test("one that trusted a false refusal is no correct client from then on", () => {
  const answer: Answerer = (_, __, id, times) => (times === 1 ? REFUSED : final(id));
  const correct = (byzantine: readonly string[]): boolean[] =>
    clientRun(answer, { onRefusal: "reuse" }, { actions: orders(2) }, byzantine).map((one) => one.correct);
  expect(correct(["v2"])).toEqual([true, true]);
  expect(correct(["v1"])).toEqual([true, false]);
});

test("it accepts no final reply without a proof", () => {
  const answer: Answerer = (_, __, id) => final(id);
  const sent = clientRun(answer, { giveUpAfter: 3 }, { actions: orders(2), verifyFinality: () => 0 });
  expect(new Set(sent.map(({ nonce }) => nonce))).toEqual(new Set([0]));
});

test("it accepts superseded only from f + 1 validators", () => {
  const by = submissionId(payment(0, 99n));
  const sentWith = (byzantine: readonly string[]): Sent[] =>
    clientRun(
      (node, submission, id) =>
        !isRecovery(submission) && submission.operation.nonce === 1
          ? final(id)
          : byzantine.includes(node)
            ? { status: "superseded", by }
            : undefined,
      { giveUpAfter: 4, cancelAfter: 0 },
      { actions: orders(2) },
    );
  expect(new Set(sentWith(["v1"]).map(({ nonce }) => nonce))).toEqual(new Set([0]));
  expect(new Set(sentWith(["v1", "v2"]).map(({ nonce }) => nonce))).toEqual(new Set([0, 1]));
});

test("a correct client ordered to submit two operations for a nonce is an error of the plan", () => {
  const submit = (at: number, value: bigint): PlannedAction => ({
    at: ms(at),
    action: { do: "submit", client: "wallet", submission: payment(0, value) },
  });
  const actions = [submit(0, 1n), submit(0, 1n), submit(5, 2n)];
  expect(() => clientRun(() => undefined, {}, { actions })).toThrow('client "wallet" is correct and has signed');
  const scripted = clientRun(() => undefined, { behaviour: "scripted" }, { actions });
  expect(scripted.map(({ to }) => to)).toEqual(["v1", "v1", "v1"]);
});

test("a followed submission is retried, and a cancellation given to it joins the pair", () => {
  const { sender } = payment(0, 1n);
  const cancellation = { kind: "cancellation", layout: "client", chainId: 7, nonce: 0 as Nonce } as const;
  const actions: PlannedAction[] = [
    { at: ms(0), action: { do: "submit", client: "wallet", submission: payment(0, 1n), to: ["v2"] } },
    { at: ms(10), action: { do: "submit", client: "wallet", submission: keyring.sign(sender, cancellation) } },
  ];
  const answer: Answerer = (_, submission, id) => (kindOf(submission) === "cancellation" ? final(id) : undefined);
  const sent = clientRun(answer, {}, { actions });
  expect(sent.map(({ to, kind }) => `${to} ${kind}`)).toEqual(["v2 payment", "v1 cancellation"]);
});

test("a workload places its orders, each wallet its own, and the same ones for the same seed", () => {
  const accounts = ["alice", "bob", "carol"].map(addressOf);
  const clients = [{ client: "wallet", accounts }];
  const actions = [begin(0, { clients, count: 30, intervalMs: { from: 0, to: 10 }, mix: [pay(1n, 9n)] })];
  const run = (seed: string): Sent[] => clientRun((_, __, id) => final(id), {}, { actions, seed });
  const sent = run("1");
  expect(sent).toHaveLength(30);
  expect(run("1")).toEqual(sent);
  expect(run("2")).not.toEqual(sent);
});

/** Submissions of a wallet with an open window under this mix, without replies. */
function mixed(mix: WorkloadPlan["mix"], count: number): { kind: string; operation: Operation }[] {
  const seen: { kind: string; operation: Operation }[] = [];
  const answer: Answerer = (_, submission) => {
    if (!isRecovery(submission)) seen.push({ kind: submission.operation.kind, operation: submission.operation });
    return undefined;
  };
  const actions = [begin(0, { recipients: [addressOf("bob")], count, intervalMs: { from: 1, to: 1 }, mix })];
  clientRun(answer, { window: 1_000, giveUpAfter: 1, timeoutMs: 10_000 }, { actions });
  return seen;
}

const pay = (from: bigint, to: bigint) =>
  ({
    weight: 1,
    kind: "payment",
    token: addressOf("token"),
    value: { from: toAmount(from), to: toAmount(to) },
  }) as const;
const values = (all: readonly { operation: Operation }[]): bigint[] =>
  all.map(({ operation }) => ("value" in operation ? (operation.value ?? 0n) : 0n));

test("amounts are drawn from the whole range, however wide, both ends among them", () => {
  const narrow = values(mixed([pay(1n, 3n)], 60));
  expect([...new Set(narrow)].sort()).toEqual([1n, 2n, 3n]);
  expect(new Set(values(mixed([pay(7n, 7n)], 5)))).toEqual(new Set([7n]));
  const wide = values(mixed([pay(10n ** 30n, 10n ** 30n + 2n ** 200n)], 60));
  expect(new Set(wide).size).toBe(60);
  for (const value of wide) expect(value >= 10n ** 30n && value <= 10n ** 30n + 2n ** 200n).toBe(true);
  expect(wide.some((value) => value > 2n ** 199n)).toBe(true);
});

test("an order is one of its drafts with a value of the range, and an issue's symbol is its own", () => {
  const common = { layout: "client", chainId: 7 } as const;
  const token = addressOf("token");
  const drafts = ["bob", "carol"].map((name) => ({
    kind: "mint" as const,
    ...common,
    token,
    recipient: addressOf(name),
    value: toAmount(0n),
  }));
  const value = { from: toAmount(5n), to: toAmount(6n) };
  const issue = { kind: "issue", ...common, symbol: "T", name: "T", decimals: 0, masterAuthority: token } as const;
  const account = addressOf("alice");
  const all = mixed(
    [
      { weight: 1, kind: "drawn", client: "wallet", account, drafts, value },
      { weight: 1, kind: "drawn", client: "wallet", account, drafts: [issue] },
    ],
    60,
  );
  const mints = all.flatMap(({ operation }) => (operation.kind === "mint" ? [operation] : []));
  expect(new Set(mints.map((one) => `${one.recipient} ${one.value}`)).size).toBe(4);
  const symbols = all.flatMap(({ operation }) => (operation.kind === "issue" ? [operation.symbol] : []));
  expect(new Set(symbols).size).toBe(symbols.length);
  expect(symbols.every((symbol) => /^T[0-9]+$/.test(symbol))).toBe(true);
  expect(mints.length + symbols.length).toBe(60);
});

test("a cancellation is of something open, once; with nothing open nothing happens", () => {
  const all = mixed([pay(1n, 9n), { weight: 1, kind: "cancellation" }], 200);
  const nonces = (kind: string): number[] =>
    all.flatMap(({ operation }) => (operation.kind === kind ? [operation.nonce] : []));
  const cancelled = nonces("cancellation");
  expect(cancelled.length).toBe(82);
  expect(new Set(cancelled).size).toBe(cancelled.length);
  const paid = new Set(nonces("payment"));
  expect(cancelled.every((nonce) => paid.has(nonce))).toBe(true);
  expect(mixed([{ weight: 1, kind: "cancellation" }], 20)).toEqual([]);
});

test("lossy links delay answers and lose none for good", () => {
  const clientLink = { delayMs: { from: 1, to: 20 }, loss: { of: 1, in: 3 } };
  for (let seed = 0; seed < 20; seed++) {
    const answer: Answerer = (_, submission, id) => (kindOf(submission) === "payment" ? final(id) : undefined);
    const sent = clientRun(answer, {}, { actions: orders(5), clientLink, seed: `${seed}` });
    expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(5);
    expectNoEquivocation(sent);
  }
});

const VOID = (epoch: number): Reply => ({ status: "void", epoch: epoch as Epoch });

test("after a void reply it sends the same bytes home at once, with its first timeout", () => {
  const answer: Answerer = (_, __, id, times) => (times === 1 ? VOID(0) : final(id));
  const sent = clientRun(answer, {}, { actions: orders(2) });
  expect(sent.map(({ nonce, at, to }) => [nonce, at, to])).toEqual([
    [0, 0, "v1"],
    [0, 2, "v1"],
    [1, 4, "v1"],
  ]);
  expectNoEquivocation(sent);
});

test("its timeouts start again after a void reply", () => {
  const answer: Answerer = (node, __, ___, times) => (node === "v3" && times === 1 ? VOID(0) : undefined);
  const sent = clientRun(answer, { cancelAfter: 0, giveUpAfter: 3 }, { actions: orders(1) });
  // Without it: 0, 100, 300 and an end. v3 receives it at 300, and replies at 302.
  expect([...new Set(sent.map(({ at }) => at))]).toEqual([0, 100, 300, 302, 402, 602]);
});

test("one void reply per epoch is followed, up to a bound", () => {
  const same = clientRun(() => VOID(3), { giveUpAfter: 2 }, { actions: orders(1) });
  expect(same.map(({ at }) => at)).toEqual([0, 2, 102, 102]);
  let epoch = 0;
  const rising = clientRun(() => VOID(epoch++), { giveUpAfter: 1 }, { actions: orders(1) });
  expect(rising.length).toBe(17);
});

test("a void operation goes out again with its cancellation", () => {
  const answer: Answerer = (_, submission, id, times) => {
    if (times <= 2) return undefined;
    if (times === 3) return VOID(0);
    return kindOf(submission) === "cancellation" ? final(id) : undefined;
  };
  const sent = clientRun(answer, { cancelAfter: 1, giveUpAfter: 5 }, { actions: orders(1) });
  expect(sent.map(({ at, to, kind }) => `${at} ${to} ${kind}`)).toEqual([
    "0 v1 payment",
    "100 v1 payment",
    "100 v1 cancellation",
    "100 v2 payment",
    "100 v2 cancellation",
    "102 v1 payment",
    "102 v1 cancellation",
  ]);
});

test("a scripted client ignores void replies", () => {
  const submission = payment(0, 1n);
  const actions: PlannedAction[] = [{ at: ms(0), action: { do: "submit", client: "wallet", submission } }];
  const sent = clientRun(() => VOID(0), { behaviour: "scripted" }, { actions });
  expect(sent.length).toBe(1);
});
