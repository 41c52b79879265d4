/** The served network itself, started as anybody starts it. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Amount } from "../../src/core/base/amount.ts";
import type { Address, Nonce } from "../../src/core/base/ids.ts";
import type { Operation } from "../../src/core/base/operation.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { issuedTokenAddress } from "../../src/core/ledger/token.ts";
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import { startChild } from "./child.ts";
import { nonces, type Target } from "./target.ts";

const CHAIN_ID = 1212101;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = `${ROOT}dist/cli/main.js`;
const PATH = "/v1/transactions/payment";

/** `quorumlab serve` with four validators. `delay`: of links between them, as its option says it. @throws Error where it is not built. */
export async function servedNetwork(accounts: readonly ReadyAccount[], delay: string): Promise<Target> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: npm run build makes it`);
  const words = ["--json", "--port", "0", "--admin-port", "none", "--accounts", String(accounts.length)];
  const command = [process.execPath, MAIN, "serve", ...words, "--delay", delay];
  const child = await startChild(command, ROOT, /"type":"ready","url":"([^"]+)".*\n/);
  return { name: `served, links of ${delay} ms`, child, ...paymentsOf(accounts) };
}

/** Requests of its clients; the read that names a receipt waits for it (`min_receipt`). */
export function paymentsOf([, issuer]: readonly ReadyAccount[]): Pick<Target, "sign" | "submit" | "receipt"> {
  if (issuer === undefined) throw new RangeError("accounts: expected two at least, the second is the token's master");
  const token = issuedTokenAddress(issuer.address, "USDX");
  const nonceOf = nonces();
  return {
    sign: (account) => ({ body: bodyOf(token, account, nonceOf(account)) }),
    submit: async (wire, { body }) => ((await wire.ask("POST", PATH, body)) as { readonly hash: string }).hash,
    receipt: async (wire, hash) =>
      void (await wire.ask("GET", `/v1/transactions/receipt/by_hash?hash=${hash}&min_receipt=${hash}`)),
  };
}

function bodyOf(token: Address, { key, address }: ReadyAccount, nonce: number): string {
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
  const signature = secp256k1.sign(key, digestOf(operation));
  const r = signature.slice(0, 66);
  const s = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  return JSON.stringify({ chain_id: CHAIN_ID, nonce, recipient, value: "1", token, signature: { r, s, v } });
}
