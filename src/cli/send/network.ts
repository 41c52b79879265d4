/** Requests to a served network, each with a time limit, and the reads before an operation is signed. */
import { type Address, type Nonce, toAddress } from "../../core/base/ids.ts";
import { readCount, readWhole } from "../../core/base/spelled-number.ts";
import { issuedTokenAddress } from "../../core/ledger/token.ts";
import { UsageError } from "../command.ts";
import { answerIn, errorText, type JsonMembers, request } from "../http.ts";

/** Milliseconds for one request: the handler limit of the real network (wire 2.4). */
const REQUEST_MS = 10_000;

/** Response with its status and body. */
type ApiReply = Readonly<{ type: "answer"; status: number; body: JsonMembers }>;

/** Response, or the reason for none. */
export type ApiResponse =
  | ApiReply
  /** No response: the request may have arrived or not. */
  | { readonly type: "none"; readonly reason: string };

export type Api = ReturnType<typeof createApi>;

/** Returns the interface at a base URL without a trailing slash. Never throws: callers interpret a missing response. */
export function createApi(url: string) {
  return {
    url,
    get: (path: string, query: Readonly<Record<string, string>> = {}) => {
      const words = new URLSearchParams(query).toString();
      return sendRequest(words === "" ? `${url}${path}` : `${url}${path}?${words}`);
    },
    /** `isNew`: a repost of what was admitted before is refused. */
    post: (path: string, body: JsonMembers, isNew: boolean) =>
      sendRequest(`${url}${path}`, body, isNew ? { "if-none-match": "*" } : {}),
  };
}

/** Reads a body; one that is not a JSON object counts as empty, since the status suffices. */
async function sendRequest(
  url: string,
  body?: JsonMembers,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const response = await request(url, { timeoutMs: REQUEST_MS, body, headers });
  if (response.type === "none") return response;
  return { type: "answer", status: response.status, body: answerIn(response.text) ?? {} };
}

/** Token with the members that amounts and reports need. */
export type SendToken = Readonly<{ address: Address; symbol: string; decimals: number }>;

/** @throws UsageError for an unexpected response. */
export async function readChainId(api: Api): Promise<number> {
  const path = "/v1/chains/chain_id";
  return readMember(path, await read(api, path), "chain_id", COUNT);
}

/** Returns the next nonce of the account. */
export async function readNonce(api: Api, address: Address): Promise<Nonce> {
  const path = "/v1/accounts/nonce";
  return readMember(path, await read(api, path, { address }), "nonce", COUNT) as Nonce;
}

/** Returns the account's balance of a token, in its smallest unit. */
export async function readBalance(api: Api, address: Address, token: Address): Promise<bigint> {
  const path = "/v1/accounts/token_account";
  return readMember(path, await read(api, path, { address, token }), "balance", WHOLE);
}

/** Returns the token of a master authority with this symbol, or at this address. @throws UsageError if unknown. */
export async function readToken(
  api: Api,
  text: string,
  master: { readonly name: string; readonly address: Address },
): Promise<SendToken> {
  const isAddress = text.startsWith("0x");
  const address = isAddress ? addressOf("token", text) : issuedTokenAddress(master.address, text);
  const answer = await read(api, METADATA, { token: address });
  if (answer.status === 404)
    throw new UsageError(
      isAddress
        ? `--token: there is no token ${address}`
        : `--token: ${master.name} has no token ${text}; --issuer names another master authority, and --token takes an address too`,
    );
  const symbol = readMember(METADATA, answer, "symbol", TEXT);
  return { address, symbol, decimals: readMember(METADATA, answer, "decimals", DECIMALS) };
}

/** `undefined` where the network does not say, which is no fault of what was sent. */
export async function findToken(api: Api, address: Address): Promise<SendToken | undefined> {
  const answer = await api.get(METADATA, { token: address });
  if (answer.type === "none" || answer.status !== 200) return undefined;
  const [symbol, decimals] = [TEXT[0](answer.body["symbol"]), DECIMALS[0](answer.body["decimals"])];
  return symbol === undefined || decimals === undefined ? undefined : { address, symbol, decimals };
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
async function read(api: Api, path: string, query?: Readonly<Record<string, string>>): Promise<ApiReply> {
  const answer = await api.get(path, query);
  if (answer.type === "answer") return answer;
  throw new UsageError(
    `no response from ${api.url} (${answer.reason}): quorumlab serve starts a network, --url gives another address`,
  );
}

/** Reader of a member, which returns `undefined` for what it cannot read, and the form that it can read. */
type MemberReader<T> = readonly [read: (value: unknown) => T | undefined, form: string];

const TEXT: MemberReader<string> = [(value) => (typeof value === "string" ? value : undefined), "text"];
const WHOLE: MemberReader<bigint> = [readWhole, "a whole number from 0, as a number or as decimal or hex text"];
const COUNT: MemberReader<number> = [(value) => readCount(value), `${WHOLE[1]}, to 2^53 - 1`];
const DECIMALS: MemberReader<number> = [(value) => readCount(value, 18), `${WHOLE[1]}, to 18`];

/** Returns a member of an answer. @throws UsageError that says what was expected where, and what came. */
function readMember<T>(path: string, { status, body }: ApiReply, member: string, [readIn, form]: MemberReader<T>): T {
  const value = status === 200 ? readIn(body[member]) : undefined;
  if (value !== undefined) return value;
  const came = JSON.stringify(body[member])?.slice(0, 80) ?? "nothing";
  const reason = status === 200 ? `${member}: expected ${form}, got ${came}` : errorText(body) || "without a reason";
  throw new UsageError(`--url: expected a served network, but ${path} answers ${status}, ${reason}`);
}
