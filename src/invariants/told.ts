/** What clients were told, as far as it must last. */
import { unreachable } from "../core/base/assert.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { RecordOf } from "./observation.ts";
import { short } from "./words.ts";

/** What a client was told for good, and by whom. */
export interface Told {
  readonly status: "final" | "superseded" | "refused";
  readonly by: OperationId | undefined;
  readonly words: string;
}

/** That an epoch closed without an operation. */
export interface Voided {
  readonly epoch: number;
  readonly words: string;
}

/**
 * The answers that must last. A refusal that the asked validator showed to nobody is an answer and no record
 * (design 4.2), one that an epoch's close made void speaks of that epoch only, and the bare word of a Byzantine validator
 * binds no one.
 */
export function lasting({ answer, client, from }: RecordOf<"answered">, isTrusted: boolean): Told | undefined {
  const words = `client ${client} was told by ${from} that it is ${answer.status}`;
  switch (answer.status) {
    case "pending":
    case "settled":
    case "void":
      return undefined;
    case "final":
      return { status: "final", by: undefined, words };
    case "refused":
      return isTrusted && answer.shown ? { status: "refused", by: undefined, words } : undefined;
    case "superseded":
      return isTrusted ? { status: "superseded", by: answer.by, words: `${words} by ${short(answer.by)}` } : undefined;
    default:
      return unreachable(answer);
  }
}
