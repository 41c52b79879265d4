/** Arbitrary traffic of clients, wallets and authorities, with some equivocation; each action shrinks by itself. */

import fc from "fast-check";
import { unreachable } from "../../core/base/assert.ts";
import type { ClientSpec } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import type { MixEntrySpec, MixKind } from "../../scenario/schema/workload.ts";
import {
  ACCOUNTS,
  ALL_ACCOUNTS,
  type ArbitraryValue,
  AUTHORITIES,
  committeeIn,
  type HasCommittee,
  itemAt,
  NETWORK,
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

type WorkloadDraft = ArbitraryValue<ReturnType<typeof draftOf>>;

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
        this.#payTwice(one.from, { to: "zoe", value: one.value }, { to: "yan", value: `${one.value}.5` }, [
          { only: this.#names.slice(0, half) },
          others.length === 0 ? undefined : { only: others },
        ]);
        return;
      }
      case "second":
        this.#payTwice(one.from, { to: "zoe", value: String(one.first) }, { to: "yan", value: `${one.value}.25` }, [
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

  #pay({ from, to, value, extras, cancelAfter }: Extract<ClientAction, { act: "pay" }>): void {
    const nonce = this.#nonceOf(from);
    this.#submit(from, nonce, { payment: { from, to, token: "USD", value } }, { extras });
    if (cancelAfter !== undefined) this.#submit(from, nonce, { cancellation: { from } }, { after: cancelAfter });
  }

  /** Two payments for one nonce. */
  #payTwice(
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

  #submit(from: string, nonce: number, operation: SubmitKinds, { after = 0, only, extras }: DeliveryOptions): void {
    this.#count += 1;
    const submit = { id: `o${this.#count}`, ...operation, nonce, ...extras };
    this.steps.push({ at: this.#at + after, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.#nonceOf(from), nonce + 1));
  }
}

/** Members of a submission besides its kind. */
type SubmitExtras = Pick<SubmitSpec, "memo" | "layout" | "recent_epoch" | "recent_checkpoint">;

/** Submission of an operation: milliseconds after its action, receivers, and further members. */
type DeliveryOptions = Readonly<{
  after?: number;
  only?: readonly string[];
  extras?: SubmitExtras;
}>;

function trafficOf({ acts, habits }: WorkloadDraft, names: readonly string[]): ScenarioFragment {
  const traffic = new Traffic(names);
  for (const [pause, one] of acts) traffic.add(pause, one);
  return { steps: traffic.steps, clients: clientsOf(habits, traffic.scripted, names) };
}

/** Clients whose options differ from the defaults. */
function clientsOf(
  { spread, reuse, cancelAfter, window }: WorkloadDraft["habits"],
  scripted: ReadonlySet<string>,
  names: readonly string[],
): Readonly<Record<string, ClientSpec>> {
  const clients = [...ALL_ACCOUNTS, ...AUTHORITIES, "operator"].map((name, place): [string, ClientSpec] => {
    if (scripted.has(name)) return [name, { behaviour: "scripted" }];
    return [
      name,
      {
        ...(spread ? { home: itemAt(names, place) } : {}),
        ...(window === 1 ? {} : { window: 1 + ((window + place) % 3) }),
        ...(cancelAfter === 0 ? {} : { cancel_after: cancelAfter, give_up_after: 6 }),
        ...(reuse ? { on_refusal: "reuse" } : {}),
      },
    ];
  });
  return Object.fromEntries(clients.filter(([, part]) => Object.keys(part).length > 0));
}

