/** A served network without HTTP: world, observers, archive and inputs, with checkpoints as `serve` has them by default. */
import { join } from "node:path";
import type { Amount } from "../../src/core/base/amount.ts";
import type { Address, Millis, Nonce } from "../../src/core/base/ids.ts";
import type { Operation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { issuedTokenAddress } from "../../src/core/ledger/token.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import { RECORDING_FORMAT } from "../../src/live/recording.ts";
import { keyOf } from "../../src/scenario/directory.ts";
import { EMPTY } from "../../src/server/host/disk.ts";
import { openRecords, RecordingFile, recordsPath } from "../../src/server/host/state-file.ts";

/** Virtual milliseconds between two bursts: each payment is final, and the eight remembered checkpoints are soon full. */
const BURST_MS = 200;
const EVENTS = 1_000_000;

export class ServedWorld {
  readonly network: ServedNetwork;
  readonly #payers: readonly string[];
  readonly #burst: number;
  readonly #addresses: readonly Address[];
  #bursts = 0;
  payments = 0;

  /**
   * `burst`: accounts that pay at once, in turn. `folder`: place of its recording and of its old records. `accounts`:
   * accounts that are paid in turn, more than those that pay, which a world has as clients.
   */
  constructor(payers: number, burst: number, folder: string, accounts: number = payers) {
    this.#burst = burst;
    this.#payers = Array.from({ length: payers }, (_, at) => `payer${at}`);
    this.#addresses = Array.from({ length: accounts }, (_, at) => addressOf(`payer${at}`));
    const balances = Object.fromEntries(this.#payers.map((payer) => [payer, { USD: "1000000" }]));
    const tokens = { USD: { decimals: 2, master: "issuer" } };
    const scenario = {
      name: "served payments",
      network: { validators: 4, delay_ms: "0..2" },
      genesis: { tokens, balances, checkpoints: { interval_ms: 2_000, period_s: 0 } },
    };
    const setup = { scenario, seed: "1", crypto: "stand-in", keys: {}, accounts: this.#payers, startedAt: 0 } as const;
    const path = join(folder, "network.ndjson");
    const head = { type: "recording", format: RECORDING_FORMAT, quorumlab: "", node: "", setup } as const;
    const recording = RecordingFile.begin(path, head, [], "never");
    const refuse = (reason: string): never => {
      throw new Error(reason);
    };
    const readInputs = (): never => refuse("a network without snapshots reads no inputs");
    this.network = new ServedNetwork(setup, keyedHash, {
      record: (entry) => recording.write(entry),
      listeners: {},
      files: { old: openRecords(recordsPath(path), EMPTY, refuse), readInputs, sizeFault: () => undefined },
    });
  }

  /** One payment of each account of the next burst. @throws Error for a refusal or a violation */
  burst(): void {
    const first = (this.#bursts * this.#burst) % this.#payers.length;
    for (let at = 0; at < this.#burst; at++) this.#pay(first + at, this.payments + at + 1);
    this.network.runTo((this.network.now + BURST_MS) as Millis, EVENTS);
    this.#bursts += 1;
    this.payments += this.#burst;
    const [finding] = this.network.findings;
    if (finding !== undefined) throw new Error(`${finding.invariant}: ${finding.detail}`);
  }

  get checkpoints(): number {
    return this.network.checkpointOf("v1");
  }

  #pay(at: number, to: number): void {
    const payer = this.#payers[at] ?? "";
    const [sender, recipient] = [this.#addresses[at], this.#addresses[to % this.#addresses.length]];
    const nonce = Math.floor((this.#bursts * this.#burst) / this.#payers.length);
    const operation: Operation = {
      ...{ kind: "payment", layout: "client", chainId: this.network.chainId, nonce: nonce as Nonce },
      ...{ token: USD, recipient, value: 1n as Amount },
    } as Operation;
    const signature = keyedHash.sign(keyOf("account", payer), digestOf(operation));
    this.network.runDueEvents();
    const admission = this.network.admissionOf("v1", { operation, sender: sender as Address, signature });
    if (!admission.ok) throw new Error(`refused: ${admission.error.code}`);
    this.network.submit(admission.value);
  }
}

function addressOf(name: string): Address {
  return keyedHash.addressOf(keyOf("account", name));
}

const USD = issuedTokenAddress(addressOf("issuer"), "USD");
