/** Texts of the actions on a network, as clauses of the narrative. */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import { countText } from "../../invariants/text.ts";
import type { Action, MessagePattern } from "../../simulator/plan.ts";
import type { DiskSettings, LinkSettings, Range, Ratio } from "../../simulator/settings.ts";
import { proposalText } from "../epoch-text.ts";
import { joinNames } from "../join-names.ts";
import type { Labels } from "./labels.ts";

/** The clause of an action; `undefined` for one that the narrative reports elsewhere, such as a crash. */
export function actionText(action: Action, labels: Labels): string | undefined {
  switch (action.do) {
    case "crash":
      return action.outputs === undefined && action.output === undefined
        ? undefined
        : `${action.node} will crash between two outputs`;
    case "restart":
    case "submit":
    case "order":
    case "cancel":
    case "endFaults":
      return undefined;
    case "wipe":
      return `${action.node} loses its disk`;
    case "clock":
      return clockText(action);
    case "disk":
      return `the disk of ${action.node} changes: ${diskText(action.settings)}`;
    case "partition":
      return `partition: ${action.groups.map((group) => group.join(" ")).join(" | ")}`;
    case "cut":
      return `all messages from ${joinNames(action.from)} to ${joinNames(action.to)} are dropped`;
    case "heal":
      return action.parties === undefined
        ? "all links are restored"
        : `links between ${joinNames(action.parties)} are restored`;
    case "link":
      return `links${betweenText(action)} change: ${linkText(action.settings)}`;
    case "hold":
      return `rule ${action.rule} holds ${patternText(action.messages, labels)}`;
    case "release":
      return `messages held by ${ruleText(action.rule)} are delivered`;
    case "drop": {
      const most = action.count === undefined ? "" : `, at most ${action.count} of them`;
      return `rule ${action.rule} drops ${patternText(action.messages, labels)}${most}`;
    }
    case "undrop":
      return action.rule === undefined ? "every drop rule ends" : `rule ${action.rule} ends`;
    case "byzantine":
      return `${action.node} becomes Byzantine: ${action.strategy.name}`;
    case "behave":
      return `${action.node} stops ${action.strategy ?? "all strategies"}`;
    case "twins":
      return `twins: ${action.routes.map(({ from, to }) => `${joinNames(from)} reach ${to}`).join("; ")}`;
    case "workload":
      return `workload ${action.workload.name} begins: ${countText(action.workload.count, "order")}`;
    case "govern":
      return `the operator's proposal is submitted to ${joinNames(action.to)}: ${proposalText(action.signed, labels.directory)}`;
    default:
      return unreachable(action);
  }
}

function clockText({ node, aheadMs }: Extract<Action, { do: "clock" }>): string {
  if (aheadMs === 0) return `the clock of ${node} is set to virtual time`;
  return `the clock of ${node} is set ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? "ahead" : "behind"}`;
}

function ruleText(rule: string | undefined): string {
  return rule === undefined ? "every rule" : `rule ${rule}`;
}

/** `commit and vote messages from v1 to v2 about x in slots of alice`. */
function patternText(pattern: MessagePattern, labels: Labels): string {
  const { kinds, slot, round, value, operation } = pattern;
  const parts = [
    kinds === undefined ? "all messages" : `${joinNames(kinds)} messages`,
    betweenText(pattern),
    operation === undefined ? "" : ` about ${labels.operation(operation)}`,
    value === undefined ? "" : ` about ${labels.value(value)}`,
    slot === undefined ? "" : ` in ${slotsText(slot, labels)}`,
    round === undefined ? "" : `, round ${round}`,
  ];
  return parts.join("");
}

function betweenText({ from, to }: Pick<MessagePattern, "from" | "to">): string {
  return `${from === undefined ? "" : ` from ${joinNames(from)}`}${to === undefined ? "" : ` to ${joinNames(to)}`}`;
}

/** A slot key, or a prefix of one, with the names of the scenario. */
function slotsText(key: string, { directory }: Labels): string {
  const [kind = "", owner, number] = key.split("/");
  if (owner === undefined || owner === "") return `${kind} slots`;
  if (number === undefined) return `${kind} ${Number(owner)}`;
  const name = directory.nameOf(owner as Address);
  if (number === "") return `slots of ${name}`;
  return `${kind === "token" ? "version" : "slot"} ${Number(number)} of ${name}`;
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
