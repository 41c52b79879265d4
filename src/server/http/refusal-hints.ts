/** Ends of refusals that say what to do next. */
import { ZERO } from "../../core/base/amount.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import type { HttpError } from "./errors.ts";

/** Returns the error of a refusal with what an issuer that mints at once can do, where it is that. */
export function withHint(error: HttpError, refusal: Refusal, ledger: LedgerState): HttpError {
  if (refusal.code !== "business_token_paused" || ledger.policies.issuedTokens === "open") return error;
  // Nothing was ever minted of a token that is still as it was issued.
  if (tokenOf(ledger, refusal.token)?.minted !== ZERO) return error;
  return { ...error, message: `${error.message}; ${WAYS_OUT}` };
}

const WAYS_OUT =
  "an issued token starts paused: its master unpauses it (POST /v1/tokens/pause), or serve --open-tokens issues open ones";
