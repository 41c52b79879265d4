/** A client of the served network that shares no code with it: what real clients send, spelled as any of them does. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Fields, type Head, type Kind, type Layout, type MemoBody, pathOf } from "./layouts.ts";
import { addressOf, jsonText, recoveryHash, type SignedBody, type Spelling, signedBody } from "./signing.ts";

/** Parts of a write; absent ones are read from the server or filled in as the newest client does. */
export interface SigningOptions {
  readonly layout?: Layout;
  readonly spelling?: Spelling;
  readonly nonce?: number;
  readonly chainId?: number;
  readonly memo?: MemoBody;
  readonly recent?: Pick<Head, "recent_epoch" | "recent_checkpoint">;
}

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  /** The parsed body where it is JSON, else its text. */
  readonly body: unknown;
}

/** A body that was posted, and what came back. */
export interface Sent extends SignedBody {
  readonly path: string;
  readonly answer: Answer;
}

/** Looks at a receipt: when the first time, how far apart, and how many at most. Milliseconds. */
export interface Polling {
  readonly first: number;
  readonly every: number;
  readonly looks: number;
}

/** As the eager one of the published clients looks (wire 2.4). */
const EAGER: Polling = { first: 0, every: 50, looks: 600 };

/** An answer that is no success, as every client reports it. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;

  constructor({ status, body }: Answer) {
    const { error_code, message } = body as { readonly error_code?: string; readonly message?: string };
    super(`${status} ${error_code ?? "(no code)"}: ${message ?? String(body)}`);
    this.status = status;
    this.code = error_code ?? "";
  }
}

type Query = Readonly<Record<string, string | number | boolean>>;
type Json = Readonly<Record<string, unknown>>;

/** One server, asked by its base URL without a slash at its end. */
export class ReferenceClient {
  readonly #baseUrl: string;
  readonly #usual: Query;

  /** `usual`: members of the query of every read. */
  constructor(baseUrl: string, usual: Query = {}) {
    this.#baseUrl = baseUrl;
    this.#usual = usual;
  }

