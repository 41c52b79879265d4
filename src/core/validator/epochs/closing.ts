/** Content of an honest proposer's closing: all that q closes show, in an order that can be replayed (protocol 6.3). */

import type { Address, CheckpointNumber } from "../../base/ids.ts";
import type { ClosingValue } from "../../base/slot.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import { firstQuorumOfCloses, showCloses } from "../../consensus/close.ts";
import type { Close, Seal } from "../../consensus/message.ts";
import { proposeIfDue } from "../../consensus/round-change.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { buildHeader } from "../checkpoints/checkpoint.ts";
import {
  type ClosingContent,
  type Content,
  copiesOf,
  isCheckpoint,
  isLedgerContent,
  type LedgerContent,
  type ListedContent,
} from "../content.ts";
import type { Environment } from "../environment.ts";
import { epochSlot } from "../slot-position.ts";
import { warrantHash } from "../slots/content-check.ts";
import { firstProposal, onSlot } from "../slots/slots.ts";
import { slotState } from "../state.ts";
import { coverage, type StepContext } from "../step-context.ts";
import { requestContent, requestMissing } from "../sync/requests.ts";
import { baseOf, type LedgerClaim, nextParameters, unlistedClaims } from "./check-closing.ts";

/**
 * Continues the closing after closes or missing contents arrived: the first proposer proposes, the others apply a
 * decision.
 */
export function openClosing(context: StepContext): void {
  const { state } = context;
  const slot = epochSlot(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  const { committee, self } = state.environment;
  if (current.round > 0) onSlot(context, slot, self, proposeIfDue);
  if (state.epochs.closed === undefined || state.epochs.closes.size < committee.quorum) return;
  const task = firstProposal(state, slot);
  if (task !== undefined) context.agenda.push(task);
}

/** Returns the content of an honest closing; `undefined` while something is missing, which it requests. */
export function closingContent(context: StepContext): ClosingContent | undefined {
  const { state } = context;
  const { epochs, environment } = state;
  const closes = firstQuorumOfCloses(
    epochs.closes.entries() as Iterable<readonly [Address, Close]>,
    environment.committee.quorum,
  );
  if (epochs.closed === undefined || closes === undefined) return undefined;
  const { checkpoints, decided } = environment.rules.consensus.closingEvidenceOf(closes);
  const locks = checkpoints.filter(({ type }) => type === "lock");
  const locked = contentsOf(context, locks)?.filter(isCheckpoint);
  if (locked === undefined) return undefined;
  const found = baseOf(state, checkpoints, locked);
  if (found.found === "behind") catchUp(context, closes, found.number);
  if (found.found !== "base") return undefined;
  // Slots that the base's chain lists may be pruned everywhere by now: only the remaining ones are requested.
  const claims = unlistedClaims(found.base.state, decided);
  const contents = contentsOf(
    context,
    claims.map(({ claim }) => claim),
  )?.filter(isLedgerContent);
  if (contents === undefined) return undefined;
  const parts = orderClaims(environment, found.base.state, claims, contents);
  // With more than f Byzantine validators one may be locked that nobody can apply: without it the closing is false.
  if (parts.length < claims.length) return undefined;
  const operations = parts.flatMap((part) => part.operations);
  const listed = parts.map(({ slot, value, copies }) => ({ slot, value, copies }));
  const { cause } = epochs.closed;
  const next = nextParameters(state.ledger, cause);
  const timestamp = Math.max(Math.floor(context.clock / 1_000), found.base.header.timestamp);
  const header = buildHeader(environment, found.base, { listed, operations }, timestamp, next);
  const warrant = warrantHash(environment, cause, closes);
  const value: ClosingValue = { type: "closing", epoch: state.ledger.epoch, header, listed, next, warrant };
  return { value, operations, certificates: [], closing: { cause, ...showCloses(closes), locked } };
}

/** Requests the final checkpoints up to a later one from the signers that show it. */
export function catchUp(context: StepContext, closes: readonly Pick<Seal, "signer">[], number: number): void {
  coverage(context, "closing waited");
  for (const { signer } of closes)
    requestMissing(context, signer, { kind: "checkpoint", number: (number + 1) as CheckpointNumber });
}

/**
 * Returns the contents of all these values, in their order; requests missing ones from the signers of their
 * certificates.
 */
function contentsOf(context: StepContext, claims: readonly AnyCertificate[]): readonly Content[] | undefined {
  const found: Content[] = [];
  for (const { value, seals } of claims) {
    const content = context.state.slots.contents.get(value);
    if (content !== undefined) found.push(content);
    else {
      const signers = seals.map(({ signer }) => signer);
      requestContent(context, signers, epochSlot(context.state), value);
    }
  }
  return found.length === claims.length ? found : undefined;
}

/**
 * Returns the decided slots above the base in an order in which each is next in its sequence, authorised and funded.
 * One exists with at most f Byzantine validators: a value with an honest vote followed from what its voter had applied,
 * which is final and among them. Values that come in no such order are left out.
 */
function orderClaims(
  { hashes }: Environment,
  base: LedgerState,
  claims: readonly LedgerClaim[],
  contents: readonly LedgerContent[],
): readonly ListedContent[] {
  const parts = claims.flatMap(({ slot }, at) => {
    const content = contents[at];
    if (content === undefined) return [];
    const { value, operations } = content;
    return [{ slot, value, operations, copies: copiesOf(operations, hashes.copy) }];
  });
  return hashes.inOrder(base, parts);
}
