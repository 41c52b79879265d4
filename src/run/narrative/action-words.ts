/** Texts of the actions on a network, as clauses of the narrative. */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import { counted } from "../../invariants/words.ts";
import type { Action, DiskSettings, LinkSettings, MessagePattern, Range, Ratio } from "../../simulator/plan.ts";
import { proposalWords } from "../epoch-words.ts";
import { listed } from "../listed.ts";
import type { Names } from "./names.ts";

/** The clause of an action; `undefined` for one that the narrative reports elsewhere, such as a crash. */
export function actionWords(action: Action, names: Names): string | undefined {
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
      return clockWords(action);
    case "disk":
      return `the disk of ${action.node} changes: ${diskWords(action.settings)}`;
    case "partition":
      return `partition: ${action.groups.map((group) => group.join(" ")).join(" | ")}`;
    case "cut":
      return `all messages from ${listed(action.from)} to ${listed(action.to)} are dropped`;
    case "heal":
      return action.parties === undefined
        ? "all links are restored"
        : `links between ${listed(action.parties)} are restored`;
    case "link":
      return `links${betweenWords(action)} change: ${linkWords(action.settings)}`;
    case "hold":
      return `rule ${action.rule} holds ${patternWords(action.messages, names)}`;
    case "release":
      return `messages held by ${ruleWords(action.rule)} are delivered`;
    case "drop": {
      const most = action.count === undefined ? "" : `, at most ${action.count} of them`;
      return `rule ${action.rule} drops ${patternWords(action.messages, names)}${most}`;
    }
    case "undrop":
      return action.rule === undefined ? "every drop rule ends" : `rule ${action.rule} ends`;
    case "byzantine":
      return `${action.node} becomes Byzantine: ${action.strategy.name}`;
    case "behave":
      return `${action.node} stops ${action.strategy ?? "all strategies"}`;
    case "twins":
      return `twins: ${action.routes.map(({ from, to }) => `${listed(from)} reach ${to}`).join("; ")}`;
    case "workload":
      return `workload ${action.workload.name} begins: ${counted(action.workload.count, "order")}`;
    case "govern":
      return `the operator's proposal is submitted to ${listed(action.to)}: ${proposalWords(action.signed, names.directory)}`;
    default:
      return unreachable(action);
  }
}

function clockWords({ node, aheadMs }: Extract<Action, { do: "clock" }>): string {
  if (aheadMs === 0) return `the clock of ${node} is set to virtual time`;
  return `the clock of ${node} is set ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? "ahead" : "behind"}`;
}

function ruleWords(rule: string | undefined): string {
  return rule === undefined ? "every rule" : `rule ${rule}`;
}

/** `commit and vote messages from v1 to v2 about x in slots of alice`. */
function patternWords(pattern: MessagePattern, names: Names): string {
  const { kinds, slot, round, value, operation } = pattern;
  const parts = [
    kinds === undefined ? "all messages" : `${listed(kinds)} messages`,
    betweenWords(pattern),
    operation === undefined ? "" : ` about ${names.operation(operation)}`,
    value === undefined ? "" : ` about ${names.value(value)}`,
    slot === undefined ? "" : ` in ${slotsWords(slot, names)}`,
    round === undefined ? "" : `, round ${round}`,
  ];
  return parts.join("");
}

function betweenWords({ from, to }: Pick<MessagePattern, "from" | "to">): string {
  return `${from === undefined ? "" : ` from ${listed(from)}`}${to === undefined ? "" : ` to ${listed(to)}`}`;
}

/** A slot key, or a prefix of one, with the names of the scenario. */
function slotsWords(key: string, { directory }: Names): string {
  const [kind = "", owner, number] = key.split("/");
  if (owner === undefined || owner === "") return `${kind} slots`;
  if (number === undefined) return `${kind} ${Number(owner)}`;
  const name = directory.nameOf(owner as Address);
  if (number === "") return `slots of ${name}`;
  return `${kind === "token" ? "version" : "slot"} ${Number(number)} of ${name}`;
}

function linkWords({ delayMs, loss, duplicate, reorder }: Partial<LinkSettings>): string {
  const parts = [
    delayMs === undefined ? [] : [`delay ${rangeWords(delayMs)} ms`],
    chanceWords("loss", loss),
    chanceWords("duplicates", duplicate),
    chanceWords("reordering", reorder),
  ];
  return parts.flat().join(", ");
}

function chanceWords(name: string, chance: Ratio | undefined): readonly string[] {
  return chance === undefined ? [] : [`${name} ${chance.of}/${chance.in}`];
}

function diskWords({ writeMs, losesLast }: Partial<DiskSettings>): string {
  const parts = [
    writeMs === undefined ? [] : [`a write takes ${rangeWords(writeMs)} ms`],
    losesLast === undefined ? [] : [`a crash loses its last ${counted(losesLast, "write")}`],
  ];
  return parts.flat().join(", ");
}

function rangeWords({ from, to }: Range): string {
  return from === to ? `${from}` : `${from}..${to}`;
}
