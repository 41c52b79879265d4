/** Writes that are followed to their end. */

import type { Fields, Kind } from "../client/layouts.ts";
import type { Polling, ReferenceClient, Sent, SigningOptions } from "../client/reference-client.ts";
import type { Json, Running } from "./support.ts";

/** Often, since links are fast here; as long as a slow machine may need. */
export const SWIFT: Polling = { first: 0, every: 10, looks: 3_000 };

/** A submission with its receipt. */
export interface Settled extends Sent {
  readonly receipt: Json;
}

/** Signs, posts, and looks until there is a receipt. @throws RestError where it is refused. */
export async function settle<K extends Kind>(
  client: ReferenceClient,
  kind: K,
  fields: Fields[K],
  key: string,
  options: SigningOptions = {},
): Promise<Settled> {
  const sent = await client.send(kind, fields, key, options);
  return { ...sent, receipt: await client.receipt(sent.hash, SWIFT) };
}

/** A payment of a ready account to bob, followed to its end. */
export function pay(net: Running, from: string): Promise<Settled> {
  const payment = { recipient: net.address("bob"), value: "5", token: net.token() };
  return settle(net.client, "payment", payment, net.key(from));
}

/** A payment that is posted to a validator and not waited for. */
export function postPayment(net: Running, node: string, from: string, to: string, nonce: number): Promise<Sent> {
  const payment = { recipient: net.address(to), value: "1000000", token: net.token() };
  return net.clientOf(node).send("payment", payment, net.key(from), { nonce });
}
