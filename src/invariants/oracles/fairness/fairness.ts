/**
 * Oracle of protocol 7.16: due operations are served by age, authorities in turn, and while no fault is active each slot
 * in which an admitted operation waits is decided within a bound, whatever other accounts do.
 */
import type { Millis } from "../../../core/base/ids.ts";
import { type Oracle, oracle } from "../../fold.ts";
import { currentEpoch } from "../../history/chronicle.ts";
import type { RunSetting } from "../../observation.ts";
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

/** Follows who waits where, and judges each list, each forced burn and each decided slot. */
export function fairness(setting: RunSetting): Oracle {
  const { nodes, genesis, livenessMs } = setting;
  const areHonest = nodes.every(({ honest }) => honest);
  const areQuick = setting.slotMs === 0;
  const start: FairnessState = { order: emptyOrder(setting), progress: emptyProgress(setting) };
  return oracle("fairness", start, {
    applied: ({ order, progress }, record, seen, report) => {
      if (!record.honest) return;
      noteServed(order, record, areHonest, report);
      noteProgress(progress, seen, record, report);
    },
    signed: ({ order, progress }, record, seen, report) => {
      const { honest, statement } = record;
      // From the first close on nothing is decided in the epoch.
      if (statement.kind === "close" && honest && statement.epoch === currentEpoch(seen).epoch)
        progress.isClosing = true;
      if (honest && areQuick) judgeProposal(order, seen, record, genesis.listLimit, report);
    },
    submitted: ({ progress }, record) => noteSubmitted(progress, record),
    replied: ({ progress }, record) => noteReplied(progress, record),
    crashed: ({ order }, record) => noteIncarnation(order, record),
    restarted: ({ order }, record) => noteIncarnation(order, record),
    closed: ({ order, progress }) => {
      restartTurns(order);
      dropAll(progress, progress.from);
    },
    halted: ({ progress }) => dropAll(progress, undefined),
    disturbed: ({ progress }) => dropAll(progress, undefined),
    // Faults leave operations to the bound of liveness; those that are submitted after it are judged, if all are well.
    healed: ({ progress }, { at, core }) => {
      if (areHonest && areQuick && core.length === nodes.length) progress.from ??= (at + livenessMs) as Millis;
    },
    timePassed: ({ progress }, { at }, seen, report) => judgeClocks(progress, seen, at, report),
    ended: ({ progress }, { at }, seen, report) => judgeClocks(progress, seen, at, report),
  });
}
