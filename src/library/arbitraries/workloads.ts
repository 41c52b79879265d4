/** Arbitrary traffic: what clients, wallets and authorities hand in, correct ones and some that equivocate. */
import fc from "fast-check";
import { unreachable } from "../../core/base/assert.ts";
import type { ClientPart, Step, SubmitKinds } from "../../scenario/scenario.ts";
import { type Act, act } from "./acts.ts";
import { AUTHORITIES, EVERYBODY, NETWORK, WALLETS } from "./cast.ts";
import { around, committeeIn, type Part, type Validating } from "./part.ts";

/** How much traffic there may be. */
export interface WorkloadConstraints {
  /** Things that clients do: at least and at most; default 1 and 12. */
  readonly minActs?: number;
  readonly maxActs?: number;
}

/** How clients behave that equivocate nothing. */
interface Habits {
  /** Whether each asks a validator of its own first. */
  readonly spread: boolean;
  /** Whether the nonce of what was refused and shown to nobody is used again. */
  readonly reuse: boolean;
  /** Unanswered tries until it cancels; 0: never. */
  readonly cancelAfter: number;
  /** Operations that may be open at once. */
  readonly window: number;
}

interface Draft {
  /** Each with the milliseconds since the one before. */
  readonly acts: readonly (readonly [pause: number, act: Act])[];
  readonly habits: Habits;
}

function draftOf({ minActs = 1, maxActs = 12 }: WorkloadConstraints): fc.Arbitrary<Draft> {
  return fc.record({
    acts: fc.array(fc.tuple(fc.nat(400), act), { minLength: minActs, maxLength: maxActs }),
    habits: fc.record({
      spread: fc.boolean(),
      reuse: fc.boolean(),
      cancelAfter: fc.nat(3),
      window: fc.integer({ min: 1, max: 3 }),
    }),
  });
}

/**
 * Traffic for a network whose genesis has the accounts and tokens of `GENESIS`. It counts the nonces of all accounts
 * itself, so a scenario has one workload.
 */
export function workloads(network: Validating = NETWORK, constraints: WorkloadConstraints = {}): fc.Arbitrary<Part> {
  const names = committeeIn(network);
  return draftOf(constraints).map((one) => trafficOf(one, names));
}

/** For committees that are not known yet. */
export function laterWorkloads(constraints: WorkloadConstraints): fc.Arbitrary<(names: readonly string[]) => Part> {
  return draftOf(constraints).map((one) => (names) => trafficOf(one, names));
}

/** How long after the first of two payments for one nonce the second is signed. */
const SECOND_MS = 90;

class Traffic {
  readonly steps: Step[] = [];
  readonly scripted: Set<string> = new Set();
  readonly #names: readonly string[];
  readonly #nonces = new Map<string, number>();
  #count = 0;
  #at = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(pause: number, one: Act): void {
    this.#at += pause;
    switch (one.act) {
      case "pay":
        this.#pay(one);
        return;
      case "conflict": {
        const half = Math.max(1, this.#names.length >> 1);
        const others = this.#names.slice(half);
        this.scripted.add(one.from);
        this.#contest(one.from, { to: "zoe", value: one.value }, { to: "yan", value: `${one.value}.5` }, [
          { only: this.#names.slice(0, half) },
          others.length === 0 ? undefined : { only: others },
        ]);
        return;
      }
      case "second":
        this.#contest(one.from, { to: "zoe", value: String(one.first) }, { to: "yan", value: `${one.value}.25` }, [
          {},
          { after: SECOND_MS },
        ]);
        return;
      case "authority":
        this.#submit("issuer", this.#nonceOf("issuer"), one.operation, {});
        return;
      case "workload": {
        const { mix, count, everyMs } = one;
        this.steps.push({ at: this.#at, workload: { accounts: WALLETS, count, every_ms: `0..${everyMs}`, mix } });
        return;
      }
      default:
        unreachable(one);
    }
  }

  #pay({ from, to, value, cancelAfter }: Extract<Act, { act: "pay" }>): void {
    const nonce = this.#nonceOf(from);
    this.#submit(from, nonce, { payment: { from, to, token: "USD", value } }, {});
    if (cancelAfter !== undefined) this.#submit(from, nonce, { cancellation: { from } }, { after: cancelAfter });
  }

  /** Two payments for one nonce. */
  #contest(
    from: string,
    first: { readonly to: string; readonly value: string },
    second: { readonly to: string; readonly value: string },
    [how, otherwise]: readonly [How, How | undefined],
  ): void {
    const nonce = this.#nonceOf(from);
    this.#submit(from, nonce, { payment: { from, token: "USD", ...first } }, how);
    if (otherwise !== undefined) this.#submit(from, nonce, { payment: { from, token: "USD", ...second } }, otherwise);
  }

  #nonceOf(from: string): number {
    return this.#nonces.get(from) ?? 0;
  }

  #submit(from: string, nonce: number, operation: SubmitKinds, { after = 0, only }: How): void {
    this.#count += 1;
    const submit = { id: `o${this.#count}`, ...operation, nonce };
    this.steps.push({ at: this.#at + after, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.#nonceOf(from), nonce + 1));
  }
}

/** How an operation is handed in: milliseconds after its act, and to whom. */
interface How {
  readonly after?: number;
  readonly only?: readonly string[];
}

function trafficOf({ acts, habits }: Draft, names: readonly string[]): Part {
  const traffic = new Traffic(names);
  for (const [pause, one] of acts) traffic.add(pause, one);
  return { steps: traffic.steps, clients: clientsOf(habits, traffic.scripted, names) };
}

/** What is not said here is as it is for every client. */
function clientsOf(
  { spread, reuse, cancelAfter, window }: Habits,
  scripted: ReadonlySet<string>,
  names: readonly string[],
): Readonly<Record<string, ClientPart>> {
  const clients = [...EVERYBODY, ...AUTHORITIES, "operator"].map((name, place): [string, ClientPart] => {
    if (scripted.has(name)) return [name, { behaviour: "scripted" }];
    return [
      name,
      {
        ...(spread ? { home: around(names, place) } : {}),
        ...(window === 1 ? {} : { window: 1 + ((window + place) % 3) }),
        ...(cancelAfter === 0 ? {} : { cancel_after: cancelAfter, give_up_after: 6 }),
        ...(reuse ? { on_refusal: "reuse" } : {}),
      },
    ];
  });
  return Object.fromEntries(clients.filter(([, part]) => Object.keys(part).length > 0));
}