  /** A request as it stands; never throws for a status. */
  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const json = body === undefined ? {} : { body: typeof body === "string" ? body : jsonText(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(`${this.#baseUrl}${path}`, { method, headers: { ...type, ...headers }, ...json });
    const contentType = response.headers.get("content-type");
    const text = await response.text();
    return { status: response.status, contentType, body: contentType?.includes("json") ? JSON.parse(text) : text };
  }

  /** The body of a read. @throws RestError unless its status is exactly 200. */
  async get<T = Json>(path: string, query: Query = {}): Promise<T> {
    const words = Object.entries({ ...query, ...this.#usual }).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    const answer = await this.request("GET", words.length === 0 ? path : `${path}?${words.join("&")}`);
    if (answer.status !== 200) throw new RestError(answer);
    return answer.body as T;
  }

  async chainId(): Promise<number> {
    return (await this.get<{ readonly chain_id: number }>("/v1/chains/chain_id")).chain_id;
  }

  async nonce(address: string): Promise<number> {
    return (await this.get<{ readonly nonce: number }>("/v1/accounts/nonce", { address })).nonce;
  }

  async bbnonce(address: string): Promise<number> {
    return (await this.get<{ readonly bbnonce: number }>("/v1/accounts/bbnonce", { address })).bbnonce;
  }

  async balance(address: string, token: string): Promise<bigint> {
    return BigInt((await this.tokenAccount(address, token))["balance"] as string);
  }

  tokenAccount(address: string, token: string): Promise<Json> {
    return this.get("/v1/accounts/token_account", { address, token });
  }

  tokenMetadata(token: string): Promise<Json> {
    return this.get("/v1/tokens/token_metadata", { token });
  }

  async checkpointNumber(): Promise<number> {
    return (await this.get<{ readonly number: number }>("/v1/checkpoints/number")).number;
  }

  checkpointByNumber(number: number, full: boolean): Promise<Json> {
    return this.get("/v1/checkpoints/by_number", { number, full });
  }

  checkpointByHash(hash: string, full: boolean): Promise<Json> {
    return this.get("/v1/checkpoints/by_hash", { hash, full });
  }

  checkpointReceipts(number: number): Promise<readonly Json[]> {
    return this.get("/v1/checkpoints/receipts/by_number", { number });
  }

  transaction(hash: string): Promise<Json> {
    return this.get("/v1/transactions/by_hash", { hash });
  }

  receiptNow(hash: string): Promise<Json> {
    return this.get("/v1/transactions/receipt/by_hash", { hash });
  }

  finalized(hash: string): Promise<Json> {
    return this.get("/v1/transactions/finalized/by_hash", { hash });
  }

  async estimateFee(query: { readonly from: string; readonly value: string } & Query): Promise<bigint> {
    return BigInt((await this.get<{ readonly fee: string }>("/v1/transactions/estimate_fee", query)).fee);
  }

  epoch(): Promise<Json> {
    return this.get("/v1/governances/epoch");
  }

  epochById(id: number): Promise<Json> {
    return this.get("/v1/governances/epoch/by_id", { id });
  }

  latestEpochCheckpoint(): Promise<Json> {
    return this.get("/v1/states/latest_epoch_checkpoint");
  }

  async health(): Promise<string> {
    return (await this.get<string>("/api/health")).trim();
  }

  /** The receipt as soon as it is there. @throws RestError for any answer but 200 and the exact miss, Error where it never comes. */
  async receipt(hash: string, { first, every, looks }: Polling = EAGER): Promise<Json> {
    for (let look = 0; look < looks; look++) {
      await sleep(look === 0 ? first : every);
      const answer = await this.request("GET", `/v1/transactions/receipt/by_hash?hash=${hash}`);
      if (answer.status === 200) return answer.body as Json;
      const error = new RestError(answer);
      if (error.status !== 404 || error.code !== "resource_transaction_not_found") throw error;
    }
    throw new Error(`no receipt of ${hash} after ${looks} looks`);
  }

  /** A signed body of any kind, without sending it. */
  async prepare<K extends Kind>(
    kind: K,
    fields: Fields[K],
    key: string,
    options: SigningOptions = {},
  ): Promise<SignedBody> {
    const { chainId, nonce, memo, recent, ...rest } = options;
    const head: Head = {
      ...recent,
      chain_id: chainId ?? (await this.chainId()),
      nonce: nonce ?? (await this.nonce(addressOf(key))),
      ...(memo === undefined ? {} : { memo }),
    };
    return signedBody(kind, { ...head, ...fields }, key, rest);
  }

  /** Signs and posts; the answer as it came. */
  async post<K extends Kind>(kind: K, fields: Fields[K], key: string, options: SigningOptions = {}): Promise<Sent> {
    const signed = await this.prepare(kind, fields, key, options);
    const path = pathOf(kind, options.layout);
    return { ...signed, path, answer: await this.request("POST", path, signed.body) };
  }

  /** Signs and posts. @throws RestError unless the answer is 200 with the hash that the client knows. */
  async send<K extends Kind>(kind: K, fields: Fields[K], key: string, options: SigningOptions = {}): Promise<Sent> {
    const sent = await this.post(kind, fields, key, options);
    const { status, body } = sent.answer;
    if (status !== 200) throw new RestError(sent.answer);
    const { hash } = body as { readonly hash: string };
    if (hash !== sent.hash) throw new Error(`the server calls ${sent.hash} ${hash}`);
    return sent;
  }

  /** Accuses an account of two bodies with one nonce. The recovery's hash is known before. */
  async recover(
    account: string,
    nonce: number,
    evidence: readonly Pick<Sent, "path" | "body">[],
  ): Promise<{ readonly hash: string; readonly answer: Answer }> {
    const chain_id = await this.chainId();
    const body = { chain_id, account, nonce, evidence: evidence.map(({ path, body }) => ({ path, body })) };
    const answer = await this.request("POST", "/v1/transactions/recovery", body);
    return { hash: recoveryHash(chain_id, account, nonce), answer };
  }
}
