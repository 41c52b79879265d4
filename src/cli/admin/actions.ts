/** Actions on validators, links, messages and time, and cheats for balances and roles. */

import { definedMembers } from "../../core/base/defined-members.ts";
import { ROLES } from "../../core/base/operation.ts";
import {
  type Args,
  type CommandOptions,
  type Positionals,
  type Subcommand,
  textOf,
  texts,
  UsageError,
} from "../command.ts";
import { type AdminRequest, stepCall } from "../http.ts";
import { textArgument, textOption } from "../options.ts";

/** Its options are not read from the environment, where names such as `from` belong to operations. */
export interface AdminAction extends Pick<Subcommand, "usage" | "description" | "positionals" | "options"> {
  /** Arguments of the example in the help text; default: none. */
  readonly example?: string;
  /** Returns the call for the arguments. @throws UsageError for invalid ones. */
  readonly request: (args: Args) => AdminRequest;
  /** True if the result is a whole number. */
  readonly isCounted?: boolean;
  /** Returns a line about the result, printed above the status. */
  readonly resultText?: (result: unknown) => string;
}

const NODE: Positionals = { node: textArgument("the validator") };

const ACCOUNT_AND_TOKEN: Positionals = {
  account: textArgument("its name or address"),
  token: textArgument("its symbol or address"),
};

const hashOf = (result: unknown): string => {
  const { hash } = (result ?? {}) as { readonly hash?: string };
  return hash === undefined ? "the balance was already this" : `hash ${hash}`;
};

