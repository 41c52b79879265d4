import type { Vote } from "../core/consensus/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { Content } from "../core/validator/slots/content.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Votes for one value, and its content. */
interface Gathered {
  readonly votes: Map<string, Vote>;
  content: Content | undefined;
}

/** Votes that the attacker has gathered, one record for each state of it. */
const memories = new WeakMap<ValidatorState, Gathered>();

/** Votes that no other validator has seen together, presented in the next epoch as votes of that epoch. */
const attack = withByzantinePeer((state, input, wanted) => {
  const known: Gathered = memories.get(state) ?? { votes: new Map(), content: undefined };
  memories.set(state, known);
  if (input.type !== "message" || input.message.type !== "consensus") return wanted;
  const { body } = input.message;
  if (body.type === "vote" && body.slot.kind === "account" && body.epoch === 0) {
    known.votes.set(body.signer, body);
    known.content = state.contents.get(body.value) ?? known.content;
  }
  return [...wanted, ...shown(state, known)];
});

function shown({ ledger, environment }: ValidatorState, { votes, content }: Gathered): readonly Output[] {
  const [first] = votes.values();
  if (first === undefined || content === undefined) return [];
  if (ledger.epoch === 0 || votes.size < environment.committee.quorum) return [];
  const { slot, round, value } = first;
  const seals = [...votes.values()].map(({ signer, signature }) => ({ signer, signature }));
  seals.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  votes.clear();
  const body = { type: "lock" as const, epoch: ledger.epoch, slot, round, value, seals };
  const message = { type: "consensus" as const, body, contents: [content], reason: undefined };
  return [{ type: "send", to: environment.others, message }];
}

/** Signatures without the epoch (bugs F8, F9, C7). */
export const epochlessStatements: KnownBadVariant = {
  name: "epochless-statements",
  mistake: "signatures cover no epoch: votes of the previous epoch count in this one",
  source: "protocol 6.4; bugs F8, F9, C7",
  caughtBy: ["agreement", "accountability", "amnesia", "irreversibility", "validity"],
  statement: (real) => (chainId, body) => real(chainId, { ...body, epoch: 0 as never }),
  program: attack,
  attack,
};
