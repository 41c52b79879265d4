/** Toy programs and small worlds. */

import type { Amount } from "../../src/core/base/amount.ts";
import type {
  Address,
  CheckpointNumber,
  Epoch,
  Hash,
  Millis,
  Nonce,
  Round,
  Sequence,
} from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../src/core/base/operation.ts";
import { type Slot, slotKey } from "../../src/core/base/slot.ts";
import { createAuthenticator } from "../../src/core/consensus/authenticator.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { digestOf as operationDigest } from "../../src/core/ledger/layout.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { DurableRecord, Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { Keyring, NodePlan, Program, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";

export const CHAIN = 7;
/** Stateless but for its caches, so that all worlds may share it. */
export const statements: WorldPlan["statements"] = createAuthenticator(CHAIN, keyedHash);
export const ms = (at: number): Millis => at as Millis;

/** Returns a world of this plan in the state of another one. */
export function copyOf(original: World, plan: WorldPlan): World {
  const copy = createWorld(plan);
  copy.restore(original.capture());
  return copy;
}

export function keyOf(name: string): PrivateKey {
  const digits = [...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("");
  return `0x${digits.padStart(64, "0")}` as PrivateKey;
}

export function addressOf(name: string): Address {
  return keyedHash.addressOf(keyOf(name));
}

/** Message with a number only. */
export function ping(number: number): PeerMessage {
  return {
    type: "status",
    epoch: 0 as Epoch,
    checkpoint: number as CheckpointNumber,
    applied: [],
    answer: false,
  };
}

export function numberOf(input: Input): number | undefined {
  if (input.type !== "message" || input.message.type !== "status") return undefined;
  return input.message.checkpoint;
}

/** The numbers that a node received since it started. */
export function numbersAt(world: World, name: string): readonly number[] {
  const { inputs } = world.node(name).state as InputLog;
  return inputs.flatMap((input) => numberOf(input) ?? []);
}

function slotOf(number: number): Slot {
  return { kind: "account", address: addressOf("alice"), sequence: number as Sequence };
}

export function persist(number: number): Output {
  const slot = slotOf(number);
  const record: DurableRecord = {
    of: "slot",
    epoch: 0 as Epoch,
    slot,
    round: 0 as Round,
    votes: [],
    commits: [],
    proposed: undefined,
    lock: undefined,
    carried: undefined,
    decided: undefined,
    contents: [],
    reasons: [],
  };
  return { type: "persist", key: slotKey(slot), record };
}

export function vote(number: number, value: string, to: readonly Address[]): Extract<Output, { type: "sign" }> {
  const round = 0 as Round;
  const epoch = 0 as Epoch;
  const hash = `0x${value.padStart(64, "0")}` as Hash;
  const body = { type: "vote", epoch, slot: slotOf(number), round, value: hash } as const;
  return { type: "sign", to, message: { type: "consensus", body, contents: [], reason: undefined } };
}

/** Program that keeps all its inputs, in order. */
export interface InputLog {
  inputs: readonly Input[];
}

export function inputLog(react: (input: Input, seen: readonly Input[]) => readonly Output[]): Program<InputLog> {
  return {
    start: () => ({ inputs: [] }),
    step: (state, input) => {
      state.inputs = [...state.inputs, input];
      return react(input, state.inputs);
    },
    fork: (state) => ({ inputs: state.inputs }),
  };
}

/** Passes each number on to a peer, lower by one, until it is 0. */
export function echo(names: readonly string[], first: number): (name: string) => Program<InputLog> {
  return (name) => {
    const others = names.filter((other) => other !== name).map(addressOf);
    return inputLog((input, seen) => {
      if (input.type === "start") return [{ type: "send", to: others, message: ping(first) }];
      const number = numberOf(input);
      if (number === undefined || number === 0) return [];
      return [{ type: "send", to: [others[seen.length % others.length] as Address], message: ping(number - 1) }];
    });
  };
}

export function nodesOf(names: readonly string[], program: (name: string) => Program): NodePlan[] {
  return names.map((name) => ({ name, key: keyOf(name), program: program(name) }));
}

export function planOf(nodes: readonly NodePlan[], more: Partial<WorldPlan> = {}): WorldPlan {
  const faulty = Math.ceil(nodes.length / 3) - 1;
  return { seed: "1", scheme: keyedHash, statements, nodes, clients: [], faulty, actions: [], ...more };
}

export const keyring: Keyring = {
  sign(account: Address, operation: Operation): SignedOperation {
    const name = ["alice", "bob", "carol"].find((one) => addressOf(one) === account);
    if (name === undefined) throw new RangeError(`no key of ${account}`);
    return { operation, sender: account, signature: keyedHash.sign(keyOf(name), operationDigest(operation)) };
  },
};

export function payment(nonce: number, value: bigint): SignedOperation {
  return keyring.sign(addressOf("alice"), { ...draft(value), nonce: nonce as Nonce });
}

export function draft(value: bigint): Omit<Extract<Operation, { kind: "payment" }>, "nonce"> {
  const recipient = addressOf("bob");
  return {
    kind: "payment",
    layout: "client",
    chainId: CHAIN,
    token: addressOf("token"),
    recipient,
    value: value as Amount,
  };
}
