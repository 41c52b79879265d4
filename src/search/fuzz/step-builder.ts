/** Builder of a generated scenario's steps: nonces, operation names and times. */

import type { Name } from "../../scenario/scalar-types.ts";
import type { Step, SubmitKinds, TriggerSpec } from "../../scenario/scenario.ts";

/** Submitted operation, as faults refer to it. */
export interface KnownOperation {
  readonly id: Name;
  readonly from: Name;
  readonly nonce: number;
  /** Time of submission, exact or approximate. */
  readonly at: number;
  /** Account that it affects besides its signer's, and its token. */
  readonly account: Name | undefined;
  readonly token: Name | undefined;
}

/** Options of a submission. Defaults: the builder's time, the signer's next nonce, the client's home. */
export interface SubmitOptions {
  readonly nonce?: number;
  readonly at?: number;
  readonly after?: TriggerSpec;
  readonly only?: readonly Name[] | undefined;
  /** Further members of `submit`. */
  readonly more?: object;
}

/** Step without its time or trigger. */
export type StepBody = Omit<Step, "at" | "after">;

export class StepBuilder {
  readonly steps: Step[] = [];
  readonly known: KnownOperation[] = [];
  /** Accounts that violate the client rules and are owed nothing. */
  readonly scripted: Set<Name> = new Set();
  /** True if a restriction is hidden from some validators. */
  hides = false;
  /** Virtual milliseconds: start of the action that is being drawn. */
  at = 0;
  readonly #nonces = new Map<Name, number>();
  #rules = 0;

  /** Returns the account's next unused nonce. */
  nonceOf(account: Name): number {
    return this.#nonces.get(account) ?? 0;
  }

  /** Submits an operation of `from`. */
  submit(from: Name, kinds: SubmitKinds, { nonce, at, after, only, more }: SubmitOptions = {}): KnownOperation {
    const used = nonce ?? this.nonceOf(from);
    const id = `o${this.known.length + 1}`;
    const when = after === undefined ? { at: at ?? this.at } : { after };
    const submit = { id, ...kinds, nonce: used, ...more };
    this.steps.push({ ...when, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.nonceOf(from), used + 1));
    const { payment, burn, mint, blacklist, whitelist, pause, unpause, grant, revoke, metadata } = kinds;
    const about = [payment, burn, mint, blacklist, whitelist, pause, unpause, grant, revoke, metadata];
    const token = about.find((one) => one !== undefined)?.token;
    const one: KnownOperation = { id, from, nonce: used, at: at ?? this.at, account: burn?.account, token };
    this.known.push(one);
    return one;
  }

  /** Adds a step at a time. */
  addAt(at: number, what: StepBody): void {
    this.steps.push({ at, ...what });
  }

  /** Adds a step after a trigger. */
  addAfter(after: TriggerSpec, what: StepBody): void {
    this.steps.push({ after, ...what });
  }

  /** Returns a new name for a hold or drop rule. */
  rule(): Name {
    this.#rules += 1;
    return `r${this.#rules}`;
  }
}
