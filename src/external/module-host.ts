/** Nodes in this process: a JavaScript module that exports a function which makes one. */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { type HostFactory, NodeFault } from "./host.ts";
import type { NodeInput, NodeOutput } from "./shapes.ts";

/** Member of the module: makes a node, which answers each input with its outputs. */
type CreateNode = () => (input: NodeInput) => readonly NodeOutput[];

/**
 * Returns a maker of the nodes of a module. Inputs and outputs are copied on the way, so that neither side sees a change
 * of the other.
 * @throws NodeFault for a module that does not load, or exports no `createNode`
 */
export function moduleHosts(path: string): HostFactory {
  const createNode = createNodeOf(path);
  return () => {
    const node = createNode();
    return { ask: (line) => JSON.stringify(node(JSON.parse(line) as NodeInput)), close: () => undefined };
  };
}

function createNodeOf(path: string): CreateNode {
  let loaded: { readonly createNode?: unknown };
  try {
    loaded = createRequire(import.meta.url)(resolve(path)) as typeof loaded;
  } catch (error) {
    throw new NodeFault(`did not load from ${path}: ${(error as Error).message}`);
  }
  if (typeof loaded.createNode === "function") return loaded.createNode as CreateNode;
  throw new NodeFault(`loaded from ${path}, which exports no function createNode`);
}
