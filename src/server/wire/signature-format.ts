/** Format of the numbers r and s of signatures in answers: an option, since the published clients differ (wire 3.5). */
import type { Answers } from "./answers.ts";

/** Words of `--signature-format`. */
export const SIGNATURE_FORMATS = ["hex", "decimal"] as const;

export type SignatureFormat = (typeof SIGNATURE_FORMATS)[number];

type Answering = (...words: readonly never[]) => unknown;

/** Returns the functions with r and s of every signature in decimal. Each answer is copied once: for samples, not loads. */
export function withDecimalSignatures(answers: Answers): Answers {
  const answering = Object.entries(answers as unknown as Readonly<Record<string, Answering>>);
  const inFormat = answering.map(([name, answer]) => [
    name,
    (...words: readonly never[]) => inDecimal(answer(...words)),
  ]);
  return Object.fromEntries(inFormat) as unknown as Answers;
}

/** Returns a value of JSON in which the r and s of every signature are decimal text. */
function inDecimal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDecimal);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inDecimal(member)]));
  const { r, s, v } = copy;
  if (typeof r !== "string" || typeof s !== "string" || v === undefined) return copy;
  return { ...copy, r: String(BigInt(r)), s: String(BigInt(s)) };
}
