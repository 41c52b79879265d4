/** Texts of what events refer to: operations, slots, values, messages, timers and actions. */
import { unreachable } from "../../core/base/assert.ts";
import { countText } from "../../invariants/text.ts";
import type { DiskSettings, LinkSettings, Range, Ratio } from "../../simulator/settings.ts";
import type {
  ActionRef,
  MessageRef,
  MessagesRef,
  OperationRef,
  RunEvent,
  SlotPattern,
  SlotRef,
  TimerRef,
  ValueRef,
} from "./run-event.ts";

/** Texts of operations by reference, for those that have no name in the scenario; `members`: where it is submitted. */
export type OperationLabels = ReadonlyMap<OperationRef, { readonly text: string; readonly members: string }>;

/** `alice's payment 0 (0x12345678…)`, with its memo if it has one, for each operation without a name that the events define. */
export function operationLabels(events: Iterable<RunEvent>): OperationLabels {
  const labels = new Map<OperationRef, { readonly text: string; readonly members: string }>();
  for (const event of events) {
    if (event.kind !== "operation" || event.operation !== event.id || event.type === "recovery") continue;
    const memo = event.memo === undefined ? "" : ` with memo ${JSON.stringify(event.memo)}`;
    const text = `${event.account}'s ${event.type} ${event.nonce}${memo} (${event.id.slice(0, 10)}…)`;
    labels.set(event.id, { text, members: membersText(event.members ?? {}) });
  }
  return labels;
}

/** `a`, `a and b`, `a, b and c`; `nobody` for an empty list. */
export function joinNames(names: readonly string[]): string {
  const last = names[names.length - 1] ?? "nobody";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export function operationText(operation: OperationRef, labels: OperationLabels): string {
  return labels.get(operation)?.text ?? (isId(operation) ? `operation ${operation.slice(0, 10)}…` : operation);
}

/** The operation with all that its signer says: `bob's payment 1 (0x12345678…: token USD, to alice, value 1.5)`. */
export function wholeOperationText(operation: OperationRef, labels: OperationLabels): string {
  const text = operationText(operation, labels);
  const members = labels.get(operation)?.members ?? "";
  return members === "" ? text : `${text.slice(0, -1)}: ${members})`;
}

/** `to bob, token USD, value 10`; long texts are cut. */
export function membersText(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).map(([name, value]) => {
    const text = typeof value === "object" || value === "" ? JSON.stringify(value) : String(value);
    return `${name} ${text.length > MEMBER_MAX ? `${text.slice(0, MEMBER_MAX)}…` : text}`;
  });
  return parts.join(", ");
}

const MEMBER_MAX = 60;

function isId(operation: OperationRef): boolean {
  return /^0x[0-9a-f]{64}$/.test(operation);
}

export function slotText(slot: SlotRef): string {
  switch (slot.kind) {
    case "account":
      return `slot ${slot.number} of ${slot.owner}`;
    case "token":
      return `version ${slot.number} of ${slot.owner}`;
    case "checkpoint":
      return `checkpoint ${slot.number}`;
    case "epoch":
      return `the closing of epoch ${slot.number}`;
    default:
      return unreachable(slot);
  }
}

export function valueText(value: ValueRef, labels: OperationLabels): string {
  switch (value.type) {
    case "operation":
      return operationText(value.operation, labels);
    case "burn":
      return `${operationText(value.operation, labels)} (${value.outcome})`;
    case "skip": {
      // Validators build a recovery from two operations of one nonce, so it may have no submission.
      const isUnnamed = value.by === "recovery" && isId(value.operation);
      return isUnnamed ? "the skip by recovery" : `the skip by ${operationText(value.operation, labels)}`;
    }
    case "list":
      return `the list of ${value.operations.map((operation) => operationText(operation, labels)).join(", ")}`;
    case "checkpoint":
    case "closing":
      return `a ${value.type} of ${countText(value.slots, "slot")} (${value.hash.slice(0, 10)}…)`;
    case "unknown":
      return `value ${value.hash.slice(0, 10)}…`;
    default:
      return unreachable(value);
  }
}

