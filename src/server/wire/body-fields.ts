/** Reader of the fields of a body of a checked shape: addresses, amounts and texts (wire 1.2). */
import { AMOUNT_MAX, type Amount, ZERO } from "../../core/base/amount.ts";
import { required, unreachable } from "../../core/base/assert.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import type { Memo } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { listOf } from "../../core/ledger/spelling.ts";
import type { BodyFields } from "./candidates.ts";
import type * as bodies from "./schemas/bodies.ts";
import type { WritePath } from "./schemas/bodies.ts";
import { addressOf } from "./values.ts";
import { shown, type WireFault, wireFault } from "./wire-error.ts";

/** Collects the first error, so that reading a body is one expression. */
class Reader {
  fault: WireFault | undefined;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  #refuse(code: WireFault["code"], member: string, problem: string): void {
    this.fault ??= wireFault(code, `${this.#root}.${member}`, problem);
  }

  address(member: string, text: string): Address {
    const read = addressOf(text);
    if ("address" in read) return read.address;
    this.#refuse("validation_address", member, `expected ${read.expected}, got ${shown(text)}`);
    return "" as Address;
  }

  amount(member: string, value: string | number): Amount {
    const amount = BigInt(value);
    if (amount <= AMOUNT_MAX) return amount as Amount;
    this.#refuse("validation_amount", member, `expected at most 2^256 - 1, got ${shown(value)}`);
    return ZERO;
  }

  /** Rejects lone surrogates: encoding replaces them, so two texts would have the same signed bytes. */
  text(member: string, text: string): string {
    if (/\p{Surrogate}/u.test(text)) this.#refuse("validation_text", member, "expected Unicode, got a lone surrogate");
    return text;
  }
}

/** Returns the fields of a body of this path. `root`: name of the body in errors. */
export function readBodyFields(path: WritePath, body: unknown, root: string): Result<BodyFields, WireFault> {
  const reader = new Reader(root);
  const said = bodyFieldsOf(path, body, reader);
  return reader.fault === undefined ? ok(said) : err(reader.fault);
}

function bodyFieldsOf(path: WritePath, body: unknown, reader: Reader): BodyFields {
  const head = headOf(body as bodies.CancellationBody, reader);
  const { kind } = path;
  switch (kind) {
    case "payment":
    case "mint":
      return {
        kind,
        ...head,
        recipient: reader.address("recipient", (body as bodies.TransferBody).recipient),
        ...movedBy(body as bodies.TransferBody, reader),
      };
    case "cancellation":
      return { kind, ...head };
    case "issue":
      return { kind, ...head, ...issued(body as bodies.IssueBody, reader) };
    case "burn": {
      const { recipient } = body as bodies.BurnBody;
      const from = recipient === undefined ? {} : { recipient: reader.address("recipient", recipient) };
      return { kind, ...head, ...from, ...movedBy(body as bodies.BurnBody, reader) };
    }
    case "metadata":
      return { kind, ...head, ...described(body as bodies.MetadataBody, reader) };
    case "list":
      return { kind, ...head, ...listed(path, body as bodies.ListBody, reader) };
    case "authority":
      return { kind, ...head, ...granted(body as bodies.AuthorityBody, reader) };
    case "pause": {
      const { action, token } = body as bodies.PauseBody;
      return { kind, ...head, action, token: reader.address("token", token) };
    }
    default:
      return unreachable(kind);
  }
}

function headOf({ chain_id, nonce, memo }: bodies.CancellationBody, reader: Reader): Head {
  const head = { chainId: chain_id, nonce: nonce as Nonce };
  if (memo === undefined || memo === null) return head;
  const { type = "", format = "", data = "" } = memo;
  const text = (member: string, value: string): string => reader.text(`memo.${member}`, value);
  return { ...head, memo: { type: text("type", type), format: text("format", format), data: text("data", data) } };
}

interface Head {
  readonly chainId: number;
  readonly nonce: Nonce;
  readonly memo?: Memo;
}

function movedBy(
  body: { readonly value: string | number; readonly token: string },
  reader: Reader,
): { readonly value: Amount; readonly token: Address } {
  return { value: reader.amount("value", body.value), token: reader.address("token", body.token) };
}

type Fields<K extends BodyFields["kind"]> = Omit<Extract<BodyFields, { readonly kind: K }>, "kind" | keyof Head>;

function issued(body: bodies.IssueBody, reader: Reader): Fields<"issue"> {
  const { is_private: isPrivate, clawback_enabled: clawbackEnabled } = body;
  return {
    symbol: reader.text("symbol", body.symbol),
    name: reader.text("name", body.name),
    decimals: body.decimals,
    masterAuthority: reader.address("master_authority", body.master_authority),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(clawbackEnabled === undefined ? {} : { clawbackEnabled }),
  };
}

function described(body: bodies.MetadataBody, reader: Reader): Fields<"metadata"> {
  return {
    name: reader.text("name", body.name),
    uri: reader.text("uri", body.uri),
    token: reader.address("token", body.token),
    additional: pairsOf(body, reader),
  };
}

function pairsOf(body: bodies.MetadataBody, reader: Reader): Fields<"metadata">["additional"] {
  return (body.additional_metadata ?? []).map(({ key, value }, at) => {
    const member = `additional_metadata[${at}]`;
    return [reader.text(`${member}.key`, key), reader.text(`${member}.value`, value)] as const;
  });
}

function listed(path: WritePath, body: bodies.ListBody, reader: Reader): Fields<"list"> {
  // The shapes of the older paths allow only the two actions that name a list.
  const list = path.list ?? required(listOf(body.action), `the list of the action ${body.action}`);
  return {
    list,
    action: body.action,
    address: reader.address("address", body.address),
    token: reader.address("token", body.token),
  };
}

function granted(body: bodies.AuthorityBody, reader: Reader): Fields<"authority"> {
  const { value } = body;
  return {
    action: body.action,
    authorityType: body.authority_type,
    authorityAddress: reader.address("authority_address", body.authority_address),
    token: reader.address("token", body.token),
    ...(value === undefined ? {} : { value: value === null ? ZERO : reader.amount("value", value) }),
  };
}
