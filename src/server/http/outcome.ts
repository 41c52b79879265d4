/** What the asked validator's answer is to a client (specification 13; wire 1.2, 2.3). */
import { unreachable } from "../../core/base/assert.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import type { NodeName } from "../../simulator/plan.ts";
import type { Answer } from "../host/host.ts";
import type { Fault } from "./fault.ts";

/** The fault of an answer; `undefined` where the operation is admitted, whatever became of it since. */
export function faultOfAnswer(answer: Answer, node: NodeName, refused: (refusal: Refusal) => Fault): Fault | undefined {
  switch (answer.status) {
    case "pending":
    case "final":
    case "superseded":
      return undefined;
    case "refused":
      return refused(answer.refusal);
    case "down":
      return validatorDown(node);
    case "settled":
      return {
        status: 422,
        code: "business_nonce_too_low",
        message: `the nonce was used before the oldest checkpoint that ${node} keeps; by_hash tells what became of it`,
      };
    case "void":
      return {
        status: 422,
        code: "business_epoch_closed",
        message: `epoch ${answer.epoch} closed without the operation: nothing of it is decided, and it may be handed in again`,
      };
    case "unanswered":
      return {
        status: 408,
        code: "request_timeout",
        message: `${node} has not answered: whether the operation was admitted is unknown; by_hash tells`,
      };
    default:
      return unreachable(answer);
  }
}

/** A client error on purpose: a 5xx would leave clients in doubt whether money moved (wire 2.3). */
export function validatorDown(node: NodeName): Fault {
  const message = `${node} does not run; nothing was admitted; ask another validator`;
  return { status: 422, code: "business_validator_down", message };
}
