/** What an honest proposer closes an epoch with: all that q closes show, put in an order that can be replayed (protocol 6.3). */

import type { Address, CheckpointNumber, Millis, Round } from "../../base/ids.ts";
import type { ClosingValue, Listed } from "../../base/slot.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import { firstCloses } from "../../consensus/close.ts";
import type { Close } from "../../consensus/message.ts";
import { proposeIfDue } from "../../consensus/round-change.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { copiesOf, type ListedContent, sizeOf } from "../checkpoints/checkpoint-content.ts";
import {
  type ClosingContent,
  type Content,
  isCheckpoint,
  isLedgerContent,
  type LedgerContent,
} from "../slots/content.ts";
import { onSlot, slotState } from "../slots/slots.ts";
import { mark } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { askFor, wantContent } from "../sync/sync.ts";
import { baseOf } from "./closing-base.ts";
import { epochSlot, type LedgerClaim, nextParameters, remaining, warrantHash } from "./closing-rules.ts";
import type { LinkBase } from "./judge-link.ts";

/** Closes have arrived, or what was missing has: the first proposer proposes, and whoever waits for the decision applies it. */
export function openClosing(turn: Turn): void {
  const { state } = turn;
  const slot = epochSlot(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    turn.agenda.push({ do: "apply", slot });
    return;
  }
  const { rules, committee, self } = state.environment;
  if (current.round > 0) onSlot(turn, slot, self, (context, transition) => proposeIfDue(context, transition));
  if (state.closed === undefined || current.round > 0 || current.proposed !== undefined) return;
  if (state.closes.size < committee.quorum) return;
  if (rules.consensus.proposerOf(committee, slot, 0 as Round) !== self) return;
  turn.agenda.push({ do: "propose", slot, round: 0 as Round, forced: undefined, justification: [] });
}

/** The content of an honest closing; `undefined` while something is missing, which is asked for. */
export function closingContent(turn: Turn): ClosingContent | undefined {
  const { state } = turn;
  const { closed, environment } = state;
  const closes = firstCloses(
    state.closes.entries() as Iterable<readonly [Address, Close]>,
    environment.committee.quorum,
  );
  if (closed === undefined || closes === undefined) return undefined;
  const { checkpoints, decided } = environment.rules.consensus.settlementOf(closes);
  const locked = contentsOf(
    turn,
    checkpoints.filter(({ type }) => type === "lock"),
  )?.filter(isCheckpoint);
  if (locked === undefined) return undefined;
  const found = baseOf(state, checkpoints, locked);
  if (found.found === "behind") catchUp(turn, closes, found.number);
  if (found.found !== "base") return undefined;
  // What the base's chain lists may be pruned by now wherever it was: only what is left is asked for.
  const claims = remaining(found.base.state, decided);
  const contents = contentsOf(
    turn,
    claims.map(({ claim }) => claim),
  )?.filter(isLedgerContent);
  if (contents === undefined) return undefined;
  return assembled(turn.clock, state, found.base, {
    parts: inOrder(state, found.base.state, claims, contents),
    warrant: { cause: closed.cause, closes, locked },
  });
}

/** Asks whoever shows a later final checkpoint for those that lead to it. */
export function catchUp(turn: Turn, closes: readonly Close[], number: number): void {
  mark(turn, "closing waited");
  for (const { signer } of closes)
    askFor(turn, signer, { kind: "checkpoint", number: (number + 1) as CheckpointNumber });
}

/** The contents of all these values, in their order; those that are missing are asked of whoever signed for them. */
function contentsOf(turn: Turn, claims: readonly AnyCertificate[]): readonly Content[] | undefined {
  const found: Content[] = [];
  for (const { value, seals } of claims) {
    const content = turn.state.contents.get(value);
    if (content !== undefined) found.push(content);
    else {
      const signers = seals.map(({ signer }) => signer);
      wantContent(turn, signers, epochSlot(turn.state), value);
    }
  }
  return found.length === claims.length ? found : undefined;
}

/**
 * The decided slots above the base in an order in which each is next in its sequence, authorised and funded. There is one:
 * whatever an honest validator voted for followed from what it had applied, which is final and among them.
 */
function inOrder(
  { environment }: ValidatorState,
  base: LedgerState,
  claims: readonly LedgerClaim[],
  contents: readonly LedgerContent[],
): readonly ListedContent[] {
  const { hashes } = environment;
  const parts = claims.flatMap(({ slot }, at) => {
    const content = contents[at];
    if (content === undefined) return [];
    const { value, operations } = content;
    return [{ slot, value, operations, copies: copiesOf(operations, hashes.copy) }];
  });
  return hashes.inOrder(base, parts);
}

function assembled(
  clock: Millis,
  { environment, ledger }: ValidatorState,
  base: LinkBase,
  { parts, warrant }: { readonly parts: readonly ListedContent[]; readonly warrant: ClosingContent["closing"] },
): ClosingContent | undefined {
  const { hashes } = environment;
  const operations = parts.flatMap((part) => part.operations);
  const listed: readonly Listed[] = parts.map(({ slot, value, copies }) => ({ slot, value, copies }));
  const number = (base.header.number + 1) as CheckpointNumber;
  const next = nextParameters(ledger, warrant.cause);
  const replayed = hashes.replay(base.state, listed, operations, { number, next });
  if (replayed.outcome === "broken") return undefined;
  const value: ClosingValue = {
    type: "closing",
    epoch: ledger.epoch,
    header: {
      number,
      parentHash: base.hash,
      ...replayed.roots,
      timestamp: Math.max(Math.floor(clock / 1_000), base.header.timestamp),
      size: sizeOf(operations, hashes.copy),
      extraData: "",
    },
    listed,
    next,
    warrant: warrantHash(environment, warrant),
  };
  return { value, operations, certificates: [], closing: warrant };
}
