/** Checksums (EIP-55) of addresses in queries; the schema checks their form. */
import type { Address } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { addressOf } from "../wire/address-text.ts";
import { shown, wireFault } from "../wire/wire-error.ts";
import type { HttpError } from "./http-error.ts";

/** Returns the address in a member of a query. */
export function queryAddress(member: string, text: string): Result<Address, HttpError> {
  const named = addressOf(text);
  if ("address" in named) return ok(named.address);
  return err(wireFault("validation_address", `query.${member}`, `expected ${named.expected}, got ${shown(text)}`));
}
