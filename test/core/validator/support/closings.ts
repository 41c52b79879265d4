/** Checkpoints, closes and closings of epoch 0 as any quorum could certify them, made without a run. */
import type { CheckpointNumber, Round } from "../../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../../src/core/base/operation.ts";
import {
  type CheckpointHeader,
  type CheckpointSlot,
  type EpochSlot,
  type LedgerSlot,
  type ListedDecision,
  type Slot,
  slotKey,
} from "../../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../../src/core/consensus/certificate.ts";
import { showCloses } from "../../../../src/core/consensus/close.ts";
import type { Close, FinalityCertificate } from "../../../../src/core/consensus/message.ts";
import type { ClosingTransition } from "../../../../src/core/ledger/checkpoint.ts";
import { valueHash } from "../../../../src/core/ledger/value.ts";
import type { ChainBase } from "../../../../src/core/validator/check-chain.ts";
import {
  type Cause,
  type CheckpointContent,
  type ClosingContent,
  type Content,
  copiesOf,
  sizeOf,
} from "../../../../src/core/validator/content.ts";
import type { PeerMessage } from "../../../../src/core/validator/message.ts";
import { warrantHash } from "../../../../src/core/validator/slots/content-check.ts";
import type { ValidatorState } from "../../../../src/core/validator/state.ts";
import { accountSlot, by, certificateOf, contentOf, EPOCH, type Kind, NAMES } from "./certificates.ts";
import { payment, proposalOf } from "./operations.ts";

export const CLOSING: EpochSlot = { kind: "epoch", epoch: EPOCH };

/** Slot that decides an operation. */
export type Part = readonly [slot: LedgerSlot, signed: SignedOperation];

/** First payments of two accounts. */
export const A0: Part = [accountSlot("alice"), payment("alice", 0, "bob", 10n)];
export const B0: Part = [accountSlot("bob"), payment("bob", 0, "carol", 20n)];

export function checkpointSlot(number: number): CheckpointSlot {
  return { kind: "checkpoint", number: number as CheckpointNumber };
}

/** Certificate of a slot for the value of this content. */
export function claimOf(kind: Kind, slot: Slot, { value }: Content): AnyCertificate {
  return certificateOf(kind, slot, valueHash(value));
}

/** Claim of each part. */
export function claimsOf(kind: Kind, parts: readonly Part[]): readonly AnyCertificate[] {
  return parts.map(([slot, signed]) => claimOf(kind, slot, contentOf(signed)));
}

/** Decision with its content. */
export function decisionOn(slot: Slot, content: Content): PeerMessage {
  const certificate = claimOf("finality", slot, content) as FinalityCertificate;
  return { type: "decisions", decided: [{ certificate, content }], contents: [] };
}

/** An honest checkpoint of these slots on a base; `changed`: members of its header that are not. */
export function checkpointOf(
  state: ValidatorState,
  base: ChainBase,
  parts: readonly Part[],
  changed: Partial<CheckpointHeader> = {},
): CheckpointContent {
  const { header, ...rest } = linked(state, base, parts);
  return { value: { type: "checkpoint", header: { ...header, ...changed }, listed: rest.listed }, ...contents(rest) };
}

/** Base that a checkpoint makes. */
export function baseAfter({ environment }: ValidatorState, base: ChainBase, content: CheckpointContent): ChainBase {
  const { header, listed } = content.value;
  const replayed = environment.hashes.replay(base.state, listed, content.operations);
  if (replayed.outcome === "broken") throw new Error(replayed.reason);
  return { hash: valueHash(content.value), header, state: replayed.state };
}

/** Close of the epoch, its claims in order. */
export function closeOf(name: string, claims: readonly AnyCertificate[]): Close {
  const sorted = claims.toSorted((a, b) => (slotKey(a.slot) < slotKey(b.slot) ? -1 : 1));
  return by(name, { type: "close", epoch: EPOCH, slot: CLOSING, round: 0 as Round, claims: sorted });
}

/** The same claims in the closes of the first three validators, by their addresses. */
export function closesOf(claims: readonly AnyCertificate[]): readonly Close[] {
  const closes = NAMES.slice(0, 3).map((name) => closeOf(name, claims));
  return closes.sort((a, b) => (a.signer < b.signer ? -1 : 1));
}

/** A closing of these slots on a base, with closes that show these claims. */
export function closingOf(
  state: ValidatorState,
  base: ChainBase,
  parts: readonly Part[],
  { claims, locked = [] }: { claims: readonly AnyCertificate[]; locked?: readonly CheckpointContent[] },
): ClosingContent {
  const next = state.ledger.parameters;
  const number = (base.header.number + 1) as CheckpointNumber;
  const made = linked(state, base, parts, { number, next });
  const cause: Cause = { kind: "proposal", signed: proposalOf(next, EPOCH) };
  const closes = closesOf(claims);
  const closing = { cause, ...showCloses(closes), locked };
  const warrant = warrantHash(state.environment, cause, closes);
  const { header, listed } = made;
  return { value: { type: "closing", epoch: EPOCH, header, listed, next, warrant }, ...contents(made), closing };
}

interface Linked {
  readonly header: CheckpointHeader;
  readonly listed: readonly ListedDecision[];
  readonly operations: readonly SignedOperation[];
}

function contents({ operations }: Pick<Linked, "operations">): Pick<Content, "operations" | "certificates"> {
  return { operations, certificates: [] };
}

function linked(
  { environment }: ValidatorState,
  base: ChainBase,
  parts: readonly Part[],
  closing?: ClosingTransition,
): Linked {
  const operations = parts.map(([, signed]) => signed);
  const listed = parts.map(([slot, signed]): ListedDecision => {
    const { value } = contentOf(signed);
    return { slot, value: value as ListedDecision["value"], copies: copiesOf([signed]) };
  });
  const replayed = environment.hashes.replay(base.state, listed, operations, closing);
  if (replayed.outcome === "broken") throw new Error(replayed.reason);
  const header: CheckpointHeader = {
    number: (base.header.number + 1) as CheckpointNumber,
    parentHash: base.hash,
    ...replayed.roots,
    timestamp: base.header.timestamp,
    size: sizeOf(operations),
    extraData: "",
  };
  return { header, listed, operations };
}
