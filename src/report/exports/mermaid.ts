/** Sequence diagram for Mermaid, to paste into an issue: messages with their fate, decisions, crashes, violations. */

import { messageText } from "../../run/events/reference-text.ts";
import { isRelevant } from "../../run/events/run-event.ts";
import type { TimelineModel } from "../timeline/model.ts";

/** Lines of a diagram that is still readable. */
const LINES = 400;

/** Returns the diagram up to the first violation, without repetitions and messages of synchronization. */
export function mermaidText(model: TimelineModel): string {
  const { events, lanes, laneOf, messages, messageOf, data, labels } = model;
  const id = (lane: number): string => `p${lane}`;
  const [breach] = data.violations;
  const lines: string[] = [];
  for (const [at, event] of events.entries()) {
    if (breach !== undefined && event.step > breach.step) break;
    const message = messages[messageOf[at] ?? -1];
    const [text, lane] = [escapeText(model.text(at)), laneOf[at] ?? -1];
    if (event.kind === "delivered" || (event.kind === "lost" && message !== undefined)) {
      const isShown =
        event.kind === "lost" ? message?.message.type !== "status" : isRelevant(event) || isClients(event);
      if (message === undefined || !isShown || message.isDuplicate || message.from === message.to) continue;
      const arrow = event.kind === "lost" ? "--x" : "->>";
      lines.push(
        `${id(message.from)}${arrow}${id(message.to)}: ${escapeText(messageText(lanes[message.from] ?? "", message.message, labels))}`,
      );
    } else if (NOTED.has(event.kind) && lane >= 0) lines.push(`Note over ${id(lane)}: ${text}`);
    else if (event.kind === "action" && FAULTS.has(event.action.do))
      lines.push(`Note over ${id(0)},${id(lanes.length - 1)}: ${text}`);
  }
  const end =
    breach === undefined
      ? []
      : [`Note over ${id(0)},${id(lanes.length - 1)}: ${escapeText(`${breach.invariant}: ${breach.detail}`)}`];
  const left = Math.max(0, lines.length - LINES);
  const cut = left === 0 ? [] : [`%% ${left} earlier lines are left out`];
  const participants = lanes.map((name, lane) => `participant ${id(lane)} as ${escapeText(name)}`);
  const body = ["sequenceDiagram", ...participants, ...cut, ...lines.slice(left), ...end];
  return body.map((line, at) => (at === 0 ? `${line}\n` : `  ${line}\n`)).join("");
}

const NOTED: ReadonlySet<string> = new Set([
  "decided",
  "applied",
  "crashed",
  "restarted",
  "halted",
  "reported",
  "epochClosed",
]);
const FAULTS: ReadonlySet<string> = new Set(["partition", "cut", "heal", "byzantine", "hold", "drop", "release"]);

function isClients({ message: { type } }: { readonly message: { readonly type: string } }): boolean {
  return type === "submit" || type === "reply";
}

/** Semicolons end a statement, and `#` begins an entity. */
function escapeText(text: string): string {
  return text.replaceAll("#", "#35;").replaceAll(/[;\n]/g, ",").replaceAll(":", "#58;");
}
