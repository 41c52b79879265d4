/** File formats of `verify`: a finality certificate and its committee. */
import type { Static } from "typebox";
import type { Amount } from "../core/base/amount.ts";
import { unreachable } from "../core/base/assert.ts";
import type { FeeEntry, FeeSchedule } from "../core/base/epoch.ts";
import {
  type Address,
  type CheckpointNumber,
  type Epoch,
  type Hash,
  type Sequence,
  toAddress,
  type Version,
} from "../core/base/ids.ts";
import { type Slot, slotNumber } from "../core/base/slot.ts";
import { SPELLED_NUMBER } from "../core/base/spelled-number.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { choice, list, object, optional, type Shape, shape, text, wholeNumber } from "../schema/shape.ts";
import { AMOUNT, dataHash } from "./json-file.ts";

/** A signature: 65 bytes as hex, or r, s and v as decimal or hex text. */
export type SignaturePart =
  | string
  | (NamedSigner & { readonly r: string; readonly s: string; readonly v: string | number })
  | (NamedSigner & { readonly signature: string });

type NamedSigner = Readonly<{ signer?: string }>;

const SIGNATURE = "^0x[0-9a-fA-F]{130}$";
export const MAX = Number.MAX_SAFE_INTEGER;

export const address = (description: string): Shape<string> =>
  text(`${description}: 0x and 40 hex digits, in quotes`, "^0x[0-9a-fA-F]{40}$");
export const hash = (description: string): Shape<string> =>
  text(`${description}: 0x and 64 hex digits, in quotes`, "^0x[0-9a-fA-F]{64}$");
export const amount = (description: string): Shape<string> =>
  text(`${description} in the smallest unit, as decimal text`, AMOUNT);

const signature = shape<SignaturePart>({
  ...object(
    "a signature: 0x and 130 hex digits, or { r, s, v }",
    {
      signer: optional(address("the signer")),
      r: optional(text("r as decimal or hex text", SPELLED_NUMBER)),
      s: optional(text("s as decimal or hex text", SPELLED_NUMBER)),
      v: optional(
        shape<string | number>({
          type: ["integer", "string"],
          enum: [0, 1, 27, 28, "0", "1", "27", "28", "0x0", "0x1", "0x00", "0x01"],
          description: "0 or 1",
        }),
      ),
      signature: optional(text("0x and 130 hex digits", SIGNATURE, { maxLength: 132 })),
    },
    {
      anyOf: [{ type: "string" }, { required: ["r"] }, { required: ["signature"] }],
      not: { type: "object", required: ["r", "signature"] },
    },
  ),
  type: ["object", "string"],
  pattern: SIGNATURE,
  dependentRequired: { r: ["s", "v"], s: ["r"], v: ["r"] },
});

/** Signatures of a certificate. */
export const signaturesShape = list("the signatures", signature, { minItems: 0, maxItems: 1_000 });

