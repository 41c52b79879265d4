/**
 * Fields of every message between validators, down to single texts and numbers: the compiler asks for a row of each
 * kind, a member for each field, and the form of a list or of an optional field where the field has it.
 */
import type {
  CheckpointPolicy,
  EpochParameters,
  GovernanceProposal,
  Member,
  SignedProposal,
} from "../../core/base/epoch.ts";
import type { Leg, Memo, Recovery, SignedOperation, SignerSet, WeightedKey } from "../../core/base/operation.ts";
import type { CheckpointHeader, ListedDecision, Slot, Value } from "../../core/base/slot.ts";
import type { AnyCertificate } from "../../core/consensus/certificate.ts";
import type { Seal, SignedMessage } from "../../core/consensus/message.ts";
import type { FieldType } from "../../core/ledger/operations/kind.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import type { Piece, PieceLocation } from "../../core/ledger/pieces.ts";
import type { Account, AuthorisedOperation } from "../../core/ledger/state.ts";
import type { Token } from "../../core/ledger/token.ts";
import type { ClosingHead } from "../../core/ledger/value.ts";
import type { Cause, ClosingWarrant, Content } from "../../core/validator/content.ts";
import type {
  Decisions,
  EpochLink,
  OpaqueMessage,
  PeerMessage,
  Reason,
  StatePieces,
  UnsignedMessage,
} from "../../core/validator/message.ts";

/** Members of a union by their tag, with the name of the union before it. */
type TaggedMembers<Name extends string, Union, Tag extends keyof Union> = {
  readonly [T in Union[Tag] & string as `${Name} ${T}`]: Extract<Union, { readonly [K in Tag]: T }>;
};

interface Parts {
  readonly certificate: AnyCertificate;
  readonly seal: Seal;
  readonly content: Content;
  readonly warrant: ClosingWarrant;
  readonly "shown close": ClosingWarrant["closes"][number];
  readonly decision: Decisions["decided"][number];
  readonly signed: SignedOperation;
  readonly memo: Memo;
  readonly leg: Leg;
  readonly recovery: Recovery;
  readonly equivocation: Recovery["evidence"];
  readonly signedProposal: SignedProposal;
  readonly proposal: GovernanceProposal;
  readonly parameters: EpochParameters;
  readonly member: Member;
  readonly policy: CheckpointPolicy;
  readonly listed: ListedDecision;
  readonly header: CheckpointHeader;
  readonly head: ClosingHead;
  readonly link: EpochLink;
  readonly location: PieceLocation;
  readonly placed: StatePieces["pieces"][number];
  /** Key and value of a part of a state. */
  readonly entry: { readonly 0: string; readonly 1: StoredEntry[1] };
  readonly "stored account": Account;
  readonly "stored token": Token;
  readonly "stored authorised": AuthorisedOperation;
  readonly "signer set": SignerSet;
  readonly "weighted key": WeightedKey;
}

type StoredEntry = Extract<Piece, { readonly type: "entries" }>["entries"][number];

type Records = Parts &
  TaggedMembers<"message", Exclude<PeerMessage, OpaqueMessage>, "type"> &
  TaggedMembers<"statement", SignedMessage, "type"> &
  TaggedMembers<"slot", Slot, "kind"> &
  TaggedMembers<"value", Value, "type"> &
  TaggedMembers<"reason", Reason, "kind"> &
  TaggedMembers<"cause", Cause, "kind"> &
  TaggedMembers<"piece", Piece, "type">;

/** Texts and numbers; `word`: one of a few; `opaque`: left as it is. */
type Leaf = "hash" | "address" | "signature" | "text" | "number" | "amount" | "flag" | "word" | "opaque";
type UnionName =
  | "message"
  | "body"
  | "slot"
  | "value"
  | "reason"
  | "cause"
  | "piece"
  | "operation"
  | "statement"
  | "stored"
  | SubsetName;
