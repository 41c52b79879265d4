/** Errors in bodies and queries, and their texts. */
import type { RefusalCode } from "../../core/base/refusal.ts";
import { NAME_CHARACTERS, VALUE_CHARACTERS } from "../limits.ts";

/** Error in a body or query, always the client's mistake (specification 13.4; wire 2.3). */
export interface WireFault {
  readonly status: 400;
  /** One of `EDGE_ERRORS` or of the core's refusals. */
  readonly code: WireFaultCode;
  /** Names the member, the expected and the received value. */
  readonly message: string;
}

/** Codes of malformed bodies and queries: those of the core for what it validates too, and those of the edge. */
export type WireFaultCode =
  | Extract<RefusalCode, `validation_${string}`>
  | ("validation_json" | "validation_body" | "validation_query" | "validation_address" | "validation_hash")
  | ("DOMAIN_SEPARATED_SIGNATURE_REQUIRED" | "UNSUPPORTED_AUTHORIZATION_TYPE");

/** Returns an error such as `body.signature.v: expected 0 or 1, got 2`. */
export function wireFault(code: WireFaultCode, member: string, problem: string): WireFault {
  return { status: 400, code, message: `${member}: ${problem}` };
}

/** Returns a received value for an error: a primitive as shortened JSON, else only its type. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string")
    return value.length > VALUE_CHARACTERS
      ? `${JSON.stringify(value.slice(0, VALUE_CHARACTERS))}…`
      : JSON.stringify(value);
  return String(value).slice(0, VALUE_CHARACTERS);
}

/** Returns the path of a member, such as `body.memo.type`; unusual names are quoted. */
export function memberOf(path: string, name: string): string {
  const isPlain = /^\w+$/.test(name) && name.length <= NAME_CHARACTERS;
  return isPlain ? `${path}.${name}` : `${path}[${JSON.stringify(name.slice(0, NAME_CHARACTERS))}]`;
}
