/** Answers by the options of a served network. None is the default, and nothing is guessed from a request (wire 6.2). */
import { toHex } from "../../core/base/encoding.ts";
import { ZERO_ADDRESS } from "../../core/base/ids.ts";
import { isRecovery, type Submission } from "../../core/base/operation.ts";
import { signedBytes } from "../../core/ledger/layout.ts";
import type { ArchivedSubmission } from "../../live/archive.ts";
import { ANSWERS, type Answers, type CompatClient } from "./answers.ts";
import { withPublishedMembers } from "./published-members.ts";
import type { Transaction, TransactionType } from "./schemas/transactions.ts";

/** Words of `--answers`: the members of `published` clients alone, or `complete` ones. */
export const ANSWER_MEMBERS = ["complete", "published"] as const;

export type AnswerMembers = (typeof ANSWER_MEMBERS)[number];

/** Changes of the answers, by client. */
const COMPAT: Readonly<Partial<Record<CompatClient, (answers: Answers) => Answers>>> = {
  "rust-0.15": withRawTypes,
  go: withNumericFees,
};

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
export function changedAnswers(
  { signatureFormat, v1Hash, compat = [], answers: members }: AnswerOptions,
  usual: Answers = ANSWERS,
): Answers {
  const changes = [
    ...[...new Set(compat)].flatMap((client) => COMPAT[client] ?? []),
    ...(v1Hash === "padded" ? [withPaddedHashes] : []),
    ...(signatureFormat === "decimal" ? [withDecimalSignatures] : []),
    ...(members === "published" ? [(answers: Answers) => withPublishedMembers(answers, compat)] : []),
  ];
  return changes.reduce((answers, change) => change(answers), usual);
}

/** Types that RS-0.15 does not decode: one of them makes a whole full checkpoint undecodable (wire 2.1). */
const UNKNOWN_TO_RUST: ReadonlySet<string> = new Set<TransactionType>([
  "TokenClawback",
  "BatchPayment",
  "CreateMultiSig",
  "Cancellation",
  "Recovery",
]);

/** Returns the functions with transactions of these types as `Raw`. */
function withRawTypes(answers: Answers): Answers {
  const shown: Answers["transaction"] = (copy, place) => raw(answers.transaction(copy, place), copy.submission);
  return {
    ...answers,
    transaction: shown,
    checkpoint: (link, full, copyOf) => answers.checkpoint(link, full, copyOf, shown),
    eventCheckpoint: (link, full, copyOf) => answers.eventCheckpoint(link, full, copyOf, shown),
  };
}

/** `input`: the signed bytes, none for a recovery. `token`: the zero address where the operation names none. */
function raw(entry: Transaction, submission: Submission): Transaction {
  if (!UNKNOWN_TO_RUST.has(entry.transaction_type)) return entry;
  const input = isRecovery(submission) ? "0x" : toHex(signedBytes(submission.operation));
  return { ...entry, transaction_type: "Raw", data: { input, token: entry.data.token ?? ZERO_ADDRESS } };
}

/** Returns the functions with `fee_used` and `fee` as JSON numbers. */
function withNumericFees(answers: Answers): Answers {
  return {
    ...answers,
    receipt: (...words) => withNumber(answers.receipt(...words), "fee_used"),
    finalized: (...words) => withNumber(answers.finalized(...words), "fee_used"),
    checkpointReceipts: (...words) =>
      answers.checkpointReceipts(...words).map((checkpointReceipt) => withNumber(checkpointReceipt, "fee_used")),
    checkpoint: (...words) => {
      const answer = answers.checkpoint(...words);
      const entries = answer.transactions.map((entry) =>
        typeof entry === "string" ? entry : withNumber(entry, "fee"),
      );
      return { ...answer, transactions: entries } as typeof answer;
    },
  };
}

/** Most that the 64-bit integer of the client holds. */
const INT_MAX = 2n ** 63n - 1n;

/** Replaces a fee by its number; it stays text where no JSON number has exactly this value. */
function withNumber<Name extends string, T extends Readonly<Record<Name, string | number>>>(answer: T, name: Name): T {
  const fee = BigInt(answer[name]);
  const isExact = fee <= INT_MAX && BigInt(Number(fee)) === fee;
  return isExact ? { ...answer, [name]: Number(fee) } : answer;
}

type AnswerFunction = (...words: readonly never[]) => unknown;

/** Returns the functions with r and s of every signature in decimal. Each answer is copied once: for samples, not loads. */
function withDecimalSignatures(answers: Answers): Answers {
  const answering = Object.entries(answers as unknown as Readonly<Record<string, AnswerFunction>>);
  const inFormat = answering.map(([name, answer]) => [
    name,
    (...words: readonly never[]) => toDecimalSignatures(answer(...words)),
  ]);
  return { ...(Object.fromEntries(inFormat) as unknown as Answers), complete: undefined };
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

/** Returns the functions with the padded spelling of every version 1 hash that differs. */
function withPaddedHashes(answers: Answers): Answers {
  return {
    ...answers,
    hashOf: (copy) => withPaddedHash(copy).hash,
    transaction: (copy, ...rest) => answers.transaction(withPaddedHash(copy), ...rest),
    receipt: (copy, ...rest) => answers.receipt(withPaddedHash(copy), ...rest),
    finalized: (copy, ...rest) => answers.finalized(withPaddedHash(copy), ...rest),
    checkpoint: (link, full, copyOf, ...rest) =>
      answers.checkpoint(link, full, (id) => withPaddedHash(copyOf(id)), ...rest),
    checkpointReceipts: (link, copyOf) => answers.checkpointReceipts(link, (id) => withPaddedHash(copyOf(id))),
    eventCheckpoint: (link, full, copyOf, ...rest) =>
      answers.eventCheckpoint(link, full, (id) => withPaddedHash(copyOf(id)), ...rest),
    transactionEvent: (change, copy, ...rest) => answers.transactionEvent(change, withPaddedHash(copy), ...rest),
  };
}

function withPaddedHash(copy: ArchivedSubmission): ArchivedSubmission {
  return copy.paddedHash === undefined ? copy : { ...copy, hash: copy.paddedHash };
}
