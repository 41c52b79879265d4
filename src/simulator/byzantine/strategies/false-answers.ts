/** Strategies that respond to requests of other validators with invalid decisions, contents or states (protocol 6.2, 10). */
import type { Hash, Millis } from "../../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation } from "../../../core/base/operation.ts";
import { slotAt, slotNumber } from "../../../core/base/slot.ts";
import { type Branch, isLeaf, Trie } from "../../../core/base/trie.ts";
import type { FinalityCertificate, LockCertificate, Seal } from "../../../core/consensus/message.ts";
import { childHashes } from "../../../core/crypto/merkle.ts";
import { operationId } from "../../../core/ledger/identity.ts";
import { effectSlotOf } from "../../../core/ledger/operations/kinds.ts";
import { PART_BYTES } from "../../../core/ledger/roots.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { Decisions, PeerMessage, SnapshotOffer, StatePieces } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf, hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX, STRATEGY_VALUES_MAX } from "../../settings.ts";
import { type InterceptedStep, modeOf, type Strategy, type StrategyRecord } from "../strategy.ts";

type Decided = Decisions["decided"][number];

/** By value hash: received contents, to send in place of others. */
type Contents = Trie<Content>;

interface Memory {
  readonly contents: Contents;
  /** Number of decisions sent: each one uses the next deviation. */
  readonly sent: number;
}

/** Uses every deviation in turn, for any request; also presents q votes as a decision as soon as it receives them. */
export const falseAnswers: StrategyRecord = {
  sentence: "Responds to fetches with wrong or missing contents and certificates, and passes votes off as commits.",
  weight: 2,
  create: (): Strategy<Memory> => ({
    memory: { contents: Trie.empty(), sent: 0 },
    intercept: (step, before) => {
      const contents = remembered(step, before.contents);
      let { sent } = before;
      const outputs = step.outputs.map((output): Output => {
        if (output.type !== "send") return output;
        if (output.message.type !== "decisions") return { ...output, message: withFalseProgress(output.message) };
        const message = falsifiedDecisions(output.message, sent, contents);
        sent += Math.max(1, output.message.decided.length);
        return { ...output, message };
      });
      return { outputs: [...outputs, ...passedOff(step, contents)], memory: { contents, sent } };
    },
  }),
};

function remembered({ input }: InterceptedStep, contents: Contents): Contents {
  if (input.type !== "message") return contents;
  let known = contents;
  for (const content of contentsOf(input.message)) {
    if (known.size >= STRATEGY_ROUNDS_MAX) known = Trie.empty();
    known = known.set(hashOf(content), content);
  }
  return known;
}

/** Claims to have applied undecided slots, far ahead. */
function withFalseProgress(message: PeerMessage): PeerMessage {
  if (message.type !== "status") return message;
  return { ...message, applied: message.applied.flatMap((slot) => [slot, slotAt(slot, slotNumber(slot) + 1_000)]) };
}

type Deviation = (decided: Decided, contents: Contents) => Decided;

/** Deviations of a decision: content or certificate missing or replaced. Omitting it is one more. */
const DEVIATIONS: readonly Deviation[] = [
  ({ certificate, content }) => ({ certificate, content: { ...content, operations: [] } }),
  ({ certificate, content }) => ({ certificate, content: { ...content, certificates: [] } }),
  ({ certificate, content }, contents) => ({ certificate, content: another(contents, certificate.value) ?? content }),
  ({ certificate, content }, contents) => {
    const { operations } = another(contents, certificate.value) ?? content;
    return { certificate, content: { ...content, operations } };
  },
  ({ certificate, content }, contents) => {
    const other = another(contents, certificate.value) ?? content;
    return { certificate: { ...certificate, value: hashOf(other) }, content: other };
  },
  ({ certificate, content }) => ({ certificate: { ...certificate, seals: certificate.seals.slice(1) }, content }),
  ({ certificate, content }) => ({ certificate: { ...certificate, seals: repeated(certificate.seals) }, content }),
  ({ certificate, content }) => ({
    certificate: { ...certificate, slot: slotAt(certificate.slot, slotNumber(certificate.slot) + 1_000) },
    content,
  }),
];

/** Repeats the first signature as often as there are signatures. */
function repeated(seals: readonly Seal[]): readonly Seal[] {
  return seals.flatMap(() => seals.slice(0, 1));
}

