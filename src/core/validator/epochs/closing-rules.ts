/** Rules of closing an epoch, without effects: causes, claims, and the decisions that claims imply (protocol 6.3). */
import type { EpochParameters } from "../../base/epoch.ts";
import { isChainSlot, type LedgerSlot, slotNumber } from "../../base/slot.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import { lastCheckpointOf, parametersFault } from "../../ledger/epoch.ts";
import { type LedgerState, nextOf } from "../../ledger/state.ts";
import type { Cause } from "../content.ts";
import type { DecisionView } from "../decision-inputs.ts";
import { proofFault } from "../slots/content-check.ts";

/** Returns true if this validator still signs in a slot: after its close only about the closing (protocol 6.3). */
export function isOpen(state: Pick<DecisionView, "epochs">, slot: { readonly kind: string }): boolean {
  return state.epochs.closed === undefined || slot.kind === "epoch";
}

/** Returns why a cause closes no epoch here; `undefined` for one that does. */
export function causeFault(state: Pick<DecisionView, "ledger" | "environment">, cause: Cause): string | undefined {
  const { ledger, environment } = state;
  if (cause.kind === "checkpoint") {
    const { slot } = cause.certificate;
    const isLast = slot.kind === "checkpoint" && slot.number === lastCheckpointOf(ledger);
    return isLast ? proofFault(environment, cause) : "it is not the epoch's last checkpoint";
  }
  const { proposal } = cause.signed;
  if (proposal.chainId !== ledger.chainId) return `chain ${proposal.chainId}, expected ${ledger.chainId}`;
  if (proposal.epoch !== ledger.epoch) return `epoch ${proposal.epoch}, expected ${ledger.epoch}`;
  return parametersFault(proposal.next) ?? proofFault(environment, cause);
}

/**
 * Returns the claims of a close: for the last final checkpoint of this epoch and every slot above it the finality
 * certificate, applied or not, else the highest lock, by slot key (protocol 6.3). A slot that is left out may be lost:
 * protocol 8.
 */
export function claimsOf(state: DecisionView): readonly AnyCertificate[] {
  const { epoch, opened } = state.ledger;
  const claims: (readonly [string, AnyCertificate])[] = [];
  for (const [key, known] of state.slots.records.entries()) {
    const { slot } = known;
    if (known.epoch !== epoch || slot.kind === "epoch") continue;
    const claim = known.decided ?? known.lock;
    const from =
      slot.kind === "checkpoint"
        ? Math.max(opened + 1, state.checkpoints.last.header.number)
        : nextOf(state.checkpoints.last.state, slot);
    if (claim !== undefined && slotNumber(slot) >= from) claims.push([key, claim]);
  }
  return claims.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, claim]) => claim);
}

/** Returns the parameters that a cause leads to: those of the operator's proposal, else the current ones. */
export function nextParameters({ parameters }: LedgerState, cause: Cause): EpochParameters {
  return cause.kind === "proposal" ? cause.signed.proposal.next : parameters;
}

/** Returns the claims of account and token slots that the base's chain does not list. */
export function remaining(base: LedgerState, decided: ReadonlyMap<string, AnyCertificate>): readonly LedgerClaim[] {
  return [...decided.values()].flatMap((claim) => {
    const { slot } = claim;
    return isChainSlot(slot) || slotNumber(slot) < nextOf(base, slot) ? [] : [{ slot, claim }];
  });
}

/** Claim of an account or token slot. */
export type LedgerClaim = Readonly<{ slot: LedgerSlot; claim: AnyCertificate }>;
