/** Answers with exactly the members that the newest published clients read, and those of older ones by `--compat` (wire 6.4). */
import { entryOf } from "../../core/base/entry.ts";
import type { Answers, CompatClient } from "./answers.ts";
import type { Transaction } from "./schemas/transactions.ts";

const RECENT = ["recent_epoch", "recent_checkpoint"];
const RECEIPT = ["status", "error_code", "to"];
const OLDER_NAMES = [
  ...["master_mint_authority", "minter_authorities", "burn_authorities", "pause_authority", "black_list_authorities"],
  "metadata_update_authority",
];

/** Members of each shape, by its title in the OpenAPI document, that the newest published clients do not read. */
const LEFT_OUT = {
  TokenAccount: ["token_account_address", "fee_owed"],
  Nonce: ["pending_nonce"],
  TokenMetadata: OLDER_NAMES,
  Transaction: RECENT,
  TransactionWithStatus: [...RECENT, "status"],
  TransactionEntry: [...RECENT, "fee"],
  TransactionData: ["to", "action"],
  TransactionSignature: ["r", "s", "v", "y_parity"],
  Receipt: RECEIPT,
  FinalizedTransaction: [...RECEIPT, "counter_signatures", "certificate", "proof"],
  Epoch: ["committee_hash"],
  EpochCertificate: ["chain_id", "epoch", "validators", "crypto", "bls_public_keys", "fees", "rewards", "opening"],
  EpochProposal: ["epoch"],
  /** Events of the stream CHECKPOINTS. */
  EventCheckpoint: ["hash", "extra_data"],
  EventTransaction: RECENT,
} satisfies Readonly<Record<string, readonly string[]>>;

type ShapeName = keyof typeof LEFT_OUT;

/** Those of them that clients of older generations read. */
const OLDER: Readonly<Record<CompatClient, Readonly<Partial<Record<ShapeName, readonly string[]>>>>> = {
  "ts-1.0": {
    TokenAccount: ["token_account_address"],
    TokenMetadata: OLDER_NAMES,
    Transaction: RECENT,
    TransactionData: ["to"],
    Receipt: ["to"],
    FinalizedTransaction: ["to"],
  },
  "ts-1.1": { Receipt: ["to"], FinalizedTransaction: ["to", "counter_signatures"] },
  "rust-0.15": {
    TokenAccount: ["token_account_address"],
    TransactionSignature: ["r", "s", "v"],
    FinalizedTransaction: ["counter_signatures"],
  },
  go: {
    TokenAccount: ["token_account_address"],
    TransactionEntry: ["fee"],
    TransactionData: ["to"],
    Receipt: ["to"],
    FinalizedTransaction: ["to"],
  },
};

/** Returns the members of a shape that answers leave out, for these clients. */
function leftOut(shape: ShapeName, compat: readonly CompatClient[]): ReadonlySet<string> {
  const read = new Set(compat.flatMap((client) => OLDER[client][shape] ?? []));
  return new Set(LEFT_OUT[shape].filter((name) => !read.has(name)));
}

/** Returns the functions without these members, and with none of the values that older clients alone read. */
export function withPublishedMembers(answers: Answers, compat: readonly CompatClient[]): Answers {
  const known = new Map<ShapeName, ReadonlySet<string>>();
  const pick = <T extends object>(shape: ShapeName, value: T): T => {
    const names = entryOf(known, shape, () => leftOut(shape, compat));
    return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name))) as T;
  };
  const transactionIn = <T extends Transaction>(shape: ShapeName, { signature_scheme: scheme, ...entry }: T): T => {
    const { data, signature } = entry;
    return pick(shape, {
      ...entry,
      data: pick("TransactionData", data),
      signature: signature.signatures === undefined ? signature : pick("TransactionSignature", signature),
      ...(scheme === "domain_separated" ? { signature_scheme: scheme } : {}),
    } as T);
  };
  const receiptIn = <T extends { readonly success: boolean }>(shape: ShapeName, receipt: T): T =>
    pick(shape, receipt.success ? receipt : { ...receipt, success_info: undefined });
  const listed = <T extends Transaction>(shape: ShapeName, entries: readonly (string | T)[]) =>
    entries.map((entry) => (typeof entry === "string" ? entry : transactionIn(shape, entry)));
  return {
    ...answers,
    complete: answers,
    operation: (entry) => entry,
    transaction: (...words) => transactionIn("Transaction", answers.transaction(...words)),
    receipt: (...words) => receiptIn("Receipt", answers.receipt(...words)),
    finalized: (...words) => receiptIn("FinalizedTransaction", answers.finalized(...words)),
    checkpoint: (...words) => {
      const shown = answers.checkpoint(...words);
      return { ...shown, transactions: listed("TransactionEntry", shown.transactions) as typeof shown.transactions };
    },
    checkpointReceipts: (...words) =>
      answers.checkpointReceipts(...words).map((receipt) => receiptIn("Receipt", receipt)),
    epoch: (...words) => {
      const { certificate, ...shown } = answers.epoch(...words);
      const proposal = pick("EpochProposal", certificate.proposal);
      return pick("Epoch", { ...shown, certificate: pick("EpochCertificate", { ...certificate, proposal }) });
    },
    mintInfo: (...words) => {
      const shown = answers.mintInfo(...words);
      return shown && pick("TokenMetadata", shown);
    },
    nonce: (...words) => pick("Nonce", answers.nonce(...words)),
    tokenAccount: (...words) => pick("TokenAccount", answers.tokenAccount(...words)),
    eventCheckpoint: (...words) => {
      const shown = answers.eventCheckpoint(...words);
      const entries = listed("EventTransaction", shown.transactions as never);
      return pick("EventCheckpoint", { ...shown, transactions: entries as never });
    },
  };
}

/** Returns the schema of a titled shape, in which members that answers leave out are optional. */
export function publishedSchema<S extends { readonly title?: unknown; readonly required?: unknown }>(schema: S): S {
  const { title, required } = schema;
  if (typeof title !== "string" || !Object.hasOwn(LEFT_OUT, title) || !Array.isArray(required)) return schema;
  const names = leftOut(title as ShapeName, []);
  const kept = required.filter((name: string) => !names.has(name) && name !== "success_info");
  return { ...schema, required: kept };
}
