/** Strategies that deny, age or forge locks and claims in round changes and closes (protocol 3.2, 6.3). */
import type { Round } from "../../../core/base/ids.ts";
import { type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { FinalityCertificate, LockCertificate, StatementContent } from "../../../core/consensus/message.ts";
import type { UnsignedMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { STRATEGY_MESSAGES_MAX, STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { type InterceptedStep, type Strategy, type StrategyRecord, withoutClaims, withoutMemory } from "../strategy.ts";

/** Claims no lock in each round change, and nothing in each close. */
export const hideLocks: StrategyRecord = {
  sentence: "Claims in each round change that it holds no lock, and in its EpochClose that it knows of no decision.",
  weight: 3,
  create: (): Strategy<undefined> =>
    withoutMemory((step) => step.outputs.map((output) => withoutClaims(withLock(output, () => undefined)))),
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
function locksIn({ input, outputs }: InterceptedStep): readonly LockCertificate[] {
  const messages = outputs.flatMap((output) => (output.type === "send" ? [output.message] : []));
  const all = input.type === "message" ? [input.message, ...messages] : messages;
  return all.flatMap((message) => (message.type === "consensus" && message.body.type === "lock" ? [message.body] : []));
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

type Certificate = LockCertificate | FinalityCertificate;
type UnsignedChange = Extract<StatementContent, { type: "roundChange" }>;

/** Its memory is the last received certificates, from which it builds locks. */
export const falseLocks: StrategyRecord = {
  sentence: "Names invalid lock certificates in its round changes, and certificates of other values in its EpochClose.",
  weight: 2,
  create: (): Strategy<readonly Certificate[]> => ({
    memory: [],
    intercept: (step, before) => {
      const memory = remembered(step, before);
      return { outputs: step.outputs.flatMap((output) => withFalseLocks(step, memory, output)), memory };
    },
  }),
};

function remembered({ input }: InterceptedStep, memory: readonly Certificate[]): readonly Certificate[] {
  if (input.type !== "message") return memory;
  const { message } = input;
  if (message.type === "decisions")
    return kept(
      memory,
      message.decided.map(({ certificate }) => certificate),
    );
  if (message.type !== "consensus") return memory;
  const { body } = message;
  return body.type === "lock" || body.type === "finality" ? kept(memory, [body]) : memory;
}

function kept(memory: readonly Certificate[], more: readonly Certificate[]): readonly Certificate[] {
  return [...memory, ...more].slice(-STRATEGY_MESSAGES_MAX);
}

/** Each peer gets another deviation, if there is one. Each round change is signed with the strategy's own key. */
function withFalseLocks(
  { self, peers }: InterceptedStep,
  memory: readonly Certificate[],
  output: Output,
): readonly Output[] {
  if (output.type === "sign" && output.message.body.type === "close")
    return [{ ...output, message: withFalseClaims(output.message, output.message.body) }];
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return [output];
  const { body } = output.message;
  const locks = falseLocksFor(body, memory);
  if (locks.length === 0) return [output];
  const falseChanges = peers
    .filter((peer) => output.to.includes(peer))
    .flatMap((peer, index) => {
      const lock = locks[index % locks.length];
      return [{ ...output, to: [peer], message: { ...output.message, body: { ...body, lock } } }];
    });
  return [{ ...output, to: output.to.filter((peer) => peer === self) }, ...falseChanges];
}

/** Each claim with the certificate of the next one: a genuine quorum, for another slot. */
function withFalseClaims(
  message: UnsignedMessage,
  body: Extract<StatementContent, { type: "close" }>,
): UnsignedMessage {
  const { claims } = body;
  const moved = claims.map((claim, index) => ({ ...(claims[(index + 1) % claims.length] ?? claim), slot: claim.slot }));
  return { ...message, body: { ...body, claims: moved } };
}

function falseLocksFor(body: UnsignedChange, memory: readonly Certificate[]): readonly LockCertificate[] {
  const other = memory.find(({ slot }) => slotKey(slot) !== slotKey(body.slot));
  if (other === undefined) return [];
  const { slot } = body;
  // `mutate` may have put round 0 here. No round precedes it, so the lock names round 0 itself, which is invalid as
  // well.
  const round = Math.max(0, body.round - 1) as Round;
  const moved: LockCertificate = { ...other, type: "lock", slot, round };
  return [
    // Of another slot, as it is; moved here; and moved here with a signature too few.
    other as LockCertificate,
    moved,
    { ...moved, seals: moved.seals.slice(1) },
  ];
}
