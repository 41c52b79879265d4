/** Validators joined by a queue: no delays, no losses, no timers. What is left is the cost of the validators. */
import { required } from "../../src/core/base/assert.ts";
import type { CheckpointPolicy, Genesis } from "../../src/core/base/epoch.ts";
import type { Address, Millis } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { createAuthenticator, statementDigest } from "../../src/core/consensus/authenticator.ts";
import { createVerifier, type PrivateKey, type Scheme } from "../../src/core/crypto/scheme.ts";
import { environmentOf, sharedOf } from "../../src/core/validator/environment.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { createValidator, type ValidatorState } from "../../src/core/validator/state.ts";
import { type Input, step } from "../../src/core/validator/step.ts";
import { CHAIN, genesisOf, keyOf, paymentOf } from "./genesis.ts";

export interface LoopSetup {
  readonly checkpoints?: CheckpointPolicy;
  /** Number of accounts that pay, in turn. */
  readonly payers?: number;
  /** Further accounts with funds: they are paid, one after the other, where there are any. */
  readonly payees?: readonly Address[];
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
  private readonly payers: readonly PrivateKey[];
  private readonly payees: readonly Address[];
  private now = 0;
  private made = 0;
  private isFinal = false;

  constructor(n: number, scheme: Scheme, { checkpoints, payers = 1, payees = [] }: LoopSetup = {}) {
    this.scheme = scheme;
    this.keys = Array.from({ length: n }, (_, at) => keyOf(`validator ${at}`));
    this.payers = Array.from({ length: payers }, (_, at) => keyOf(`payer ${at}`));
    const members = this.keys.map((key) => scheme.addressOf(key));
    const owners = [...this.payers.map((key) => scheme.addressOf(key)), ...payees];
    this.genesis = genesisOf(members, owners, checkpoints);
    this.payees = payees.length > 0 ? payees : [this.genesis.operator];
    const shared = sharedOf(this.genesis, createAuthenticator(CHAIN, createVerifier(scheme)), rules);
    this.nodes = members.map((self) => createValidator(environmentOf(shared, [self], rules)));
  }

  /** Returns the number of checkpoints that every validator has applied. */
  get checkpoints(): number {
    return Math.min(...this.nodes.map(({ checkpoints: { last: checkpoint } }) => checkpoint.header.number));
  }

  /** The next payment, signed: its payer's next nonce. */
  nextPayment(): SignedOperation {
    const at = this.made++;
    const { length } = this.payers;
    const key = this.payers[at % length] as PrivateKey;
    return paymentOf(this.scheme, key, Math.floor(at / length), this.payees[at % this.payees.length] as Address);
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
    const signer = required(this.genesis.validators[node], "validator").key;
    this.send(node, output.to, { ...output.message, body: { ...body, signer, signature } } as PeerMessage);
  }

  private send(node: number, to: readonly Address[], message: PeerMessage): void {
    const from = required(this.genesis.validators[node], "validator").key;
    const input: Input = { type: "message", at: this.now as Millis, from, message };
    for (const peer of to)
      this.queue.push({ node: this.genesis.validators.findIndex(({ key }) => key === peer), input });
  }
}
