/** Validators that others wrote, from the options of a command. */
import { entryOf } from "../core/base/entry.ts";
import type { ProgramSource } from "../scenario/compile/compile.ts";
import type { HostFactory } from "./host.ts";
import { moduleHosts } from "./module-host.ts";
import { opaquePrograms } from "./opaque-program.ts";
import { processHosts } from "./process-host.ts";
import { wasmHosts } from "./wasm-host.ts";

/** Milliseconds after which a validator that does not answer is ended. */
export const NODE_SILENT_MS = 10_000;

/** Commands that start validators, or modules of them, and the time after which one that does not answer is ended. */
export interface NodeSettings {
  /** By the name of a validator; "" for all others. */
  readonly commands: Readonly<Record<string, string>>;
  readonly silentMs: number;
}

/**
 * Returns the maker of programs for `compile`, `undefined` for the real program. Processes are kept for the next run of
 * this thread.
 */
export function programsOf(settings: NodeSettings | undefined): ProgramSource | undefined {
  if (settings === undefined) return undefined;
  const { commands, silentMs } = settings;
  const hosts: HostFactory = (name) => {
    const command = commands[name] ?? commands[""];
    if (command === undefined) throw new RangeError(`--node: no command for ${name}`);
    return entryOf(started, `${silentMs} ${command}`, () => hostsOf(command, silentMs))(name);
  };
  return { isOpaque: true, makerOf: (network) => opaquePrograms({ ...network, hosts }) };
}

/** The ways to run a node that are no commands: a file of this ending is loaded. */
function hostsOf(command: string, silentMs: number): HostFactory {
  if (/^\S+\.[cm]?js$/.test(command)) return moduleHosts(command);
  if (/^\S+\.wasm$/.test(command)) return wasmHosts(command, (text) => void process.stderr.write(`${text}\n`));
  return processHosts(command, silentMs);
}

const started = new Map<string, HostFactory>();
