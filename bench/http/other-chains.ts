/** Local networks of another chain, from npm: signed transfers, each with a receipt. */
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Transaction } from "micro-eth-signer";
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import { startChild } from "./child.ts";
import { nonces, type Target } from "./target.ts";
import type { Wire } from "./wire.ts";

const FOLDER = fileURLToPath(new URL("../../../bench/references/", import.meta.url));
const CHAIN_ID = 31_337n;
/** The longest pause between two questions for a receipt. */
const POLL_MS = 16;

interface Program {
  readonly name: string;
  /** Below the folder of the references. */
  readonly file: string;
  command(file: string, accounts: number): readonly string[];
}

/** Its package is the program itself, for the one system that it names. */
const ANVIL: Program = {
  name: "anvil",
  file: "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil",
  command: (file, accounts) => [file, "--port", "0", "--accounts", String(accounts)],
};
/** Its accounts stand in `hardhat.config.js`. */
const HARDHAT: Program = {
  name: "hardhat",
  file: "node_modules/hardhat/internal/cli/bootstrap.js",
  command: (file) => [process.execPath, file, "node", "--port", "0"],
};

/** Those that are installed and run; what is wrong with the others is said. Both derive their accounts from the test mnemonic, as we do. */
export async function otherChains(accounts: readonly ReadyAccount[]): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const program of [ANVIL, HARDHAT]) {
    const { name } = program;
    if (existsSync(`${FOLDER}${program.file}`)) {
      try {
        targets.push(await started(program, accounts.length));
      } catch (error) {
        console.log(`  ${name} does not run here: ${(error as Error).message.split("\n")[0]}`);
      }
    } else console.log(`  ${name} is not installed: npm ci --prefix bench/references installs it, where it can run`);
  }
  return targets;
}

async function started({ name, file, command }: Program, accounts: number): Promise<Target> {
  const child = await startChild(
    command(`${FOLDER}${file}`, accounts),
    FOLDER,
    /(?:Listening on |JSON-RPC server at )(?:http:\/\/)?(\d[\d.:]+)/,
  );
  const nonceOf = nonces();
  return {
    name,
    child: { ...child, url: `http://${child.url}` },
    sign: (account) => ({ body: transferOf(account, nonceOf(account)) }),
    submit: async (wire, { body }) => String(await call(wire, body)),
    receipt: async (wire, hash) => {
      const asked = bodyOf("eth_getTransactionReceipt", hash);
      // There is no way to wait for it but to ask again, less and less often: many that ask would only slow it down.
      for (let wait = 1; (await call(wire, asked)) === null; wait = Math.min(2 * wait, POLL_MS)) await setTimeout(wait);
    },
  };
}

function transferOf({ key, address }: ReadyAccount, nonce: number): string {
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n, gasLimit: 21_000n };
  // To another account, that has no code.
  const to = `${address.slice(0, -1)}${address.endsWith("0") ? "1" : "0"}`;
  const transfer = Transaction.prepare({ ...fees, to, value: 1n, nonce: BigInt(nonce), chainId: CHAIN_ID }, false);
  return bodyOf("eth_sendRawTransaction", transfer.signBy(key).toHex());
}

function bodyOf(method: string, parameter: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [parameter] });
}

async function call(wire: Wire, body: string): Promise<unknown> {
  const { result, error } = (await wire.ask("POST", "/", body)) as {
    readonly result?: unknown;
    readonly error?: unknown;
  };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}
