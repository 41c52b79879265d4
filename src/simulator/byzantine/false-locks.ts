/**
 * Strategy: names invalid locks in its round changes, with too few signatures, of another slot or on another value
 * (protocol 3.2). The certificates in its closes certify something else (protocol 6.3).
 */
import type { Round } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { FinalityCertificate, LockCertificate, StatementContent } from "../../core/consensus/message.ts";
import type { UnsignedMessage } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_MESSAGES_MAX } from "../limits.ts";
import type { InterceptedStep, Strategy } from "./strategy.ts";

type Certificate = LockCertificate | FinalityCertificate;
type UnsignedChange = Extract<StatementContent, { type: "roundChange" }>;

/** Its memory is the last received certificates, from which it builds locks. */
export function falseLocks(): Strategy<readonly Certificate[]> {
  return {
    memory: [],
    intercept: (step, before) => {
      const memory = remembered(step, before);
      return { outputs: step.outputs.flatMap((output) => lying(step, memory, output)), memory };
    },
  };
}

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
function lying({ self, peers }: InterceptedStep, memory: readonly Certificate[], output: Output): readonly Output[] {
  if (output.type === "sign" && output.message.body.type === "close")
    return [{ ...output, message: withFalseClaims(output.message, output.message.body) }];
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return [output];
  const { body } = output.message;
  const locks = liesFor(body, memory);
  if (locks.length === 0) return [output];
  const lies = peers
    .filter((peer) => output.to.includes(peer))
    .flatMap((peer, index) => {
      const lock = locks[index % locks.length];
      return [{ ...output, to: [peer], message: { ...output.message, body: { ...body, lock } } }];
    });
  return [{ ...output, to: output.to.filter((peer) => peer === self) }, ...lies];
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

function liesFor(body: UnsignedChange, memory: readonly Certificate[]): readonly LockCertificate[] {
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
