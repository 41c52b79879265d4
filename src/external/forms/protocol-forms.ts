/** Forms of statements, certificates, contents, messages, durable records, replies and events (protocol 3). */
import type { Signature } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { ShownCloses } from "../../core/consensus/close.ts";
import type {
  ConsensusMessage,
  FinalityCertificate,
  LockCertificate,
  RoundChange,
  Seal,
  StatementContent,
  Vote,
} from "../../core/consensus/message.ts";
import type { OwnProposal, RoundValue } from "../../core/consensus/slot-state.ts";
import type { PieceLocation, PlacedPiece } from "../../core/ledger/pieces.ts";
import { STATE_PARTS } from "../../core/ledger/roots.ts";
import type { ClosingHead } from "../../core/ledger/value.ts";
import type { Cause, ClosingWarrant, Content, Decision } from "../../core/validator/content.ts";
import type {
  ConsensusEnvelope,
  EpochLink,
  PeerMessage,
  Reason,
  SlotReason,
  UnsignedMessage,
} from "../../core/validator/message.ts";
import type { DurableRecord, Reply, ValidatorEvent } from "../../core/validator/output.ts";
import {
  anyText,
  type Cases,
  count,
  defineForm,
  type Form,
  flag,
  later,
  list,
  nullable,
  optional,
  pair,
  record,
  union,
  withMeaning,
} from "./form.ts";
import {
  checkpointNumber,
  epoch,
  header,
  ledgerSlot,
  ledgerState,
  ledgerValue,
  parameters,
  receipt,
  round,
  signedProposal,
  slot,
  stateEntry,
  statePart,
  value,
} from "./ledger-forms.ts";
import { address, equivocationProof, hash, signature, signedOperation } from "./operation-forms.ts";
import { refusal } from "./refusal-form.ts";

/** Messages and records of docs/protocol.md. */
export type NativeMessage = Exclude<PeerMessage, { readonly type: "opaque" }>;
export type NativeRecord = Exclude<DurableRecord, { readonly of: "opaque" }>;

const AT = { epoch, slot, round };
const SIGNED: { readonly signer: typeof address; readonly signature: Form<Signature> } = { signer: address, signature };

const seal = defineForm("Seal", record<Seal>("Signature inside a certificate.", SIGNED));
const CERTIFICATE = { ...AT, value: hash, seals: withMeaning("ascending by signer, each once", list(seal)) };
const LOCK = record("Lock certificate: q votes for a value.", CERTIFICATE);
const FINALITY = record("Finality certificate: q commits for a value.", CERTIFICATE);

/** Of either type: whatever needs one checks it (protocol 3.0). */
const certificate = defineForm(
  "Certificate",
  union<LockCertificate | FinalityCertificate, "type">("type", { lock: LOCK, finality: FINALITY }),
);

const lock = certificate as Form<LockCertificate>;
const finality = certificate as Form<FinalityCertificate>;

const VOTE = { ...AT, value: hash };
const ROUND_CHANGE = { ...AT, lock: withMeaning("the highest one of a lower round", nullable(lock)) };
const roundChange = defineForm(
  "RoundChange",
  union<RoundChange, "type">("type", {
    roundChange: record("Its signer is in this round.", { ...ROUND_CHANGE, ...SIGNED }),
  }),
);
const PROPOSAL = { ...VOTE, justification: list(roundChange) };
const CLOSE = { ...AT, claims: withMeaning("by slot key, each slot once", list(certificate)) };

const vote = defineForm("Vote", union<Vote, "type">("type", { vote: record("Vote.", { ...VOTE, ...SIGNED }) }));

export const statement = defineForm(
  "Statement",
  union<StatementContent, "type">("type", {
    vote: record("Accepts a value in a round.", VOTE),
    commit: record("Its signer holds a lock of this value.", VOTE),
    roundChange: record("Its signer is in this round, and votes in none below.", ROUND_CHANGE),
    proposal: record("A proposer's value.", PROPOSAL),
    close: record("Its signer votes and commits no more in this epoch.", CLOSE),
  }),
);

