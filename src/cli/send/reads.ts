/** Reads of a served network before an operation is signed. */
import { type Address, type Nonce, toAddress, toCount } from "../../core/base/ids.ts";
import { issuedTokenAddress } from "../../core/ledger/identity.ts";
import { UsageError } from "../exit-code.ts";
import type { Api, Reply } from "./api.ts";

/** Token with the members that amounts and reports need. */
export interface SendToken {
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
}

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
  if (answer.status !== 404) throw strange(METADATA, answer);
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
  throw strange(path, answer);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function strange(path: string, { status, body }: Reply): UsageError {
  const words = [body["error_code"], body["message"]].filter((word) => typeof word === "string").join(": ");
  const said = words === "" ? "and not what was asked for" : words;
  return new UsageError(`--url: expected a served network, but ${path} answers ${status}, ${said}`);
}