/** In the order of the help text. */
export const ADMIN_ACTIONS: readonly AdminAction[] = [
  {
    usage: "status",
    description: "status of the network; exits with 1 after a violation",
    request: () => ({ path: "/admin/status" }),
  },
  {
    usage: "crash <node>",
    description: "crashes a validator, which loses its volatile state",
    example: "v2 --restart-after-ms 500",
    positionals: NODE,
    options: { "restart-after-ms": textOption("virtual milliseconds until it restarts") },
    request: (args) => {
      const restart_after_ms = integerOrNone(args, "restart-after-ms");
      return stepCall({ crash: definedMembers({ node: requiredText(args, "node"), restart_after_ms }) });
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
    usage: "byzantine <node> <strategy>",
    description: "makes a validator Byzantine",
    example: "v4 double-vote",
    positionals: { ...NODE, strategy: textArgument("its strategy: quorumlab schema lists them") },
    options: {
      towards: textOption("only towards these parties: v1,v2"),
      chance: textOption("chance of each deviation: 1/5"),
      mode: textOption("kind of false statement, for strategies that have several"),
    },
    request: (args) => {
      const [node, strategy] = [requiredText(args, "node"), requiredText(args, "strategy")];
      const [towards, chance, mode] = [nameList(args, "towards"), args["chance"], args["mode"]];
      return stepCall({ byzantine: definedMembers({ node, strategy, towards, chance, mode }) });
    },
  },
  {
    usage: "behave <node> [strategy]",
    description: "ends one strategy of a validator, or all",
    example: "v4",
    positionals: { ...NODE, strategy: textArgument("strategy that ends; default: all") },
    request: (args) =>
      stepCall({ behave: definedMembers({ node: requiredText(args, "node"), strategy: args["strategy"] }) }),
  },
  {
    usage: "partition <groups..>",
    description: "cuts the links between groups",
    example: "v1,v2 v3,v4",
    positionals: { groups: textArgument("v1,v2 v3,v4") },
    request: (args) => stepCall({ partition: groupsIn(args, "groups") }),
  },
  {
    usage: "heal [parties..]",
    description: "restores all links that were partitioned or cut, or those of some parties",
    positionals: { parties: textArgument("v1,v2") },
    request: (args) => {
      const parties = groupsIn(args, "parties").flat();
      return stepCall({ heal: parties.length === 0 ? true : parties });
    },
  },
  linkSettingAction("delay", "ms", "delay of messages in ms: 100, or 50..200", "100..300 --to v3"),
  linkSettingAction("loss", "chance", "chance that a message is lost: 1/5", "1/5 --from v1"),
  {
    usage: "hold [name]",
    description: "holds messages until they are released",
    example: "late --kinds commit --to v3",
    positionals: { name: textArgument("name of the rule") },
    options: {
      from: textOption("senders: v1,v2"),
      to: textOption("receivers: v3,v4"),
      kinds: textOption("kinds of messages: vote,commit"),
      account: textOption("account whose slots the messages concern"),
      round: textOption("a round"),
    },
    request: (args) => {
      const lists = Object.fromEntries(["from", "to", "kinds"].map((name) => [name, nameList(args, name)]));
      const round = integerOrNone(args, "round");
      return stepCall({ hold: definedMembers({ rule: args["name"], ...lists, account: args["account"], round }) });
    },
  },
  {
    usage: "release [name]",
    description: "delivers messages held by a rule, or all",
    example: "late",
    positionals: { name: textArgument("name of the rule; default: all") },
    request: (args) => stepCall({ release: args["name"] ?? true }),
  },
  {
    usage: "advance <ms>",
    description: "advances virtual time as fast as possible",
    example: "60000",
    positionals: { ms: textArgument("virtual milliseconds") },
    request: (args) => ({ path: "/admin/advance", body: { ms: integerIn(args, "ms") } }),
    isCounted: true,
    resultText: (result) => `${result} ms passed`,
  },
  {
    usage: "rate <rate>",
    description: "sets the virtual milliseconds for each real one; 0 stops virtual time",
    example: "0.1",
    positionals: { rate: textArgument("0 to 1000") },
    request: (args) => {
      const text = requiredText(args, "rate");
      if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new UsageError(`rate: expected 0 to 1000, got "${text}"`);
      return { path: "/admin/rate", body: { rate: Number(text) } };
    },
  },
  {
    usage: "snapshot",
    description: "takes a snapshot",
    request: () => ({ path: "/admin/snapshot", body: {} }),
    resultText: (result) => `snapshot ${result}: quorumlab admin revert ${result} undoes everything after it`,
  },
  {
    usage: "revert <snapshot>",
    description: "reverts to a snapshot",
    example: "1",
    positionals: { snapshot: textArgument("its name") },
    request: (args) => ({ path: "/admin/revert", body: { snapshot: requiredText(args, "snapshot") } }),
  },
  {
    usage: "reset",
    description: "undoes everything",
    request: () => ({ path: "/admin/reset", body: {} }),
  },
  {
    usage: "checkpoint",
    description: "advances to the next checkpoint",
    request: () => ({ path: "/admin/checkpoint", body: {} }),
    isCounted: true,
    resultText: (result) => `checkpoint ${result} is final`,
  },
  {
    usage: "epoch",
    description: "closes the epoch; parameters that are not given stay unchanged",
    example: "--validators v1,v2,v3,v5",
    options: {
      validators: textOption("the next committee: v1,v2,v3,v5; new members must be spares"),
      fees: textOption("payment=0.02,cancellation=0.04,recovery=0.04"),
      "checkpoint-interval": textOption("ms"),
    },
    request: (args) => {
      const interval_ms = integerOrNone(args, "checkpoint-interval");
      const checkpoints = interval_ms === undefined ? undefined : { interval_ms };
      const change = { validators: nameList(args, "validators"), fees: pairsIn(args, "fees"), checkpoints };
      return { path: "/admin/epoch", body: definedMembers(change) };
    },
    isCounted: true,
    resultText: (result) => `epoch ${result} has begun`,
  },
  {
    usage: "balance <account> <token> <value>",
    description: "sets a balance by minting or burning",
    example: "alice USDX 12.5",
    positionals: { ...ACCOUNT_AND_TOKEN, value: textArgument("in the token's units") },
    request: (args) => {
      const [account, token, value] = ["account", "token", "value"].map((name) => requiredText(args, name));
      return { path: "/admin/balance", body: { account, token, value } };
    },
    resultText: hashOf,
  },
  roleAction("grant", "grants a role of a token", "bob USDX MintBurnTokens --allowance 1000", {
    allowance: textOption("of MintBurnTokens, in the token's units"),
  }),
  roleAction("revoke", "revokes a role of a token", "bob USDX MintBurnTokens", {}),
  {
    usage: "step <step>",
    description:
      "any verb of the scenario language but submit and workload: clock, wipe, drop, …; quorumlab schema lists them",
    example: `'{"disk":{"node":"v1","write_ms":50}}'`,
    positionals: { step: textArgument("one step, as JSON") },
    request: (args) => stepCall(stepIn("step", requiredText(args, "step"))),
  },
];

/** Returns the action that changes a setting of links: the value of a member of a verb. */
function linkSettingAction(verb: string, member: string, description: string, example: string): AdminAction {
  return {
    usage: `${verb} <${member}>`,
    description,
    example,
    positionals: { [member]: textArgument(description) },
    options: { from: textOption("only of these senders: v1,v2"), to: textOption("only to these receivers: v3,v4") },
    request: (args) => {
      const text = requiredText(args, member);
      const value = member === "ms" && /^\d{1,15}$/.test(text) ? Number(text) : text;
      return stepCall({
        [verb]: definedMembers({ from: nameList(args, "from"), to: nameList(args, "to"), [member]: value }),
      });
    },
  };
}

function roleAction(
  verb: "grant" | "revoke",
  description: string,
  example: string,
  options: CommandOptions,
): AdminAction {
  return {
    usage: `${verb} <account> <token> <role>`,
    ...{ description, example, options },
    positionals: { ...ACCOUNT_AND_TOKEN, role: { ...textArgument("the role"), choices: ROLES } },
    request: (args) => {
      const action = verb === "grant" ? "Grant" : "Revoke";
      const [account, token, role] = ["account", "token", "role"].map((name) => requiredText(args, name));
      const change = { action, account, token, role, allowance: args["allowance"] };
      return { path: "/admin/role", body: definedMembers(change) };
    },
    resultText: hashOf,
  };
}

/** Returns a step of the scenario language from JSON. @throws UsageError that names `source` unless it is one object. */
export function stepIn(source: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source}: expected a step such as {"crash":{"node":"v2"}}: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(`${source}: expected a step such as {"crash":{"node":"v2"}}, got ${text}`);
}

