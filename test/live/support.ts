/** A small served network for tests, without sockets and without a clock. */
import type { Address, Nonce } from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation, Submission } from "../../src/core/base/operation.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { issuedTokenAddress } from "../../src/core/ledger/token.ts";
import type { LiveListeners } from "../../src/live/live-run.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import {
  headOf,
  NO_SUM,
  type RecordingEntry,
  type RecordingHead,
  recordLine,
  type Setup,
} from "../../src/live/recording.ts";
import { keyOf } from "../../src/scenario/directory.ts";

export const SETUP: Setup = {
  scenario: {
    name: "live",
    network: { validators: 4, delay_ms: "5..20", spares: ["v5"] },
    genesis: {
      tokens: { USD: { decimals: 2, master: "issuer" } },
      balances: { alice: { USD: "1000" }, bob: { USD: "1000" } },
      checkpoints: { interval_ms: 500, period_s: 0 },
    },
  },
  seed: "1",
  crypto: "stand-in",
  keys: {},
  accounts: ["alice", "bob"],
  startedAt: 1_790_000_000_000,
};

export const HEAD: RecordingHead = headOf(SETUP);

export function addressOf(name: string): Address {
  return keyedHash.addressOf(keyOf("account", name));
}

export const USD: Address = issuedTokenAddress(addressOf("issuer"), "USD");

/** An operation of an account, with the members of its kind. */
export function signed(from: string, nonce: number, parts: object): SignedOperation {
  const operation = { layout: "client", chainId: 1_212_101, nonce: nonce as Nonce, ...parts } as Operation;
  return { operation, sender: addressOf(from), signature: keyedHash.sign(keyOf("account", from), digestOf(operation)) };
}

/** A payment of five of the smallest unit. */
export function payment(from: string, nonce: number, to = "carol"): SignedOperation {
  return signed(from, nonce, { kind: "payment", token: USD, recipient: addressOf(to), value: 5n });
}

/** Hands a submission in, if the node runs and admits it; else returns why it does not. */
export function submit(network: ServedNetwork, node: string, submission: Submission): Refusal | undefined {
  network.runDueEvents();
  if (network.ledgerOf(node) === undefined) return undefined;
  const admission = network.admissionOf(node, submission);
  if (!admission.ok) return admission.error;
  network.submit(admission.value);
  return undefined;
}

/** A network that keeps its recording. */
export function recorded(
  listeners: LiveListeners = {},
  past?: ConstructorParameters<typeof ServedNetwork>[2]["past"],
  setup: Setup = SETUP,
) {
  const entries: RecordingEntry[] = [];
  const record = (entry: RecordingEntry): void => void entries.push(entry);
  const network = new ServedNetwork(setup, keyedHash, {
    record,
    listeners,
    ...(past === undefined ? {} : { past }),
  });
  return { network, entries };
}

/** The text of a recording. */
export function textOf(entries: readonly RecordingEntry[], head: RecordingHead = HEAD): string {
  let sum = NO_SUM;
  return [head, ...entries]
    .map((one) => {
      const next = recordLine(sum, one);
      sum = next.sum;
      return next.line;
    })
    .join("");
}
