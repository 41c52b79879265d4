/** Variants with wrong epoch changes (bugs F). */
import { slotKey } from "../core/base/slot.ts";
import type { Committee } from "../core/consensus/committee.ts";
import type { Vote } from "../core/consensus/message.ts";
import { beginNextEpoch } from "../core/ledger/epoch.ts";
import { type Content, isClosing } from "../core/validator/content.ts";
import { enterEpoch } from "../core/validator/epochs/closing.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import { type KnownBadVariant, replaceStep } from "./known-bad-variant.ts";

/** Next epoch entered on the certificate of the closing, without its content (protocol 8). */
export const epochByHash: KnownBadVariant = {
  name: "epoch-by-hash",
  mistake: "a validator votes in the next epoch once the closing is final, before it has applied the closing",
  source: "protocol 6.3, 8",
  caughtBy: [
    "agreement",
    "irreversibility",
    "amnesia",
    "accountability",
    "checkpoints",
    "convergence",
    "validity",
    "conservation",
    "accounts",
    "fees",
    "liveness",
    "authority",
  ],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    forgetClosing(state);
    return [...outputs, ...closeEarly(state, input)];
  }),
};

/** Keeps only the hash of a closing that it has committed to, as if the content could be fetched later. */
function forgetClosing(state: ValidatorState): void {
  const { epoch } = state.ledger;
  if ((state.slots.records.get(slotKey({ kind: "epoch", epoch }))?.commits.length ?? 0) === 0) return;
  for (const [hash, content] of state.slots.contents.entries())
    if (isClosing(content)) state.slots.contents.delete(hash);
}

/** Continues with the parameters of the last epoch, from the slots applied so far. */
function closeEarly(state: ValidatorState, input: Input): readonly Output[] {
  const { epoch, parameters } = state.ledger;
  const certificate = state.slots.records.get(slotKey({ kind: "epoch", epoch }))?.decided;
  if (certificate === undefined) return [];
  const { self } = state.environment;
  const context = { state, at: input.at, clock: input.at, from: self, outputs: [], agenda: [] };
  enterEpoch(context, beginNextEpoch(state.ledger, parameters, state.checkpoints.last.header.number));
  return context.outputs;
}

/** Votes for one value, and its content. */
interface GatheredVotes {
  readonly votes: Map<string, Vote>;
  content: Content | undefined;
}

/** Votes that the attacker has gathered, one record for each state of it. */
const memories = new WeakMap<ValidatorState, GatheredVotes>();

/** Votes that no other validator has seen together, presented in the next epoch as votes of that epoch. */
const attack = withByzantinePeer((state, input, wanted) => {
  const known: GatheredVotes = memories.get(state) ?? { votes: new Map(), content: undefined };
  memories.set(state, known);
  if (input.type !== "message" || input.message.type !== "consensus") return wanted;
  const { body } = input.message;
  if (body.type === "vote" && body.slot.kind === "account" && body.epoch === 0) {
    known.votes.set(body.signer, body);
    known.content = state.slots.contents.get(body.value) ?? known.content;
  }
  return [...wanted, ...disclosure(state, known)];
});

function disclosure({ ledger, environment }: ValidatorState, { votes, content }: GatheredVotes): readonly Output[] {
  const [first] = votes.values();
  if (first === undefined || content === undefined) return [];
  if (ledger.epoch === 0 || votes.size < environment.committee.quorum) return [];
  const { slot, round, value } = first;
  const seals = [...votes.values()].map(({ signer, signature }) => ({ signer, signature }));
  seals.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  votes.clear();
  const body = { type: "lock" as const, epoch: ledger.epoch, slot, round, value, seals };
  const message = { type: "consensus" as const, body, contents: [content], reason: undefined };
  return [{ type: "send", to: environment.peers, message }];
}

/** Signatures without the epoch (bugs F8, F9, C7). */
export const epochlessStatements: KnownBadVariant = {
  name: "epochless-statements",
  mistake: "signatures cover no epoch: votes of the previous epoch count in this one",
  source: "protocol 6.4; bugs F8, F9, C7",
  caughtBy: ["agreement", "accountability", "amnesia", "irreversibility", "validity"],
  statement: (real) => (chainId, body) => real(chainId, { ...body, epoch: 0 as never }),
  attack,
};

/** Quorum that does not grow with the committee (bugs F11). */
export const oldQuorum: KnownBadVariant = {
  name: "old-quorum",
  mistake: "after a change of the committee the quorum is still that of the first committee",
  source: "protocol 6.4; bugs F11",
  caughtBy: ["agreement", "accountability", "irreversibility", "amnesia"],
  program: (real) => {
    const known = new WeakMap<Committee, Committee>();
    return {
      ...real,
      step: (state, input) => {
        keepQuorum(state, known);
        return real.step(state, input);
      },
    };
  },
};

function keepQuorum(state: ValidatorState, known: WeakMap<Committee, Committee>): void {
  const { environment } = state;
  const { committee } = environment;
  const { quorum } = environment.committeeOf(environment.genesis.epoch, environment.genesis.parameters.validators);
  if (committee.quorum === quorum) return;
  const kept = known.get(committee) ?? { ...committee, quorum };
  known.set(committee, kept);
  state.environment = { ...environment, committee: kept };
}

/** Close of an epoch without its cause, so that no other validator closes it (protocol 8). */
export const privateCause: KnownBadVariant = {
  name: "private-cause",
  mistake:
    "an EpochClose carries no cause: the one validator that knows the cause stops, another is silent, and nothing goes on",
  source: "protocol 6.3, 8",
  caughtBy: ["liveness"],
  program: replaceStep((real, state, input) =>
    real
      .step(state, input)
      .map((output) =>
        output.type === "sign" && output.message.body.type === "close"
          ? { ...output, message: { ...output.message, reason: undefined } }
          : output,
      ),
  ),
};
