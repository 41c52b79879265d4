/** What is done to a network from outside, in a sentence without its full stop. */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import { counted } from "../../invariants/words.ts";
import type { Action, DiskSettings, LinkSettings, MessagePattern, Range, Ratio } from "../../simulator/plan.ts";
import { proposalWords } from "../epoch-words.ts";
import { listed } from "../listed.ts";
import type { Names } from "./names.ts";

/** What an action is called in; `undefined` for one of which the story tells elsewhere, such as a crash or a submission. */
export function actionWords(action: Action, names: Names): string | undefined {
  switch (action.do) {
    case "crash":
      return action.outputs === undefined && action.output === undefined
        ? undefined
        : `${action.node} is to crash between two of its next outputs`;
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
      return `the network falls apart: ${action.groups.map((group) => group.join(" ")).join(" | ")}`;
    case "cut":
      return `nothing gets from ${listed(action.from)} to ${listed(action.to)} any more`;
    case "heal":
      return action.parties === undefined
        ? "all links that were cut are mended"
        : `the links between ${listed(action.parties)} are mended`;
    case "link":
      return `links${betweenWords(action)} change: ${linkWords(action.settings)}`;
    case "hold":
      return `rule ${action.rule} holds back ${patternWords(action.messages, names)}`;
    case "release":
      return `what ${ruleWords(action.rule)} held back is delivered`;
    case "drop": {
      const most = action.count === undefined ? "" : `, at most ${action.count} of them`;
      return `rule ${action.rule} loses ${patternWords(action.messages, names)}${most}`;
    }
    case "undrop":
      return `${ruleWords(action.rule)} loses nothing any more`;
    case "byzantine":
      return `${action.node} begins to lie: ${action.strategy.name}`;
    case "behave":
      return `${action.node} ends ${action.strategy ?? "all its lies"}`;
    case "twins":
      return `twins: ${action.routes.map(({ from, to }) => `${listed(from)} reach ${to}`).join("; ")}`;
    case "workload":
      return `workload ${action.workload.name} begins: ${counted(action.workload.count, "order")}`;
    case "govern":
      return `the operator's proposal goes to ${listed(action.to)}: ${proposalWords(action.signed, names.directory)}`;
    default:
      return unreachable(action);
  }
}

function clockWords({ node, aheadMs }: Extract<Action, { do: "clock" }>): string {
  if (aheadMs === 0) return `the clock of ${node} is set right`;
  return `the clock of ${node} is ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? "ahead" : "behind"} from here on`;
}

function ruleWords(rule: string | undefined): string {
  return rule === undefined ? "every rule" : `rule ${rule}`;
}

/** `commits and votes from v1 to v2 about x in slots of alice`. */
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

/** A slot key, or the start of one, under the names of the scenario. */
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
    losesLast === undefined ? [] : [`a crash takes its last ${losesLast} records away`],
  ];
  return parts.flat().join(", ");
}

function rangeWords({ from, to }: Range): string {
  return from === to ? `${from}` : `${from}..${to}`;
}
