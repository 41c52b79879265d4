/** Generated operations of one nonce and one kind that differ in one field, for each field of the kinds (protocol 3.0). */
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { Rng } from "./rng.ts";
import { GUARD, ISSUER, MINTER, SCRIBE } from "./roles.ts";

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
