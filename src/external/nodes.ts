/** Validators that others wrote, from the options of a command or from a scenario file. */
import { entryOf } from "../core/base/entry.ts";
import type { ProgramSource } from "../scenario/compile/compile.ts";
import { declarationsOf } from "../scenario/declarations.ts";
import {
  commandsIn,
  isNative,
  MIXED_LEVELS,
  mixesLevels,
  NATIVE,
  type NodeCommands,
  withoutCommands,
} from "../scenario/node-commands.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { fitScenario } from "./fit.ts";
import type { HostFactory } from "./host.ts";
import { moduleHosts } from "./module-host.ts";
import { nativeProgram } from "./native-program.ts";
import { opaquePrograms } from "./opaque-program.ts";
import { processHosts } from "./process-host.ts";
import { wasmHosts } from "./wasm-host.ts";

/** Milliseconds after which a validator that does not answer is ended. */
export const NODE_SILENT_MS = 10_000;

/** Commands that start validators, or modules of them, and the time after which one that does not answer is ended. */
export interface NodeSettings {
  readonly commands: NodeCommands;
  readonly silentMs: number;
  /** True if those that a scenario names start too. */
  readonly areInFile?: boolean;
}

/** A run of a scenario with the validators that take the place of ours. */
interface StartedNodes {
  /** Without its commands. */
  readonly scenario: Scenario;
  readonly nodes: NodeSettings | undefined;
}

/** Returns the validators for a scenario: those given, or where they are allowed, those that it names. */
export function nodesOf(scenario: Scenario, given: NodeSettings | undefined): StartedNodes {
  const bare = withoutCommands(scenario);
  if (given?.areInFile !== true) return { scenario: bare, nodes: given };
  const commands = commandsIn(scenario);
  const nodes = Object.keys(commands).length === 0 ? undefined : { commands, silentMs: given.silentMs };
  return { scenario: bare, nodes };
}

/**
 * Returns the maker of programs for `compile`, `undefined` for the real program. Processes are kept for the next run of
 * this thread.
 * @throws RangeError if some speak our protocol and others do not
 */
export function programsOf(settings: NodeSettings | undefined): ProgramSource | undefined {
  if (settings === undefined) return undefined;
  const { commands, silentMs } = settings;
  if (mixesLevels(commands)) throw new RangeError(`nodes: ${MIXED_LEVELS}`);
  const commandOf = (name: string): string | undefined => commands[name] ?? commands[""];
  const hosts: HostFactory = (name) => {
    const command = commandOf(name)?.replace(NATIVE, "");
    if (command === undefined) throw new RangeError(`--node: no command for ${name}`);
    return entryOf(started, `${silentMs} ${command}`, () => hostsOf(command, silentMs))(name);
  };
  if (!isNative(commands)) return { isOpaque: true, makerOf: (network) => opaquePrograms(network, hosts) };
  return {
    isOpaque: false,
    makerOf: (network) => (name, keys) =>
      commandOf(name) === undefined ? undefined : nativeProgram(network, hosts, name, keys),
  };
}

/** The ways to run a node that are no commands: a file of this ending is loaded. */
function hostsOf(command: string, silentMs: number): HostFactory {
  if (/^\S+\.[cm]?js$/.test(command)) return moduleHosts(command);
  if (/^\S+\.wasm$/.test(command)) return wasmHosts(command, (text) => void process.stderr.write(`${text}\n`));
  return processHosts(command, silentMs);
}

/** Returns what a scenario needs that the validators do not have, each once and as a noun phrase. */
export function unfitParts(scenario: Scenario, settings: NodeSettings | undefined): readonly string[] {
  if (settings === undefined) return [];
  const { nodes } = declarationsOf(scenario);
  const missing = Object.keys(settings.commands).filter((name) => name !== "" && !nodes.has(name));
  if (missing.length > 0) return missing.map((name) => `the validator ${name}`);
  if (!isNative(settings.commands)) return [...new Set(fitScenario(scenario).left)];
  return scenario.bug === undefined ? [] : ["a known-bad variant"];
}

const started = new Map<string, HostFactory>();
