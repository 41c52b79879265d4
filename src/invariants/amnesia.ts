/** Design 7.6: an honest validator never contradicts its own signatures, whatever crashes. */
import { contentOf } from "./chronicle.ts";
import { type Oracle, oracle } from "./fold.ts";
import type { Setting } from "./observation.ts";
import { double, hiddenLock, late, type Naming } from "./offence.ts";
import { roster } from "./roster.ts";
import { short, slotKeyName, valueName } from "./words.ts";

/** Judges each new signature of an honest key against all that this key signed before. Keeps no state of its own. */
export function amnesia(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("amnesia", ["signed"], undefined, (state, seen, record, report) => {
    const { signing } = seen;
    if (signing === undefined || !record.honest || !who.isHonestKey(record.key)) return state;
    const name: Naming = (value) => {
      const content = contentOf(seen, value);
      return content === undefined ? `value ${short(value)}` : valueName(content.value);
    };
    const offence = double(signing, name) ?? late(signing, name) ?? hiddenLock(signing, name);
    if (offence !== undefined) {
      report(`${record.node} forgot what it signed in ${slotKeyName(signing.statement.slot)}: it ${offence.words}`, {
        blame: [record.key],
      });
    }
    return state;
  });
}
