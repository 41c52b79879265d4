/** Lies about its locks when it changes rounds or closes an epoch (design 3.2, 6): the attack that evidence by quorum must survive. */

import { slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { LockCertificate } from "../../core/consensus/message.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { type Strategy, withoutMemory } from "./strategy.ts";

/** Claims in each round change that it holds no lock, and in each close that it knows of nothing. */
export function hideLocks(): Strategy<undefined> {
  return withoutMemory((turn) => turn.outputs.map((output) => withoutClaims(withLock(output, () => undefined))));
}

/** The same close of an epoch that shows nothing; any other output as it is. */
export function withoutClaims(output: Output): Output {
  if (output.type !== "sign" || output.message.body.type !== "close") return output;
  return { ...output, message: { ...output.message, body: { ...output.message.body, claims: [] } } };
}

/** Claims in each round change that the first lock of the slot that it saw is its highest. */
export function staleLocks(): Strategy<Trie<LockCertificate>> {
  return {
    memory: Trie.empty(),
    act: (turn, memory) => {
      let locks = memory.size > STRATEGY_ROUNDS_MAX ? Trie.empty<LockCertificate>() : memory;
      const { input } = turn;
      if (input.type === "message" && input.message.type === "consensus" && input.message.body.type === "lock") {
        const lock = input.message.body;
        const place = `${lock.epoch} ${slotKey(lock.slot)}`;
        if (!locks.has(place)) locks = locks.set(place, lock);
      }
      const outputs = turn.outputs.map((output) => withLock(output, (place) => locks.get(place)));
      return { outputs, memory: locks };
    },
  };
}

function withLock(output: Output, lockOf: (place: string) => LockCertificate | undefined): Output {
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return output;
  const { body } = output.message;
  const lock = lockOf(`${body.epoch} ${slotKey(body.slot)}`);
  return { ...output, message: { ...output.message, body: { ...body, lock } } };
}
