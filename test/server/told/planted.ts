/** Faults planted in what clients are told: each must be found in one session that has every kind of operation. */
import { vi } from "vitest";
import type { OperationId, Submission } from "../../../src/core/base/operation.ts";
import { PendingRequests } from "../../../src/server/host/pending-requests.ts";
import { type Answers, ANSWERS as REAL } from "../../../src/server/wire/answers.ts";
import type { Round, Session } from "./session.ts";
import type { Write } from "./writes.ts";

const base: Write = { kind: "payment", from: "alice", to: "bob", value: 7, layout: "client", node: "v1", flag: true };
const written = (...writes: readonly Partial<Write>[]): readonly Write[] => writes.map((one) => ({ ...base, ...one }));

export const round = (fault: Round["fault"], ms: number, ...writes: readonly Partial<Write>[]): Round => ({
  ...{ guest: "none", writes: written(...writes), fault, node: "v3", ms },
});

/** Two accounts pause a token at once at two validators: the later one is final without effect. */
export const SESSION: Session = {
  writeMode: "dual",
  rounds: [
    round(
      ...(["none", 300] as const),
      ...([{}, { kind: "grant" }, { kind: "metadata" }, { kind: "mint" }] as const),
      ...([
        { kind: "forced", layout: "spec" },
        { kind: "issue", value: 2, layout: "v2" },
      ] as const),
      ...([
        { kind: "burn", from: "carol", value: 10, node: "v3" },
        { kind: "bridge", to: "bob" },
      ] as const),
    ),
    {
      ...round("none", 300, { kind: "pause" }, { kind: "pause", from: "bob", value: 5, node: "v2" }),
      guest: "TRANSACTIONS",
    },
    round("none", 1_200, { kind: "pause", flag: false }, { kind: "whitelist" }, { kind: "list", to: "dave" }),
    { ...round("none", 300, { from: "bob", to: "alice", node: "v4" }, { kind: "bridgeMint" }), guest: "CHECKPOINTS" },
    round("epoch", 300, { from: "bob", to: "carol", layout: "v2" }, { kind: "again" }),
    round(
      "snapshot",
      1_200,
      { kind: "recovery", from: "dave", to: "bob", value: 3 },
      { kind: "clawback", from: "carol" },
    ),
    {
      ...round("disk", 1_200, { from: "bob", to: "alice" }, { kind: "mint", to: "carol" }, { from: "carol" }),
      ...({ guest: "CHECKPOINTS", node: "v1" } as const),
    },
    round("epoch", 300),
    {
      ...round("revert", 1_200, { from: "carol", to: "bob", value: 9 }, { kind: "again", flag: false, value: 8 }, {}),
      node: "v1",
    },
    { ...round("none", 1_200, { from: "bob", to: "dave", value: 11 }, { kind: "bridgeBurn" }), guest: "close" },
    round(
      "tools",
      1_200,
      { kind: "batch", from: "bob", to: "carol", value: 3 },
      { kind: "batch", to: "bob", flag: false },
    ),
    round("epoch", 300),
    round("none", 1_200, { kind: "create" }, { kind: "endow" }, { kind: "bridgeBurn", from: "bob", value: 3 }),
    round(
      "none",
      1_200,
      { kind: "board" },
      { kind: "board", value: 8 },
      { kind: "board", flag: false, value: 9 },
      { kind: "burn" },
    ),
    // Two payments for one nonce, and too few validators for either.
    round("partition", 0),
    round("none", 1_200, { kind: "recovery", from: "carol", to: "bob", value: 3 }),
    round("heal", 1_200),
  ],
};

/** A checkpoint that one has not applied, an epoch that closes without an operation, and two that a crash loses. */
export const LONELY: Session = {
  writeMode: "dual",
  rounds: [
    round("none", 100, {}),
    round("partition", 0),
    round("checkpoint", 0),
    round("none", 5, { from: "bob", to: "carol", node: "v3" }),
    round("epoch", 0),
    round("heal", 1_200),
    { ...round("partition", 300, { kind: "again", value: 1 }), node: "v4" },
    {
      ...round("crash", 0, { from: "carol", node: "v4" }, { kind: "recovery", from: "dave", node: "v4", flag: false }),
      node: "v4",
    },
    round("heal", 0),
    round("none", 300, { kind: "again", value: 2 }, { kind: "again", value: 3, node: "v2" }),
  ],
};