const consensusBody = defineForm(
  "ConsensusBody",
  union<ConsensusMessage, "type">("type", {
    vote: record("Vote.", { ...VOTE, ...SIGNED }),
    commit: record("Commit.", { ...VOTE, ...SIGNED }),
    roundChange: record("Round change.", { ...ROUND_CHANGE, ...SIGNED }),
    proposal: record("Proposal.", { ...PROPOSAL, ...SIGNED }),
    close: record("Close.", { ...CLOSE, ...SIGNED }),
    lock: LOCK,
    finality: FINALITY,
  }),
);

const content: Form<Content> = later("Content", () => contentForm);

const cause = defineForm(
  "Cause",
  union<Cause, "kind">("kind", {
    checkpoint: record("The last checkpoint of the epoch is final.", { certificate: finality }),
    proposal: record("The operator proposes it.", { signed: signedProposal }),
  }),
);

const warrant = defineForm(
  "ClosingWarrant",
  record<ClosingWarrant>("Proof that a closing covers all that is final in its epoch.", {
    certificates: withMeaning("each claimed one once, in the order of the first claims", list(certificate)),
    closes: list(
      record<ShownCloses["closes"][number]>("Close, ascending by signer.", {
        ...SIGNED,
        claims: withMeaning("places among the certificates", list(count())),
      }),
    ),
    cause,
    locked: withMeaning("contents of checkpoints that are locked and not final", list(content)) as Form<
      ClosingWarrant["locked"]
    >,
  }),
);

const contentForm: Form<Content> = defineForm(
  "Content",
  record<Content>("A value with what proves it (protocol 3).", {
    value,
    operations: list(signedOperation),
    certificates: withMeaning("finality certificates that authorised them", list(finality)),
    closing: optional(warrant),
  }),
);

const DECISION = { certificate: finality, content };
const decision = defineForm("Decision", record<Decision>("Decided content.", DECISION));

const REASONS: Cases<SlotReason, "kind"> = {
  cancellation: record("The owner cancels another operation.", {
    cancellation: signedOperation,
    displaced: signedOperation,
  }),
  equivocation: record("The owner signed two operations.", { proof: equivocationProof }),
  burn: record("A burn is due, and somebody voted for another value.", { content, vote }),
};
const slotReason = defineForm("SlotReason", union<SlotReason, "kind">("kind", REASONS));
const reason = defineForm(
  "Reason",
  union<Reason, "kind">("kind", { ...REASONS, closing: record("The epoch closes.", { cause }) }),
);

const epochLink = defineForm(
  "EpochLink",
  record<EpochLink>("Certified closing, without what it lists.", {
    certificate: finality,
    head: record<ClosingHead>("What its hash covers beside the list.", {
      epoch,
      header,
      next: parameters,
      warrant: hash,
    }),
    listedRoot: hash,
  }),
);

const place = defineForm(
  "Place",
  record<PieceLocation>("Location of a subtree: sides from the root.", {
    part: statePart,
    path: withMeaning("`l` and `r`", anyText()),
  }),
);

const piece = defineForm(
  "Piece",
  union<PlacedPiece["piece"], "type">("type", {
    entries: record("All entries below.", { entries: list(pair(anyText("key"), stateEntry)) }),
    branch: record("Two subtrees.", { bit: count(), left: hash, right: hash }),
  }),
);

const ENVELOPE = {
  contents: withMeaning("what its receiver may lack", list(content)),
  reason: nullable(reason),
};

