/**
 * Oracle of protocol 7.6: an honest validator never contradicts its own signatures, even across crashes, signs nothing
 * more in an epoch in which it had signed when it lost its disk, and shows a reason of a round change again.
 */
import type { Epoch } from "../../core/base/ids.ts";
import { afterClose, hiddenInClose } from "../evidence/close-violations.ts";
import { double, hiddenLock, isLate, type ValueNames } from "../evidence/rule-violations.ts";
import { type Fold, type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle } from "../history/chronicle.ts";
import { valueLabel } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory } from "../history/epochs.ts";
import { copyOfShown, isReasonForgotten, noteRestart, type ShownReasons } from "../history/shown-reasons.ts";
import type { EventOf, NodeName, RunSetting } from "../observation.ts";
import { slotKeyName } from "../text.ts";

/** The last epoch in which a node had signed when it lost its disk. */
type ForgottenEpochs = ReadonlyMap<NodeName, Epoch>;

interface State {
  forgotten: ForgottenEpochs;
  readonly shown: ShownReasons;
}

const EVENT_TYPES = ["signed", "closed", "restarted"] as const;

/** Checks each new signature of an honest key against all earlier ones of the key. */
export function amnesia(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  const judge: Fold<State, (typeof EVENT_TYPES)[number]> = (state, seen, record, report) => {
    if (record.type === "restarted") {
      noteRestart(state.shown, record);
      if (record.wiped) state.forgotten = withLostDisk(state.forgotten, seen, record, setting, directory);
      return state;
    }
    if (record.type === "signed" && record.honest) {
      if (!seen.isBeyond) inForgottenEpoch(state.forgotten, record, report);
      if (isReasonForgotten(state.shown, record)) report(forgottenReason(record));
    }
    const name: ValueNames = (value) => valueLabel(seen.contents, value);
    for (const signing of seen.signatures) {
      const key = directory.keyAt(signing.signer);
      if (!directory.isHonestKey(key)) continue;
      const violation =
        double(signing, name) ??
        afterClose(seen, signing, name) ??
        isLate(signing, name) ??
        hiddenLock(signing, name) ??
        hiddenInClose(seen, signing, name);
      if (violation === undefined) continue;
      const node = record.type === "signed" ? record.node : directory.nameOf(key);
      report(`${node} contradicts its own signature in ${slotKeyName(signing.statement.slot)}: it ${violation.words}`, {
        faulty: [key],
      });
    }
    return state;
  };
  return oracle("amnesia", EVENT_TYPES, { forgotten: new Map(), shown: new Map() }, judge, copyOf);
}

function copyOf({ forgotten, shown }: State): State {
  return { forgotten, shown: copyOfShown(shown) };
}

function forgottenReason({ node, statement: { slot, round } }: EventOf<"signed">): string {
  return (
    `${node} changes to round ${round} of ${slotKeyName(slot)} without a reason, and has forgotten the one that it ` +
    "showed or recorded"
  );
}

/** O(slots in which anybody signed). */
function withLostDisk(
  before: ForgottenEpochs,
  { books }: Chronicle,
  { node }: EventOf<"restarted">,
  { nodes }: RunSetting,
  { indexOf }: CommitteeDirectory,
): ForgottenEpochs {
  const own = nodes.find((one) => one.node === node)?.keys.map(indexOf) ?? [];
  const signed = [...books].filter(([, slots]) =>
    [...slots.values()].some(({ bySigner }) => own.some((index) => bySigner[index ?? -1] !== undefined)),
  );
  return signed.length === 0 ? before : new Map(before).set(node, Math.max(...signed.map(([epoch]) => epoch)) as Epoch);
}

/** It may have signed there what it does not know (protocol 11.3). */
function inForgottenEpoch(
  forgotten: ForgottenEpochs,
  { node, key, statement }: EventOf<"signed">,
  report: ReportViolation,
): void {
  const last = forgotten.get(node);
  if (last === undefined || statement.epoch > last) return;
  report(
    `${node} signed in ${slotKeyName(statement.slot)} of epoch ${statement.epoch}, though it had signed in epoch ${last} ` +
      "before it lost its disk",
    { faulty: [key] },
  );
}
