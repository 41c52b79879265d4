/** Commands that start validators of others, in a scenario file. */
import type { ScenarioIssue } from "../schema/problem.ts";
import { checkKeyNames } from "./check/name-check.ts";
import type { Declarations } from "./names.ts";
import type { Scenario } from "./scenario.ts";

/** Commands by the name of a validator; "" for all others. */
export type NodeCommands = Readonly<Record<string, string>>;

/** The beginning of the command of a validator that speaks the protocol of docs/protocol.md. */
export const NATIVE = /^native:\s*/;

/** Returns true if the validators speak our protocol, beside our own ones. */
export function isNative(commands: NodeCommands): boolean {
  return Object.values(commands).some((command) => NATIVE.test(command));
}

/** The fault of commands that mix the levels. */
export const MIXED_LEVELS = "expected all commands to begin with native:, or none";

/** Returns true if some of the validators speak our protocol, and others one of their own. */
export function mixesLevels(commands: NodeCommands): boolean {
  return isNative(commands) && !Object.values(commands).every((command) => NATIVE.test(command));
}

/** Returns the commands that a scenario names. */
export function commandsIn({ network: { node, nodes = {} } = {} }: Scenario): NodeCommands {
  const single = Object.entries(nodes).map(([name, { command }]) => [name, command] as const);
  return { ...(node === undefined ? {} : { "": node.command }), ...Object.fromEntries(single) };
}

/** Returns the scenario without its commands. */
export function withoutCommands(scenario: Scenario): Scenario {
  const { node, nodes, ...network } = scenario.network ?? {};
  return node === undefined && nodes === undefined ? scenario : { ...scenario, network };
}

/** The issues of commands: unknown validators, and networks whose validators do not speak one protocol. */
export function checkCommands(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const { node, nodes } = scenario.network ?? {};
  const path = ["network", node === undefined ? "nodes" : "node"];
  const commands = commandsIn(scenario);
  const empty = Object.values(commands).some((command) => command.replace(NATIVE, "").trim() === "");
  if (empty) return [{ path, message: "expected a command, got nothing" }];
  const names = checkKeyNames(declared, "node", ["network", "nodes"], nodes);
  if (mixesLevels(commands)) return [...names, { path, message: MIXED_LEVELS }];
  const isAlone = nodes !== undefined && node === undefined && !isNative(commands);
  const remainder = [...declared.nodes.keys()].filter((name) => commands[name] === undefined);
  if (!isAlone || remainder.length === 0) return names;
  const message = `no command for ${remainder.join(", ")}: expected \`node\` beside it, since ours speak another protocol; a validator that speaks ours begins with native:`;
  return [...names, { path, message }];
}

/** The issue of a file whose commands nobody has allowed. */
export function refuseCommands({ network }: Scenario): readonly ScenarioIssue[] {
  const key = (["node", "nodes"] as const).find((name) => network?.[name] !== undefined);
  if (key === undefined) return [];
  const message =
    "a file starts no program by itself: expected --allow-commands, --node in place of it, or `allowCommands` in the library";
  return [{ path: ["network", key], atKey: true, message }];
}
