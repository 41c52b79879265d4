/** Validators joined by a queue: no delays, no losses, no timers. What is left is the cost of the validators. */
import type { Amount } from "../../src/core/base/amount.ts";
import type { Genesis } from "../../src/core/base/genesis.ts";
import type { Address, Millis, Nonce } from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../src/core/base/operation.ts";
import { createAuthenticator } from "../../src/core/consensus/authenticator.ts";
import { statementDigest } from "../../src/core/consensus/statement.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import type { PrivateKey, Scheme } from "../../src/core/crypto/scheme.ts";
import { createVerifier } from "../../src/core/crypto/verifier.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { environmentOf, sharedOf } from "../../src/core/validator/environment.ts";
import type { Input } from "../../src/core/validator/input.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { createValidator, type ValidatorState } from "../../src/core/validator/state.ts";
import { step } from "../../src/core/validator/step.ts";

const CHAIN = 1212101;
const USD = `0x${"11".repeat(20)}` as Address;
const FUNDS = (1n << 128n) as Amount;

export function keyOf(name: string): PrivateKey {
  return keccak(new TextEncoder().encode(`key of ${name}`)) as unknown as PrivateKey;
}

export class Loop {
  /** Signatures made by validators so far. */
  signed = 0;
  /** Inputs taken so far. */
  steps = 0;
  private readonly scheme: Scheme;
  private readonly keys: readonly PrivateKey[];
  private readonly genesis: Genesis;
  private readonly nodes: readonly ValidatorState[];
  private readonly queue: { node: number; input: Input }[] = [];
  private now = 0;
  private nonce = 0;
  private isFinal = false;

  constructor(n: number, scheme: Scheme) {
    this.scheme = scheme;
    this.keys = Array.from({ length: n }, (_, at) => keyOf(`validator ${at}`));
    const members = this.keys.map((key) => scheme.addressOf(key));
    this.genesis = genesisOf(members, scheme.addressOf(keyOf("owner")));
    const shared = sharedOf(this.genesis, createAuthenticator(CHAIN, createVerifier(scheme)), rules);
    this.nodes = members.map((self) => createValidator(environmentOf(shared, self, rules)));
  }

  /** The next payment of the one account that has funds, signed. */
  nextPayment(): SignedOperation {
    const operation: Operation = {
      kind: "payment",
      layout: "client",
      chainId: CHAIN,
      nonce: this.nonce++ as Nonce,
      token: USD,
      recipient: this.genesis.operator,
      value: 1n as Amount,
    };
    const key = keyOf("owner");
    return { operation, sender: this.scheme.addressOf(key), signature: this.scheme.sign(key, digestOf(operation)) };
  }

  /** From the client's request until every validator has applied it. @throws Error where it does not become final. */
  pay(submission: SignedOperation): void {
    this.isFinal = false;
    // Time goes on, so that what validators do once in a while they do here, too.
    this.now += 10;
    this.queue.push({ node: 0, input: { type: "submit", at: this.now as Millis, client: "client", submission } });
    for (let at = 0; at < this.queue.length; at++) {
      const { node, input } = this.queue[at] as (typeof this.queue)[number];
      this.steps++;
      for (const output of step(this.nodes[node] as ValidatorState, input)) this.carryOut(node, output);
    }
    this.queue.length = 0;
    if (!this.isFinal) throw new Error("the payment did not become final");
  }

  private carryOut(node: number, output: Output): void {
    if (output.type === "send") this.send(node, output.to, output.message);
    if (output.type === "reply" && output.reply.status === "final") this.isFinal = true;
    if (output.type !== "sign") return;
    const { body } = output.message;
    this.signed++;
    const signature = this.scheme.sign(this.keys[node] as PrivateKey, statementDigest(CHAIN, body));
    const signer = this.genesis.validators[node] as Address;
    this.send(node, output.to, { ...output.message, body: { ...body, signer, signature } } as PeerMessage);
  }

  private send(node: number, to: readonly Address[], message: PeerMessage): void {
    const from = this.genesis.validators[node] as Address;
    const input: Input = { type: "message", at: this.now as Millis, from, message };
    for (const peer of to) this.queue.push({ node: this.genesis.validators.indexOf(peer), input });
  }
}

function genesisOf(validators: readonly Address[], owner: Address): Genesis {
  const entry = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };
  const operator = `0x${"22".repeat(20)}` as Address;
  const token = { token: USD, symbol: "USD", name: "Dollar", decimals: 2, masterAuthority: operator };
  const policy = { isPrivate: false, isPaused: false, roles: [], blacklist: [], whitelist: [] };
  return {
    chainId: CHAIN,
    operator,
    validators,
    fees: { default: entry, tokens: new Map() },
    listLimit: 64,
    checkpoints: undefined,
    tokens: [{ ...token, ...policy }],
    balances: [{ address: owner, token: USD, amount: FUNDS }],
  };
}
