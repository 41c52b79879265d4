/** Generated memos, and operations of one nonce that differ in a single field (protocol 3.0). */
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import { drawFieldRivals } from "./field-rivals.ts";
import type { Rng } from "./rng.ts";
import { ISSUER, MINTER, OWNER, SCRIBE } from "./roles.ts";
import { centsText } from "./step-builder.ts";

/** Members of a submission besides its kind. */
type SubmitExtras = Pick<SubmitSpec, "memo" | "layout" | "recent_epoch" | "recent_checkpoint">;

/** One of several operations for one nonce. */
export interface Rival {
  readonly kinds: SubmitKinds;
  readonly more: SubmitExtras;
}

/** A checkpoint, or an epoch and a checkpoint, which clients of two eras sign first. */
export const RECENTS = [{ recent_checkpoint: 3 }, { recent_epoch: 0, recent_checkpoint: 3 }] as const;
const FORMS: readonly SubmitExtras[] = [{}, {}, { layout: "v2" }, { layout: "v2" }, ...RECENTS];

/** Draws a memo and a layout for one submission of six, in any layout that signs a memo. */
export function drawExtras(rng: Rng): SubmitExtras {
  if (!rng.chance(1, 6)) return {};
  const memo = rng.chance(2, 3) ? { memo: memoOf(rng.integer(0, 9)) } : {};
  return { ...memo, ...rng.pick(FORMS) };
}

/** Memos of two numbers differ in one character. */
function memoOf(number: number): NonNullable<SubmitExtras["memo"]> {
  return { format: "text/plain", data: `invoice ${number}` };
}

/** Addresses that nobody holds, which differ in the last digit. */
function strangerOf(index: number): string {
  return `0x${"0".repeat(39)}${index + 1}`;
}

/**
 * Draws operations that differ in one field: what an id, a signature or a cache leaves out makes them one. The issuer
 * grants, others pay; or the operations are of any other kind.
 */
export function drawRivals(rng: Rng, from: string, count: number): readonly Rival[] {
  const own = rng.split("kind");
  if (own.chance(1, 3)) return drawFieldRivals(own, from, count).map((kinds) => ({ kinds, more: {} }));
  const field = rng.pick([
    ...(["recipient", "value", "token", "memo", "no memo", "layout", "spec memo", "recent"] as const),
    ...(from === ISSUER ? [] : (["legs"] as const)),
  ]);
  const value = rng.pickSkewed(1, 3_000);
  const hasMemo = rng.chance(1, 3);
  return Array.from({ length: count }, (_, index) => {
    const at = (own: typeof field): number => (own === field ? index : 0);
    if (field === "legs") return { kinds: batchOf(from, value, index), more: hasMemo ? { memo: memoOf(0) } : {} };
    const token = at("token") % 2 === 0 ? "USD" : "RWA";
    const kinds: SubmitKinds =
      from === ISSUER
        ? {
            grant: {
              from,
              token,
              role: "MintBurnTokens",
              to: at("recipient") % 2 === 0 ? MINTER : SCRIBE,
              allowance: centsText(value + at("value")),
            },
          }
        : { payment: { from, to: recipientOf(field, index), token, value: centsText(value + at("value")) } };
    return { kinds, more: extrasOf(field, index, hasMemo) };
  });
}

/** Addresses that differ if the recipients shall, else one; of payments in two tokens one that the list of neither excludes. */
function recipientOf(field: string, index: number): string {
  return field === "token" ? OWNER : strangerOf(field === "recipient" ? index : 0);
}

/** Batches that differ in the order of their legs, or in the last one. */
function batchOf(from: string, value: number, index: number): SubmitKinds {
  const legs = [
    { to: strangerOf(0), value: centsText(value) },
    { to: strangerOf(1), value: centsText(value + 1) },
    { to: strangerOf(0), value: centsText(value) },
  ];
  const shown = [legs, legs.slice(0, 2), [...legs].sort((a, b) => (a.to < b.to ? -1 : 1))][index % 3] ?? legs;
  return { batch: { from, token: "USD", legs: shown } };
}

function extrasOf(field: string, index: number, hasMemo: boolean): SubmitExtras {
  switch (field) {
    case "memo":
      return { memo: memoOf(index) };
    case "no memo":
      return index === 0 ? {} : { memo: memoOf(index) };
    case "layout":
      return { ...(hasMemo ? { memo: memoOf(0) } : {}), ...(index === 0 ? {} : { layout: "v2" }) };
    case "spec memo":
      // Refused: the layout does not sign it.
      return { memo: memoOf(index), layout: "spec" };
    case "recent":
      return { ...(hasMemo ? { memo: memoOf(0) } : {}), ...[{}, ...RECENTS][index % 3] };
    default:
      return hasMemo ? { memo: memoOf(0) } : {};
  }
}
