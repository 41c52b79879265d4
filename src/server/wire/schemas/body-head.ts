/** Members of every write's body: chain, nonce, signature, and an optional memo (wire 1.2, 3.3, 3.5). */
import { CHAIN_ID_DEFAULT } from "../../../scenario/genesis-of.ts";
import { type Optional, optional, type Shape } from "../../../scenario/schema/shape.ts";
import { coded, count, object, orNull, withCode, words } from "./schema-types.ts";

/** r, s and v in any of the spellings of wire 3.5. */
export interface SignatureBody {
  readonly r: string | number;
  readonly s: string | number;
  readonly v: string | number | boolean;
}

/** Absent members are empty texts (wire 3.3). */
export interface MemoBody {
  readonly type?: string;
  readonly format?: string;
  readonly data?: string;
}

/** The members of every body. */
export interface BodyHead {
  readonly chain_id: number;
  readonly nonce: number;
  readonly memo?: MemoBody | null;
  readonly signature: SignatureBody;
}

const number = (what: string): Shape<string | number> =>
  withCode(
    `${what}: 0x and 1 to 64 hex digits, or a decimal integer`,
    {
      type: ["string", "integer"],
      pattern: "^(0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$",
      minimum: 0,
      examples: ["0x41e1e158803da19ef1fc9ab35d86776cb02ac493265b948ff18b2c57a4e52432"],
    },
    "validation_signature",
  );

const signature: Shape<SignatureBody> = object<SignatureBody>(
  "the signature: an object of r, s and v",
  {
    r: number("r"),
    s: number("s, of the lower half of the group"),
    v: withCode(
      "0 or 1",
      { enum: [0, 1, 27, 28, "0", "1", "27", "28", true, false], examples: [0] },
      "validation_signature",
    ),
  },
  coded("validation_signature"),
);

/** Returns the schema of a signed text. */
export function text(what: string, ...examples: readonly string[]): Shape<string> {
  return words(what, "validation_text", examples);
}

const memo = orNull(
  object<MemoBody>(
    "a memo: null or an object of the texts type, format and data",
    {
      type: optional(text("what the memo is about", "purpose/SALA")),
      format: optional(text("the format of the data", "text/plain")),
      data: optional(text("the memo itself", "invoice-001")),
    },
    coded("validation_text"),
  ),
);

/** Schemas of the members of every body. */
export const head: {
  readonly chain_id: Shape<number>;
  readonly nonce: Shape<number>;
  readonly memo: Optional<MemoBody | null>;
  readonly signature: Shape<SignatureBody>;
} = {
  chain_id: count("the chain id", "validation_chain_id", undefined, CHAIN_ID_DEFAULT),
  nonce: count("the nonce", "validation_nonce", undefined, 0),
  memo: optional(memo),
  signature,
};
