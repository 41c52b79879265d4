/** A served network without HTTP: world, observers, archive and inputs, with checkpoints as `serve` has them by default. */
import type { Amount } from "../../src/core/base/amount.ts";
import type { Millis, Nonce } from "../../src/core/base/ids.ts";
import type { Operation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { issuedTokenAddress } from "../../src/core/ledger/token.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import { keyOf } from "../../src/scenario/directory.ts";

/** Virtual milliseconds between two bursts: each payment is final, and the eight remembered checkpoints are soon full. */
const BURST_MS = 200;
const EVENTS = 1_000_000;

export class ServedWorld {
  readonly network: ServedNetwork;
  readonly #payers: readonly string[];
  #bursts = 0;
  payments = 0;

  constructor(payers: number) {
    this.#payers = Array.from({ length: payers }, (_, at) => `payer${at}`);
    const balances = Object.fromEntries(this.#payers.map((payer) => [payer, { USD: "1000000" }]));
    const tokens = { USD: { decimals: 2, master: "issuer" } };
    const scenario = {
      name: "served payments",
      network: { validators: 4, delay_ms: "0..2" },
      genesis: { tokens, balances, checkpoints: { interval_ms: 2_000, period_s: 0 } },
    };
    const setup = { scenario, seed: "1", crypto: "stand-in", keys: {}, accounts: this.#payers, startedAt: 0 } as const;
    this.network = new ServedNetwork(setup, keyedHash, { record: () => undefined, listeners: {} });
  }

  /** One payment of each account, to the next one. @throws Error for a refusal or a violation */
  burst(): void {
    for (const at of this.#payers.keys()) this.#pay(at);
    this.network.runTo((this.network.now + BURST_MS) as Millis, EVENTS);
    this.#bursts += 1;
    this.payments += this.#payers.length;
    const [finding] = this.network.findings;
    if (finding !== undefined) throw new Error(`${finding.invariant}: ${finding.detail}`);
  }

  get checkpoints(): number {
    return this.network.checkpointOf("v1");
  }

  #pay(at: number): void {
    const [payer = "", payee = ""] = [this.#payers[at], this.#payers[(at + 1) % this.#payers.length]];
    const addressOf = (name: string) => keyedHash.addressOf(keyOf("account", name));
    const operation: Operation = {
      ...{ kind: "payment", layout: "client", chainId: this.network.chainId, nonce: this.#bursts as Nonce },
      ...{ token: issuedTokenAddress(addressOf("issuer"), "USD"), recipient: addressOf(payee), value: 1n as Amount },
    } as Operation;
    const signature = keyedHash.sign(keyOf("account", payer), digestOf(operation));
    this.network.settle();
    const admission = this.network.admissionOf("v1", { operation, sender: addressOf(payer), signature });
    if (!admission.ok) throw new Error(`refused: ${admission.error.code}`);
    this.network.submit(admission.value);
  }
}
