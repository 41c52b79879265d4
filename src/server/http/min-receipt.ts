/** Read-your-writes: a read may name an operation whose effect it has to show (an addition of this server). */
import { type Hash, toHash } from "../../core/base/ids.ts";
import type { Shape } from "../../scenario/schema/shape.ts";
import { hash } from "../wire/schemas/schema-types.ts";
import type { EntryValidator } from "./entry-validator.ts";
import type { HttpError } from "./http-error.ts";
import { missingReceipt, receiptOf } from "./receipt-of.ts";

export interface MinReceipt {
  readonly min_receipt?: string;
}

/** Adds the member `min_receipt` to the query of a read. */
export function withMinReceipt<Query>(query: Shape<Query>): Shape<Query & MinReceipt> {
  const { properties } = query as { readonly properties?: Record<string, unknown> };
  const member = hash("the operation that this validator must have applied first, by its transaction hash");
  return { ...query, properties: { ...properties, min_receipt: member } } as unknown as Shape<Query & MinReceipt>;
}

/** Waits until the entry validator has applied the operation; returns an error after `minReceiptMs`. */
export async function awaitReceipt(entry: EntryValidator, named: string | undefined): Promise<HttpError | undefined> {
  if (named === undefined) return undefined;
  const wanted: Hash = toHash(named);
  const isThere = (): boolean => receiptOf(entry, wanted).ok;
  if (isThere()) return undefined;
  const place = entry.requestLimit.enter();
  if (!place.ok) return place.error;
  try {
    if (await entry.host.until(isThere, entry.limits.minReceiptMs)) return undefined;
  } finally {
    place.value();
  }
  const message = `the read was not made: after ${entry.limits.minReceiptMs} ms ${missingReceipt(entry, wanted)}`;
  return { status: 408, code: "request_timeout", message };
}
