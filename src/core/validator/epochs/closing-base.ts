/** Base of a closing: the highest checkpoint that its closes show decided or locked (protocol 6.3). */
import { chainSlotOf, slotNumber } from "../../base/slot.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { CheckpointContent } from "../slots/content.ts";
import type { DecisionView } from "../slots/decision-inputs.ts";
import { type ChainBase, stateAfter, successionFault } from "./check-chain-value.ts";

/** Checkpoint between this validator's own and the base of a closing, with the state after it. */
export interface Above {
  readonly content: CheckpointContent;
  readonly state: LedgerState;
}

export type BaseResult =
  | {
      readonly found: "base";
      readonly base: ChainBase /** Above this validator's own checkpoint. */;
      readonly above: readonly Above[];
    }
  /** Final checkpoints up to this number have to be applied here first. */
  | { readonly found: "behind"; readonly number: number }
  | { readonly found: "fault"; readonly reason: string };

/**
 * Returns the base, reached from this validator's last checkpoint. `checkpoints`: those that the closes show, in order;
 * `locked`: the contents of those that are shown locked only.
 */
export function baseOf(
  state: Pick<DecisionView, "checkpoint" | "environment">,
  checkpoints: readonly AnyCertificate[],
  locked: readonly CheckpointContent[],
): BaseResult {
  const own = state.checkpoint.header.number;
  const top = checkpoints.at(-1);
  const number = top === undefined ? state.checkpoint.state.opened : slotNumber(top.slot);
  if (number < own) return fault(`it builds on checkpoint ${number}, and checkpoint ${own} is final`);
  let base: ChainBase = state.checkpoint;
  const above: Above[] = [];
  for (const claim of checkpoints) {
    const at = slotNumber(claim.slot);
    if (at < own) continue;
    if (at === own) {
      if (claim.value !== state.checkpoint.hash) return fault(`checkpoint ${own} was decided for another value`);
      continue;
    }
    if (claim.type === "finality") return { found: "behind", number: at };
    const content = locked.find(({ value }) => state.environment.hashes.value(value) === claim.value);
    if (content === undefined) return fault(`checkpoint ${at} is not shown`);
    const next = after(state, base, content);
    if (typeof next === "string") return fault(next);
    base = next;
    above.push({ content, state: next.state });
  }
  return { found: "base", base, above };
}

function after(
  { environment }: Pick<DecisionView, "environment">,
  base: ChainBase,
  content: CheckpointContent,
): ChainBase | string {
  const { header } = content.value;
  const misplaced = successionFault(chainSlotOf(content.value), base, content);
  if (misplaced !== undefined) return misplaced;
  const state = stateAfter(environment, base.state, content);
  if (typeof state === "string") return `checkpoint ${header.number}: ${state}`;
  return { hash: environment.hashes.value(content.value), header, state };
}

function fault(reason: string): BaseResult {
  return { found: "fault", reason };
}
