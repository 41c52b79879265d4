/** Steps of a world while it is drawn: who has used which nonce, what operations are called, and when what happens. */
import type { Step, SubmitKinds, TriggerPart } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";

/** An operation that the script hands in, as faults refer to it. */
export interface Known {
  readonly id: Name;
  readonly from: Name;
  readonly nonce: number;
  /** When it is handed in, or about when. */
  readonly at: number;
  /** Whose slots it is about besides its signer's, and the token. */
  readonly account: Name | undefined;
  readonly token: Name | undefined;
}

/** How an operation is handed in. Absent members: at the script's time, for the signer's next nonce, at its home. */
export interface Handing {
  readonly nonce?: number;
  readonly at?: number;
  readonly after?: TriggerPart;
  readonly only?: readonly Name[] | undefined;
  /** Further members of `submit`. */
  readonly more?: object;
}

/** A step without its moment. */
export type Doing = Omit<Step, "at" | "after">;

export class Script {
  readonly steps: Step[] = [];
  readonly known: Known[] = [];
  /** Accounts that do what no correct client does, and are owed nothing. */
  readonly scripted: Set<Name> = new Set();
  /** Whether a restriction is kept from some of the validators. */
  hides = false;
  /** Virtual milliseconds: when the act that is being drawn begins. */
  at = 0;
  readonly #nonces = new Map<Name, number>();
  #rules = 0;

  /** The nonce that the account has not used yet. */
  nonceOf(account: Name): number {
    return this.#nonces.get(account) ?? 0;
  }

  /** Hands in an operation of `from`. */
  submit(from: Name, kinds: SubmitKinds, { nonce, at, after, only, more }: Handing = {}): Known {
    const used = nonce ?? this.nonceOf(from);
    const id = `o${this.known.length + 1}`;
    const when = after === undefined ? { at: at ?? this.at } : { after };
    const submit = { id, ...kinds, nonce: used, ...more };
    this.steps.push({ ...when, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.nonceOf(from), used + 1));
    const { payment, burn, mint, blacklist, whitelist, pause, unpause, grant, revoke, metadata } = kinds;
    const about = [payment, burn, mint, blacklist, whitelist, pause, unpause, grant, revoke, metadata];
    const token = about.find((one) => one !== undefined)?.token;
    const one: Known = { id, from, nonce: used, at: at ?? this.at, account: burn?.account, token };
    this.known.push(one);
    return one;
  }

  /** Anything else that happens at a time. */
  does(at: number, what: Doing): void {
    this.steps.push({ at, ...what });
  }

  /** Anything else that happens after an event. */
  follows(after: TriggerPart, what: Doing): void {
    this.steps.push({ after, ...what });
  }

  /** A name for one more rule of holding or dropping. */
  rule(): Name {
    this.#rules += 1;
    return `r${this.#rules}`;
  }
}