/** Unions of which only some members may stand at a place. */
type SubsetName = "ledger slot" | "ledger value";
/** Form of one part of a message. */
export type Single = Leaf | UnionName | keyof Parts;
/** Form of a field: one part, a list of them, or one that may be absent. */
export type FieldShape = Single | `${Single}[]` | `${Single}?`;

/** A field of a part of a message. */
export interface MessageField {
  readonly name: string;
  /** Form of an entry of a list, or of a field that is there. */
  readonly single: Single;
  readonly isList: boolean;
  readonly isOptional: boolean;
}

type Form<T> = undefined extends T ? `${Single}?` : PresentForm<T>;
type PresentForm<T> = [T] extends [readonly unknown[]]
  ? `${Single}[]`
  : [T] extends [number]
    ? "number"
    : [T] extends [boolean]
      ? "flag"
      : [T] extends [string]
        ? "hash" | "address" | "signature" | "text" | "word"
        : Exclude<Single, "hash" | "address" | "signature" | "text" | "number" | "flag">;
type Fields<R> = { readonly [F in Exclude<keyof R, "type" | "kind">]-?: Form<R[F]> };

const PLACE = { epoch: "number", slot: "slot", round: "number" } as const;
const SEAL = { signer: "address", signature: "signature" } as const;
const BALLOT = { ...PLACE, ...SEAL, value: "hash" } as const;

const FIELDS: { readonly [R in keyof Records]: Fields<Records[R]> } = {
  "message consensus": { body: "body", contents: "content[]", reason: "reason?" },
  "message offer": { slot: "slot", content: "content" },
  "message fetch": { epoch: "number", slots: "slot[]", values: "hash[]" },
  "message decisions": { decided: "decision[]", contents: "content[]" },
  "message status": {
    epoch: "number",
    checkpoint: "number",
    applied: "slot[]",
    answer: "flag",
  },
  "message snapshot": {
    insteadOf: "number?",
    links: "link[]",
    certificate: "certificate",
    content: "content",
    parts: "hash[]",
  },
  "message stateRequest": { epoch: "number", number: "number", root: "hash", places: "location[]" },
  "message statePieces": { number: "number", root: "hash", pieces: "placed[]" },
  "message disclosure": { slot: "slot", reason: "reason" },
  "statement vote": BALLOT,
  "statement commit": BALLOT,
  "statement roundChange": { ...PLACE, ...SEAL, lock: "certificate?" },
  "statement proposal": { ...BALLOT, justification: "statement[]" },
  "statement close": { ...PLACE, ...SEAL, claims: "certificate[]" },
  certificate: { ...PLACE, value: "hash", seals: "seal[]" },
  seal: SEAL,
  content: { value: "value", operations: "signed[]", certificates: "certificate[]", closing: "warrant?" },
  warrant: { cause: "cause", certificates: "certificate[]", closes: "shown close[]", locked: "content[]" },
  "shown close": { ...SEAL, claims: "number[]" },
  decision: { certificate: "certificate", content: "content" },
  signed: { operation: "operation", sender: "address", signature: "signature" },
  memo: { type: "text", format: "text", data: "text" } as Fields<Memo>,
  leg: { recipient: "address", amount: "amount" },
  recovery: { chainId: "number", account: "address", nonce: "number", evidence: "equivocation" },
  equivocation: { first: "signed", second: "signed" },
  signedProposal: { proposal: "proposal", signature: "signature" },
  proposal: { chainId: "number", epoch: "number", next: "parameters" },
  parameters: { validators: "member[]", fees: "opaque", checkpoints: "policy?", epochLength: "opaque?" },
  member: { key: "address", reward: "address" },
  policy: { intervalMs: "number", slots: "number", limit: "number", periodSeconds: "number", empty: "flag" },
  listed: { slot: "ledger slot", value: "ledger value", copies: "hash[]" },
  header: {
    number: "number",
    parentHash: "hash",
    stateRoot: "hash",
    transactionsRoot: "hash",
    receiptsRoot: "hash",
    timestamp: "number",
    size: "number",
    extraData: "text",
  },
  head: { epoch: "number", header: "header", next: "parameters", warrant: "hash" },
  link: { certificate: "certificate", head: "head", listedRoot: "hash" },
  location: { part: "word", path: "text" },
  placed: { place: "location", piece: "piece" },
  "slot account": { address: "address", sequence: "number" },
  "slot token": { token: "address", version: "number" },
  "slot checkpoint": { number: "number" },
  "slot epoch": { epoch: "number" },
  "value operation": { id: "hash" },
  "value burn": { id: "hash", outcome: "word" },
  "value skip": { by: "word", id: "hash", displaced: "hash[]", feeToken: "address?" },
  "value list": { ids: "hash[]" },
  "value checkpoint": { header: "header", listed: "listed[]" },
  "value closing": { epoch: "number", header: "header", listed: "listed[]", next: "parameters", warrant: "hash" },
  "reason cancellation": { cancellation: "signed", displaced: "signed" },
  "reason equivocation": { proof: "equivocation" },
  "reason burn": { content: "content", vote: "statement" },
  "reason closing": { cause: "cause" },
  "cause checkpoint": { certificate: "certificate" },
  "cause proposal": { signed: "signedProposal" },
  "piece entries": { entries: "entry[]" },
  "piece branch": { bit: "number", left: "hash", right: "hash" },
  entry: { 0: "text", 1: "stored" },
  "stored account": { nonce: "number", sequence: "number", bridgeNonce: "number?", multisig: "signer set?" },
  "signer set": { signers: "weighted key[]", threshold: "number" },
  "weighted key": { key: "text", weight: "number" },
  "stored token": {
    version: "number",
    symbol: "text",
    name: "text",
    uri: "text",
    additional: "opaque[]",
    decimals: "number",
    masterAuthority: "address",
    isPrivate: "flag",
    isPaused: "flag",
    clawbackEnabled: "flag",
    minted: "amount",
    roles: "opaque",
  },
  "stored authorised": { id: "hash", signed: "signed", authorisedBy: "text", sequence: "number" },
};

