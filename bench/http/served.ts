/** The served network itself, started as anybody starts it. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { realScheme } from "../../src/backends/secp256k1.ts";
import type { Amount } from "../../src/core/base/amount.ts";
import type { Address, Nonce } from "../../src/core/base/ids.ts";
import type { Operation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey, Scheme } from "../../src/core/crypto/scheme.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { issuedTokenAddress } from "../../src/core/ledger/token.ts";
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import { COMMAND, ROOT } from "../support/cpu.ts";
import { startChild } from "./child.ts";
import { nonces, type Target } from "./target.ts";

const CHAIN_ID = 1212101;
const STAND_IN = fileURLToPath(new URL("./stand-in-server.js", import.meta.url));
const BARE = fileURLToPath(new URL("./bare-server.js", import.meta.url));
export const PATH = "/v1/transactions/payment";
const PLAIN_URL = /(http:\/\/\S+)/;

/** `quorumlab serve` with four validators. `delay`: of links between them, as its option says it. @throws Error where it is not built. */
export async function servedNetwork(accounts: readonly ReadyAccount[], delay: string): Promise<Target> {
  if (!existsSync(COMMAND)) throw new Error(`${COMMAND} is not there: npm run build makes it`);
  const words = ["--json", "--port", "0", "--admin-port", "none", "--accounts", String(accounts.length)];
  const command = [process.execPath, COMMAND, "serve", ...words, "--delay", delay];
  const child = await startChild(command, ROOT, /"type":"ready","url":"([^"]+)".*\n/);
  return { name: `served, links of ${delay} ms`, child, ...requestsOf(accounts, realScheme()) };
}

/** The same network with stand-in signatures, links of 0 ms. */
export async function standInNetwork(accounts: readonly ReadyAccount[]): Promise<Target> {
  const child = await startChild([process.execPath, STAND_IN, String(accounts.length)], ROOT, PLAIN_URL);
  return { name: "served, stand-in signatures", child, ...requestsOf(accounts, keyedHash) };
}

/** The same requests, answered by `node:http` alone. */
export async function bareHttp(accounts: readonly ReadyAccount[], scheme: Scheme): Promise<Target> {
  const child = await startChild([process.execPath, BARE], ROOT, PLAIN_URL);
  return { name: "bare node:http", child, ...requestsOf(accounts, scheme) };
}

/** Requests of its clients; the read that names a receipt waits for it (`min_receipt`). */
function requestsOf(
  [, issuer]: readonly ReadyAccount[],
  scheme: Scheme,
): Pick<Target, "firstAnswer" | "sign" | "submit" | "receipt"> {
  if (issuer === undefined) throw new RangeError("accounts: expected two at least, the second is the token's master");
  const token = issuedTokenAddress(scheme.addressOf(issuer.key), "USDX");
  const nonceOf = nonces();
  return {
    firstAnswer: async (wire) => void (await wire.ask("GET", "/v1/chains/chain_id")),
    sign: (account) => ({ body: bodyOf(token, account.key, nonceOf(account), scheme) }),
    submit: async (wire, { body }) => ((await wire.ask("POST", PATH, body)) as { readonly hash: string }).hash,
    receipt: async (wire, hash) =>
      void (await wire.ask("GET", `/v1/transactions/receipt/by_hash?hash=${hash}&min_receipt=${hash}`)),
  };
}

/** The body of a payment of one unit, signed. */
export function bodyOf(token: Address, key: PrivateKey, nonce: number, scheme: Scheme): string {
  const address = scheme.addressOf(key);
  // To oneself it would move nothing: the last digit is another one.
  const recipient = `${address.slice(0, -1)}${address.endsWith("0") ? "1" : "0"}` as Address;
  const operation: Operation = {
    kind: "payment",
    layout: "client",
    chainId: CHAIN_ID,
    nonce: nonce as Nonce,
    token,
    recipient,
    value: 1n as Amount,
  };
  const signature = scheme.sign(key, digestOf(operation));
  const r = signature.slice(0, 66);
  const s = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  return JSON.stringify({ chain_id: CHAIN_ID, nonce, recipient, value: "1", token, signature: { r, s, v } });
}
