/** Outputs in the rolling hash: kind, place and new data. Omitted members follow from the inputs. */
import { unreachable } from "../../core/base/assert.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { OutputOf } from "../../core/validator/carry-out.ts";
import type { DurableRecord } from "../../core/validator/output.ts";
import { EVENT_KIND } from "../digest.ts";
import type { Trace } from "../trace.ts";

export function notePersist(trace: Trace, party: number, { key, record }: OutputOf<"persist">): void {
  trace.note(EVENT_KIND.persist, party, key);
  noteRecord(trace, record);
}

function noteRecord(trace: Trace, record: DurableRecord): void {
  switch (record.of) {
    case "snapshot":
      trace.text(record.certificate.value);
      return;
    case "birth":
      trace.text(`${record.signsFrom}`);
      return;
    case "closed":
      trace.numbers(record.close.epoch, record.close.claims.length, 0, 0);
      trace.text(record.cause.kind);
      return;
    case "link":
      trace.text(record.link.certificate.value);
      return;
    case "slot": {
      const { round, votes, commits, proposed, lock, decided } = record;
      const isProposed = proposed === undefined ? 0 : 1;
      trace.numbers(round, votes.length | (commits.length << 16), lock?.round ?? -1, isProposed);
      trace.text(votes.at(-1)?.value ?? "");
      trace.text(decided?.value ?? "");
      return;
    }
    default:
      unreachable(record);
  }
}

export function noteReply(trace: Trace, party: number, { client, id, reply }: OutputOf<"reply">): void {
  trace.note(EVENT_KIND.reply, party, client);
  trace.text(id);
  trace.text(reply.status);
}

export function noteEvent(trace: Trace, party: number, { event }: OutputOf<"event">): void {
  trace.note(EVENT_KIND.event, party, event.type);
  switch (event.type) {
    case "decided":
      trace.text(slotKey(event.certificate.slot));
      trace.text(event.certificate.value);
      return;
    case "halted":
      trace.text(slotKey(event.slot));
      trace.text(event.reason);
      return;
    case "applied":
      trace.text(slotKey(event.slot));
      for (const { id, success, fee } of event.receipts) {
        trace.text(id);
        trace.text(`${success} ${fee}`);
      }
      return;
    default:
      trace.text(slotKey(event.certificate.slot));
  }
}

export function noteReport(trace: Trace, party: number, output: OutputOf<"report">): void {
  trace.note(EVENT_KIND.report, party, output.peer);
  trace.text(output.misbehaviour);
  trace.text(output.slot);
  trace.text(output.detail ?? "");
}
