/**
 * Forgetting of old decisions by the observers of a served network, which would otherwise keep every signature ever made.
 * The events of the world alone decide when: a replay forgets the same between the same events.
 */
import { requireDefined } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import { isRecovery, type OperationId } from "../core/base/operation.ts";
import { chainSlotOf, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import { CHECKPOINTS_KEPT } from "../core/validator/limits.ts";
import type { ChainLink, CheckpointChain } from "../run/checkpoint-chain.ts";
import type { ArchivedSubmission } from "./archive.ts";
import type { ArchiveWriter } from "./archive-writer.ts";

/** Checkpoints whose decisions the observers keep: as many as validators keep whole (protocol 6.2). */
export const CHECKPOINTS_REMEMBERED = CHECKPOINTS_KEPT;

/** Old decisions, in the words of the oracles. */
export interface OldDecisions {
  readonly slots: readonly SlotKey[];
  readonly values: readonly Hash[];
  /** Operations that took effect in these slots, or whose nonces others used there. */
  readonly operations: readonly OperationId[];
  /** Number of the last checkpoint whose decisions are old. */
  readonly upTo: number;
}

export class DecisionPruner {
  readonly #chain: Pick<CheckpointChain, "at">;
  readonly #hashes: Pick<HashCache, "operationId" | "operationValue" | "value">;
  readonly #supersededBy: ArchiveWriter["supersededBy"];
  /** Number of the last link whose decisions are forgotten. */
  #forgotten = 0;

  constructor(
    chain: Pick<CheckpointChain, "at">,
    hashes: Pick<HashCache, "operationId" | "operationValue" | "value">,
    supersededBy: ArchiveWriter["supersededBy"],
  ) {
    this.#chain = chain;
    this.#hashes = hashes;
    this.#supersededBy = supersededBy;
  }

  /** Returns what becomes old once every running honest validator has applied this checkpoint; each decision once. */
  upTo(applied: number): OldDecisions | undefined {
    const end = applied - CHECKPOINTS_REMEMBERED;
    if (end <= this.#forgotten) return undefined;
    const links: ChainLink[] = [];
    for (let number = this.#forgotten + 1; number <= end; number++)
      links.push(requireDefined(this.#chain.at(number), `checkpoint ${number}`));
    this.#forgotten = end;
    return {
      upTo: end,
      slots: links.flatMap(({ content: { value } }) => [
        ...value.listed.map(({ slot }) => slotKey(slot)),
        ...(value.type === "checkpoint" ? [slotKey(chainSlotOf(value))] : []),
      ]),
      values: links.flatMap((link) => [
        link.hash,
        ...link.content.value.listed.map(({ value }) => this.#hashes.value(value)),
        ...this.#rivalsOf(link).flatMap(({ submission }) =>
          isRecovery(submission) ? [] : [this.#hashes.value(this.#hashes.operationValue(submission))],
        ),
      ]),
      operations: links.flatMap((link) => this.operationsOf(link)),
    };
  }

  /** Returns its state: the number of the last link whose decisions are forgotten. */
  capture(): number {
    return this.#forgotten;
  }

  /** Returns to a captured state. */
  restore(forgotten: number): void {
    this.#forgotten = forgotten;
  }

  /** Returns the operations that took effect in a checkpoint, or whose nonces it gave to others. */
  operationsOf(link: ChainLink): readonly OperationId[] {
    return [...this.#appliedIn(link), ...this.#rivalsOf(link).map(({ id }) => id)];
  }

  #rivalsOf(link: ChainLink): readonly ArchivedSubmission[] {
    return this.#supersededBy(new Set(this.#appliedIn(link)));
  }

  /** Returns the operations that took effect in a checkpoint, or that a skip displaced. */
  #appliedIn({ applications }: ChainLink): readonly OperationId[] {
    return applications.flatMap(({ event: { value, content, receipts } }) => {
      const ids = receipts.map(({ id }) => id);
      return value.type === "skip" ? [...ids, ...content.operations.map(this.#hashes.operationId)] : ids;
    });
  }
}
