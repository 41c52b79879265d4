/** Answers by the options of a served network. None is the default, and nothing is guessed from a request (wire 6.2). */
import { toHex } from "../../core/base/encoding.ts";
import { ZERO_ADDRESS } from "../../core/base/ids.ts";
import { isRecovery, type Submission } from "../../core/base/operation.ts";
import { signedBytes } from "../../core/ledger/layout.ts";
import type { ArchivedSubmission } from "../../live/archive.ts";
import { ANSWERS, type Answers, type CompatClient } from "./answers.ts";
import { withPublishedMembers } from "./published-members.ts";
import type { Transaction, TransactionType, WireReceipt } from "./schemas/transactions.ts";
import type { CopyOf } from "./shapes/network.ts";

/** Words of `--answers`: the members of `published` clients alone, or `complete` ones. */
export const ANSWER_MEMBERS = ["complete", "published"] as const;

export type AnswerMembers = (typeof ANSWER_MEMBERS)[number];

/** Words of `--signature-format`. */
export const SIGNATURE_FORMATS = ["hex", "decimal"] as const;

export type SignatureFormat = (typeof SIGNATURE_FORMATS)[number];

/** Words of `--v1-hash`. */
export const V1_HASHES = ["minimal", "padded"] as const;

/** `minimal`: r and s as integers, as Go and the published network. `padded`: 32 bytes each, as TypeScript. */
type V1Hash = (typeof V1_HASHES)[number];

export const V1_HASH_DEFAULT: V1Hash = "minimal";

/** Options that change answers. */
export interface AnswerOptions {
  /** Numbers r and s of signatures in answers: `hex`, which every published client reads, or `decimal`; default: the profile's. */
  readonly signatureFormat?: SignatureFormat | undefined;
  /** Spelling of version 1 hashes in answers: `minimal` (default) or `padded`. Reads find either. */
  readonly v1Hash?: V1Hash | undefined;
  /** Clients whose shapes answers take, against those of the others; default none. */
  readonly compat?: readonly CompatClient[] | undefined;
  /** `published`: exactly the members of the newest published clients; `complete`: ours too. Default: the profile's. */
  readonly answers?: AnswerMembers | undefined;
}

/** Returns the functions that make answers, from those given. */
export function changedAnswers(options: AnswerOptions, usual: Answers = ANSWERS): Answers {
  const { signatureFormat, v1Hash, compat = [], answers: members } = options;
  const isOlder = compat.includes("rust-0.15") || compat.includes("go");
  const isChanged = isOlder || signatureFormat === "decimal" || v1Hash === "padded";
  const complete = isChanged ? withSpellings(usual, options) : usual;
  return members === "published" ? withPublishedMembers(complete, compat) : complete;
}

/**
 * Returns the functions with other hashes, numbers of signatures, types of transactions and fees. Decimal numbers copy each
 * answer once: they are for samples, not loads.
 */
function withSpellings(usual: Answers, { signatureFormat, v1Hash, compat = [] }: AnswerOptions): Answers {
  const [isRust, isGo] = [compat.includes("rust-0.15"), compat.includes("go")];
  const shown = (copy: ArchivedSubmission): ArchivedSubmission => (v1Hash === "padded" ? withPaddedHash(copy) : copy);
  const shownIn =
    (copyOf: CopyOf): CopyOf =>
    (id) =>
      shown(copyOf(id));
  const spelled = <T>(answer: T): T => (signatureFormat === "decimal" ? (toDecimalSignatures(answer) as T) : answer);
  const transaction: Answers["transaction"] = (copy, place) => {
    const entry = usual.transaction(copy, place);
    return isRust ? raw(entry, copy.submission) : entry;
  };
  const receiptIn = <T extends WireReceipt>(receipt: T): T => spelled(isGo ? withNumber(receipt, "fee_used") : receipt);
  return {
    ...usual,
    hashOf: (copy) => shown(copy).hash,
    transaction: (copy, place) => spelled(transaction(shown(copy), place)),
    receipt: (copy, ...rest) => receiptIn(usual.receipt(shown(copy), ...rest)),
    finalized: (copy, ...rest) => receiptIn(usual.finalized(shown(copy), ...rest)),
    checkpoint: (link, full, copyOf) => {
      const answer = usual.checkpoint(link, full, shownIn(copyOf), transaction);
      const entries = answer.transactions.map((entry) =>
        typeof entry === "string" || !isGo ? entry : withNumber(entry, "fee"),
      );
      return spelled({ ...answer, transactions: entries } as typeof answer);
    },
    checkpointReceipts: (link, copyOf) => usual.checkpointReceipts(link, shownIn(copyOf)).map(receiptIn),
    epoch: (...words) => spelled(usual.epoch(...words)),
    eventCheckpoint: (link, full, copyOf) => spelled(usual.eventCheckpoint(link, full, shownIn(copyOf), transaction)),
    transactionEvent: (change, copy, hashOf) => usual.transactionEvent(change, shown(copy), hashOf),
  };
}

/** Types that RS-0.15 does not decode: one of them makes a whole full checkpoint undecodable (wire 2.1). */
const UNKNOWN_TO_RUST: ReadonlySet<string> = new Set<TransactionType>([
  "TokenClawback",
  "BatchPayment",
  "CreateMultiSig",
  "Cancellation",
  "Recovery",
]);

/** `input`: the signed bytes, none for a recovery. `token`: the zero address where the operation names none. */
function raw(entry: Transaction, submission: Submission): Transaction {
  if (!UNKNOWN_TO_RUST.has(entry.transaction_type)) return entry;
  const input = isRecovery(submission) ? "0x" : toHex(signedBytes(submission.operation));
  return { ...entry, transaction_type: "Raw", data: { input, token: entry.data.token ?? ZERO_ADDRESS } };
}

/** Most that the 64-bit integer of the client holds. */
const INT_MAX = 2n ** 63n - 1n;

/** Replaces a fee by its number; it stays text where no JSON number has exactly this value. */
function withNumber<Name extends string, T extends Readonly<Record<Name, string | number>>>(answer: T, name: Name): T {
  const fee = BigInt(answer[name]);
  const isExact = fee <= INT_MAX && BigInt(Number(fee)) === fee;
  return isExact ? { ...answer, [name]: Number(fee) } : answer;
}

/** Returns a value of JSON in which the r and s of every signature are decimal text. */
function toDecimalSignatures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toDecimalSignatures);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toDecimalSignatures(member)]));
  const { r, s, v } = copy;
  if (typeof r !== "string" || typeof s !== "string" || v === undefined) return copy;
  return { ...copy, r: String(BigInt(r)), s: String(BigInt(s)) };
}

/** Returns a copy under the padded spelling of its hash, if that differs. */
function withPaddedHash(copy: ArchivedSubmission): ArchivedSubmission {
  return copy.paddedHash === undefined ? copy : { ...copy, hash: copy.paddedHash };
}