/** `x in slot 0 of alice, round 1`. */
export function decisionText(
  { value, slot, round }: { readonly value: ValueRef; readonly slot: SlotRef; readonly round: number },
  labels: OperationLabels,
): string {
  return `${valueText(value, labels)} in ${slotText(slot)}${roundText(round)}`;
}

function roundText(round: number): string {
  return round === 0 ? "" : `, round ${round}`;
}

/** Part that a text of a message omits, since the sentence around it has it: the slot, or all but the type. */
export type OmittedPart = "nothing" | "slot" | "content";

/** Nouns of consensus messages, and the words between them and their values. */
const NOUNS: Readonly<Partial<Record<MessageRef["type"], readonly [noun: string, preposition: string]>>> = {
  vote: ["vote", "for"],
  commit: ["commit", "to"],
  proposal: ["proposal", "of"],
  lock: ["lock certificate", "for"],
  finality: ["finality certificate", "for"],
};

/** `v2's commit to x in slot 0 of alice`. */
export function messageText(
  from: string,
  message: MessageRef,
  labels: OperationLabels,
  omitted: OmittedPart = "nothing",
): string {
  const { type, slot, round = 0, value, operation } = message;
  const place = (preposition: string): string =>
    slot === undefined || omitted === "slot" ? "" : ` ${preposition} ${slotText(slot)}`;
  const [noun, preposition] = NOUNS[type] ?? [];
  if (value !== undefined && noun !== undefined) {
    const content = ` ${preposition} ${valueText(value, labels)}${place("in")}${roundText(round)}`;
    return `${from}'s ${noun}${omitted === "content" ? "" : content}`;
  }
  switch (type) {
    case "offer":
      return `${from}'s offer${omitted === "content" ? "" : place("for")}`;
    case "roundChange":
      return `${from}'s change${omitted === "content" ? "" : ` to round ${round}${place("of")}`}`;
    case "close":
      return `${from}'s close${omitted === "content" ? "" : ` of epoch ${message.epoch ?? 0}`}`;
    case "submit":
      return `${from}'s submission of ${operationText(operation ?? "", labels)}`;
    case "reply":
      return `${from}'s response: ${operationText(operation ?? "", labels)} ${message.status ?? ""}`;
    case "opaque":
      return `${from}'s message "${message.tag ?? ""}"`;
    default:
      return `${from}'s ${type} message`;
  }
}

/** `round slot 0 of alice 1`. */
export function timerText({ type, slot, account, operation, detail }: TimerRef, labels: OperationLabels): string {
  const words = [
    type,
    slot === undefined ? undefined : slotText(slot),
    account,
    operation === undefined ? undefined : operationText(operation, labels),
    detail,
  ];
  return words.filter((word) => word !== undefined).join(" ");
}

/** The clause of an action: `rule late holds commit messages from v1`. */
export function actionText(action: ActionRef, labels: OperationLabels): string {
  return (ACTION_TEXTS[action.do] as (action: ActionRef, labels: OperationLabels) => string)(action, labels);
}

type ActionTexts = {
  readonly [Name in ActionRef["do"]]: (action: ActionRef & { readonly do: Name }, labels: OperationLabels) => string;
};

