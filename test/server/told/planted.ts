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

/** Replaces a function by one that changes what the real one makes. */
function changed<K extends Exclude<keyof Answers, "complete">>(
  name: K,
  change: (real: ReturnType<Answers[K]>, ...args: Parameters<Answers[K]>) => object | undefined,
): () => Partial<Answers> {
  const make = REAL[name] as (...args: unknown[]) => ReturnType<Answers[K]>;
  return () => ({ [name]: (...args: unknown[]) => change(make(...args), ...(args as Parameters<Answers[K]>)) });
}

/** By what is wrong: the replaced functions, made anew for each session. */
export const PLANTED: Readonly<Record<string, () => Partial<Answers>>> = {
  "a final frame twice": changed("transactionEvent", (event) =>
    event.status === "locked"
      ? { ...event, status: "final", success: true, error_code: null, fee_used: "10000" }
      : event,
  ),
  "no final frame of a mint": changed("transactionEvent", (event, _news, { submission }) => {
    const isMint = "operation" in submission && submission.operation.kind === "mint";
    return event.status === "final" && isMint ? { ...event, status: "locked", round: 0 } : event;
  }),
  "a receipt of a batch that leaves out its last payment": changed("receipt", (real) => {
    const { execution_events: events } = real;
    return events === undefined ? real : { ...real, execution_events: events.toSpliced(-2, 1) };
  }),
  "a burn of one's own without its party": changed("receipt", (real, { submission }) =>
    isOwnBurn(submission) ? { ...real, to: null, recipient: null } : real,
  ),
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
  "a filter that misses the party who is paid": changed("affectedBy", ({ addresses, tokens }) => ({
    addresses: addresses.slice(0, 1),
    tokens,
  })),
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
  "no fee in a receipt": changed("receipt", (real) => ({ ...real, fee_used: "0" })),
  "no fee in a finalized answer": changed("finalized", (real) => ({ ...real, fee_used: "0" })),
  "an aggregate of one who did not commit": changed("finalized", (real) => ({
    ...real,
    counter_signature: { ...real.counter_signature, signer_bitmask: "0x0f" },
  })),
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
  "an aggregate that says that it signs no fee": changed("finalized", (real) => ({ ...real, fee_bound: false })),
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
  "another code": changed("receipt", (real) => ({
    ...real,
    error_code: real.error_code === null ? null : "business_missing_role",
  })),
  "another code in a frame": changed("transactionEvent", (event) =>
    event.status === "final" && !event["success"] ? { ...event, error_code: "system_queue_full" } : event,
  ),
  "a frame that names the payer as the payee": changed("transactionEvent", (event) => ({
    ...event,
    to: event["to"] === null ? null : event["from"],
  })),
  "a checkpoint frame without a member": changed("eventCheckpoint", (event) => ({ ...event, extra_data: undefined })),
  "a checkpoint frame without its last entry": changed("eventCheckpoint", (event) => ({
    ...event,
    transactions: event.transactions.slice(0, -1),
  })),
  "a checkpoint with its entries the other way round": changed("checkpoint", (real) => ({
    ...real,
    transactions: [...real.transactions].reverse(),
  })),
  "receipts of a checkpoint in another order": changed("checkpointReceipts", (real) => [...real].reverse()),
  "a token without its blacklist": changed("mintInfo", (real) => real && { ...real, black_list: [] }),
  "the epoch before": changed("epoch", (real) => ({ ...real, epoch_id: Math.max(0, real.epoch_id - 1) })),
  "a transaction of another sender": changed("transaction", (real) => ({ ...real, from: `0x${"99".repeat(20)}` })),
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
  "a multisig account named by its first signer": changed("receipt", (real, { submission }) => {
    const isOfBoard = "operation" in submission && submission.operation.account !== undefined;
    return isOfBoard ? { ...real, from: `0x${"99".repeat(20)}` } : real;
  }),
  "a burn to another chain with the number of those before it": () => ({
    finalized: (copy, final, ...rest) => {
      const { bridgeNonce } = final.receipt;
      const receipt = { ...final.receipt, ...(bridgeNonce === undefined ? {} : { bridgeNonce: bridgeNonce - 1 }) };
      return REAL.finalized(copy, { ...final, receipt }, ...rest);
    },
  }),
};