const OPERATION_FORMS: Readonly<Record<FieldType, FieldShape>> = {
  address: "address",
  amount: "amount",
  chain: "number",
  count: "number",
  flag: "flag",
  hex: "text",
  legs: "leg[]",
  pairs: "opaque[]",
  signers: "weighted key[]",
  text: "text",
  time: "amount",
};

const NO_FIELDS: readonly MessageField[] = [];

/** Records that each subset of a union has. */
const SUBSETS: Readonly<Record<SubsetName, readonly (keyof Records)[]>> = {
  "ledger slot": ["slot account", "slot token"],
  "ledger value": ["value operation", "value skip", "value list", "value burn"],
};

function isSubset(shape: string): shape is SubsetName {
  return shape in SUBSETS;
}

/** Returns the first word of the records of a union. */
function unionOf(shape: Single): string {
  if (shape === "body") return "statement";
  return isSubset(shape) ? shape.replace("ledger ", "") : shape;
}

/** Fields of each record of the table, by its name. */
const BY_RECORD = new Map(Object.entries(FIELDS).map(([name, forms]) => [name, fieldsIn(forms)]));

/** Fields of each operation, by its kind. */
const BY_KIND = new Map(
  Object.entries(KINDS).map(([kind, { fields }]) => {
    const own = Object.entries(fields).map(([name, { type }]) => [name, OPERATION_FORMS[type]] as const);
    return [
      kind,
      fieldsIn({ chainId: "number", nonce: "number", account: "address?", memo: "memo?", ...Object.fromEntries(own) }),
    ];
  }),
);

/** Fields that only an operation of two older eras has: others do not get them (wire 3.3). */
const RECENT_FIELDS = fieldsIn({ recentEpoch: "number?", recentCheckpoint: "number?" });

function fieldsIn(forms: Readonly<Record<string, FieldShape>>): readonly MessageField[] {
  return Object.entries(forms).map(([name, shape]) => ({
    name,
    single: shape.replace(/\[\]$|\?$/, "") as Single,
    isList: shape.endsWith("[]"),
    isOptional: shape.endsWith("?"),
  }));
}

