/** Oracle of protocol 7.6: an honest validator never contradicts its own signatures, even across crashes. */
import { afterClose, hiddenInClose } from "../evidence/close-violations.ts";
import { double, hiddenLock, isLate, type ValueNames } from "../evidence/rule-violations.ts";
import { type Oracle, oracle } from "../fold.ts";
import { valueLabel } from "../history/content.ts";
import { committeeDirectory } from "../history/epochs.ts";
import type { RunSetting } from "../observation.ts";
import { slotKeyName } from "../text.ts";

/** Checks each new signature of an honest key against all earlier ones of the key. Stateless. */
export function amnesia(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  return oracle("amnesia", ["signed", "closed"], undefined, (state, seen, record, report) => {
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
  });
}
