/** Arbitrary traffic of clients, wallets and authorities, with some equivocation. */
import fc from "fast-check";
import { unreachable } from "../../core/base/assert.ts";
import type { ClientSpec } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { type ClientAction, clientAction } from "./client-actions.ts";
import {
  ALL_ACCOUNTS,
  AUTHORITIES,
  committeeIn,
  type Drawn,
  type HasCommittee,
  NETWORK,
  near,
  type ScenarioFragment,
  WALLETS,
} from "./fragment.ts";

/** Bounds of the traffic. */
export interface WorkloadConstraints {
  /** Least and greatest number of client actions; default 1 and 12. */
  readonly minActs?: number;
  readonly maxActs?: number;
}

function draftOf({ minActs = 1, maxActs = 12 }: WorkloadConstraints) {
  return fc.record({
    /** Each with the milliseconds since the previous one. */
    acts: fc.array(fc.tuple(fc.nat(400), clientAction), { minLength: minActs, maxLength: maxActs }),
    /** Behaviour of correct clients. */
    habits: fc.record({
      /** Each client has a home validator of its own. */
      spread: fc.boolean(),
      /** The nonce of an operation refused undisclosed is used again. */
      reuse: fc.boolean(),
      /** Number of unanswered tries before a cancellation; 0: no cancellation. */
      cancelAfter: fc.nat(3),
      /** Number of operations that may be open at once. */
      window: fc.integer({ min: 1, max: 3 }),
    }),
  });
}

type Draft = Drawn<ReturnType<typeof draftOf>>;

/**
 * Traffic for a network with the accounts and tokens of `GENESIS`. It assigns the nonces of all accounts, so a scenario
 * can contain one such fragment only.
 */
export function workloads(
  network: HasCommittee = NETWORK,
  constraints: WorkloadConstraints = {},
): fc.Arbitrary<ScenarioFragment> {
  const names = committeeIn(network);
  return draftOf(constraints).map((one) => trafficOf(one, names));
}

/** The same for a committee that is not known yet. */
export function laterWorkloads(constraints: WorkloadConstraints) {
  return draftOf(constraints).map((one) => (names: readonly string[]) => trafficOf(one, names));
}

/** Milliseconds between two payments for one nonce. */
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

  add(pause: number, one: ClientAction): void {
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

  #pay({ from, to, value, cancelAfter }: Extract<ClientAction, { act: "pay" }>): void {
    const nonce = this.#nonceOf(from);
    this.#submit(from, nonce, { payment: { from, to, token: "USD", value } }, {});
    if (cancelAfter !== undefined) this.#submit(from, nonce, { cancellation: { from } }, { after: cancelAfter });
  }

  /** Two payments for one nonce. */
  #contest(
    from: string,
    first: { readonly to: string; readonly value: string },
    second: { readonly to: string; readonly value: string },
    [delivery, otherwise]: readonly [DeliveryOptions, DeliveryOptions | undefined],
  ): void {
    const nonce = this.#nonceOf(from);
    this.#submit(from, nonce, { payment: { from, token: "USD", ...first } }, delivery);
    if (otherwise !== undefined) this.#submit(from, nonce, { payment: { from, token: "USD", ...second } }, otherwise);
  }

  #nonceOf(from: string): number {
    return this.#nonces.get(from) ?? 0;
  }

  #submit(from: string, nonce: number, operation: SubmitKinds, { after = 0, only }: DeliveryOptions): void {
    this.#count += 1;
    const submit = { id: `o${this.#count}`, ...operation, nonce };
    this.steps.push({ at: this.#at + after, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.#nonceOf(from), nonce + 1));
  }
}

/** Submission of an operation: milliseconds after its action, and receivers. */
type DeliveryOptions = Readonly<{ after?: number; only?: readonly string[] }>;

function trafficOf({ acts, habits }: Draft, names: readonly string[]): ScenarioFragment {
  const traffic = new Traffic(names);
  for (const [pause, one] of acts) traffic.add(pause, one);
  return { steps: traffic.steps, clients: clientsOf(habits, traffic.scripted, names) };
}

/** Clients whose options differ from the defaults. */
function clientsOf(
  { spread, reuse, cancelAfter, window }: Draft["habits"],
  scripted: ReadonlySet<string>,
  names: readonly string[],
): Readonly<Record<string, ClientSpec>> {
  const clients = [...ALL_ACCOUNTS, ...AUTHORITIES, "operator"].map((name, place): [string, ClientSpec] => {
    if (scripted.has(name)) return [name, { behaviour: "scripted" }];
    return [
      name,
      {
        ...(spread ? { home: near(names, place) } : {}),
        ...(window === 1 ? {} : { window: 1 + ((window + place) % 3) }),
        ...(cancelAfter === 0 ? {} : { cancel_after: cancelAfter, give_up_after: 6 }),
        ...(reuse ? { on_refusal: "reuse" } : {}),
      },
    ];
  });
  return Object.fromEntries(clients.filter(([, part]) => Object.keys(part).length > 0));
}
