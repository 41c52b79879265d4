/** What a value hash stands for, as far as the records of a run say it. */
import type { Hash } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Value } from "../../core/base/slot.ts";
import type { UndoMap } from "../../core/base/undo-map.ts";
import { short, valueName } from "../words.ts";

export interface Content {
  readonly value: Value;
  readonly operations: readonly SignedOperation[];
}

/** Contents by the hash of their value. */
export type Contents = UndoMap<Content>;

/** A value in words, by its hash. */
export function nameIn(contents: Contents, hash: Hash): string {
  const content = contents.get(hash);
  return content === undefined ? `value ${short(hash)}` : valueName(content.value);
}
