import { afterClose, hiddenInClose } from "../evidence/close-violations.ts";
import { double, hiddenLock, isLate, type ValueNames } from "../evidence/rule-violations.ts";
import { type Fold, type Oracle, oracle } from "../fold.ts";
import { valueLabel } from "../history/content.ts";
import { committeeDirectory } from "../history/epochs.ts";
import { copyOfShown, isReasonForgotten, noteRestart, type ShownReasons } from "../history/shown-reasons.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { slotKeyName } from "../text.ts";

interface State {
  readonly shown: ShownReasons;
}

const EVENT_TYPES = ["signed", "closed", "restarted"] as const;

/** Checks each new signature of an honest key against all earlier ones of the key. */
export function amnesia(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  const judge: Fold<State, (typeof EVENT_TYPES)[number]> = (state, seen, record, report) => {
    if (record.type === "restarted") {
      noteRestart(state.shown, record);
      return state;
    }
    if (record.type === "signed" && record.honest) {
      const index = directory.indexOf(record.key);
      if (index !== undefined && seen.lost.has(index)) report(signedWithLostKey(record), { faulty: [record.key] });
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
  return oracle("amnesia", EVENT_TYPES, { shown: new Map() }, judge, copyOf);
}

function copyOf({ shown }: State): State {
  return { shown: copyOfShown(shown) };
}

function forgottenReason({ node, statement: { slot, round } }: EventOf<"signed">): string {
  return (
    `${node} changes to round ${round} of ${slotKeyName(slot)} without a reason, and has forgotten the one that it ` +
    "showed or recorded"
  );
}

/** It may have signed with this key what it does not know (protocol 11.3). */
function signedWithLostKey({ node, statement: { slot } }: EventOf<"signed">): string {
  return `${node} signed in ${slotKeyName(slot)} with a key that it had before it lost its disk`;
}