/** Returns an argument that yargs requires. */
function requiredText(args: Args, name: string): string {
  return textOf(args, name) ?? "";
}

/** Returns `v1,v2` as names; `undefined` if absent. */
function nameList(args: Args, name: string): readonly string[] | undefined {
  return args[name] === undefined ? undefined : texts(args, name).flatMap(split);
}

/** Returns `v1,v2 v3,v4` as groups of names. */
function groupsIn(args: Args, name: string): readonly (readonly string[])[] {
  return texts(args, name).map(split);
}

/** @throws UsageError that names `shown`, unless the text is an integer. */
function integerIn(args: Args, name: string, shown: string = name): number {
  const text = requiredText(args, name);
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new UsageError(`${shown}: expected a whole number, got "${text}"`);
}

/** Returns the integer of an option; `undefined` if it is absent. @throws UsageError */
function integerOrNone(args: Args, name: string): number | undefined {
  return args[name] === undefined ? undefined : integerIn(args, name, `--${name}`);
}

/** Returns `payment=0.01,cancellation=0.02` as members. @throws UsageError for an item without a `=`. */
function pairsIn(args: Args, name: string): Readonly<Record<string, string>> | undefined {
  if (args[name] === undefined) return undefined;
  return Object.fromEntries(
    texts(args, name)
      .flatMap(split)
      .map((part) => pairOf(name, part)),
  );
}

/** Returns `a=b` as two texts. @throws UsageError if one is missing. */
function pairOf(name: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--${name}: expected name=value, got "${text}"`);
}

function split(text: string): readonly string[] {
  return text.split(",").filter((part) => part !== "");
}
