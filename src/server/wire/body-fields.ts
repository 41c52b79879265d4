/** Reader of the fields of a body of a checked shape: addresses, amounts and texts (wire 1.2). */
import { AMOUNT_MAX, type Amount, ZERO } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import { toHex } from "../../core/base/encoding.ts";
import { type PublicKey, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { RECENT, type UnsignedFields } from "../../core/ledger/layout.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import { listsOf } from "../../core/ledger/spelling.ts";
import type { Body, LegBody, PairBody, WeightedKeyBody, WritePath } from "./schemas/bodies.ts";
import { quoteValue, type WireFault, wireFault } from "./wire-error.ts";

/** Collects the first error, so that reading a body is one expression. */
class BodyReader {
  fault: WireFault | undefined;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  #refuse(code: WireFault["code"], member: string, problem: string): void {
    this.fault ??= wireFault(code, `${this.#root}.${member}`, problem);
  }

  amount(member: string, value: string | number): Amount {
    const amount = BigInt(value);
    if (amount <= AMOUNT_MAX) return amount as Amount;
    this.#refuse("validation_amount", member, `expected at most 2^256 - 1, got ${quoteValue(value)}`);
    return ZERO;
  }

  /** Rejects lone surrogates: encoding replaces them, so two texts would have the same signed bytes. */
  text(member: string, text: string): string {
    if (/\p{Surrogate}/u.test(text)) this.#refuse("validation_text", member, "expected Unicode, got a lone surrogate");
    return text;
  }
}

/**
 * Returns the fields of a body of this path, once for each list that it may mean. `root`: name of the body in errors.
 */
export function readBodyFields(
  path: WritePath,
  body: unknown,
  root: string,
): Result<readonly UnsignedFields[], WireFault> {
  const reader = new BodyReader(root);
  const fields = fieldsOf(path, body as Body, reader);
  return reader.fault === undefined ? ok(fields) : err(reader.fault);
}

function fieldsOf({ kind, list }: WritePath, body: Body, reader: BodyReader): readonly UnsignedFields[] {
  const fields: Record<string, unknown> = headOf(body, reader);
  for (const [name, field] of Object.entries<Field>(KINDS[kind].fields)) {
    const given = body[field.wire];
    const isNone = given === undefined || (given === null && (field.type === "text" || field.type === "hex"));
    if (!isNone) fields[name] = fieldOf(field, given, reader);
  }
  if (kind !== "list") return [{ kind, ...fields } as UnsignedFields];
  // The shapes of the older paths allow only the two actions that name a list.
  const lists = list === undefined ? listsOf(String(fields["action"])) : [list];
  return lists.map((one) => ({ kind, ...fields, list: one }) as UnsignedFields);
}

function headOf({ chain_id, nonce, memo, ...body }: Body, reader: BodyReader): Record<string, unknown> {
  const recent = RECENT.flatMap(({ name, wire }) => (body[wire] === undefined ? [] : [[name, body[wire]] as const]));
  const head = { chainId: chain_id, nonce, ...Object.fromEntries(recent) };
  if (memo === undefined || memo === null) return head;
  const { type = "", format = "", data = "" } = memo;
  const text = (member: string, value: string): string => reader.text(`memo.${member}`, value);
  return { ...head, memo: { type: text("type", type), format: text("format", format), data: text("data", data) } };
}

/** Null is zero or none: only nullable members pass the shape with it. */
function fieldOf({ type, wire }: Field, given: unknown, reader: BodyReader): unknown {
  switch (type) {
    case "address":
      return toAddress(given as string);
    case "amount":
      return given === null ? ZERO : reader.amount(wire, given as string | number);
    case "pairs":
      return ((given ?? []) as readonly PairBody[]).map(({ key, value }, at) => {
        const member = `${wire}[${at}]`;
        return [reader.text(`${member}.key`, key), reader.text(`${member}.value`, value)];
      });
    case "legs":
      return (given as readonly LegBody[]).map(({ recipient, amount }, at) => ({
        recipient: toAddress(recipient),
        amount: reader.amount(`${wire}[${at}].amount`, amount),
      }));
    case "time":
      return BigInt(given as string | number);
    case "signers":
      return (given as readonly WeightedKeyBody[]).map(({ public_key, weight }) => ({
        key: toHex(Uint8Array.from(public_key)) as PublicKey,
        weight,
      }));
    case "text":
      return reader.text(wire, given as string);
    case "hex":
      return (given as string).toLowerCase();
    case "chain":
    case "count":
    case "flag":
      return given;
    default:
      return unreachable(type);
  }
}
