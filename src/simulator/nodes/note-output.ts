/** Outputs in the rolling hash: kind, place and new data. Omitted members follow from the inputs. */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import { type Slot, slotNumber } from "../../core/base/slot.ts";
import { hexWord } from "../../core/crypto/words.ts";
import type { DurableRecord, ValidatorEvent } from "../../core/validator/output.ts";
import { EVENT_KIND, ownerWord } from "../digest.ts";
import type { Trace } from "../trace.ts";

export function noteRecord(trace: Trace, party: number, record: DurableRecord): void {
  switch (record.of) {
    case "slot": {
      const { slot, round, votes, commits, proposed, lock, decided } = record;
      const counts = votes.length | (commits.length << 16);
      trace.note(EVENT_KIND.persist, party, ownerWord(slot), slotNumber(slot), counts);
      const isProposed = proposed === undefined ? 0 : 1 << 31;
      const lastVote = votes[votes.length - 1];
      trace.numbers(round | isProposed, lock?.round ?? -1, hashWord(lastVote?.value), hashWord(decided?.value));
      return;
    }
    case "snapshot":
      trace.note(EVENT_KIND.persist, party, 1, hashWord(record.certificate.value), 0);
      return;
    case "birth":
      trace.note(EVENT_KIND.persist, party, 2, record.signsFrom ?? -1, 0);
      return;
    case "closed":
      trace.note(EVENT_KIND.persist, party, 3, record.close.epoch, record.close.claims.length);
      return;
    case "link":
      trace.note(EVENT_KIND.persist, party, 4, hashWord(record.link.certificate.value), 0);
      return;
    default:
      unreachable(record);
  }
}

export function noteEvent(trace: Trace, party: number, event: ValidatorEvent): void {
  switch (event.type) {
    case "halted":
      noteSlot(trace, party, event, event.slot, undefined);
      trace.text(EVENT_KIND.halted, party, event.reason);
      return;
    case "applied":
      noteSlot(trace, party, event, event.slot, undefined);
      for (const { id, success, fee } of event.receipts) {
        const units = Number(fee);
        trace.numbers(hashWord(id), success ? 1 : 2, units | 0, Math.floor(units / 4_294_967_296) | 0);
      }
      return;
    default:
      noteSlot(trace, party, event, event.certificate.slot, event.certificate.value);
  }
}

function noteSlot(trace: Trace, party: number, { type }: ValidatorEvent, slot: Slot, value: Hash | undefined): void {
  trace.note(EVENT_KIND[type], party, ownerWord(slot), slotNumber(slot), hashWord(value));
}

/** Returns a word of a hash; 0 without one. */
function hashWord(hash: Hash | undefined): number {
  return hash === undefined ? 0 : hexWord(hash, 2);
}
