/** Strategies that deny or age locks and claims in round changes and closes (protocol 3.2, 6.3). */
import { type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { LockCertificate } from "../../../core/consensus/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import {
  type InterceptedStep,
  messagesIn,
  replaceEach,
  type Strategy,
  type StrategyRecord,
  withoutClaims,
} from "../strategy.ts";

/** Claims no lock in each round change, and nothing in each close. */
export const hideLocks: StrategyRecord = {
  sentence: "Claims in each round change that it holds no lock, and in its EpochClose that it knows of no decision.",
  weight: 3,
  create: () => replaceEach((_, output) => withoutClaims(withLock(output, () => undefined))),
};

/** Claims in each round change and close that the first lock of a slot that it received or made is its highest. */
export const staleLocks: StrategyRecord = {
  sentence: "Claims in each round change and in its EpochClose that the first lock it held is its highest.",
  weight: 3,
  create: (): Strategy<Trie<LockCertificate>> => ({
    memory: Trie.empty(),
    intercept: (step, memory) => {
      let locks = memory.size > STRATEGY_ROUNDS_MAX ? Trie.empty<LockCertificate>() : memory;
      for (const lock of locksIn(step)) if (!locks.has(slotRoundKey(lock))) locks = locks.set(slotRoundKey(lock), lock);
      const lockOf = (key: string): LockCertificate | undefined => locks.get(key);
      return { outputs: step.outputs.map((output) => withOldClaims(withLock(output, lockOf), lockOf)), memory: locks };
    },
  }),
};

/** Locks received with a message, and those that the honest program assembles. */
function locksIn(step: InterceptedStep): readonly LockCertificate[] {
  return messagesIn(step).flatMap((message) =>
    message.type === "consensus" && message.body.type === "lock" ? [message.body] : [],
  );
}

function slotRoundKey({ epoch, slot }: { readonly epoch: number; readonly slot: Slot }): string {
  return `${epoch} ${slotKey(slot)}`;
}

function withOldClaims(output: Output, lockOf: (key: string) => LockCertificate | undefined): Output {
  if (output.type !== "sign" || output.message.body.type !== "close") return output;
  const { body } = output.message;
  const claims = body.claims.map((claim) => lockOf(slotRoundKey(claim)) ?? claim);
  return { ...output, message: { ...output.message, body: { ...body, claims } } };
}

function withLock(output: Output, lockOf: (key: string) => LockCertificate | undefined): Output {
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return output;
  const { body } = output.message;
  const lock = lockOf(slotRoundKey(body));
  return { ...output, message: { ...output.message, body: { ...body, lock } } };
}
