/** Generated memos, and operations of one nonce and one kind that differ in a single field (protocol 3.0). */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import { GUARD, ISSUER, MINTER, OWNER, SCRIBE } from "./roles.ts";
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

type KindMembers<K extends keyof SubmitKinds> = Omit<NonNullable<SubmitKinds[K]>, "from">;

/** Members of an operation, and another value of each that a rival may differ in. */
type RivalFields = {
  readonly [K in keyof SubmitKinds]?: readonly [members: KindMembers<K>, others: Partial<KindMembers<K>>];
};

const TWO_LEGS = [
  { to: "bob", value: "0.5" },
  { to: "carol", value: "0.25" },
] as const;
const MORE_FOR_CAROL = [
  { to: "bob", value: "0.5" },
  { to: "carol", value: "0.26" },
] as const;

/** Of an owner. */
const OWNED: RivalFields = {
  payment: [
    { token: "USD", to: "bob", value: "0.5" },
    { to: "carol", value: "0.51" },
  ],
  batch: [
    { token: "USD", legs: TWO_LEGS, created_at: 1, batch_id: "b" },
    { legs: MORE_FOR_CAROL, created_at: 2, batch_id: "c" },
  ],
  bridge_burn: [
    {
      ...{ token: "USD", value: "0.5", chain: 1, destination: "0xd", escrow: "0.01" },
      ...{ bridge_metadata: "m", bridge_param: "0x01" },
    },
    {
      ...{ value: "0.51", chain: 2, destination: "0xe", escrow: "0.02" },
      ...{ bridge_metadata: "n", bridge_param: "0x02" },
    },
  ],
};

/** Of a master. */
const MASTERED: RivalFields = {
  mint: [
    { token: "USD", to: "bob", value: "1" },
    { to: "carol", value: "1.01" },
  ],
  burn: [
    { token: "USD", value: "0.5", account: "bob" },
    { value: "0.51", account: "carol" },
  ],
  clawback: [
    { token: "USD", value: "0.5", account: "bob", to: "carol" },
    { value: "0.51", account: "carol", to: "dave" },
  ],
  metadata: [
    { token: "USD", name: "One", uri: "https://example.org/1", additional: { a: "1", b: "2" } },
    { name: "Two", uri: "https://example.org/2", additional: { a: "1", b: "3" } },
  ],
  blacklist: [{ token: "USD", address: "yan", action: "add" }, { address: "zoe" }],
  revoke: [
    { token: "USD", role: "Pause", to: GUARD },
    { role: "ManageList", to: SCRIBE },
  ],
  bridge_mint: [
    { token: "USD", to: "bob", value: "1", chain: 1, transaction: "0xf1", bridge_metadata: "m" },
    { to: "carol", value: "1.01", chain: 2, transaction: "0xf2", bridge_metadata: "n" },
  ],
  grant: [{ token: "USD", role: "MintBurnTokens", to: MINTER, allowance: "5" }, { role: "Clawback" }],
};

type RivalEntry = readonly [kind: string, parts: readonly [members: object, others: Readonly<Record<string, unknown>>]];

function pickKind(rng: Rng, from: Name): RivalEntry {
  return rng.pick(Object.entries(from === ISSUER ? MASTERED : OWNED) as unknown as readonly RivalEntry[]);
}

/** Draws operations of one kind: the second one differs from the first in one member, and a third one equals the first. */
export function drawFieldRivals(rng: Rng, from: Name, count: number): readonly SubmitKinds[] {
  const [kind, [members, others]] = pickKind(rng, from);
  const [member, other] = rng.pick(Object.entries(others));
  return Array.from({ length: count }, (_, index) => {
    const own = index % 2 === 0 ? {} : { [member]: other };
    return { [kind]: { from, ...members, ...own } };
  });
}

/** Draws a kind, and returns for each of its members a pair of operations that differ in it. */
export function drawRivalsOfFields(rng: Rng, from: Name): readonly (readonly [SubmitKinds, SubmitKinds])[] {
  const [kind, [members, others]] = pickKind(rng, from);
  return rng
    .shuffle(Object.entries(others))
    .map(([member, other]) => [{ [kind]: { from, ...members } }, { [kind]: { from, ...members, [member]: other } }]);
}
