/** Requests to a served network, each with a time limit, and the reads before an operation is signed. */
import { type Address, type Nonce, toAddress, toCount } from "../../core/base/ids.ts";
import { issuedTokenAddress } from "../../core/ledger/token.ts";
import { UsageError } from "../command.ts";
import { errorText, type Members, objectIn, request } from "../http.ts";

/** Milliseconds for one request: the handler limit of the real network (wire 2.4). */
const REQUEST_MS = 10_000;

/** Response with its status and body. */
type Reply = Readonly<{ type: "answer"; status: number; body: Members }>;

/** Response, or the reason for none. */
export type ApiResponse =
  | Reply
  /** No response: the request may have arrived or not. */
  | { readonly type: "none"; readonly reason: string };

/** Never throws: callers interpret a missing response. */
export interface Api {
  readonly url: string;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  /** `isNew`: a repost of what was admitted before is refused. */
  post(path: string, body: Members, isNew: boolean): Promise<ApiResponse>;
}

/** Returns the interface at a base URL without a trailing slash. */
export function createApi(url: string): Api {
  return {
    url,
    get: (path, query = {}) => {
      const words = new URLSearchParams(query).toString();
      return ask(words === "" ? `${url}${path}` : `${url}${path}?${words}`);
    },
    post: (path, body, isNew) => ask(`${url}${path}`, body, isNew ? { "if-none-match": "*" } : {}),
  };
}

/** Reads a body; one that is not a JSON object counts as empty, since the status suffices. */
async function ask(url: string, body?: Members, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
  const response = await request(url, { timeoutMs: REQUEST_MS, body, headers });
  if (response.type === "none") return response;
  return { type: "answer", status: response.status, body: objectIn(response.text) ?? {} };
}

/** Token with the members that amounts and reports need. */
export type SendToken = Readonly<{ address: Address; symbol: string; decimals: number }>;

/** @throws UsageError for an unexpected response. */
export function readChainId(api: Api): Promise<number> {
  return readNumber(api, "/v1/chains/chain_id", "chain_id");
}

/** Returns the next nonce of the account. */
export async function readNonce(api: Api, address: Address): Promise<Nonce> {
  return toCount<Nonce>(await readNumber(api, "/v1/accounts/nonce", "nonce", { address }));
}

/** Returns the token of a master authority with this symbol, or at this address. @throws UsageError if unknown. */
export async function readToken(api: Api, text: string, master: Address): Promise<SendToken> {
  const isAddress = text.startsWith("0x");
  const address = isAddress ? addressOf("token", text) : issuedTokenAddress(master, text);
  const answer = await read(api, METADATA, { token: address });
  const token = tokenIn(address, answer);
  if (token !== undefined) return token;
  if (answer.status !== 404) throw unexpectedResponse(METADATA, answer);
  throw new UsageError(
    isAddress
      ? `--token: there is no token ${address}`
      : `--token: ${master} has no token ${text}; --issuer names another master authority, and --token takes an address too`,
  );
}

/** `undefined` where the network does not say, which is no fault of what was sent. */
export async function findToken(api: Api, address: Address): Promise<SendToken | undefined> {
  const answer = await api.get(METADATA, { token: address });
  return answer.type === "answer" ? tokenIn(address, answer) : undefined;
}

/** @throws UsageError unless the text is an address. */
export function addressOf(option: string, text: string): Address {
  if (isAddressText(text)) return toAddress(text);
  throw new UsageError(`--${option}: expected an address, 0x and 40 hex digits, got "${text}"`);
}

/** Returns true for an address in any letter case. */
export function isAddressText(text: unknown): text is string {
  return typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text);
}

const METADATA = "/v1/tokens/token_metadata";

/** @throws UsageError without a response. */
async function read(api: Api, path: string, query?: Readonly<Record<string, string>>): Promise<Reply> {
  const answer = await api.get(path, query);
  if (answer.type === "answer") return answer;
  throw new UsageError(
    `no response from ${api.url} (${answer.reason}): quorumlab serve starts a network, --url gives another address`,
  );
}

function tokenIn(address: Address, { status, body }: Reply): SendToken | undefined {
  const { symbol, decimals } = body as { readonly symbol?: unknown; readonly decimals?: unknown };
  if (status !== 200 || typeof symbol !== "string" || !isCount(decimals)) return undefined;
  return { address, symbol, decimals };
}

async function readNumber(
  api: Api,
  path: string,
  member: string,
  query?: Readonly<Record<string, string>>,
): Promise<number> {
  const answer = await read(api, path, query);
  const value = answer.body[member];
  if (answer.status === 200 && isCount(value)) return value;
  throw unexpectedResponse(path, answer);
}

/** Returns true for an integer from 0 that JSON holds exactly. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function unexpectedResponse(path: string, { status, body }: Reply): UsageError {
  const words = errorText(body);
  const reason = words === "" ? "and not what was asked for" : words;
  return new UsageError(`--url: expected a served network, but ${path} answers ${status}, ${reason}`);
}
