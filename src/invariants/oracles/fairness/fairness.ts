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

/** Tracks the operations that wait for each slot, and judges each list, each forced burn and each decided slot. */
export function fairness(setting: RunSetting): Oracle {
  const { nodes, genesis, livenessMs } = setting;
  const areAllHonest = nodes.every(({ honest }) => honest);
  const areQuick = setting.slotMs === 0;
  const start: FairnessState = { order: emptyOrder(setting), progress: emptyProgress(setting) };
  return oracle("fairness", start, {
    applied: ({ order, progress }, record, chronicle, report) => {
      if (!record.honest) return;
      noteServed(order, record, areAllHonest, report);
      noteProgress(progress, chronicle, record, report);
    },
    signed: ({ order, progress }, record, chronicle, report) => {
      const { honest, statement } = record;
      // From the first close on, the epoch decides no further slot.
      if (statement.kind === "close" && honest && statement.epoch === currentEpoch(chronicle).epoch)
        progress.isClosing = true;
      if (honest && areQuick) judgeProposal(order, chronicle, record, genesis.listLimit, report);
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
    // The liveness bound applies to operations submitted during faults. Later ones are judged if all validators are correct.
    healed: ({ progress }, { at, core }) => {
      if (areAllHonest && areQuick && core.length === nodes.length) progress.from ??= (at + livenessMs) as Millis;
    },
    timePassed: ({ progress }, { at }, chronicle, report) => judgeClocks(progress, chronicle, at, report),
    ended: ({ progress }, { at }, chronicle, report) => judgeClocks(progress, chronicle, at, report),
  });
}
