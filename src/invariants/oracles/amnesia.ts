/** Oracle of protocol 7.6: an honest validator never contradicts its own signatures, even across crashes. */
import { afterClose, hiddenInClose } from "../evidence/close-offence.ts";
import { double, hiddenLock, late, type Naming } from "../evidence/offence.ts";
import { type Oracle, oracle } from "../fold.ts";
import { nameIn } from "../history/content.ts";
import { roster } from "../history/roster.ts";
import type { Setting } from "../observation.ts";
import { slotKeyName } from "../words.ts";

/** Checks each new signature of an honest key against all earlier ones of the key. Stateless. */
export function amnesia(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("amnesia", ["signed", "closed"], undefined, (state, seen, record, report) => {
    const name: Naming = (value) => nameIn(seen.contents, value);
    for (const signing of seen.signings) {
      const key = who.keyAt(signing.signer);
      if (!who.isHonestKey(key)) continue;
      const offence =
        double(signing, name) ??
        afterClose(seen, signing, name) ??
        late(signing, name) ??
        hiddenLock(signing, name) ??
        hiddenInClose(seen, signing, name);
      if (offence === undefined) continue;
      const node = record.type === "signed" ? record.node : who.nameOf(key);
      report(`${node} contradicts its own signature in ${slotKeyName(signing.statement.slot)}: it ${offence.words}`, {
        blame: [key],
      });
    }
    return state;
  });
}
