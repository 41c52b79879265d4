/** Variants with wrong quorums, signers or certificates (bugs A). */
import { entryOf } from "../core/base/entry.ts";
import type { Address } from "../core/base/ids.ts";
import { type SlotKey, slotKey } from "../core/base/slot.ts";
import { hasSigned, sealsFor } from "../core/consensus/ballots.ts";
import type { Committee } from "../core/consensus/committee.ts";
import type { Commit, Seal } from "../core/consensus/message.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../core/crypto/scheme.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { Environment } from "../core/validator/environment.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { forgeFinality, withByzantinePeer } from "./byzantine-peer.ts";
import {
  createVariantState,
  type ProgramChange,
  type RulesChange,
  replaceOutputs,
  replaceRules,
  replaceStep,
  type VariantTable,
} from "./known-bad-variant.ts";

type MisbehaviourReport = Extract<Output, { type: "report" }>;

const givenUp = createVariantState<ReadonlySet<SlotKey>>("given up");

export const QUORUMS: VariantTable = {
  "ex-members-count": {
    mistake: "validators that have left the committee still receive requests, and their signatures still count",
    source: "protocol 6.4; bugs A10, F11",
    caughtBy: ["agreement", "accountability", "irreversibility", "convergence", "validity", "conservation", "accounts"],
    program: (real) => {
      const committees = new WeakMap<Environment["committee"], Environment["committee"]>();
      return {
        ...real,
        step: (state, input) => {
          state.environment = withFirstMembers(state.environment, committees);
          return real.step(state, input);
        },
      };
    },
  },
  "all-signers-reported": {
    mistake: "an invalid signature in a slot is reported against every signer of a vote or commit there",
    source: "bugs A12; protocol 7.11",
    caughtBy: ["accountability"],
    program: redirectReports((report, _input, { slots: { records: slots } }) =>
      report.misbehaviour === "invalid signature"
        ? [
            report.peer,
            ...(slots.get(report.slot)?.ballots ?? []).flatMap(({ seals }) => seals.map(({ signer }) => signer)),
          ]
        : [report.peer],
    ),
  },
  "named-signer-reported": {
    mistake: "an invalid certificate is held against the validators that it names, not against the sender",
    source: "bugs A12; protocol 7.11",
    caughtBy: ["accountability"],
    program: redirectReports((report, input) => {
      const isBroken = report.misbehaviour === "invalid certificate" || report.misbehaviour === "invalid signature";
      return isBroken ? [report.peer, ...certificateSigners(input)] : [report.peer];
    }),
  },
  "foreign-signer": {
    mistake: "a certificate's signers need not be members of the committee: invented keys are a quorum",
    source: "protocol 3.0; bugs A10",
    caughtBy: ["agreement", "validity"],
    rules: replaceRules("consensus", (real) => ({
      certificateFault: (committee, authenticator, certificate) => {
        const index = new Map(certificate.seals.map(({ signer }, place) => [signer, place]));
        return real.certificateFault({ ...committee, index }, authenticator, certificate);
      },
    })),
    attack: withByzantinePeer(forgeFinality(sealsOfOutsiders)),
  },
  "quorum-of-2f-plus-1": {
    mistake: "a quorum is 2f + 1 for every N: with N = 6 two quorums need not intersect",
    source: "protocol 1.1; bugs A2",
    caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
    rules: replaceRules("consensus", (real) => ({ quorumOf: (n) => 2 * real.faultyOf(n) + 1 })),
  },
  "quorum-off-by-one": {
    mistake: "a certificate needs one signature fewer than a quorum",
    source: "protocol 1.1; bugs A1",
    caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
    rules: replaceRules("consensus", (real) => ({ quorumOf: (n) => Math.max(1, real.quorumOf(n) - 1) })),
  },
  "repeat-blocks": {
    mistake: "a repeated vote or commit is an error, after which its collector assembles no certificate in the slot",
    source: "bugs A7",
    caughtBy: ["liveness"],
    program: replaceStep((real, state, input) => {
      const ballot = ballotIn(state, input);
      if (ballot === undefined) return real.step(state, input);
      const slots = givenUp.of(state) ?? new Set();
      if (slots.has(ballot.slot)) return [];
      if (!ballot.isRepeated) return real.step(state, input);
      givenUp.keep(state, new Set([...slots, ballot.slot]));
      return [];
    }),
  },
  "repeated-signer": {
    mistake: "a certificate may repeat a signer: one validator's signature, repeated, is a quorum",
    source: "protocol 3.0; bugs A4",
    caughtBy: ["agreement", "validity"],
    rules: replaceRules("consensus", (real) => ({
      certificateFault: (committee, authenticator, certificate) => {
        const fault = real.certificateFault(committee, authenticator, certificate);
        return fault === "repeated signer" ? undefined : fault;
      },
    })),
    attack: withByzantinePeer(
      forgeFinality(({ environment }, { signer, signature }) =>
        Array.from({ length: environment.committee.quorum }, () => ({ signer, signature })),
      ),
    ),
  },
  "trailing-seals-unread": {
    mistake: "a certificate is checked up to its q-th signature, and whatever follows comes with it",
    source: "protocol 3.0; bugs A4",
    caughtBy: ["agreement", "accountability", "validity"],
    rules: filterSeals((seals, { quorum }) => seals.slice(0, quorum)),
  },
  "foreign-seals-skipped": {
    mistake: "signatures of strangers in a certificate are passed over, not refused",
    source: "protocol 3.0; bugs A10",
    caughtBy: ["agreement", "accountability", "validity"],
    rules: filterSeals((seals, { index }) => seals.filter(({ signer }) => index.has(signer))),
  },
  "doubled-seals-skipped": {
    mistake: "a signature that a certificate repeats is passed over, not refused",
    source: "protocol 3.0; bugs A4",
    caughtBy: ["agreement", "accountability", "validity"],
    rules: filterSeals((seals) => [...new Map(seals.map((seal) => [seal.signer, seal])).values()]),
  },
};

