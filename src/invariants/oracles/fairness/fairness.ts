/**
 * Oracle of protocol 7.16: due operations are served by age, authorities in turn, and while no fault is active each slot
 * in which an admitted operation waits is decided within a bound, whatever other accounts do.
 */
import { unreachable } from "../../../core/base/assert.ts";
import type { Millis } from "../../../core/base/ids.ts";
import { type Oracle, oracle } from "../../fold.ts";
import { type Chronicle, currentEpoch } from "../../history/chronicle.ts";
import type { EventOf, RunSetting } from "../../observation.ts";
import {
  emptyOrder,
  judgeProposal,
  noteIncarnation,
  noteServed,
  restartTurns,
  type ServiceOrder,
} from "./service-order.ts";
import {
  dropAll,
  emptyProgress,
  judgeClocks,
  noteProgress,
  noteReplied,
  noteSubmitted,
  type SlotProgress,
} from "./slot-progress.ts";

interface FairnessState {
  readonly order: ServiceOrder;
  readonly progress: SlotProgress;
}

const EVENT_TYPES = [
  "applied",
  "signed",
  "submitted",
  "replied",
  "crashed",
  "restarted",
  "closed",
  "halted",
  "healed",
  "disturbed",
  "timePassed",
  "ended",
] as const;

/** Follows who waits where, and judges each list, each forced burn and each decided slot. */
export function fairness(setting: RunSetting): Oracle {
  const areHonest = setting.nodes.every(({ honest }) => honest);
  const areQuick = setting.slotMs === 0;
  const start: FairnessState = { order: emptyOrder(setting), progress: emptyProgress(setting) };
  return oracle("fairness", EVENT_TYPES, start, (state, seen, record, report) => {
    const { order, progress } = state;
    switch (record.type) {
      case "applied":
        if (!record.honest) return state;
        noteServed(order, record, areHonest, report);
        noteProgress(progress, seen, record, report);
        return state;
      case "signed":
        noteSigned(state, seen, record);
        if (record.honest && areQuick) judgeProposal(order, seen, record, setting.genesis.listLimit, report);
        return state;
      case "submitted":
        noteSubmitted(progress, record);
        return state;
      case "replied":
        noteReplied(progress, record);
        return state;
      case "crashed":
      case "restarted":
        noteIncarnation(order, record);
        return state;
      case "closed":
        restartTurns(order);
        dropAll(progress, progress.from);
        return state;
      case "halted":
      case "disturbed":
        dropAll(progress, undefined);
        return state;
      case "healed":
        if (areHonest && areQuick) noteHealed(progress, setting, record);
        return state;
      case "timePassed":
      case "ended":
        judgeClocks(progress, seen, record.at, report);
        return state;
      default:
        return unreachable(record);
    }
  });
}

/** From the first close on nothing is decided in the epoch. */
function noteSigned({ progress }: FairnessState, seen: Chronicle, { honest, statement }: EventOf<"signed">): void {
  if (statement.kind === "close" && honest && statement.epoch === currentEpoch(seen).epoch) progress.isClosing = true;
}

/** Faults leave operations to the bound of liveness; those that are submitted after it are judged, if all are well. */
function noteHealed(progress: SlotProgress, { nodes, livenessMs }: RunSetting, { at, core }: EventOf<"healed">): void {
  if (progress.from === undefined && core.length === nodes.length) progress.from = (at + livenessMs) as Millis;
}
