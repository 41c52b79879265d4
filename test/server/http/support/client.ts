/** A served validator on a real socket, and a client that signs. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import type { Genesis } from "../../../../src/core/base/epoch.ts";
import type { Address } from "../../../../src/core/base/ids.ts";
import type { PrivateKey } from "../../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../../src/core/crypto/secp256k1.ts";
import { type AppOptions, createApp } from "../../../../src/server/http/app.ts";
import { CHAIN } from "../../../core/ledger/support/operations.ts";
import { amount, COIN, genesisOf, genesisToken } from "../../../core/ledger/support/world.ts";
import { signedBody } from "../../client/signing.ts";
import { FakeHost } from "./fake-host.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Served {
  readonly app: FastifyInstance;
  readonly host: FakeHost;
  readonly port: number;
  readonly url: string;
  /** Lines of the log. */
  readonly log: readonly Json[];
  get(path: string): Promise<Answered>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

/** Listens on a free port of this machine. A body that is a text is sent as it is. */
export async function serve(options: Partial<AppOptions> = {}, genesis: Genesis = genesisWithKeys()): Promise<Served> {
  const host = new FakeHost(genesis);
  const log: Json[] = [];
  const logger = pino({ level: "debug", base: null }, { write: (line: string) => log.push(JSON.parse(line) as Json) });
  const app = await createApp(host, "v1", { log: logger, version: "0.0.0", ...options });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    const answer = await fetch(`${url}${path}`, init);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: answer.status, headers: answer.headers, text, json: isJson ? (JSON.parse(text) as Json) : {} };
  };
  return {
    app,
    host,
    port,
    url,
    log,
    get: (path) => ask(path, {}),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** The same for all tests of a file: it listens before them, and closes after them. */
export function sharedServer(options: Partial<AppOptions> = {}): Served {
  const shared = {} as { -readonly [Member in keyof Served]: Served[Member] };
  beforeAll(async () => void Object.assign(shared, await serve(options)));
  afterAll(() => shared.app.close());
  return shared;
}

/** A private key for each small number. */
function keyOf(number: number): PrivateKey {
  return `0x${number.toString(16).padStart(64, "0")}` as PrivateKey;
}

const ALICE_KEY = keyOf(1);
export const MASTER_KEY = keyOf(3);
export const [ALICE, BOB, MASTER] = [ALICE_KEY, keyOf(2), MASTER_KEY].map(secp256k1.addressOf) as [
  Address,
  Address,
  Address,
];

/** Alice has 1000 of the coin, whose master can be signed for. */
export function genesisWithKeys(): Genesis {
  return genesisOf({
    operator: MASTER,
    tokens: [genesisToken(COIN, { masterAuthority: MASTER, roles: [] })],
    balances: [{ address: ALICE, token: COIN, amount: amount(1_000) }],
  });
}

export const PAYMENT = "/v1/transactions/payment";

/** A payment from alice to bob, as the client layout signs it. */
export function paymentBody({
  nonce = 0,
  value = 10n,
}: {
  readonly nonce?: number;
  readonly value?: bigint;
} = {}): Json {
  const head = { chain_id: CHAIN, nonce };
  return signedBody("payment", { ...head, recipient: BOB, value: String(value), token: COIN }, ALICE_KEY).body;
}