const ACTION_TEXTS: ActionTexts = {
  crash: ({ node, outputs, output }) =>
    outputs === undefined && output === undefined
      ? `the scenario stops ${node}`
      : `${node} will crash between two outputs`,
  restart: ({ node }) => `the scenario starts ${node}`,
  suspend: ({ node }) => `the scenario suspends ${node}`,
  resume: ({ node }) => `${node} goes on where it was suspended`,
  wipe: ({ node }) => `${node} loses its disk`,
  backup: ({ node }) => `the disk of ${node} is backed up`,
  restore: ({ node }) => `the disk of ${node} is restored from its backup`,
  clock: ({ node, aheadMs }) =>
    aheadMs === 0
      ? `the clock of ${node} is set to virtual time`
      : `the clock of ${node} is set ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? "ahead" : "behind"}`,
  disk: ({ node, settings }) => `the disk of ${node} changes: ${diskText(settings)}`,
  partition: ({ groups }) => `partition: ${groups.map((group) => group.join(" ")).join(" | ")}`,
  cut: ({ from, to }) => `all messages from ${joinNames(from)} to ${joinNames(to)} are dropped`,
  heal: ({ parties }) =>
    parties === undefined ? "all links are restored" : `links between ${joinNames(parties)} are restored`,
  link: (action) => `links${betweenText(action)} change: ${linkText(action.settings)}`,
  hold: ({ rule, messages }, labels) => `rule ${rule} holds ${messagesText(messages, labels)}`,
  release: releaseText,
  drop: ({ rule, messages, count }, labels) =>
    `rule ${rule} drops ${messagesText(messages, labels)}${count === undefined ? "" : `, at most ${count} of them`}`,
  undrop: ({ rule }) => (rule === undefined ? "every drop rule ends" : `rule ${rule} ends`),
  byzantine: ({ node, strategy }) => `${node} becomes Byzantine: ${strategy.name}`,
  behave: ({ node, strategy }) => `${node} stops ${strategy ?? "all strategies"}`,
  twins: ({ routes }) => `twins: ${routes.map(({ from, to }) => `${joinNames(from)} reach ${to}`).join("; ")}`,
  submit: ({ client, operation }, labels) => `the scenario makes ${client} submit ${operationText(operation, labels)}`,
  workload: ({ workload, count }) => `workload ${workload} begins: ${countText(count, "order")}`,
  govern: ({ to, epoch, next }) =>
    `the operator's proposal is submitted to ${joinNames(to)}: close epoch ${epoch}: next ${joinNames(next.committee)}`,
  endFaults: () => "faults end",
};

function releaseText({ rule, count }: Extract<ActionRef, { do: "release" }>): string {
  if (count === 0)
    return rule === undefined ? "no rule holds a message to deliver" : `rule ${rule} holds no message to deliver`;
  const held = `held by ${rule === undefined ? "every rule" : `rule ${rule}`}`;
  return `${countText(count, "message")} ${held} ${count === 1 ? "is" : "are"} delivered`;
}

/** `commit and vote messages from v1 to v2 about x in slots of alice`. */
function messagesText(messages: MessagesRef, labels: OperationLabels): string {
  const { kinds, slots, round, operation } = messages;
  const parts = [
    kinds === undefined ? "all messages" : `${joinNames(kinds)} messages`,
    betweenText(messages),
    operation === undefined ? "" : ` about ${operationText(operation, labels)}`,
    slots === undefined ? "" : ` in ${slotsText(slots)}`,
    round === undefined ? "" : `, round ${round}`,
  ];
  return parts.join("");
}

function betweenText({ from, to }: Pick<MessagesRef, "from" | "to">): string {
  return `${from === undefined ? "" : ` from ${joinNames(from)}`}${to === undefined ? "" : ` to ${joinNames(to)}`}`;
}

function slotsText({ kind, owner, number }: SlotPattern): string {
  const isOwned = kind === "account" || kind === "token";
  if (!isOwned) return number === undefined ? `${kind} slots` : `${kind} ${number}`;
  if (owner === undefined) return `${kind} slots`;
  if (number === undefined) return `slots of ${owner}`;
  return `${kind === "token" ? "version" : "slot"} ${number} of ${owner}`;
}

function linkText({ delayMs, loss, duplicate, reorder }: Partial<LinkSettings>): string {
  const parts = [
    delayMs === undefined ? [] : [`delay ${rangeText(delayMs)} ms`],
    chanceText("loss", loss),
    chanceText("duplicates", duplicate),
    chanceText("reordering", reorder),
  ];
  return parts.flat().join(", ");
}

function chanceText(name: string, chance: Ratio | undefined): readonly string[] {
  return chance === undefined ? [] : [`${name} ${chance.of}/${chance.in}`];
}

function diskText({ writeMs, losesLast }: Partial<DiskSettings>): string {
  const parts = [
    writeMs === undefined ? [] : [`a write takes ${rangeText(writeMs)} ms`],
    losesLast === undefined ? [] : [`a crash loses its last ${countText(losesLast, "write")}`],
  ];
  return parts.flat().join(", ");
}

function rangeText({ from, to }: Range): string {
  return from === to ? `${from}` : `${from}..${to}`;
}
