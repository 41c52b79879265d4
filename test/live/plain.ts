/** States as plain lists and records, for comparisons: what two states contain, in its order, and not which parts they share. */
import { Table } from "../../src/core/base/table.ts";
import { Trie } from "../../src/core/base/trie.ts";
import type { ServedNetwork } from "../../src/live/network.ts";

/** Returns the content of a state. Entries of tables come in the order of their keys. */
export function plainOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainOf);
  if (value instanceof Set) return { set: [...value].map(plainOf) };
  if (value instanceof Map || value instanceof Table || value instanceof Trie)
    return { entries: [...value.entries()].map(plainOf) };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]));
}

/** Returns the state of a network, with its old records in the place of their places, which depend on what was undone. */
export function stateOf(network: ServedNetwork): unknown {
  const { archive, ...others } = network.capture();
  const old = archive.shelf.map((_, index) => network.archive.link(index + 1));
  const certified = network.archive.finalCertificates();
  const progress = certified.map(([id]) => [network.archive.copyOf(id), network.archive.progressOf(id)]);
  const { snapshots } = network;
  return plainOf({
    ...others,
    snapshots,
    archive: { ...archive, shelf: archive.shelf.length },
    old,
    certified,
    progress,
  });
}
