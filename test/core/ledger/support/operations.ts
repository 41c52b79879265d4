/** Random operations, and helpers to construct them. */
import fc from "fast-check";
import type { Amount } from "../../../../src/core/base/amount.ts";
import {
  type Address,
  type Nonce,
  type PublicKey,
  type Signature,
  toAddress,
  toSignature,
} from "../../../../src/core/base/ids.ts";
import type { Layout, Operation, OperationKind, SignedOperation } from "../../../../src/core/base/operation.ts";
import { completeFields, usualLayout } from "../../../../src/core/ledger/layout.ts";
import type { Field, FieldType } from "../../../../src/core/ledger/operations/kind.ts";
import { KINDS as DESCRIPTORS, OPERATION_KINDS } from "../../../../src/core/ledger/operations/kinds.ts";

export const CHAIN = 1212101;

/** r, s and v as one signature. */
export function joinSignature(r: string, s: string, v: number): Signature {
  return toSignature(`${r}${s.slice(2)}0${v}`);
}

/** The address with this number. */
export function address(number: number): Address {
  return toAddress(`0x${number.toString(16).padStart(40, "0")}`);
}

/** Signature of the right shape; the ledger never reads it. */
export const NO_SIGNATURE: Signature = toSignature(`0x${"00".repeat(65)}`);

type Without<T> = T extends unknown ? Omit<T, "layout" | "chainId" | "nonce"> : never;
/** Operation without the members that most tests leave alone. */
export type Draft = Without<Operation>;

/** An operation of `sender` with this nonce, in the layout of most clients and unsigned. */
export function signed(sender: Address, nonce: number, draft: Draft): SignedOperation {
  const layout = usualLayout(draft.kind);
  const operation = completeFields(layout, {
    layout,
    chainId: CHAIN,
    nonce,
    ...draft,
  } as unknown as Operation) as Operation;
  return { operation, sender, signature: NO_SIGNATURE };
}

export const anyAddress: fc.Arbitrary<Address> = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => toAddress(`0x${Buffer.from(bytes).toString("hex")}`));
export const anyAmount: fc.Arbitrary<Amount> = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
) as fc.Arbitrary<Amount>;
export const anyNonce: fc.Arbitrary<Nonce> = fc.oneof(fc.nat(200), fc.maxSafeNat()) as fc.Arbitrary<Nonce>;
/** Layouts of version 1. */
export const LAYOUTS = ["client", "client-json", "spec"] as const satisfies readonly Layout[];

export const anyLayout: fc.Arbitrary<Layout> = fc.constantFrom(...LAYOUTS);
function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

const anyKey: fc.Arbitrary<PublicKey> = fc
  .tuple(fc.constantFrom("02", "03"), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([sign, bytes]) => `0x${sign}${Buffer.from(bytes).toString("hex")}` as PublicKey);
const words = fc.string({ unit: "grapheme", maxLength: 12 });

const anyHex = fc.uint8Array({ maxLength: 32 }).map(hexOf);
const anySigners = fc.uniqueArray(fc.record({ key: anyKey, weight: fc.integer({ min: 1, max: 255 }) }), {
  ...{ minLength: 1, maxLength: 4 },
  selector: ({ key }) => key,
});
const anyLegs = fc.array(fc.record({ recipient: anyAddress, amount: anyAmount }), { minLength: 1, maxLength: 4 });

/** Values of the fields of a type. */
const VALUES: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  ...{ address: anyAddress, amount: anyAmount, chain: fc.nat(), count: fc.integer({ min: 1, max: 18 }) },
  ...{ flag: fc.boolean(), hex: anyHex, legs: anyLegs, text: words },
  pairs: fc.array(fc.tuple(words, words), { maxLength: 3 }),
  signers: anySigners,
  time: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
};

export const KINDS: readonly OperationKind[] = OPERATION_KINDS;

/** Fields of a kind as its descriptor says: all that each layout needs, and the others or not. */
function fieldsOf(kind: OperationKind): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries<Field>(DESCRIPTORS[kind].fields);
  const needed = fields.filter(([, field]) => field.optional !== true || field.clientNeeds);
  const values = fields.map(([name, { type, spellings }]) => [
    name,
    spellings === undefined ? VALUES[type] : fc.constantFrom(...spellings),
  ]);
  const own = fc.record<Record<string, unknown>>(Object.fromEntries(values), {
    requiredKeys: needed.map(([name]) => name),
  });
  if (kind !== "list") return own;
  const changed = fc.record({
    list: fc.constantFrom("blacklist", "whitelist"),
    action: fc.constantFrom("Add", "Remove"),
  });
  return fc.tuple(own, changed).map(([fixed, change]) => ({ ...fixed, ...change }));
}

