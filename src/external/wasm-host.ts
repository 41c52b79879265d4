/** Nodes in WebAssembly: a module without clock and chance, whose memory is a copy of its own in each life. */
import { readFileSync } from "node:fs";
import { type HostFactory, NodeFault } from "./host.ts";

/** Exports of a module; places and sizes are bytes in its memory. */
interface NodeExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly allocate: (size: number) => number;
  readonly handle: (place: number, size: number) => number;
}

/** The part of the WebAssembly interface that is used, which Node has and its types lack. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly RuntimeError: new () => Error;
}

const { Module, Instance, RuntimeError } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly;

/** Bytes of one answer. */
const ANSWER_MAX = 16_777_216;
const LENGTH_BYTES = 4;

/**
 * Returns a maker of nodes of a module. `log`: receives what it writes.
 * @throws NodeFault for a file that is no module of a node
 */
export function wasmHosts(path: string, log: (text: string) => void): HostFactory {
  const module = compile(path);
  return () => {
    const exported = instanceOf(path, module, log);
    // Its memory goes with the last reference to it.
    return { ask: (line) => answerOf(exported, line), close: () => undefined };
  };
}

function compile(path: string): object {
  try {
    return new Module(readFileSync(path));
  } catch (error) {
    throw new NodeFault(`did not load from ${path}: ${(error as Error).message}`);
  }
}

function instanceOf(path: string, module: object, log: (text: string) => void): NodeExports {
  let exported: NodeExports | undefined;
  const logged = (place: number, size: number): void => {
    if (exported !== undefined) log(textAt(exported, place, size));
  };
  try {
    const { exports } = new Instance(module, { quorumlab: { log: logged } });
    exported = exports as NodeExports;
  } catch (error) {
    throw new NodeFault(`did not start from ${path}: ${(error as Error).message}`);
  }
  for (const name of ["memory", "allocate", "handle"] as const)
    if (exported[name] === undefined) throw new NodeFault(`started from ${path}, which exports no \`${name}\``);
  return exported;
}

function textAt({ memory }: NodeExports, place: number, size: number): string {
  return Buffer.from(memory.buffer, place, size).toString("utf8");
}

function answerOf(exported: NodeExports, line: string): string {
  const { memory, allocate, handle } = exported;
  const bytes = Buffer.from(line);
  try {
    const place = allocate(bytes.length);
    Buffer.from(memory.buffer, place, bytes.length).set(bytes);
    const answer = handle(place, bytes.length);
    const size = new DataView(memory.buffer).getUint32(answer, true);
    if (size > ANSWER_MAX) throw new NodeFault(`answered more than ${ANSWER_MAX} bytes`);
    return textAt(exported, answer + LENGTH_BYTES, size);
  } catch (error) {
    if (error instanceof RuntimeError) throw new NodeFault(`trapped: ${error.message}`);
    if (error instanceof RangeError) throw new NodeFault(`named a place outside of its memory: ${error.message}`);
    throw error;
  }
}