/** Applies the next deviation to each decision. */
function falsifiedDecisions(message: Decisions, sent: number, contents: Contents): Decisions {
  const decided = message.decided.flatMap((one, index) => {
    const deviation = DEVIATIONS[(sent + index) % (DEVIATIONS.length + 1)];
    return deviation === undefined ? [] : [deviation(one, contents)];
  });
  return { ...message, decided, contents: message.contents.map((content) => ({ ...content, operations: [] })) };
}

function another(contents: Contents, value: Hash): Content | undefined {
  for (const [key, content] of contents.entries()) if (key !== value) return content;
  return undefined;
}

/** Presents votes as commits, under either name, with a valid content (protocol 3.0: separate tags). */
function passedOff({ input, peers }: InterceptedStep, contents: Contents): readonly Output[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const lock = input.message.body;
  const content = lock.type === "lock" ? contents.get(lock.value) : undefined;
  if (lock.type !== "lock" || content === undefined) return [];
  const asDecision = (certificate: LockCertificate | FinalityCertificate): Output => {
    const decided = [{ certificate: certificate as FinalityCertificate, content }];
    return { type: "send", to: peers, message: { type: "decisions", decided, contents: [] } };
  };
  return [asDecision(lock), asDecision({ ...lock, type: "finality" })];
}

type Piece = StatePieces["pieces"][number]["piece"];

interface StateMemory {
  /** Number of responses. */
  readonly sent: number;
  /** Operations that it received, the latest last: signed by their owners, and perhaps never decided. */
  readonly operations: readonly SignedOperation[];
}

const STATE_MODES = {
  pieces: "False pieces of the state that it offers, and now and then a false offer.",
  offers: "False offers only: without proof, of other parts, or of something that is no state.",
} as const;

/** Uses the next deviation for each response. */
export const falseState: StrategyRecord = {
  sentence: "Serves false pieces of states to validators that join, or false offers; `mode` says which.",
  weight: 3,
  needs: "checkpoints",
  modes: STATE_MODES,
  create: ({ mode }): Strategy<StateMemory> => ({
    memory: { sent: 0, operations: [] },
    intercept: (step, before) => {
      const operations = [...before.operations, ...operationsIn(step)].slice(-STRATEGY_VALUES_MAX);
      const isOffering = modeOf(STATE_MODES, mode) === "offers";
      let { sent } = before;
      const outputs = step.outputs.map((output) => {
        if (!isServed(output)) return output;
        return isOffering ? falseOffer(output, sent++, operations) : falsifiedState(output, sent++, operations);
      });
      return { outputs, memory: { sent, operations } };
    },
  }),
};

type OfferDeviation = (offer: SnapshotOffer, operations: StateMemory["operations"]) => SnapshotOffer;

/** Deviations of an offer that shows a true certificate: it is of the offered chain link, and of nothing else. */
const OFFER_DEVIATIONS: readonly OfferDeviation[] = [
  (offer) => ({ ...offer, parts: offer.parts.toReversed() }),
  (offer, operations) => {
    const [signed] = operations;
    if (signed === undefined) return offer;
    const value = { type: "operation", id: operationId(signed) } as const;
    return { ...offer, content: { value, operations: [signed], certificates: [] } };
  },
  (offer) => ({ ...offer, certificate: { ...offer.certificate, value: offer.parts[0] ?? offer.certificate.value } }),
  (offer) => ({ ...offer, certificate: { ...offer.certificate, type: "lock" } as never }),
  (offer) => ({ ...offer, content: { ...offer.content, operations: [] } }),
];

function falseOffer(output: Output, sent: number, operations: StateMemory["operations"]): Output {
  if (output.type !== "send" || output.message.type !== "snapshot") return output;
  const deviation = OFFER_DEVIATIONS[sent % OFFER_DEVIATIONS.length] as OfferDeviation;
  return { ...output, message: deviation(output.message, operations) };
}

function operationsIn({ input }: InterceptedStep): readonly SignedOperation[] {
  if (input.type === "submit") return isRecovery(input.submission) ? [] : [input.submission];
  return input.type === "message" ? contentsOf(input.message).flatMap((content) => content.operations) : [];
}

function isServed(output: Output): boolean {
  return output.type === "send" && (output.message.type === "snapshot" || output.message.type === "statePieces");
}

