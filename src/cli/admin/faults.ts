/** Actions on single validators, on links between parties and on single messages. */

import { type Args, type Positionals, texts } from "../command.ts";
import { textOption } from "../options.ts";
import {
  type AdminAction,
  argument,
  groupsIn,
  integerIn,
  integerOrNone,
  membersOf,
  nameList,
  pairOf,
  requiredText,
} from "./action.ts";
import { stepCall } from "./api.ts";

const NODE: Positionals = { node: argument("the validator") };

export const NODE_ACTIONS: readonly AdminAction[] = [
  {
    usage: "crash <node>",
    description: "crashes a validator, which loses its volatile state",
    example: "v2 --restart-after-ms 500",
    positionals: NODE,
    options: { "restart-after-ms": textOption("virtual milliseconds until it restarts") },
    request: (args) => {
      const restart_after_ms = integerOrNone(args, "restart-after-ms");
      return stepCall({ crash: membersOf({ node: requiredText(args, "node"), restart_after_ms }) });
    },
  },
  {
    usage: "restart <node>",
    description: "restarts a crashed validator from its disk",
    example: "v2",
    positionals: NODE,
    request: (args) => stepCall({ restart: requiredText(args, "node") }),
  },
  {
    usage: "wipe <node>",
    description: "crashes a validator, which loses its state and the keys with which it has signed",
    example: "v2",
    positionals: NODE,
    request: (args) => stepCall({ wipe: requiredText(args, "node") }),
  },
  {
    usage: "clock <node> <ms>",
    description: "sets how far a clock is ahead of virtual time; negative: behind",
    example: "v3 40000",
    positionals: { ...NODE, ms: argument("milliseconds") },
    request: (args) => stepCall({ clock: { node: requiredText(args, "node"), ahead_ms: integerIn(args, "ms") } }),
  },
  {
    usage: "byzantine <node> <strategy>",
    description: "makes a validator Byzantine",
    example: "v4 double-vote",
    positionals: { ...NODE, strategy: argument("its strategy: quorumlab schema lists them") },
    options: {
      towards: textOption("only towards these parties: v1,v2"),
      chance: textOption("chance of each deviation: 1/5"),
      mode: textOption("kind of false statement, for strategies that have several"),
    },
    request: (args) => {
      const [towards, chance, mode] = [nameList(args, "towards"), args["chance"], args["mode"]];
      const members = {
        node: requiredText(args, "node"),
        strategy: requiredText(args, "strategy"),
        towards,
        chance,
        mode,
      };
      return stepCall({ byzantine: membersOf(members) });
    },
  },
  {
    usage: "behave <node> [strategy]",
    description: "ends one strategy of a validator, or all",
    example: "v4",
    positionals: { ...NODE, strategy: argument("strategy that ends; default: all") },
    request: (args) =>
      stepCall({ behave: membersOf({ node: requiredText(args, "node"), strategy: args["strategy"] }) }),
  },
  {
    usage: "twin <groups..>",
    description: "sets which of two nodes with one key receives the messages of each party",
    example: 'v4=v1,v2 "v4\'=v3"',
    positionals: { groups: { ...argument("node=party,party"), array: true } },
    request: (args) => {
      const groups = texts(args, "groups").map((text) => pairOf("groups", text));
      return stepCall({ twin: Object.fromEntries(groups.map(([name, parties]) => [name, parties.split(",")])) });
    },
  },
];

/** Verbs that change a setting of links: verb, member, description, example. */
const SETTINGS: readonly (readonly [verb: string, member: string, description: string, example: string])[] = [
  ["delay", "ms", "delay of messages in ms: 100, or 50..200", "100..300 --to v3"],
  ["loss", "chance", "chance that a message is lost: 1/5", "1/5 --from v1"],
  ["duplicate", "chance", "chance that a message is duplicated: 1/5", "1/5"],
  ["reorder", "chance", "chance that a message is reordered: 1/5", "1/5"],
];

/** Verbs that pick messages, and those that end them. */
const RULES: readonly (readonly [verb: string, ending: string, picks: string, ends: string])[] = [
  ["hold", "release", "holds messages until they are released", "delivers messages held by a rule, or all"],
  ["drop", "undrop", "drops matching messages", "ends a rule of drop, or all"],
];

/** Options with lists of names. */
const LISTS = ["from", "to", "kinds"] as const;
const NUMBERS = ["checkpoint", "epoch", "round", "count"] as const;
const PATTERN: readonly (readonly [name: string, description: string])[] = [
  ["rule", "name of the rule"],
  ["from", "senders: v1,v2"],
  ["to", "receivers: v3,v4"],
  ["kinds", "kinds of messages: vote,commit"],
  ["account", "account whose slots the messages concern"],
  ["token", "token whose slots the messages concern"],
  ["checkpoint", "number of the checkpoint that the messages concern"],
  ["epoch", "epoch whose closing the messages concern"],
  ["round", "a round"],
  ["count", "of drop: largest number of messages"],
];

export const LINK_ACTIONS: readonly AdminAction[] = [
  {
    usage: "partition <groups..>",
    description: "cuts the links between groups",
    example: "v1,v2 v3,v4",
    positionals: { groups: { ...argument("v1,v2 v3,v4"), array: true } },
    request: (args) => stepCall({ partition: groupsIn(args, "groups") }),
  },
  {
    usage: "heal [parties..]",
    description: "restores all links that were partitioned or cut, or those of some parties",
    example: "",
    positionals: { parties: { ...argument("v1,v2"), array: true } },
    request: (args) => {
      const parties = groupsIn(args, "parties").flat();
      return stepCall({ heal: parties.length === 0 ? true : parties });
    },
  },
  ...SETTINGS.map(([verb, member, description, example]) => linkSettingAction(verb, member, description, example)),
  ...RULES.flatMap(([verb, ending, picks, ends]) => [patternAction(verb, picks), endRuleAction(ending, ends)]),
];

function linkSettingAction(verb: string, member: string, description: string, example: string): AdminAction {
  return {
    usage: `${verb} <${member}>`,
    description,
    example,
    positionals: { [member]: argument(description) },
    options: { from: textOption("only of these senders: v1,v2"), to: textOption("only to these receivers: v3,v4") },
    request: (args) => {
      const text = requiredText(args, member);
      const value = member === "ms" && /^\d{1,15}$/.test(text) ? Number(text) : text;
      return stepCall({
        [verb]: membersOf({ from: nameList(args, "from"), to: nameList(args, "to"), [member]: value }),
      });
    },
  };
}

function patternAction(verb: string, description: string): AdminAction {
  return {
    usage: verb,
    description,
    example: "--rule late --kinds commit --to v3",
    options: Object.fromEntries(PATTERN.map(([name, says]) => [name, textOption(says)])),
    request: (args) => stepCall({ [verb]: patternOf(args) }),
  };
}

function patternOf(args: Args): Readonly<Record<string, unknown>> {
  const all = PATTERN.map(([name]) => [name, args[name]] as const);
  const lists = LISTS.map((name) => [name, nameList(args, name)] as const);
  const numbers = NUMBERS.map((name) => [name, integerOrNone(args, name)] as const);
  return membersOf(Object.fromEntries([...all, ...lists, ...numbers]));
}

function endRuleAction(verb: string, description: string): AdminAction {
  return {
    usage: `${verb} [rule]`,
    description,
    example: "late",
    positionals: { rule: argument("name of the rule; default: all") },
    request: (args) => stepCall({ [verb]: args["rule"] ?? true }),
  };
}
