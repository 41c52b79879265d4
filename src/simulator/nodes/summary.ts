/** Outputs as short texts, for the rolling hash. Omitted members follow from the inputs. */
import { unreachable } from "../../core/base/assert.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { DurableRecord, Output } from "../../core/validator/output.ts";
import { messageKind } from "../network/message-content.ts";

/** Returns kind, slot and new data: a few dozen characters. */
export function summaryOf(output: Output): string {
  switch (output.type) {
    case "persist":
      return `persist ${output.key} ${recordText(output.record)}`;
    case "erase":
      return `erase ${output.key}`;
    case "sign":
      return `sign ${output.message.body.type} ${slotKey(output.message.body.slot)} ${output.message.body.round}`;
    case "send":
      return `send ${messageKind(output.message)}`;
    case "setTimer":
      return `setTimer ${output.name} ${output.at}`;
    case "cancelTimer":
      return `cancelTimer ${output.name}`;
    case "reply":
      return `reply ${output.client} ${output.id} ${output.reply.status}`;
    case "event": {
      const { event } = output;
      if (event.type === "decided") return `decided ${slotKey(event.certificate.slot)} ${event.certificate.value}`;
      if (event.type === "halted") return `halted ${slotKey(event.slot)} ${event.reason}`;
      if (event.type !== "applied") return `${event.type} ${slotKey(event.certificate.slot)}`;
      return `applied ${slotKey(event.slot)} ${event.receipts.map(({ id, success, fee }) => `${id} ${success} ${fee}`)}`;
    }
    case "report":
      return `report ${output.peer} ${output.misbehaviour} ${output.slot} ${output.detail ?? ""}`.trimEnd();
    case "coverage":
      return `coverage ${output.point}`;
    default:
      return unreachable(output);
  }
}

function recordText(record: DurableRecord): string {
  switch (record.of) {
    case "snapshot":
      return record.certificate.value;
    case "birth":
      return `${record.signsFrom}`;
    case "closed":
      return `${record.close.epoch} ${record.close.claims.length} ${record.cause.kind}`;
    case "link":
      return record.link.certificate.value;
    case "slot": {
      const { round, votes, commits, proposed, lock, decided } = record;
      const counts = `${votes.length} ${commits.length} ${proposed === undefined ? 0 : 1}`;
      return `${round} ${counts} ${votes.at(-1)?.value} ${lock?.round} ${decided?.value}`;
    }
    default:
      return unreachable(record);
  }
}