export const slotShape = object(
  "a slot",
  {
    kind: choice<Slot["kind"]>("account, token, checkpoint or epoch", ["account", "token", "checkpoint", "epoch"]),
    address: optional(address("account or token of the slot")),
    number: wholeNumber("sequence, version or number", 0, MAX),
  },
  {
    if: { type: "object", properties: { kind: { enum: ["checkpoint", "epoch"] } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { not: { required: ["address"] } },
    else: { required: ["address"] },
  },
);

/** Without an address: a checkpoint or an epoch. */
export type SlotPart = Static<typeof slotShape>;

export const certificateShape = object("A finality certificate.", {
  chain_id: wholeNumber("the chain id", 1, MAX),
  epoch: wholeNumber("the epoch", 0, MAX),
  slot: slotShape,
  round: wholeNumber("the round", 0, MAX),
  value: hash("the hash of the decided value"),
  signatures: signaturesShape,
});

export type CertificateFile = Static<typeof certificateShape>;

const blsKey = text("a BLS public key: 0x and 192 hex digits", "^0x[0-9a-fA-F]{192}$", { maxLength: 194 });

export const counterSignatureShape = object("the signatures of those who committed, added up to one", {
  signer_bitmask: text(
    "the signers by their places in the committee: 0x and hex digits",
    "^0x([0-9a-fA-F]{2}){1,125}$",
    { maxLength: 252, examples: ["0x07"] },
  ),
  signature: text("the sum of the signatures: 0x and 96 hex digits", "^0x[0-9a-fA-F]{96}$", { maxLength: 98 }),
  validator_public_keys: list("the BLS public keys of the signers, in the order of the committee", blsKey, {
    maxItems: 1_000,
  }),
});

/** BLS12-381 aggregate of a finalized answer (wire 1.4). */
export type CounterSignatureFile = Static<typeof counterSignatureShape>;

/** The fees of a row of a file. */
export const feeMembers = {
  payment: amount("the fee of a payment"),
  cancellation: amount("the fee of a cancellation"),
  recovery: amount("the fee of a recovery"),
};

export const committeeShape = object("The validators of an epoch.", {
  chain_id: wholeNumber("the chain id", 1, MAX),
  epoch: wholeNumber("the epoch", 0, MAX),
  validators: list("their addresses, in the order of the committee", address("a validator"), { maxItems: 1_000 }),
  crypto: optional(choice("the signature scheme; default real", ["real", "stand-in"])),
  bls_public_keys: optional(list("their BLS public keys, in the same order", blsKey, { maxItems: 1_000 })),
  fees: optional(
    object("the fees of the epoch", {
      ...feeMembers,
      tokens: list("tokens with fees of their own", object("a row", { ...feeMembers, token: address("the token") }), {
        minItems: 0,
        maxItems: 100_000,
      }),
    }),
  ),
  committee_hash: optional(hash("the hash over every other member of the file")),
});

export type CommitteeFile = Static<typeof committeeShape>;

/** The file of a certificate. */
export function certificateFile(chainId: number, certificate: FinalityCertificate): CertificateFile {
  const { epoch, slot, round, value, seals } = certificate;
  const signatures = seals.map(({ signer, signature: bytes }) => ({
    signer,
    r: bytes.slice(0, 66),
    s: `0x${bytes.slice(66, 130)}`,
    v: Number.parseInt(bytes.slice(130, 132), 16),
  }));
  return { chain_id: chainId, epoch, slot: slotPart(slot), round, value, signatures };
}

/** The file of a committee. */
export function committeeFile(
  chainId: number,
  epoch: Epoch,
  validators: readonly Address[],
  scheme: Scheme,
): CommitteeFile {
  return withCommitteeHash(committeeMembers(chainId, epoch, validators, scheme));
}

/** The members of a committee without the hash over them. */
export function committeeMembers(chainId: number, epoch: Epoch, validators: readonly Address[], { name }: Scheme) {
  return { chain_id: chainId, epoch, validators, crypto: name === "keyed-hash" ? "stand-in" : "real" } as const;
}

/** The file of a committee, or the answer that holds one, with the hash over every member. */
export function withCommitteeHash<T extends object>(members: T): T & { readonly committee_hash: Hash } {
  return { ...members, committee_hash: dataHash(members) };
}

/** The fees in the file of a committee. */
export function feeScheduleOf({ tokens, ...usual }: NonNullable<CommitteeFile["fees"]>): FeeSchedule {
  return {
    default: feeEntry(usual),
    tokens: new Map(tokens.map(({ token, ...row }) => [toAddress(token), feeEntry(row)])),
  };
}

/** Fees of a file, as decimal text. */
export type FeeEntryPart = Readonly<{ payment: string; cancellation: string; recovery: string }>;

/** The fees of one row. */
export function feeEntry({ payment, cancellation, recovery }: FeeEntryPart): FeeEntry {
  const amountOf = (digits: string): Amount => BigInt(digits) as Amount;
  return { payment: amountOf(payment), cancellation: amountOf(cancellation), recovery: amountOf(recovery) };
}

/** The slot in a file. */
export function slotOf({ kind, address: owner = "", number }: SlotPart): Slot {
  const lower = owner.toLowerCase() as Address;
  switch (kind) {
    case "account":
      return { kind, address: lower, sequence: number as Sequence };
    case "token":
      return { kind, token: lower, version: number as Version };
    case "checkpoint":
      return { kind, number: number as CheckpointNumber };
    case "epoch":
      return { kind, epoch: number as Epoch };
    default:
      return unreachable(kind);
  }
}

/** The JSON of a slot. */
export function slotPart(slot: Slot): SlotPart {
  const number = slotNumber(slot);
  if (slot.kind === "checkpoint" || slot.kind === "epoch") return { kind: slot.kind, number };
  return { kind: slot.kind, address: slot.kind === "account" ? slot.address : slot.token, number };
}