/** Operations of every kind but those of multisig accounts, in the layouts of version 1, which sign a batch for nobody. */
export const anyOperation: fc.Arbitrary<Operation> = ofKinds(KINDS.filter((kind) => kind !== "multisig"));

function ofKinds(kinds: readonly OperationKind[]): fc.Arbitrary<Operation> {
  return fc.constantFrom(...kinds).chain(ofKind);
}

function ofKind(kind: OperationKind): fc.Arbitrary<Operation> {
  return fc
    .tuple(
      fieldsOf(kind),
      fc.record(
        {
          layout: anyLayout,
          chainId: fc.constantFrom(1, CHAIN),
          nonce: anyNonce,
          memo: fc.record({ type: words, format: words, data: words }),
          recentEpoch: fc.nat(300),
          recentCheckpoint: fc.maxSafeNat(),
        },
        { requiredKeys: ["layout", "chainId", "nonce"] },
      ),
    )
    .map(([own, head]) => ({ kind, ...dated(head), ...own }) as unknown as Operation);
}

/** An epoch is signed with a checkpoint only. */
function dated<T extends { recentEpoch?: number | undefined; recentCheckpoint?: number | undefined }>(head: T): object {
  const { recentEpoch: _, ...undated } = head;
  return head.recentCheckpoint === undefined ? undated : head;
}

/** Operations of every kind that version 1 has, in its layouts. */
export const anyV1Operation: fc.Arbitrary<Operation> = anyOperation.filter(({ kind }) => kind !== "batch");

/** Operations of every kind by a single key, in the layout of version 2. */
export const anyV2Operation: fc.Arbitrary<Operation> = ofKinds(KINDS).map((operation) => {
  const { recentEpoch: _, recentCheckpoint: __, ...undated } = operation;
  const { recipient: ___, ...bare } = undated as typeof undated & { readonly recipient?: Address };
  const own = operation.kind === "burn" ? bare : undated;
  return completeFields("v2", { ...own, layout: "v2" } as Operation) as Operation;
});

const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hexOf);
const oldBridgeFields = { chainId: fc.constantFrom(1, CHAIN), nonce: anyNonce };

/** Operations of a bridge in the layouts of older clients (wire 3.8, 1 and 2). */
export const anyOldBridge: fc.Arbitrary<Operation> = fc.constantFrom("bridgeMint", "bridgeBurn").chain((kind) =>
  fc.oneof(
    fc
      .record(
        {
          ...{ ...oldBridgeFields, recentEpoch: fc.nat(300), recentCheckpoint: fc.maxSafeNat(), own: fieldsOf(kind) },
          ...{ hasMetadata: fc.boolean(), hasParam: fc.boolean() },
        },
        { requiredKeys: ["chainId", "nonce", "own", "hasMetadata", "hasParam"] },
      )
      .map(({ own: { bridgeMetadata, bridgeParam, ...own }, hasMetadata, hasParam, ...head }) => ({
        ...{ kind, layout: "client-flat", ...dated(head), ...own },
        ...(hasMetadata ? { bridgeMetadata } : {}),
        ...(hasParam && kind === "bridgeBurn" ? { bridgeParam } : {}),
      })),
    fc
      .record({ ...oldBridgeFields, own: fieldsOf(kind), sourceTxHash: anyBytes(32), destinationAddress: anyBytes(20) })
      .map(({ own: { bridgeMetadata: _, bridgeParam: __, ...own }, sourceTxHash, destinationAddress, ...head }) => ({
        ...{ kind, layout: "client-raw", ...head, ...own },
        ...(kind === "bridgeMint" ? { sourceTxHash } : { destinationAddress }),
      })),
  ),
) as fc.Arbitrary<Operation>;

export const anySigned: fc.Arbitrary<SignedOperation> = fc.record({
  operation: fc.oneof({ weight: 6, arbitrary: anyOperation }, { weight: 1, arbitrary: anyOldBridge }),
  sender: anyAddress,
  signature: fc
    .uint8Array({ minLength: 65, maxLength: 65 })
    .map((bytes) => toSignature(`0x${Buffer.from(bytes).toString("hex")}`)),
});
