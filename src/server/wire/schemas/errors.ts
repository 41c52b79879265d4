/** The body of every error (specification 13.1). */
import type { Shape } from "../../../scenario/schema/shape.ts";
import { object, words } from "./schema-types.ts";

/** No other members: one called `code` would mislead clients (wire 2.3). */
export interface RESTErrorData {
  readonly error_code: string;
  readonly message: string;
}

export const restErrorData: Shape<RESTErrorData> = object<RESTErrorData>("an error", {
  error_code: words("the code", undefined, ["business_nonce_too_low"]),
  message: words("what happened, for people", undefined, ["the next nonce of this account is 5, got 3"]),
});
