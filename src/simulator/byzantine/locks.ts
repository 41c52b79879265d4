/**
 * Strategies with false locks in round changes and closes (protocol 3.2, 6.3): the attack against which evidence needs
 * a quorum.
 */

import { type Slot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { LockCertificate } from "../../core/consensus/message.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { type Strategy, type Turn, withoutMemory } from "./strategy.ts";

/** Claims no lock in each round change, and nothing in each close. */
export function hideLocks(): Strategy<undefined> {
  return withoutMemory((turn) => turn.outputs.map((output) => withoutClaims(withLock(output, () => undefined))));
}

/** Returns the same close without claims; any other output unchanged. */
export function withoutClaims(output: Output): Output {
  if (output.type !== "sign" || output.message.body.type !== "close") return output;
  return { ...output, message: { ...output.message, body: { ...output.message.body, claims: [] } } };
}

/** Claims in each round change and close that the first lock of a slot that it received or made is its highest. */
export function staleLocks(): Strategy<Trie<LockCertificate>> {
  return {
    memory: Trie.empty(),
    act: (turn, memory) => {
      let locks = memory.size > STRATEGY_ROUNDS_MAX ? Trie.empty<LockCertificate>() : memory;
      for (const lock of locksIn(turn)) if (!locks.has(placeOf(lock))) locks = locks.set(placeOf(lock), lock);
      const lockOf = (place: string): LockCertificate | undefined => locks.get(place);
      return { outputs: turn.outputs.map((output) => withOldClaims(withLock(output, lockOf), lockOf)), memory: locks };
    },
  };
}

/** Locks received with a message, and those that the honest program assembles. */
function locksIn({ input, outputs }: Turn): readonly LockCertificate[] {
  const messages = outputs.flatMap((output) => (output.type === "send" ? [output.message] : []));
  const all = input.type === "message" ? [input.message, ...messages] : messages;
  return all.flatMap((message) => (message.type === "consensus" && message.body.type === "lock" ? [message.body] : []));
}

function placeOf({ epoch, slot }: { readonly epoch: number; readonly slot: Slot }): string {
  return `${epoch} ${slotKey(slot)}`;
}

function withOldClaims(output: Output, lockOf: (place: string) => LockCertificate | undefined): Output {
  if (output.type !== "sign" || output.message.body.type !== "close") return output;
  const { body } = output.message;
  const claims = body.claims.map((claim) => lockOf(placeOf(claim)) ?? claim);
  return { ...output, message: { ...output.message, body: { ...body, claims } } };
}

function withLock(output: Output, lockOf: (place: string) => LockCertificate | undefined): Output {
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return output;
  const { body } = output.message;
  const lock = lockOf(placeOf(body));
  return { ...output, message: { ...output.message, body: { ...body, lock } } };
}