/** Orders of each kind, from wallets and authorities that race with single submissions. */
const ORDERS: Readonly<Record<MixKind, readonly MixEntrySpec[]>> = {
  payment: [{ payment: { token: "USD", value: "1..30" } }, { payment: { token: "RWA", value: "1..3" } }],
  cancellation: [{ cancellation: true }],
  mint: [
    { mint: { from: "boss", token: "USD", value: "1..9" } },
    { mint: { from: "frank", token: "USD", value: "0.5" } },
  ],
  burn: [
    { burn: { from: "boss", token: "USD", value: "0.01..1" } },
    { burn: { from: "boss", token: "USD", value: "1..150", accounts: ALL_ACCOUNTS } },
  ],
  clawback: [{ clawback: { from: "boss", token: "USD", value: "1..150", accounts: ALL_ACCOUNTS, to: ALL_ACCOUNTS } }],
  bridge_mint: [{ bridge_mint: { from: "boss", to: "erin", token: "USD", value: "3", chain: 1, transaction: "0xw" } }],
  bridge_burn: [
    { bridge_burn: { from: "boss", token: "USD", value: "0.5", chain: 1, destination: "0xd", escrow: "0.1" } },
  ],
  batch: [
    {
      batch: {
        from: "boss",
        token: "USD",
        legs: [
          { to: "alice", value: "1" },
          { to: "erin", value: "0.5" },
          { to: "alice", value: "2" },
        ],
      },
    },
  ],
  metadata: [{ metadata: { from: "scribe", token: "USD", name: "Dollar", additional: { a: "b" } } }],
  blacklist: [{ blacklist: { from: "boss", token: "USD", addresses: ["alice", "erin", "boss"] } }],
  whitelist: [{ whitelist: { from: "boss", token: "RWA" } }],
  grant: [
    { grant: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank", "boss"], allowance: "0..20" } },
    { grant: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  ],
  revoke: [
    { revoke: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank"] } },
    { revoke: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  ],
  pause: [{ pause: { from: "scribe", token: "USD" } }],
  unpause: [{ unpause: { from: "boss", token: "USD" } }],
  issue: [{ issue: { symbol: "NEW", decimals: 2, master: "owner" } }],
  multisig: [{ multisig: { from: "scribe", account: "vault" } }],
};

/** All orders; payments are the first. */
const MIX: readonly MixEntrySpec[] = Object.values(ORDERS).flat();

const memo = { format: "text/plain", data: "invoice 7" };

/** Members of a payment besides its kind; it shrinks to none. */
const extras = fc.constantFrom<SubmitExtras>(
  {},
  {},
  {},
  { memo },
  { layout: "v2" },
  { memo, layout: "v2" },
  { recent_checkpoint: 3 },
  { recent_epoch: 0, recent_checkpoint: 3 },
);

const account: fc.Arbitrary<string> = fc.constantFrom(...ACCOUNTS);
const value: fc.Arbitrary<string> = fc.integer({ min: 1, max: 20 }).map(String);

const authority: fc.Arbitrary<SubmitKinds> = fc.oneof(
  account.map((to) => ({ mint: { from: "issuer", token: "USD", to, value: "5" } })),
  fc.tuple(account, fc.integer({ min: 1, max: 150 })).map(([of, burned]) => ({
    burn: { from: "issuer", token: "USD", account: of, value: String(burned) },
  })),
  fc.tuple(account, account, fc.integer({ min: 1, max: 150 })).map(([of, to, taken]) => ({
    clawback: { from: "issuer", token: "USD", account: of, to, value: String(taken) },
  })),
  fc.constant({ pause: { from: "issuer", token: "USD" } }),
  fc.constant({ unpause: { from: "issuer", token: "USD" } }),
  fc.tuple(account, fc.constantFrom("add" as const, "remove" as const)).map(([address, action]) => ({
    blacklist: { from: "issuer", token: "USD", address, action },
  })),
);

/** One client action; every other kind shrinks to a payment. */
const clientAction = fc.oneof(
  { withCrossShrink: true },
  /** A payment, and its cancellation after `cancelAfter` milliseconds. */
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("pay" as const),
      from: account,
      to: fc.oneof(account, fc.constant("zoe")),
      value,
      extras,
      cancelAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 3 }),
    }),
  },
  /** Two payments for one nonce, each to one half of the validators. */
  { weight: 2, arbitrary: fc.record({ act: fc.constant("conflict" as const), from: account, value }) },
  /** A payment that may exceed the balance, and a later one with the same nonce. */
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("second" as const),
      from: account,
      first: fc.integer({ min: 1, max: 200 }),
      value,
    }),
  },
  /** An operation of the token's issuer. */
  { weight: 3, arbitrary: fc.record({ act: fc.constant("authority" as const), operation: authority }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("workload" as const),
      mix: fc.uniqueArray(fc.nat(MIX.length - 1), { minLength: 1, maxLength: MIX.length }).map(ordersOf),
      count: fc.integer({ min: 1, max: 25 }),
      everyMs: fc.integer({ min: 1, max: 120 }),
    }),
  },
);

type ClientAction = ArbitraryValue<typeof clientAction>;

/** The chosen orders, with a payment if all others are cancellations. */
function ordersOf(chosen: readonly number[]): readonly MixEntrySpec[] {
  const orders = chosen.flatMap((index) => MIX[index] ?? []);
  return orders.some((order) => order.cancellation === undefined) ? orders : [...orders, ...ORDERS.payment.slice(0, 1)];
}
