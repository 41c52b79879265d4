/** Contents of value hashes, as far as the events of a run show them. */
import type { Hash } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Value } from "../../core/base/slot.ts";
import type { UndoMap } from "../../core/base/undo-map.ts";
import { shortId, valueName } from "../text.ts";

export interface Content {
  readonly value: Value;
  readonly operations: readonly SignedOperation[];
}

/** Contents by value hash. */
export type Contents = UndoMap<Content>;

/** Returns the readable name of a value, by its hash. */
export function valueLabel(contents: Contents, hash: Hash): string {
  const content = contents.get(hash);
  return content === undefined ? `value ${shortId(hash)}` : valueName(content.value);
}