/** Returns the same environment with the first members as further members. */
function withFirstMembers(
  environment: Environment,
  committees: WeakMap<Environment["committee"], Environment["committee"]>,
): Environment {
  const { committee, genesis, keys } = environment;
  const firstMembers = genesis.parameters.validators.map(({ key }) => key);
  if (firstMembers.every((key) => committee.index.has(key))) return environment;
  const members: readonly Address[] = [...new Set([...committee.members, ...firstMembers])];
  const index = new Map(members.map((key, place) => [key, place]));
  const widerCommittee = entryOf(committees, committee, () => ({ ...committee, index }));
  const self = keys.find((key) => index.has(key)) ?? environment.self;
  return { ...environment, committee: widerCommittee, self, peers: members.filter((key) => key !== self) };
}

/** Reports name other peers. */
function redirectReports(
  culprits: (report: MisbehaviourReport, input: Input, state: ValidatorState) => readonly Address[],
): ProgramChange {
  return replaceOutputs((output, input, state) => {
    if (output.type !== "report") return output;
    const { self } = state.environment;
    const reported = new Set(culprits(output, input, state).filter((peer) => peer !== self));
    return [...reported].map((peer) => ({ ...output, peer }));
  });
}

function certificateSigners(input: Input): readonly Address[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const { body } = input.message;
  const certificate =
    body.type === "lock" || body.type === "finality" ? body : body.type === "roundChange" ? body.lock : undefined;
  return certificate?.seals.map(({ signer }) => signer) ?? [];
}

/** The attacker's own seal, and seals of invented keys up to a quorum. */
function sealsOfOutsiders({ environment }: ValidatorState, commit: Commit): readonly Seal[] {
  const { committee, authenticator } = environment;
  const { signer, signature, ...statement } = commit;
  const digest = authenticator.digest(statement);
  const ownSeal: Seal = { signer, signature };
  const inventedSeals = Array.from({ length: committee.quorum - 1 }, (_, place): Seal => {
    const key = `0x${String(place + 1).padStart(64, "0")}` as PrivateKey;
    // Works with any signature scheme of the network.
    const recovered = authenticator.verifier.recover(digest, keyedHash.sign(key, digest));
    const scheme = recovered === keyedHash.addressOf(key) ? keyedHash : secp256k1;
    return { signer: scheme.addressOf(key), signature: scheme.sign(key, digest) };
  });
  return [ownSeal, ...inventedSeals].sort((a, b) => (a.signer < b.signer ? -1 : 1));
}

/** Returns a vote or commit of another validator in an open slot, and whether it is a repeat. */
function ballotIn(
  { slots: { records: slots }, environment }: ValidatorState,
  input: Input,
): { readonly slot: SlotKey; readonly isRepeated: boolean } | undefined {
  if (input.type !== "message" || input.message.type !== "consensus") return undefined;
  const { body } = input.message;
  if ((body.type !== "vote" && body.type !== "commit") || body.signer === environment.self) return undefined;
  const slot = slotKey(body.slot);
  const record = slots.get(slot);
  if (record === undefined || record.decided !== undefined) return undefined;
  return { slot, isRepeated: hasSigned(sealsFor(record.ballots, body), body.signer) };
}

/** Checks of certificates that see only these seals. */
function filterSeals(visibleSeals: (seals: readonly Seal[], committee: Committee) => readonly Seal[]): RulesChange {
  return replaceRules("consensus", (real) => ({
    certificateFault: (committee, authenticator, certificate) =>
      real.certificateFault(committee, authenticator, {
        ...certificate,
        seals: visibleSeals(certificate.seals, committee),
      }),
  }));
}
