/**
 * Close of an epoch (protocol 6.3): a round change for all of its slots at once. A validator that closes neither votes
 * nor commits in the epoch any more, and states what it knows. Suppose that a finality certificate of the epoch exists,
 * hidden or not. One of any q closers is an honest one that committed to it, before it closed: so its claims hold that
 * value, decided or locked in that round or a later one, and by protocol 3.3 every lock from that round on is for it.
 * The claims of q closes therefore cover all that can be final.
 */
import { entryOf } from "../base/entry.ts";
import type { Address, Epoch, Round } from "../base/ids.ts";
import { type SlotKey, slotKey } from "../base/slot.ts";
import { type Authenticator, claimKey } from "./authenticator.ts";
import type { AnyCertificate, certificateFault } from "./certificate.ts";
import type { Committee } from "./committee.ts";
import type { Close, Seal } from "./message.ts";

/** Committee and rules that verify a close and its certificates. */
export interface CloseVerifier {
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: { readonly certificateFault: typeof certificateFault };
}

/** A claim of another type would be read as a lock by some rules, and as a decision by none. */
const TYPES: ReadonlySet<string> = new Set<AnyCertificate["type"]>(["lock", "finality"]);

/** Returns `undefined` for a close that a member signed, with valid certificates, each slot once and in order. */
export function closeFault(
  { committee, authenticator, rules }: CloseVerifier,
  close: Close,
): "invalid signature" | "invalid certificate" | undefined {
  const { signer, signature, epoch, slot, round, claims } = close;
  if (!committee.index.has(signer) || epoch !== committee.epoch) return "invalid signature";
  if (slot.kind !== "epoch" || slot.epoch !== epoch || round !== 0) return "invalid signature";
  if (!authenticator.verifies(close, signer, signature)) return "invalid signature";
  let previous = "";
  for (const claim of claims) {
    const key = slotKey(claim.slot);
    if (key <= previous || claim.slot.kind === "epoch" || !TYPES.has(claim.type)) return "invalid certificate";
    if (rules.certificateFault(committee, authenticator, claim) !== undefined) return "invalid certificate";
    previous = key;
  }
  return undefined;
}

/** Closes of one epoch as a closing shows them: each certificate once, since no signature covers its seals. */
export interface ShownCloses {
  readonly certificates: readonly AnyCertificate[];
  /** `claims`: places among the certificates. */
  readonly closes: readonly (Seal & { readonly claims: readonly number[] })[];
}

/** Returns what shows these closes, the certificates in the order in which they are first claimed. */
export function showCloses(closes: readonly Close[]): ShownCloses {
  const places = new Map<string, number>();
  const certificates: AnyCertificate[] = [];
  const placeOf = (claim: AnyCertificate): number => {
    const place = entryOf(places, claimKey(claim), () => certificates.length);
    certificates[place] ??= claim;
    return place;
  };
  return {
    closes: closes.map(({ signer, signature, claims }) => ({ signer, signature, claims: claims.map(placeOf) })),
    certificates,
  };
}

/** Returns the closes that are shown; `undefined` if a certificate is missing, shown twice, or claimed by none. */
export function closesOf({ certificates, closes }: ShownCloses, epoch: Epoch): readonly Close[] | undefined {
  const place = { type: "close", epoch, slot: { kind: "epoch", epoch }, round: 0 as Round } as const;
  const all = closes.map((close) => ({
    ...place,
    ...close,
    claims: close.claims.flatMap((at) => certificates[at] ?? []),
  }));
  const isComplete = closes.every(({ claims }, at) => claims.length === all[at]?.claims.length);
  return isComplete && showCloses(all).certificates.length === certificates.length ? all : undefined;
}

/** Decisions that q closes imply together. */
export interface ClosingEvidence {
  /** Certificates of checkpoints in order: the highest final one and those above it, the base of the closing last. */
  readonly checkpoints: readonly AnyCertificate[];
  /** Certificates of account and token slots, by slot key, including those that the base's chain lists. */
  readonly decided: ReadonlyMap<SlotKey, AnyCertificate>;
}

/** Returns for each slot its finality certificate, else the lock of the highest round (protocol 6.3). */
export function closingEvidenceOf(closes: readonly Close[]): ClosingEvidence {
  const best = new Map<SlotKey, AnyCertificate>();
  for (const { claims } of closes) {
    for (const claim of claims) {
      const key = slotKey(claim.slot);
      const strongest = best.get(key);
      if (strongest === undefined || isStronger(claim, strongest)) best.set(key, claim);
    }
  }
  const keys = [...best.keys()].sort();
  const checkpoints: AnyCertificate[] = [];
  const decided = new Map<SlotKey, AnyCertificate>();
  for (const key of keys) {
    const claim = best.get(key) as AnyCertificate;
    if (claim.slot.kind === "checkpoint") {
      if (claim.type === "finality") checkpoints.length = 0;
      checkpoints.push(claim);
    } else decided.set(key, claim);
  }
  return { checkpoints, decided };
}

function isStronger(certificate: AnyCertificate, other: AnyCertificate): boolean {
  if (certificate.type !== other.type) return certificate.type === "finality";
  return certificate.type === "lock" && certificate.round > other.round;
}

/** Returns the closes of the first q signers, by their addresses; `undefined` while there are fewer. */
export function firstQuorumOfCloses(
  closes: Iterable<readonly [Address, Close]>,
  quorum: number,
): readonly Close[] | undefined {
  const chosen = [...closes].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, quorum);
  return chosen.length < quorum ? undefined : chosen.map(([, close]) => close);
}
