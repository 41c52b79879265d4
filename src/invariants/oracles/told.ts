/** What clients were told, as far as it must last. */
import { unreachable } from "../../core/base/assert.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Answer, RecordOf } from "../observation.ts";
import { short } from "../words.ts";

type Refused = Extract<Answer, { readonly status: "refused" }>;

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
 * Whether a refusal holds for good: another decision used the nonce. Any other one says that the entry validator admits
 * nothing of the operation; where it says disclosed, others may still bring it (protocol 4.2).
 */
export function isLastRefusal({ refusal, shown }: Refused): boolean {
  return shown && refusal.code === "business_decided_otherwise";
}

/**
 * The answers that must last. A refusal for any other reason than a lost nonce is an answer and no record
 * (protocol 4.2), one that an epoch's close made void speaks of that epoch only, and the bare word of a Byzantine validator
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
      return isTrusted && isLastRefusal(answer) ? { status: "refused", by: undefined, words } : undefined;
    case "superseded":
      return isTrusted ? { status: "superseded", by: answer.by, words: `${words} by ${short(answer.by)}` } : undefined;
    default:
      return unreachable(answer);
  }
}
