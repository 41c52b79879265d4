/** Checkpoints that the entry validator has applied. */
import { required } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { AnyLink, CopyOf } from "../wire/shapes/checkpoint.ts";
import type { EntryValidator } from "./entry-validator.ts";

/** Returns a checkpoint by number, from 0, the genesis. */
export function chainLinkByNumber({ host, node }: EntryValidator, number: number): AnyLink | undefined {
  const { archive } = host.network;
  if (number === 0) return archive.genesisLink;
  return number <= host.network.checkpointOf(node) ? archive.links[number - 1] : undefined;
}

/** Returns a checkpoint by hash. */
export function chainLinkByHash({ host, node }: EntryValidator, hash: Hash): AnyLink | undefined {
  const { archive } = host.network;
  if (hash === archive.genesisLink.hash) return archive.genesisLink;
  const link = archive.linkByHash(hash);
  if (link === undefined) return undefined;
  return link.content.value.header.number <= host.network.checkpointOf(node) ? link : undefined;
}

/** Returns the copy by which a listed operation is shown. @throws AssertionError for one that was never admitted. */
export function copyOf({ host }: EntryValidator): CopyOf {
  return (id) => required(host.network.archive.copyOf(id), `copy of operation ${id}`);
}
