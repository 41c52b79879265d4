/**
 * Forgetting of old decisions by the observers of a served network, which would otherwise keep every signature ever made.
 * The events of the world alone decide when: a replay forgets the same between the same events.
 */
import { requireDefined } from "../core/base/assert.ts";
import { isRecovery, type OperationId } from "../core/base/operation.ts";
import { chainSlotOf, slotKey } from "../core/base/slot.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import { CHECKPOINTS_KEPT } from "../core/validator/limits.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import type { ArchiveWriter } from "./archive-writer.ts";

/** Checkpoints whose decisions the observers keep: as many as validators keep whole (protocol 6.2). */
export const CHECKPOINTS_REMEMBERED = CHECKPOINTS_KEPT;

type Hashes = Pick<HashCache, "operationId" | "operationValue" | "value">;

/**
 * Returns what becomes old after the checkpoints on the shelf, once every running honest validator has applied this one, in
 * the words of the oracles.
 */
export function oldDecisions(archive: ArchiveWriter, hashes: Hashes, shelved: number, appliedByAll: number) {
  const upTo = appliedByAll - CHECKPOINTS_REMEMBERED;
  const links: ChainLink[] = [];
  for (let number = shelved + 1; number <= upTo; number++)
    links.push(requireDefined(archive.link(number), `checkpoint ${number}`));
  if (links.length === 0) return undefined;
  const old = links.map((link) => {
    const applied = appliedIn(link, hashes);
    const rivals = archive.supersededBy(new Set(applied));
    return { link, rivals, operations: [...applied, ...rivals.map(({ id }) => id)] };
  });
  return {
    /** Number of the last checkpoint whose decisions are old. */
    upTo,
    /** Each with the operations that took effect in it, and those whose nonces it gave to others. */
    links: old,
    slots: links.flatMap(({ content: { value } }) => [
      ...value.listed.map(({ slot }) => slotKey(slot)),
      ...(value.type === "checkpoint" ? [slotKey(chainSlotOf(value))] : []),
    ]),
    values: old.flatMap(({ link, rivals }) => [
      link.hash,
      ...link.content.value.listed.map(({ value }) => hashes.value(value)),
      ...rivals.flatMap(({ submission }) =>
        isRecovery(submission) ? [] : [hashes.value(hashes.operationValue(submission))],
      ),
    ]),
    operations: old.flatMap(({ operations }) => operations),
  };
}

/** Returns the operations that took effect in a checkpoint, or that a skip displaced. */
function appliedIn({ applications }: ChainLink, { operationId }: Hashes): readonly OperationId[] {
  return applications.flatMap(({ event: { value, content, receipts } }) => {
    const ids = receipts.map(({ id }) => id);
    return value.type === "skip" ? [...ids, ...content.operations.map(operationId)] : ids;
  });
}
