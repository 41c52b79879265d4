/** The part of a served network, played by a small server that reads signed bodies with the reference client's encoder. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { toHash, toSignature } from "../../../src/core/base/ids.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { type Fields, type Head, type Kind, PATHS, pathOf, signedItem, V2 } from "../../server/client/layouts.ts";
import { hashOf, transactionHash } from "../../server/client/signing.ts";
import { listening } from "../support.ts";

export const ISSUER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** USDX of the issuer. */
export const USDX = "0x8ff67ce65760cd1210c9ff3726ee51e06a75c1b1";
export const CHAIN = 77;
export const NONCE = 4;
export const NEW_TOKEN = `0x${"ee".repeat(20)}`;

export interface Write {
  readonly kind: Kind;
  readonly body: Readonly<Record<string, unknown>>;
  /** Returns the address that the signature recovers to. */
  readonly sender: string | undefined;
  readonly hash: string;
}

type Reply = readonly [status: number, body: unknown];

export interface Played {
  readonly url: string;
  readonly requests: readonly string[];
  readonly writes: readonly Write[];
  close(): void;
}

/** Answers of its own where they are not undefined; `"hang up"` ends the connection without one. */
export type Special = (request: string, writes: readonly Write[]) => Reply | "hang up" | undefined;

/** Serves until it is closed. */
export async function play(special: Special = () => undefined): Promise<Played> {
  const requests: string[] = [];
  const writes: Write[] = [];
  const server: Server = createServer(async (request, response) => {
    const asked = `${request.method} ${request.url}`;
    requests.push(asked);
    const text = await bodyOf(request);
    if (request.method === "POST") writes.push(writeIn(request.url ?? "", text));
    const reply = special(asked, writes) ?? usual(asked, writes);
    if (reply === "hang up") return request.socket.destroy();
    const [status, body] = reply;
    return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const url = await listening(server);
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, requests, writes, close };
}

/** A network in which everything is final at once. */
function usual(asked: string, writes: readonly Write[]): Reply {
  const path = asked.replace(/\?.*/, "");
  switch (path) {
    case "GET /v1/chains/chain_id":
      return [200, { chain_id: CHAIN }];
    case "GET /v1/accounts/nonce":
      return [200, { nonce: NONCE }];
    case "GET /v1/tokens/token_metadata":
      return asked.endsWith(USDX)
        ? [200, { symbol: "USDX", decimals: 6 }]
        : [404, { error_code: "resource_token_not_found", message: "no such token" }];
    case "GET /v1/transactions/finalized/by_hash": {
      const done = { success: true, fee_used: "10000", token_address: USDX, epoch: 2, counter_signatures: [1, 2, 3] };
      return [200, done];
    }
    case "GET /v1/governances/epoch/by_id":
      return [200, { epoch_id: 2, certificate: { validators: ["a", "b", "c", "d"] } }];
    default: {
      const { kind, hash } = writes.at(-1) as Write;
      return [200, kind === "issue" ? { hash, token: NEW_TOKEN } : { hash }];
    }
  }
}

type Signed = Readonly<{ signature: Readonly<{ r: string; s: string; v: number }> }>;

function writeIn(path: string, text: string): Write {
  const layout = path.startsWith("/v2/") ? "v2" : "client";
  const kinds = Object.keys(layout === "v2" ? V2 : PATHS) as Kind[];
  const kind = kinds.find((one) => pathOf(one, layout) === path) as Kind;
  const body = JSON.parse(text) as Head & Fields[Kind] & Signed & { readonly authorization: Signed };
  const item = signedItem(kind, body, layout);
  const { r, s, v } = (layout === "v2" ? body.authorization : body).signature;
  const signature = toSignature(`${r}${s.slice(2)}0${v}`);
  const hash = transactionHash(item, { r: BigInt(r), s: BigInt(s), v }, layout);
  return { kind, body: { ...body }, sender: secp256k1.recover(toHash(hashOf(item)), signature), hash };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
