/** Strategies that are fed step by step, and the messages that they see. v4 has the strategy, v1 to v3 are its peers. */
import type { Address, Epoch, Round, Sequence, Signature } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import type { AccountSlot, Slot } from "../../src/core/base/slot.ts";
import type { LockCertificate, RoundChange, StatementContent } from "../../src/core/consensus/message.ts";
import { operationId } from "../../src/core/ledger/identity.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { PeerMessage, Reason } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import { type StrategyPlan, strategyOf } from "../../src/simulator/byzantine/registry.ts";
import type { InterceptedStep } from "../../src/simulator/byzantine/strategy.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import { addressOf, CHAIN, ms } from "./support.ts";

export const PEERS: readonly Address[] = ["v1", "v2", "v3"].map(addressOf);
export const SELF: Address = addressOf("v4");
export const ALL: readonly Address[] = [...PEERS, SELF];

/** A message of v1, of another sender, a client's submission, or any input. */
type Given =
  | Input
  | PeerMessage
  | { readonly from: Address; readonly message: PeerMessage }
  | { readonly submission: SignedOperation };

/** Returns the outputs of the strategy in place of its program's; without anything given the program starts. */
export type Play = (outputs: readonly Output[], given?: Given) => readonly Output[];

/** Returns a strategy with its memory. Each of its draws is 0. `place`: where it plays, if not at v4 in epoch 0. */
export function player(plan: StrategyPlan, place: Partial<InterceptedStep> = {}): Play {
  const strategy = strategyOf(plan, (name) => [addressOf(name)]);
  let { memory } = strategy;
  return (outputs, given) => {
    const step = { now: ms(0), self: SELF, epoch: 0 as Epoch, peers: PEERS, outputs, choose: () => 0 };
    const played = strategy.intercept({ ...step, ...place, input: inputOf(given) }, memory);
    memory = played.memory;
    return played.outputs;
  };
}

function inputOf(given: Given | undefined): Input {
  if (given === undefined) return { type: "start", at: ms(0) };
  if ("at" in given) return given;
  if ("submission" in given) return { type: "submit", at: ms(0), client: "alice", submission: given.submission };
  const { from, message } = "from" in given ? given : { from: PEERS[0] as Address, message: given };
  return { type: "message", at: ms(0), from, message };
}

export function slotOf(sequence: number, owner = "alice"): AccountSlot {
  return { kind: "account", address: addressOf(owner), sequence: sequence as Sequence };
}

/** Returns an operation of alice for nonce 0. */
export function signed(kind: "payment" | "cancellation", value = 0): SignedOperation {
  const rest = kind === "payment" ? { token: addressOf("USD"), recipient: addressOf("bob"), value: BigInt(value) } : {};
  const operation = { kind, layout: "client", chainId: CHAIN, nonce: 0, ...rest };
  return { operation, sender: addressOf("alice"), signature: `0x${"0".repeat(130)}` } as unknown as SignedOperation;
}

export function contentOf(named: SignedOperation, sent: SignedOperation = named): Content {
  return { value: { type: "operation", id: operationId(named) }, operations: [sent], certificates: [] };
}

export function received(body: unknown, contents: readonly Content[] = [], reason?: Reason): PeerMessage {
  return { type: "consensus", body, contents, reason } as PeerMessage;
}

export function sign(
  body: StatementContent,
  contents: readonly Content[] = [],
  reason?: Reason,
  to: readonly Address[] = ALL,
): Output {
  return { type: "sign", to, message: { type: "consensus", body, contents, reason } };
}

type UnsignedProposal = Extract<StatementContent, { type: "proposal" }>;

/** Returns a proposal in round 0, or in another one with its justification. */
export function proposalOf(
  slot: Slot,
  content: Content,
  round = 0,
  justification: UnsignedProposal["justification"] = [],
): UnsignedProposal {
  const place = { epoch: 0 as Epoch, slot, round: round as Round };
  return { type: "proposal", ...place, value: hashOf(content), justification };
}

type UnsignedChange = Extract<StatementContent, { type: "roundChange" }>;

/** Returns a change to round 1. */
export function roundChange(slot: AccountSlot, lock?: LockCertificate): UnsignedChange {
  return { type: "roundChange", epoch: 0 as Epoch, slot, round: 1 as Round, lock };
}

/** Returns a change to round 1 that a validator has signed. */
export function signedChange(signer: Address, slot: AccountSlot, lock?: LockCertificate): RoundChange {
  return { ...roundChange(slot, lock), signer, signature: "" as Signature };
}
