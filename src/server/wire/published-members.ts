/** Answers with exactly the members that the newest published clients read, and those of older ones by `--compat` (wire 6.4). */
import { entryOf } from "../../core/base/entry.ts";
import type { Answers, CompatClient } from "./answers.ts";
import type { Transaction } from "./schemas/transactions.ts";

const PLACE = ["checkpoint_hash", "checkpoint_number", "transaction_index"];

const TRANSACTION = [
  ...["hash", "chain_id", "from", "nonce", "transaction_type", "data", ...PLACE, "memo"],
  ...["signature", "signature_type", "signature_scheme"],
];

const RECEIPT = [
  ...["success", "transaction_hash", ...PLACE, "fee_used", "from", "recipient", "token_address"],
  ...["success_info", "batch_info", "execution_events"],
];

/** Members of each shape, by its title in the OpenAPI document. */
const MEMBERS = {
  TokenAccount: ["balance", "nonce"],
  Nonce: ["nonce"],
  TokenMetadata: [
    ...["symbol", "master_authority", "master_mint_burn_authority", "mint_burn_authorities", "pause_authorities"],
    ...["list_authorities", "metadata_update_authorities", "bridge_mint_authorities", "clawback_authorities"],
    ...["black_list", "white_list", "supply", "decimals", "is_paused", "is_private", "clawback_enabled", "meta"],
  ],
  Transaction: TRANSACTION,
  TransactionWithStatus: TRANSACTION,
  TransactionEntry: TRANSACTION,
  TransactionData: [
    ...["recipient", "from", "token", "value", "sender", "address", "symbol", "name", "decimals", "master_authority"],
    ...["is_private", "clawback_enabled", "authority_type", "authority_address", "metadata", "input"],
    ...["source_chain_id", "source_tx_hash", "destination_chain_id", "destination_address", "escrow_fee"],
    ...["bridge_metadata", "bridge_param", "operations", "operations_hash", "batch_id", "created_at"],
    ...["signers", "threshold", "multisig_address", "account", "evidence"],
  ],
  TransactionSignature: ["account", "signatures"],
  Receipt: RECEIPT,
  FinalizedTransaction: [...RECEIPT, "epoch", "fee", "fee_bound", "counter_signature"],
  Epoch: ["epoch_id", "certificate_hash", "certificate"],
  EpochCertificate: ["type", "proposal"],
  EpochProposal: ["message"],
  /** Events of the stream CHECKPOINTS. */
  EventCheckpoint: [
    ...["checkpoint", "number", "timestamp", "parent_hash", "state_root", "transactions_root", "receipts_root"],
    ...["size", "transactions"],
  ],
  EventTransaction: [...TRANSACTION, "fee"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type ShapeName = keyof typeof MEMBERS;

const OLDER_NAMES = [
  ...["master_mint_authority", "minter_authorities", "burn_authorities", "pause_authority", "black_list_authorities"],
  "metadata_update_authority",
];

/** Members that clients of older generations read beside them. */
const OLDER: Readonly<Record<CompatClient, Readonly<Partial<Record<ShapeName, readonly string[]>>>>> = {
  "ts-1.0": {
    TokenAccount: ["token_account_address"],
    TokenMetadata: OLDER_NAMES,
    Transaction: ["recent_epoch", "recent_checkpoint"],
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

/** Returns the members of a shape that answers have, for these clients. */
function membersOf(shape: ShapeName, compat: readonly CompatClient[]): ReadonlySet<string> {
  return new Set<string>([...MEMBERS[shape], ...compat.flatMap((client) => OLDER[client][shape] ?? [])]);
}

/** Returns the functions without other members, and with none of their values that older clients alone read. */
export function withPublishedMembers(answers: Answers, compat: readonly CompatClient[]): Answers {
  const known = new Map<ShapeName, ReadonlySet<string>>();
  const pick = <T extends object>(shape: ShapeName, value: T): T => {
    const names = entryOf(known, shape, () => membersOf(shape, compat));
    return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name))) as T;
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
  if (typeof title !== "string" || !Object.hasOwn(MEMBERS, title) || !Array.isArray(required)) return schema;
  const names = membersOf(title as ShapeName, []);
  const kept = required.filter((name: string) => names.has(name) && name !== "success_info");
  return { ...schema, required: kept };
}
