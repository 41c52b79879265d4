/** What is wrong with a body, and the words for what stood there. */
import { NAME_SHOWN, SHOWN } from "./limits.ts";

/** A body that cannot be read: always the client's error (specification 13.4; wire 2.3). */
export interface WireFault {
  readonly status: 400;
  /** One of `EDGE_ERRORS` or of the core's refusals. */
  readonly code: WireFaultCode;
  /** Names the member, what was expected and what stood there. */
  readonly message: string;
}

/** The codes of bodies and queries that cannot be read. */
export type WireFaultCode =
  | "validation_json"
  | "validation_body"
  | "validation_query"
  | "validation_address"
  | "validation_hash"
  | "validation_amount"
  | "validation_chain_id"
  | "validation_nonce"
  | "validation_decimals"
  | "validation_text"
  | "validation_action"
  | "validation_layout"
  | "validation_signature"
  | "validation_evidence";

/** A fault in one sentence: `body.signature.v: expected 0 or 1, got 2`. */
export function wireFault(code: WireFaultCode, member: string, problem: string): WireFault {
  return { status: 400, code, message: `${member}: ${problem}` };
}

/** A received value for an error: a primitive as JSON, shortened; of anything larger only what it is. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string")
    return value.length > SHOWN ? `${JSON.stringify(value.slice(0, SHOWN))}…` : JSON.stringify(value);
  return String(value).slice(0, SHOWN);
}

/** The path of a member of an object, however strange its name: `body.memo.type`. */
export function memberOf(path: string, name: string): string {
  const isPlain = /^\w+$/.test(name) && name.length <= NAME_SHOWN;
  return isPlain ? `${path}.${name}` : `${path}[${JSON.stringify(name.slice(0, NAME_SHOWN))}]`;
}
