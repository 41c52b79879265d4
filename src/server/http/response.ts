/** Client errors from the entry validator's responses (specification 13; wire 1.2, 2.3). */
import { unreachable } from "../../core/base/assert.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { HostResponse } from "../host/host.ts";
import type { HttpError } from "./errors.ts";

/** Returns the error of a response; `undefined` for an admitted operation, independent of its later status. */
export function errorOfResponse(
  answer: HostResponse,
  node: NodeName,
  refused: (refusal: Refusal) => HttpError,
): HttpError | undefined {
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
        message: `the nonce was used before the oldest checkpoint that ${node} keeps; by_hash returns its status`,
      };
    case "void":
      return {
        status: 422,
        code: "business_epoch_closed",
        message: `epoch ${answer.epoch} closed without the operation: it is not decided and may be submitted again`,
      };
    case "unanswered":
      return {
        status: 408,
        code: "request_timeout",
        message: `${node} has not responded: whether the operation was admitted is unknown; by_hash returns its status`,
      };
    default:
      return unreachable(answer);
  }
}

/** Returns a client error on purpose: a 5xx would leave clients in doubt whether money moved (wire 2.3). */
export function validatorDown(node: NodeName): HttpError {
  const message = `${node} is down; nothing was admitted; ask another validator`;
  return { status: 422, code: "business_validator_down", message };
}