function isOwnBurn(submission: Submission): boolean {
  return (
    "operation" in submission && submission.operation.kind === "burn" && submission.operation.recipient === undefined
  );
}

/** By what is wrong: the replaced functions, made anew for each session. */
export const PLANTED: Readonly<Record<string, () => Partial<Answers>>> = {
  "a final frame twice": () => ({
    transactionEvent: (news, copy, hashOf) => {
      const event = REAL.transactionEvent(news, copy, hashOf);
      return event.status === "locked"
        ? { ...event, status: "final", success: true, error_code: null, fee_used: "10000" }
        : event;
    },
  }),
  "no final frame of a mint": () => ({
    transactionEvent: (news, copy, hashOf) => {
      const event = REAL.transactionEvent(news, copy, hashOf);
      const isMint = "operation" in copy.submission && copy.submission.operation.kind === "mint";
      return event.status === "final" && isMint ? { ...event, status: "locked", round: 0 } : event;
    },
  }),
  "a receipt of a batch that leaves out its last payment": () => ({
    receipt: (...args) => {
      const real = REAL.receipt(...args);
      const { execution_events: events } = real;
      return events === undefined ? real : { ...real, execution_events: events.toSpliced(-2, 1) };
    },
  }),
  "a burn of one's own without its party": () => ({
    receipt: (copy, ...rest) => {
      const real = REAL.receipt(copy, ...rest);
      return isOwnBurn(copy.submission) ? { ...real, to: null, recipient: null } : real;
    },
  }),
  "a reply that answers another request of its validator": () => {
    const waiting: (readonly [id: OperationId, node: string])[] = [];
    const { ask, answer } = PendingRequests.prototype;
    vi.spyOn(PendingRequests.prototype, "ask").mockImplementation(function (this: PendingRequests, id, node, act) {
      waiting.push([id, node]);
      return ask.call(this, id, node, act);
    });
    vi.spyOn(PendingRequests.prototype, "answer").mockImplementation(function (this: PendingRequests, id, node, reply) {
      const last = waiting.findLastIndex((one) => one[1] === node);
      const [[other] = [id]] = last < 0 ? [] : waiting.splice(last, 1);
      answer.call(this, other, node, reply);
    });
    return {};
  },
  "an unknown admission told as a refusal": () => {
    const { ask } = PendingRequests.prototype;
    vi.spyOn(PendingRequests.prototype, "ask").mockImplementation(async function (this: PendingRequests, ...args) {
      const response = await ask.apply(this, args);
      return response.status === "unanswered" ? { status: "settled" } : response;
    });
    return {};
  },
  "a filter that misses the party who is paid": () => ({
    affectedBy: (submission) => {
      const { addresses, tokens } = REAL.affectedBy(submission);
      return { addresses: addresses.slice(0, 1), tokens };
    },
  }),
  "a filter that lets other tokens pass": () => {
    const all: ReturnType<Answers["affectedBy"]>["tokens"][number][] = [];
    return {
      affectedBy: (submission) => {
        const { addresses, tokens } = REAL.affectedBy(submission);
        all.push(...tokens);
        return { addresses, tokens: [...all] };
      },
    };
  },
  "success of what failed": () => ({
    receipt: (copy, decided, ...rest) => REAL.receipt(copy, { ...decided, success: true }, ...rest),
  }),
  "no fee in a receipt": () => ({
    receipt: (...args) => ({ ...REAL.receipt(...args), fee_used: "0" }),
  }),
  "no fee in a finalized answer": () => ({
    finalized: (...args) => ({ ...REAL.finalized(...args), fee_used: "0" }),
  }),
  "an aggregate of one who did not commit": () => ({
    finalized: (...args) => {
      const real = REAL.finalized(...args);
      const { counter_signature: aggregate } = real;
      return { ...real, counter_signature: { ...aggregate, signer_bitmask: "0x0f" } };
    },
  }),
  "the aggregate of another operation": () => {
    let last: string | undefined;
    return {
      finalized: (...args) => {
        const real = REAL.finalized(...args);
        const { signature, ...aggregate } = real.counter_signature;
        const shown = last ?? signature;
        last = signature;
        return { ...real, counter_signature: { ...aggregate, signature: shown } };
      },
    };
  },
  "an aggregate that says that it signs no fee": () => ({
    finalized: (...args) => ({ ...REAL.finalized(...args), fee_bound: false }),
  }),
  "a stale balance": () => {
    const first = new Map<string, ReturnType<Answers["tokenAccount"]>>();
    return {
      tokenAccount: (ledger, account, token) => {
        const known = first.get(account + token) ?? REAL.tokenAccount(ledger, account, token);
        first.set(account + token, known);
        return { ...REAL.tokenAccount(ledger, account, token), balance: known.balance };
      },
    };
  },
  "the receipt of another operation": () => {
    let last: Parameters<Answers["receipt"]> | undefined;
    return {
      receipt: (...args) => {
        const shown = last ?? args;
        last = args;
        return REAL.receipt(...shown);
      },
    };
  },
  "another code": () => ({
    receipt: (...args) => {
      const real = REAL.receipt(...args);
      return { ...real, error_code: real.error_code === null ? null : "business_missing_role" };
    },
  }),
  "another code in a frame": () => ({
    transactionEvent: (...args) => {
      const event = REAL.transactionEvent(...args);
      return event.status === "final" && !event["success"] ? { ...event, error_code: "system_queue_full" } : event;
    },
  }),
  "a frame that names the payer as the payee": () => ({
    transactionEvent: (...args) => {
      const event = REAL.transactionEvent(...args);
      return { ...event, to: event["to"] === null ? null : event["from"] };
    },
  }),
  "a checkpoint frame without a member": () => ({
    eventCheckpoint: (...args) => ({ ...REAL.eventCheckpoint(...args), extra_data: undefined as never }),
  }),
  "a checkpoint frame without its last entry": () => ({
    eventCheckpoint: (...args) => {
      const event = REAL.eventCheckpoint(...args);
      return { ...event, transactions: event.transactions.slice(0, -1) as never };
    },
  }),
  "a checkpoint with its entries the other way round": () => ({
    checkpoint: (...args) => {
      const real = REAL.checkpoint(...args);
      return { ...real, transactions: [...real.transactions].reverse() as never };
    },
  }),
  "receipts of a checkpoint in another order": () => ({
    checkpointReceipts: (...args) => [...REAL.checkpointReceipts(...args)].reverse(),
  }),
  "a token without its blacklist": () => ({
    mintInfo: (...args) => {
      const real = REAL.mintInfo(...args);
      return real === undefined ? undefined : { ...real, black_list: [] };
    },
  }),
  "the epoch before": () => ({
    epoch: (chainId, record, ...rest) => ({
      ...REAL.epoch(chainId, record, ...rest),
      epoch_id: Math.max(0, record.epoch - 1),
    }),
  }),
  "a transaction of another sender": () => ({
    transaction: (...args) => ({ ...REAL.transaction(...args), from: `0x${"99".repeat(20)}` }),
  }),
  "a nonce that a return undid": () => {
    const most = new Map<string, number>();
    return {
      tokenAccount: (ledger, account, token) => {
        const real = REAL.tokenAccount(ledger, account, token);
        most.set(account, Math.max(real.nonce, most.get(account) ?? 0));
        return { ...real, nonce: most.get(account) ?? 0 };
      },
    };
  },
  "a multisig account named by its first signer": () => ({
    receipt: (copy, ...rest) => {
      const real = REAL.receipt(copy, ...rest);
      const isOfBoard = "operation" in copy.submission && copy.submission.operation.account !== undefined;
      return isOfBoard ? { ...real, from: `0x${"99".repeat(20)}` } : real;
    },
  }),
  "a burn to another chain with the number of those before it": () => ({
    finalized: (copy, final, ...rest) => {
      const { bridgeNonce } = final.receipt;
      const receipt = { ...final.receipt, ...(bridgeNonce === undefined ? {} : { bridgeNonce: bridgeNonce - 1 }) };
      return REAL.finalized(copy, { ...final, receipt }, ...rest);
    },
  }),
};
