/** A world of real validators under payments, and nothing else: no oracles, no faults, clients that keep nothing. */

import type { CheckpointPolicy } from "../../src/core/base/epoch.ts";
import { fillerAddress } from "../../src/core/base/fillers.ts";
import type { Address, Millis } from "../../src/core/base/ids.ts";
import { createAuthenticator } from "../../src/core/consensus/authenticator.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { environmentOf, sharedEnvironment } from "../../src/core/validator/environment.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { createValidator, forkValidator, type ValidatorState } from "../../src/core/validator/state.ts";
import { step } from "../../src/core/validator/step.ts";
import type { Program, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { CHAIN, genesisOf, keyOf, paymentOf } from "./genesis.ts";

/** Virtual time after which a payment that is not final never will be. */
const PATIENCE_MS = 60_000;

export interface TrafficSetup {
  readonly validators: number;
  /** Accounts that pay in turn, each the next one, at validators in turn. */
  readonly accounts: number;
  readonly checkpoints: CheckpointPolicy | undefined;
  /** Filler accounts: they are paid, one after the other, where there are any. */
  readonly payees?: number;
  readonly plan?: Partial<WorldPlan>;
  /** A payment is final for its client, so many virtual milliseconds after it was submitted. */
  readonly onFinal?: (latency: number) => void;
}

export class Traffic {
  readonly world: World;
  /** Payments submitted so far. */
  payments = 0;
  private readonly names: readonly string[];
  private readonly keys: readonly PrivateKey[];
  private readonly recipients: readonly Address[];
  /** Submission time of each payment that is not final, by its id. */
  private readonly open = new Map<string, number>();

  constructor({ validators, accounts, checkpoints, payees = 0, plan, onFinal }: TrafficSetup) {
    this.names = Array.from({ length: validators }, (_, at) => `v${at + 1}`);
    this.keys = Array.from({ length: accounts }, (_, at) => keyOf(`payer ${at}`));
    const payers = this.keys.map((key) => keyedHash.addressOf(key));
    const others = Array.from({ length: payees }, (_, at) => fillerAddress(at + 1));
    this.recipients = payees > 0 ? others : payers;
    const members = this.names.map((name) => keyedHash.addressOf(keyOf(name)));
    const genesis = genesisOf(members, payers, payees, checkpoints);
    const authenticator = createAuthenticator(CHAIN, keyedHash);
    const shared = sharedEnvironment(genesis, authenticator, rules);
    const programOf = (self: Address): Program<ValidatorState> => ({
      start: () => createValidator(environmentOf(shared, [self], rules)),
      step,
      fork: forkValidator,
    });
    const worldPlan: WorldPlan = {
      seed: "1",
      scheme: keyedHash,
      statements: authenticator,
      nodes: this.names.map((name, at) => ({ name, key: keyOf(name), program: programOf(members[at] as Address) })),
      clients: this.names.map((home) => ({ name: `client of ${home}`, behaviour: "scripted", home })),
      faulty: shared.committee.faulty,
      actions: [],
      ...plan,
    };
    this.world = createWorld(worldPlan, {
      submitted: (_client, id) => void this.open.set(id, this.world.now),
      replyReceived: (_client, id, _from, reply) => {
        const since = reply.status === "final" ? this.open.get(id) : undefined;
        if (since === undefined) return;
        this.open.delete(id);
        onFinal?.(this.world.now - since);
      },
    });
    this.world.run({ at: 0 as Millis, quiet: false });
  }

  get states(): readonly ValidatorState[] {
    return this.world.nodes.map(({ state }) => state as ValidatorState);
  }

  /** Returns the number of checkpoints that every validator has applied. */
  get checkpoints(): number {
    return Math.min(...this.states.map(({ checkpoints: { last: checkpoint } }) => checkpoint.header.number));
  }

  /** The next account submits a payment now. */
  submit(): void {
    const { length } = this.keys;
    const account = this.payments % length;
    const nonce = Math.floor(this.payments / length);
    // Never itself: with recipients apart none of them pays.
    const recipient = this.recipients[(this.payments + 1) % this.recipients.length] as Address;
    const submission = paymentOf(keyedHash, this.keys[account] as PrivateKey, nonce, recipient);
    const client = `client of ${this.names[account % this.names.length]}`;
    this.payments++;
    this.world.act({ do: "submit", client, submission });
  }

  /** Submits so many payments at once and waits until each is final. */
  burst(count: number): void {
    for (let at = 0; at < count; at++) this.submit();
    this.wait();
  }

  /** Submits a payment every so many virtual milliseconds, whatever becomes of them, and waits for the last one. */
  steady(count: number, everyMs: number): void {
    const from = this.world.now;
    for (let at = 0; at < count; at++) {
      this.world.run({ at: (from + at * everyMs) as Millis, quiet: false });
      this.submit();
    }
    this.wait();
  }

  private wait(): void {
    const at = (this.world.now + PATIENCE_MS) as Millis;
    this.world.run({ at, quiet: false, when: () => this.open.size === 0 });
    if (this.open.size > 0) throw new Error(`${this.open.size} payments did not become final`);
  }
}
