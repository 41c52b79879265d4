/** Local networks of another chain, from npm: signed transfers, each with a receipt. */
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Transaction } from "micro-eth-signer";
import { type ReadyAccount, TEST_MNEMONIC } from "../../src/server/setup/accounts.ts";
import { startChild } from "./child.ts";
import { nonces, type Target } from "./target.ts";
import type { Wire } from "./wire.ts";

const FOLDER = fileURLToPath(new URL("../../../bench/references/", import.meta.url));
const CHAIN_ID = 31_337n;
/** Longest time until a receipt: some of them lose a transaction now and then. */
const RECEIPT_MS = 15_000;

/** A network that may be installed, and how it is started. */
export interface Reference {
  readonly name: string;
  readonly isInstalled: boolean;
  /** @throws Error where it does not run here */
  start(accounts: number): Promise<Target>;
}

interface Program {
  readonly name: string;
  /** Below the folder of the references. */
  readonly file: string;
  /** `port`: a free one, for a program that does not look for one itself. */
  command(file: string, accounts: number, port: number): readonly string[];
}

/** All derive their accounts from the test mnemonic, as we do. */
const PROGRAMS: readonly Program[] = [
  {
    name: "hardhat",
    file: "node_modules/hardhat/internal/cli/bootstrap.js",
    // Its accounts stand in `hardhat.config.js`.
    command: (file) => [process.execPath, file, "node", "--port", "0"],
  },
  {
    // Its package is the program itself, for the one system that it names.
    name: "anvil",
    file: "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil",
    command: (file, accounts) => [file, "--port", "0", "--accounts", String(accounts)],
  },
  {
    name: "ganache",
    file: "node_modules/ganache/dist/node/cli.js",
    command: (file, accounts, port) => [
      ...[process.execPath, file, "--server.port", String(port), "--chain.chainId", String(CHAIN_ID)],
      ...["--wallet.mnemonic", TEST_MNEMONIC, "--wallet.totalAccounts", String(accounts)],
    ],
  },
];

export const REFERENCES: readonly Reference[] = PROGRAMS.map((program) => ({
  name: program.name,
  isInstalled: existsSync(`${FOLDER}${program.file}`),
  start: (accounts) => started(program, accounts),
}));

async function started({ name, file, command }: Program, accounts: number): Promise<Target> {
  const child = await startChild(
    command(`${FOLDER}${file}`, accounts, await freePort()),
    FOLDER,
    /(?:Listening on |JSON-RPC server at )(?:http:\/\/)?(\d[\d.:]+)/,
  );
  const nonceOf = nonces();
  return {
    name,
    child: { ...child, url: `http://${child.url}` },
    firstAnswer: async (wire) => void (await call(wire, bodyOf("eth_chainId"))),
    sign: (account) => ({ body: transferOf(account, nonceOf(account)) }),
    submit: async (wire, { body }) => String(await call(wire, body)),
    receipt: async (wire, hash) => {
      const asked = bodyOf("eth_getTransactionReceipt", hash);
      // There is no way to wait for it but to ask again, and a pause would only make it look slower.
      const until = performance.now() + RECEIPT_MS;
      while ((await call(wire, asked)) === null)
        if (performance.now() > until) throw new Error(`${name}: no receipt in ${RECEIPT_MS} ms`);
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function transferOf({ key, address }: ReadyAccount, nonce: number): string {
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n, gasLimit: 21_000n };
  // To another account, that has no code.
  const to = `${address.slice(0, -1)}${address.endsWith("0") ? "1" : "0"}`;
  const transfer = Transaction.prepare({ ...fees, to, value: 1n, nonce: BigInt(nonce), chainId: CHAIN_ID }, false);
  return bodyOf("eth_sendRawTransaction", transfer.signBy(key).toHex());
}

function bodyOf(method: string, ...params: readonly string[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

async function call(wire: Wire, body: string): Promise<unknown> {
  const { result, error } = (await wire.ask("POST", "/", body)) as {
    readonly result?: unknown;
    readonly error?: unknown;
  };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}