function falsifiedState(output: Output, sent: number, operations: StateMemory["operations"]): Output {
  if (output.type !== "send") return output;
  const { message } = output;
  if (message.type === "snapshot" && sent % 3 === 1) {
    const { certificate } = message;
    return {
      ...output,
      message: { ...message, certificate: { ...certificate, seals: certificate.seals.slice(0, 1) } },
    };
  }
  if (message.type === "snapshot" && sent % 3 === 2) {
    return { ...output, message: { ...message, parts: message.parts.map(() => message.certificate.value) } };
  }
  if (message.type !== "statePieces") return output;
  const extended = sent % 2 === 1 ? withShadow(message.pieces, operations) : undefined;
  const pieces = extended ?? message.pieces.map(({ place, piece }) => ({ place, piece: falsifiedPiece(piece, sent) }));
  return { ...output, message: { ...message, pieces } };
}

/** Returns a piece with another hash below, or with one entry fewer; unchanged without entries. */
function falsifiedPiece(piece: Piece, sent: number): Piece {
  if (piece.type === "entries") return { ...piece, entries: piece.entries.slice(1) };
  const other: Hash = piece.right;
  return sent % 2 === 0 ? { ...piece, left: other } : { ...piece, bit: piece.bit + 1 };
}

/** Returns true pieces, of which that of authorised operations shows a key twice; `undefined` if none is there. */
function withShadow(
  pieces: StatePieces["pieces"],
  operations: StateMemory["operations"],
): StatePieces["pieces"] | undefined {
  for (const [at, { place, piece }] of pieces.entries()) {
    const entries = piece.type === "entries" ? shadowed(piece.entries, operations) : undefined;
    if (entries !== undefined) return pieces.with(at, { place, piece: { type: "entries", entries } });
  }
  return undefined;
}

type Entries = Extract<Piece, { readonly type: "entries" }>["entries"];

/**
 * Returns the entries of authorised operations, the first of them twice: first with another signed operation, which the
 * true entry then replaces, so that the hash is the same.
 */
function shadowed(entries: Entries, operations: StateMemory["operations"]): Entries | undefined {
  const [key, entry] = entries[0] ?? [];
  const signed = operations.findLast((one) => effectSlotOf(one).where !== "own" && !isAmong(entries, operationId(one)));
  if (key === undefined || typeof entry !== "object" || !("signed" in entry) || signed === undefined) return undefined;
  return [[key, { ...entry, id: operationId(signed), signed }], ...entries];
}

function isAmong(entries: Entries, id: OperationId): boolean {
  return entries.some(([, value]) => typeof value === "object" && "id" in value && value.id === id);
}

type Placed = StatePieces["pieces"][number];

interface SlowMemory {
  /** Responses that it has not sent yet, with the times from which it may. */
  readonly held: readonly { readonly from: Millis; readonly output: Output }[];
}

/** Time that a response waits: less than a validator that joins waits for one. */
const SLOW_MS = 1_900;

/** Sends what proves itself, and as little of it as it can. */
export const slowState: StrategyRecord = {
  sentence: "Serves one small piece of a state for each request of a validator that joins, almost 2 s late.",
  weight: 2,
  needs: "checkpoints",
  create: (): Strategy<SlowMemory> => ({
    memory: { held: [] },
    intercept: ({ now, outputs }, { held }) => {
      const [slow, others] = [outputs.filter(isPieces), outputs.filter((output) => !isPieces(output))];
      const all = [
        ...held,
        ...slow.map((output) => ({ from: (now + SLOW_MS) as Millis, output: withOnePiece(output) })),
      ];
      const due = all.filter(({ from }) => from <= now).map(({ output }) => output);
      const later = all.filter(({ from }) => from > now);
      return { outputs: [...others, ...due, ...wakeUp(slow, later)], memory: { held: later } };
    },
  }),
};

/** A status exchange makes a step at the time of the next response. */
function wakeUp(slow: readonly Output[], [next]: SlowMemory["held"]): readonly Output[] {
  if (slow.length === 0 || next === undefined) return [];
  return [{ type: "setTimer", name: "sync", at: next.from, background: false }];
}

function isPieces(output: Output): boolean {
  return output.type === "send" && output.message.type === "statePieces";
}

function withOnePiece(output: Output): Output {
  if (output.type !== "send" || output.message.type !== "statePieces") return output;
  return { ...output, message: { ...output.message, pieces: output.message.pieces.slice(0, 1).map(smallest) } };
}

/** Returns the two hashes below a place in place of its entries. */
function smallest({ place, piece }: Placed): Placed {
  const root = piece.type === "entries" ? Trie.of(piece.entries).root : undefined;
  if (root === undefined || isLeaf(root)) return { place, piece };
  const [left, right] = childHashes(root as Branch<never>, PART_BYTES[place.part]);
  return { place, piece: { type: "branch", bit: root.bit, left, right } };
}
