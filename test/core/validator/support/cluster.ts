/** A handful of validators joined by perfect links: enough to test one validator's steps among its peers. */

import { type Amount, ZERO } from "../../../../src/core/base/amount.ts";
import type { Genesis } from "../../../../src/core/base/genesis.ts";
import type { Address, Millis, Nonce } from "../../../../src/core/base/ids.ts";
import type { Operation, SignedOperation, Submission } from "../../../../src/core/base/operation.ts";
import { createAuthenticator } from "../../../../src/core/consensus/authenticator.ts";
import { statementDigest } from "../../../../src/core/consensus/statement.ts";
import { keccak } from "../../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../../src/core/crypto/scheme.ts";
import { createVerifier } from "../../../../src/core/crypto/verifier.ts";
import { digestOf } from "../../../../src/core/ledger/layout.ts";
import { environmentOf, sharedOf } from "../../../../src/core/validator/environment.ts";
import type { Input } from "../../../../src/core/validator/input.ts";
import type { PeerMessage } from "../../../../src/core/validator/message.ts";
import type { DurableRecord, Output, Reply } from "../../../../src/core/validator/output.ts";
import { type Rules, rules as realRules } from "../../../../src/core/validator/rules.ts";
import { createValidator, type ValidatorState } from "../../../../src/core/validator/state.ts";
import { step } from "../../../../src/core/validator/step.ts";

export const CHAIN = 1212101;
export const USD: Address = `0x${"11".repeat(20)}` as Address;

export function keyOf(name: string): PrivateKey {
  return keccak(new TextEncoder().encode(`key of ${name}`)) as unknown as PrivateKey;
}

export function addressOf(name: string): Address {
  return keyedHash.addressOf(keyOf(name));
}

export function signed(name: string, operation: Operation): SignedOperation {
  return { operation, sender: addressOf(name), signature: keyedHash.sign(keyOf(name), digestOf(operation)) };
}

export function payment(from: string, nonce: number, to: string, value: bigint): SignedOperation {
  return signed(from, {
    kind: "payment",
    layout: "client",
    chainId: CHAIN,
    nonce: nonce as Nonce,
    token: USD,
    recipient: addressOf(to),
    value: value as Amount,
  });
}

export function cancellation(from: string, nonce: number): SignedOperation {
  return signed(from, { kind: "cancellation", layout: "client", chainId: CHAIN, nonce: nonce as Nonce });
}

export function testGenesis(n: number): Genesis {
  const entry = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };
  return {
    chainId: CHAIN,
    operator: addressOf("operator"),
    validators: Array.from({ length: n }, (_, i) => addressOf(`v${i + 1}`)),
    fees: { default: entry, tokens: new Map() },
    tokens: [
      {
        token: USD,
        symbol: "USD",
        name: "Dollar",
        decimals: 2,
        masterAuthority: addressOf("issuer"),
        isPrivate: false,
        isPaused: false,
        roles: [{ role: "MintBurnTokens", address: addressOf("burner"), allowance: ZERO }],
        blacklist: [],
        whitelist: [],
      },
    ],
    balances: ["alice", "bob", "carol"].map((name) => ({
      address: addressOf(name),
      token: USD,
      amount: 1000n as Amount,
    })),
  };
}

interface Delivery {
  readonly at: number;
  readonly seq: number;
  readonly node: number;
  readonly input: Input;
}

/** Validators v1..vN; messages take `delay` ms, and `cut` drops those that it names. */
export class Cluster {
  readonly nodes: ValidatorState[];
  readonly disks: Map<string, DurableRecord>[];
  readonly replies: { node: number; client: string; id: string; reply: Reply }[] = [];
  readonly marks = new Map<string, number>();
  readonly reports: Output[] = [];
  now = 0;
  steps = 0;
  cut: (from: number, to: number, message: PeerMessage) => boolean = () => false;
  private queue: Delivery[] = [];
  private readonly timers = new Map<string, number>();
  private seq = 0;
  private readonly delay: number;
  readonly genesis: Genesis;
  private readonly rules: Rules;
  private readonly shared;

  constructor(n: number, delay = 5, rules: Rules = realRules) {
    this.delay = delay;
    this.rules = rules;
    this.genesis = testGenesis(n);
    this.shared = sharedOf(this.genesis, createAuthenticator(CHAIN, createVerifier(keyedHash)), rules);
    this.nodes = this.genesis.validators.map((self) => createValidator(environmentOf(this.shared, self, rules)));
    this.disks = this.nodes.map(() => new Map());
  }

  submit(node: number, submission: Submission, client = "client"): void {
    this.push(node, { type: "submit", at: this.now as Millis, client, submission }, 0);
  }

  /** Forgets a node's memory and starts it from its disk. */
  restart(node: number): void {
    const self = this.genesis.validators[node] as Address;
    this.nodes[node] = createValidator(environmentOf(this.shared, self, this.rules));
    this.queue = this.queue.filter((delivery) => delivery.node !== node);
    this.push(node, { type: "restart", at: this.now as Millis, records: [...(this.disks[node] ?? [])] }, 0);
  }

  run(until: number): void {
    for (;;) {
      this.queue.sort((a, b) => a.at - b.at || a.seq - b.seq);
      const first = this.queue[0];
      if (first === undefined || first.at > until) break;
      this.queue.shift();
      this.now = first.at;
      if (first.input.type === "timer" && this.timers.get(`${first.node} ${first.input.name}`) !== first.seq) continue;
      this.steps++;
      const outputs = step(this.nodes[first.node] as ValidatorState, { ...first.input, at: this.now as Millis });
      for (const output of outputs) this.carryOut(first.node, output);
    }
    this.now = until;
  }

  private carryOut(node: number, output: Output): void {
    const from = this.genesis.validators[node] as Address;
    switch (output.type) {
      case "persist":
        this.disks[node]?.set(output.key, output.record);
        return;
      case "sign": {
        const signature = keyedHash.sign(keyOf(`v${node + 1}`), statementDigest(CHAIN, output.message.body));
        const message = { ...output.message, body: { ...output.message.body, signer: from, signature } } as PeerMessage;
        this.send(node, output.to, message);
        return;
      }
      case "send":
        this.send(node, output.to, output.message);
        return;
      case "setTimer":
        this.timers.set(`${node} ${output.name}`, this.seq);
        this.push(node, { type: "timer", at: output.at, name: output.name }, output.at - this.now);
        return;
      case "cancelTimer":
        this.timers.delete(`${node} ${output.name}`);
        return;
      case "reply":
        this.replies.push({ node, client: output.client, id: output.id, reply: output.reply });
        return;
      case "mark":
        this.marks.set(output.mark, (this.marks.get(output.mark) ?? 0) + 1);
        return;
      case "report":
        this.reports.push(output);
        return;
      case "event":
        return;
    }
  }

  private send(node: number, to: readonly Address[], message: PeerMessage): void {
    const from = this.genesis.validators[node] as Address;
    for (const peer of to) {
      const target = this.genesis.validators.indexOf(peer);
      if (target !== node && this.cut(node, target, message)) continue;
      this.push(target, { type: "message", at: 0 as Millis, from, message }, target === node ? 0 : this.delay);
    }
  }

  private push(node: number, input: Input, after: number): void {
    this.queue.push({ at: this.now + after, seq: this.seq++, node, input });
  }
}
