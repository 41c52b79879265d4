/** Listener for the coverage points of links, disks and clients. */
import { entryOf } from "../core/base/entry.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { WorldCoveragePoint } from "../scenario/coverage-points.ts";
import type { LossCause, Parcel, WorldListener } from "../simulator/listener.ts";
import type { NodeName, Party } from "../simulator/settings.ts";

const COVERAGE_POINT_OF: Readonly<Record<LossCause, WorldCoveragePoint>> = {
  loss: "message lost",
  partition: "message partitioned",
  rule: "message dropped",
  "receiver down": "message to a stopped node",
};

/** Numbers of outputs and writes of a validator's steps that are not carried out yet. */
interface PendingCounts {
  outputs: number;
  writes: number;
}

/** A listener that calls `reached` at every occurrence of a coverage point. */
export function worldCoverage(reached: (point: WorldCoveragePoint) => void): WorldListener {
  const due = new Map<NodeName, PendingCounts>();
  const askedAt = new Map<OperationId, NodeName>();
  /** Number of the latest parcel of each link, by sender and receiver. */
  const latest = new Map<Party, Map<Party, number>>();
  let sent: { readonly parcel: Parcel; readonly to: string; readonly number: number } | undefined;
  const countsOf = (name: NodeName): PendingCounts => entryOf(due, name, () => ({ outputs: 0, writes: 0 }));
  return {
    eventBegins: (_step, _at, event) => {
      if (event.type !== "arrival" || event.from === event.to) return;
      const numbers = entryOf(latest, event.from, () => new Map<Party, number>());
      const before = numbers.get(event.to) ?? 0;
      if (event.number < before) reached("message reordered");
      else numbers.set(event.to, event.number);
    },
    stepped: ({ name }, _input, outputs) => {
      const todo = countsOf(name);
      todo.outputs += outputs.length;
      for (const { type } of outputs) if (type === "persist") todo.writes += 1;
    },
    carriedOut: ({ name }, { type }) => {
      const todo = countsOf(name);
      todo.outputs -= 1;
      if (type === "persist") todo.writes -= 1;
    },
    crashed: ({ name }) => {
      const { outputs, writes } = countsOf(name);
      if (writes > 0) reached("crash lost a write");
      if (outputs > 0) reached("crash dropped outputs");
      due.delete(name);
    },
    restarted: (_node, _records, wiped) => {
      if (wiped) reached("restarted without a disk");
    },
    sent: (_from, to, parcel, number) => {
      if (sent?.parcel === parcel && sent.to === to && sent.number === number) reached("message duplicated");
      sent = { parcel, to, number };
    },
    lost: (_from, _to, parcel, _number, cause) => {
      reached(COVERAGE_POINT_OF[cause]);
      if (parcel.type === "peer" && parcel.message.type === "consensus" && parcel.message.body.type === "finality")
        reached("finality certificate lost");
    },
    held: () => reached("message held"),
    submitted: (_client, id, _submission, to) => {
      const first = askedAt.get(id);
      if (first === undefined) askedAt.set(id, to);
      else if (first !== to) reached("client tried another validator");
    },
    replyReceived: (_client, _id, _from, reply, quorum) => {
      if (reply.status === "final") reached(quorum > 0 ? "client verified finality" : "client rejected finality");
    },
  };
}
