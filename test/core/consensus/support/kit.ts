/** A committee whose keys the tests hold, and all statements that it can sign about one slot. */
import { text } from "../../../../src/core/base/encoding.ts";
import type { Address, Epoch, Hash, Round, Sequence, Signature, Version } from "../../../../src/core/base/ids.ts";
import type { Slot } from "../../../../src/core/base/slot.ts";
import { type Authenticator, createAuthenticator } from "../../../../src/core/consensus/authenticator.ts";
import { finalityOf, lockOf } from "../../../../src/core/consensus/certificate.ts";
import { type Committee, committeeOf, proposerOf } from "../../../../src/core/consensus/committee.ts";
import type {
  Commit,
  FinalityCertificate,
  LockCertificate,
  Proposal,
  RoundChange,
  Seal,
  SignedMessage,
  StatementContent,
  Vote,
} from "../../../../src/core/consensus/message.ts";
import { consensusRules } from "../../../../src/core/consensus/rules.ts";
import { keccak, taggedHash } from "../../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey, Scheme } from "../../../../src/core/crypto/scheme.ts";

export const CHAIN = 1212101;
const OWNER = `0x${"11".repeat(20)}` as Address;

export const ACCOUNT_SLOT: Slot = { kind: "account", address: OWNER, sequence: 3 as Sequence };
export const TOKEN_SLOT: Slot = { kind: "token", token: OWNER, version: 3 as Version };

/** Values are hashes of names: this folder knows no money. */
export function value(name: string): Hash {
  return taggedHash("value", text(name));
}

export const X: Hash = value("X");
export const Y: Hash = value("Y");

export function round(number: number): Round {
  return number as Round;
}

/** Position of a body outside the kit's own slot, epoch or chain. */
export interface Elsewhere {
  readonly slot?: Slot;
  readonly epoch?: number;
}

/** `n` members with keys, in one slot. Members are named by their position in the committee. */
export class Kit {
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly slot: Slot;
  readonly scheme: Scheme;
  private readonly keys: readonly PrivateKey[];

  constructor(n: number, slot: Slot = ACCOUNT_SLOT, scheme: Scheme = keyedHash) {
    this.slot = slot;
    this.scheme = scheme;
    this.keys = Array.from({ length: n }, (_, i) => keyNamed(`member ${i}`));
    const members = this.keys.map((key) => scheme.addressOf(key));
    this.committee = committeeOf(CHAIN, 0 as Epoch, members, consensusRules);
    this.authenticator = createAuthenticator(CHAIN, scheme);
  }

  member(at: number): Address {
    return this.committee.members[at] as Address;
  }

  /** Address outside the committee. */
  get nonMember(): Address {
    return this.scheme.addressOf(keyNamed("stranger"));
  }

  /** The position of a round's proposer. */
  proposer(number: number): number {
    return this.committee.members.indexOf(proposerOf(this.committee, this.slot, round(number)));
  }

  sign<B extends StatementContent>(at: number | "stranger", body: B): B & { signer: Address; signature: Signature } {
    const key = at === "stranger" ? keyNamed("stranger") : (this.keys[at] as PrivateKey);
    return {
      ...body,
      signer: this.scheme.addressOf(key),
      signature: this.scheme.sign(key, this.authenticator.digest(body)),
    };
  }

  vote(at: number | "stranger", number: number, of: Hash, elsewhere: Elsewhere = {}): Vote {
    return this.sign(at, { type: "vote", ...this.place(number, elsewhere), value: of });
  }

  commit(at: number | "stranger", number: number, of: Hash, elsewhere: Elsewhere = {}): Commit {
    return this.sign(at, { type: "commit", ...this.place(number, elsewhere), value: of });
  }

  /** Votes of the first q members, unless others are named. */
  lock(
    number: number,
    of: Hash,
    signers: readonly number[] = this.quorum(),
    elsewhere: Elsewhere = {},
  ): LockCertificate {
    const votes = signers.map((at) => this.vote(at, number, of, elsewhere));
    return lockOf({ type: "vote", ...this.place(number, elsewhere), value: of }, votes.map(sealOf));
  }

  finality(
    number: number,
    of: Hash,
    signers: readonly number[] = this.quorum(),
    elsewhere: Elsewhere = {},
  ): FinalityCertificate {
    const commits = signers.map((at) => this.commit(at, number, of, elsewhere));
    return finalityOf({ type: "commit", ...this.place(number, elsewhere), value: of }, commits.map(sealOf));
  }

  change(at: number | "stranger", number: number, lock?: LockCertificate, elsewhere: Elsewhere = {}): RoundChange {
    return this.sign(at, { type: "roundChange", ...this.place(number, elsewhere), lock });
  }

  /** Changes of the first q members to a round, with the locks that the first of them carry. */
  changes(number: number, locks: readonly (LockCertificate | undefined)[] = []): readonly RoundChange[] {
    return this.quorum().map((at) => this.change(at, number, locks[at]));
  }

  /** Signed by the round's proposer, unless another is named. */
  proposal(
    number: number,
    of: Hash,
    justification: readonly RoundChange[] = this.changes(number),
    at: number = this.proposer(number),
  ): Proposal {
    return this.sign(at, { type: "proposal", ...this.place(number), value: of, justification });
  }

  private quorum(): readonly number[] {
    return Array.from({ length: this.committee.quorum }, (_, i) => i);
  }

  private place(
    number: number,
    { slot = this.slot, epoch = 0 }: Elsewhere = {},
  ): { slot: Slot; epoch: Epoch; round: Round } {
    return { slot, epoch: epoch as Epoch, round: round(number) };
  }
}

export function keyNamed(name: string): PrivateKey {
  return keccak(new TextEncoder().encode(`key of ${name}`)) as unknown as PrivateKey;
}

export function sealOf({ signer, signature }: SignedMessage): Seal {
  return { signer, signature };
}