export const peerMessage = defineForm(
  "Message",
  union<NativeMessage, "type">("type", {
    consensus: record<Omit<ConsensusEnvelope, "type">>("Signed statement or certificate.", {
      body: consensusBody,
      ...ENVELOPE,
    }),
    offer: record("Asks for votes in round 0 of an account slot.", { slot, content }),
    disclosure: record("Shows a reason without a statement.", { slot, reason }),
    fetch: record("Asks for decisions and contents.", { epoch, slots: list(slot), values: list(hash) }),
    decisions: record("Answers with them.", { decided: list(decision), contents: list(content) }),
    status: record("Tells how far its sender is.", {
      epoch,
      checkpoint: checkpointNumber,
      applied: list(ledgerSlot),
      answer: flag,
    }),
    snapshot: record("Offers the state of a checkpoint.", {
      insteadOf: withMeaning("number of the state that is not here", nullable(count())),
      links: list(epochLink),
      ...DECISION,
      parts: withMeaning(`roots of ${STATE_PARTS.join(", ")}`, list(hash)),
    }),
    stateRequest: record("Asks for pieces of a state.", {
      epoch,
      number: count(),
      root: withMeaning("state root of the checkpoint with that number", hash),
      places: list(place),
    }),
    statePieces: record("Answers with them.", {
      number: count(),
      root: withMeaning("state root that was asked for", hash),
      pieces: list(record<PlacedPiece>("Piece.", { place, piece })),
    }),
  }),
);

export const unsignedMessage = defineForm(
  "UnsignedMessage",
  union<UnsignedMessage, "type">("type", {
    consensus: record<Omit<UnsignedMessage, "type">>("Statement to sign and send.", { body: statement, ...ENVELOPE }),
  }),
);

const roundValue = record<RoundValue>("Own vote or commit.", { round, value: hash });

export const durableRecord = defineForm(
  "Record",
  union<NativeRecord, "of">("of", {
    slot: record("What a restarted validator must know of a slot.", {
      ...AT,
      votes: list(roundValue),
      commits: list(roundValue),
      proposed: nullable(
        record<OwnProposal>("Own proposal.", { round, value: hash, justification: list(roundChange) }),
      ),
      lock: nullable(lock),
      carried: withMeaning("the lock of its round change", nullable(lock)),
      decided: nullable(finality),
      contents: list(content),
      reasons: list(slotReason),
    }),
    snapshot: record("Last final checkpoint or closing, with the state after it.", { ...DECISION, state: ledgerState }),
    closed: record("Own close of the epoch.", {
      close: union<{ readonly type: "close" } & Omit<Extract<StatementContent, { type: "close" }>, "type">, "type">(
        "type",
        { close: record("Close.", CLOSE) },
      ),
      cause,
    }),
    link: record("Closing that is applied here.", { link: epochLink }),
  }),
);

export const reply = defineForm(
  "Reply",
  union<Reply, "status">("status", {
    pending: record<{ barred?: Extract<Reply, { status: "pending" }>["barred"] }>("No outcome yet.", {
      barred: withMeaning("why it may stay undecided", optional(refusal)),
    }) as never,
    final: record("Decided.", { receipt, ...DECISION }),
    refused: record("Refused.", { refusal, disclosed: withMeaning("false: no other validator has seen it", flag) }),
    superseded: record("Its nonce went to another operation.", { by: hash as Form<OperationId> }),
    settled: record("Its nonce was used up before the oldest checkpoint that is kept.", {}),
    void: record("Its epoch closed without it.", { epoch }),
  }),
);

const STATE = { ...DECISION, state: withMeaning("the state after it", ledgerState) };

export const validatorEvent = defineForm(
  "Event",
  union<ValidatorEvent, "type">("type", {
    decided: record("A slot is decided.", { certificate: finality, content: nullable(content) }),
    applied: record("A slot took effect.", {
      slot: ledgerSlot,
      value: ledgerValue,
      content,
      receipts: list(receipt),
    }),
    checkpointed: record("A checkpoint was applied.", STATE) as never,
    closed: record("A closing was applied: the next epoch begins.", STATE) as never,
    joined: record("A transferred state replaces the ledger.", STATE) as never,
    halted: record("A decision contradicts the ledger.", { slot, reason: anyText<string>() }),
  }),
);