/** Kinds of messages, with the record that holds the fields of each. */
const KINDS_OF_MESSAGES: ReadonlyMap<string, string> = new Map([
  ...[...BY_RECORD.keys()].flatMap((record) => {
    const [union, kind = ""] = record.split(" ");
    return (union === "message" && kind !== "consensus") || union === "statement" ? [[kind, record] as const] : [];
  }),
  ["lock", "certificate"],
  ["finality", "certificate"],
]);

/** Returns true for the kind of a message: of a statement or certificate, for that of its body. */
export function isKind(name: string): boolean {
  return KINDS_OF_MESSAGES.has(name);
}

/** Kinds of messages, statements and certificates included. */
export const MESSAGE_KINDS: readonly string[] = [...KINDS_OF_MESSAGES.keys()];

/** Fields beside the body of a statement or certificate. */
const BESIDE = (BY_RECORD.get("message consensus") ?? NO_FIELDS).filter(({ name }) => name !== "body");

/** Returns the fields of all messages of a kind; those of a body come before what stands beside it. */
export function fieldsOfKind(kind: string): readonly MessageField[] {
  const record = KINDS_OF_MESSAGES.get(kind) ?? "";
  const own = BY_RECORD.get(record) ?? NO_FIELDS;
  return record.startsWith("message") ? own : [...own, ...BESIDE];
}

/** Returns the parts of a message that hold its fields, with the members that lead there. */
export function fieldsOfMessage(
  message: PeerMessage | UnsignedMessage,
): readonly { readonly keys: readonly string[]; readonly part: object; readonly fields: readonly MessageField[] }[] {
  if (message.type !== "consensus") return [{ keys: [], part: message, fields: fieldsOf("message", message) }];
  const { body } = message;
  return [
    { keys: ["body"], part: body, fields: fieldsOf("body", body) },
    { keys: [], part: message, fields: BESIDE },
  ];
}

/** Returns the fields of all parts of messages. */
export function allFields(): readonly MessageField[] {
  return [...BY_RECORD.values(), ...BY_KIND.values()].flat();
}

/** Returns the fields of a part of a message; none for a text or a number. */
export function fieldsOf(shape: Single, part: object): readonly MessageField[] {
  const { type, kind } = part as { readonly type?: string; readonly kind?: string };
  if (shape === "operation") return [...(BY_KIND.get(kind as string) ?? NO_FIELDS), ...recentFieldsOf(part)];
  if (shape === "body" && "seals" in part) return BY_RECORD.get("certificate") ?? NO_FIELDS;
  if (shape === "stored") return BY_RECORD.get(storedAs(part)) ?? NO_FIELDS;
  const known = BY_RECORD.get(shape);
  return known ?? BY_RECORD.get(`${unionOf(shape)} ${kind ?? type}`) ?? NO_FIELDS;
}

function recentFieldsOf(operation: object): readonly MessageField[] {
  return RECENT_FIELDS.filter(({ name }) => Object.hasOwn(operation, name));
}

/** Entries of a state have no tag. */
function storedAs(part: object): string {
  if ("signed" in part) return "stored authorised";
  return "roles" in part ? "stored token" : "stored account";
}

/** Returns a part with another member; of an entry of a state, which is a pair, with another one of the two. */
export function withMember(part: object, name: string, value: unknown): object {
  return Array.isArray(part) ? part.with(Number(name), value) : { ...part, [name]: value };
}

/** Returns the fields of every record that a part of this form may be. */
export function possibleFields(shape: Single): readonly MessageField[] {
  if (shape === "operation") return [...BY_KIND.values()].flat();
  if (isSubset(shape)) return SUBSETS[shape].flatMap((name) => BY_RECORD.get(name) ?? NO_FIELDS);
  const union = unionOf(shape);
  const isOne = (name: string): boolean =>
    name === shape || name.startsWith(`${union} `) || (shape === "body" && name === "certificate");
  return [...BY_RECORD].flatMap(([name, fields]) => (isOne(name) ? fields : []));
}
