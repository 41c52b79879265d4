/** Answers by the options of a served network. None is the default, and nothing is guessed from a request (wire 6.2). */
import { ANSWERS, type Answers } from "./answers.ts";
import { COMPAT, type CompatClient } from "./compat.ts";
import { type SignatureFormat, withDecimalSignatures } from "./signature-format.ts";
import { type V1Hash, withPaddedHashes } from "./v1-hash.ts";

/** Options that change answers. */
export interface AnswerOptions {
  /** Numbers r and s of signatures in answers: `hex`, which every published client reads, or `decimal`; default: the profile's. */
  readonly signatureFormat?: SignatureFormat | undefined;
  /** Spelling of version 1 hashes in answers: `minimal` (default) or `padded`. Reads find either. */
  readonly v1Hash?: V1Hash | undefined;
  /** Clients whose shapes answers take, against those of the others; default none. */
  readonly compat?: readonly CompatClient[] | undefined;
}

/** Returns the functions that make answers, from those given; `undefined` if no option changes any. */
export function answersWith(
  { signatureFormat, v1Hash, compat = [] }: AnswerOptions,
  usual: Answers = ANSWERS,
): Answers | undefined {
  const changes = [
    ...[...new Set(compat)].map((client) => COMPAT[client]),
    ...(v1Hash === "padded" ? [withPaddedHashes] : []),
    ...(signatureFormat === "decimal" ? [withDecimalSignatures] : []),
  ];
  return changes.length === 0 ? undefined : changes.reduce((answers, change) => change(answers), usual);
}
