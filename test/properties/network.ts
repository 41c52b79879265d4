/** Arbitrary networks, workloads and faults, as scenario files: what a user could have written by hand. */
import fc from "fast-check";
import { CHECKPOINT_LIES } from "../../src/harness/lies.ts";

const ACCOUNTS = ["alice", "bob", "carol", "dave"] as const;
const STRATEGIES = [
  "double-vote",
  "double-commit",
  "withhold-votes",
  "withhold-commits",
  "hide-locks",
  "stale-locks",
  "silence",
  "double-proposal",
] as const;

/** What a liar does, as a file says it. */
interface Liar {
  readonly strategy: string;
  readonly lie?: string;
}
const liar: fc.Arbitrary<Liar> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRATEGIES).map((strategy) => ({ strategy })) },
  fc.constantFrom(...CHECKPOINT_LIES).map((lie) => ({ strategy: "false-checkpoint", lie })),
);

/** From one checkpoint for each slot to seldom; large enough that they keep up with the traffic of these networks. */
const policy = fc.record({
  interval_ms: fc.integer({ min: 20, max: 3_000 }),
  slots: fc.integer({ min: 1, max: 60 }),
  limit: fc.integer({ min: 20, max: 60 }),
  period_s: fc.constantFrom(0, 0, 1),
  empty: fc.boolean(),
});
const KINDS = ["lock", "finality", "vote", "commit", "roundChange", "proposal", "offer"] as const;

/** Wallets of a workload: they count their own nonces, so nothing is submitted from them. */
const WALLETS = ["erin", "frank", "grace"] as const;
const EVERYBODY = [...ACCOUNTS, ...WALLETS];

/** Every kind of operation, with wallets and authorities that race the events beside them. */
const MIX = [
  { payment: { token: "USD", value: "1..30" } },
  { payment: { token: "RWA", value: "1..3" } },
  { cancellation: true },
  { mint: { from: "boss", token: "USD", value: "1..9" } },
  { mint: { from: "frank", token: "USD", value: "0.5" } },
  { burn: { from: "boss", token: "USD", value: "0.01..1" } },
  { burn: { from: "boss", token: "USD", value: "1..150", accounts: EVERYBODY } },
  { metadata: { from: "scribe", token: "USD", name: "Dollar", additional: { a: "b" } } },
  { blacklist: { from: "boss", token: "USD", addresses: ["alice", "erin", "boss"] } },
  { whitelist: { from: "boss", token: "RWA" } },
  { grant: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank", "boss"], allowance: "0..20" } },
  { grant: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  { revoke: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank"] } },
  { revoke: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  { pause: { from: "scribe", token: "USD" } },
  { unpause: { from: "boss", token: "USD" } },
  { issue: { symbol: "NEW", decimals: 2, master: "owner" } },
] as const;

const account = fc.constantFrom(...ACCOUNTS);
const value = fc.integer({ min: 1, max: 20 }).map(String);

/** What an event is before nonces and names are known. */
type Draft =
  | {
      readonly do: "pay";
      readonly from: string;
      readonly to: string;
      readonly value: string;
      readonly cancelAfter: number | undefined;
    }
  | { readonly do: "conflict"; readonly from: string; readonly value: string }
  | { readonly do: "second"; readonly from: string; readonly first: number; readonly value: string }
  | { readonly do: "workload"; readonly mix: readonly object[]; readonly count: number; readonly everyMs: number }
  | { readonly do: "authority"; readonly operation: object }
  | { readonly do: "crash"; readonly node: number; readonly forMs: number }
  | { readonly do: "partition"; readonly cut: number; readonly forMs: number }
  | {
      readonly do: "govern";
      readonly to: number;
      readonly keyed: number;
      readonly swaps: boolean;
      readonly grows: boolean;
    }
  | { readonly do: "drop"; readonly kind: (typeof KINDS)[number]; readonly node: number; readonly count: number };

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      from: account,
      to: fc.oneof(account, fc.constant("zoe")),
      value,
      cancelAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("conflict" as const), from: account, value }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("second" as const),
      from: account,
      first: fc.integer({ min: 1, max: 200 }),
      value,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("workload" as const),
      mix: fc.uniqueArray(fc.nat(MIX.length - 1), { minLength: 1, maxLength: MIX.length }).map(ordersOf),
      count: fc.integer({ min: 1, max: 25 }),
      everyMs: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("authority" as const),
      operation: fc.oneof(
        account.map((to) => ({ mint: { from: "issuer", token: "USD", to, value: "5" } })),
        fc.tuple(account, fc.integer({ min: 1, max: 150 })).map(([of, burned]) => ({
          burn: { from: "issuer", token: "USD", account: of, value: String(burned) },
        })),
        fc.constant({ pause: { from: "issuer", token: "USD" } }),
        fc.constant({ unpause: { from: "issuer", token: "USD" } }),
        fc.tuple(account, fc.constantFrom("add", "remove")).map(([address, action]) => ({
          blacklist: { from: "issuer", token: "USD", address, action },
        })),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      node: fc.nat(9),
      forMs: fc.integer({ min: 50, max: 1500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("partition" as const),
      cut: fc.nat(9),
      forMs: fc.integer({ min: 50, max: 1500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("govern" as const),
      to: fc.nat(9),
      keyed: fc.nat(127),
      swaps: fc.boolean(),
      grows: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("drop" as const),
      kind: fc.constantFrom(...KINDS),
      node: fc.nat(9),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
);

/** A network of 1 to 7 validators and two spares, whose committees may change, with up to f Byzantine ones, some accounts that equivocate, and up to 16 events. */
export const network: fc.Arbitrary<{ readonly seed: string; readonly file: string }> = fc
  .record({
    seed: fc.nat(1_000_000).map(String),
    validators: fc.constantFrom(1, 3, 4, 4, 4, 5, 6, 7),
    slowestMs: fc.integer({ min: 2, max: 90 }),
    writeMs: fc.constantFrom(0, 0, 2, 20),
    lossy: fc.boolean(),
    liars: fc.array(fc.tuple(fc.nat(9), liar), { maxLength: 3 }),
    events: fc.array(fc.tuple(fc.nat(400), draft), { minLength: 3, maxLength: 16 }),
    checkpoints: fc.option(policy, { nil: undefined, freq: 2 }),
    epochLength: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 1 }),
  })
  .map(({ seed, ...plan }) => ({ seed, file: JSON.stringify(scenarioOf(plan), undefined, 1) }));

/** Something to cancel among them, always. */
function ordersOf(chosen: readonly number[]): readonly object[] {
  const orders = chosen.map((index) => MIX[index] as object);
  return orders.some((order) => !("cancellation" in order)) ? orders : [...orders, MIX[0]];
}

interface Plan {
  readonly validators: number;
  readonly slowestMs: number;
  readonly writeMs: number;
  readonly lossy: boolean;
  readonly liars: readonly (readonly [number, Liar])[];
  readonly events: readonly (readonly [number, Draft])[];
  readonly checkpoints: object | undefined;
  /** In checkpoints. */
  readonly epochLength: number | undefined;
}

const SPARES = ["s1", "s2"] as const;

/**
 * The next committee: other keys for some, a spare in place of the last honest one, one more. It is never smaller than the
 * first one and has no liar more, so at most f are Byzantine in each.
 */
function committeeOf(
  names: readonly string[],
  byzantine: ReadonlySet<string>,
  epoch: number,
  { keyed, swaps, grows }: Extract<Draft, { do: "govern" }>,
): readonly string[] {
  const leaving = swaps ? names.findLast((name) => !byzantine.has(name)) : undefined;
  const members = names.map((name, at) => {
    if (name === leaving) return SPARES[0];
    return (keyed >> (at % 7)) % 2 === 1 ? `${name}/${2 + (epoch % 8)}` : name;
  });
  return grows ? [...members, SPARES[1]] : members;
}

function scenarioOf({ validators, slowestMs, writeMs, lossy, liars, events, checkpoints, epochLength }: Plan): object {
  const names = Array.from({ length: validators }, (_, i) => `v${i + 1}`);
  const byzantine = new Set(
    liars.map(([node]) => names[node % validators] as string).slice(0, Math.ceil(validators / 3) - 1),
  );
  const steps: object[] = liars
    .filter(([node]) => byzantine.has(names[node % validators] as string))
    .map(([node, does]) => ({ at: 0, byzantine: { node: names[node % validators], ...does } }));
  const equivocators = new Set<string>();
  const nonces = new Map<string, number>();
  let at = 0;
  let count = 0;
  let proposed = 0;
  const submit = (operation: object, from: string, nonce: number, more: object, when = at): void => {
    steps.push({ at: when, submit: { id: `o${count++}`, ...operation, nonce }, ...more });
    nonces.set(from, Math.max(nonces.get(from) ?? 0, nonce + 1));
  };
  for (const [pause, event] of events) {
    at += pause;
    switch (event.do) {
      case "pay": {
        const { from, to, value: paid, cancelAfter } = event;
        const nonce = nonces.get(from) ?? 0;
        submit({ payment: { from, to, token: "USD", value: paid } }, from, nonce, {});
        if (cancelAfter !== undefined) submit({ cancellation: { from } }, from, nonce, {}, at + cancelAfter);
        break;
      }
      case "conflict": {
        const { from, value: paid } = event;
        const nonce = nonces.get(from) ?? 0;
        const half = Math.max(1, validators >> 1);
        equivocators.add(from);
        submit({ payment: { from, to: "zoe", token: "USD", value: paid } }, from, nonce, {
          only: names.slice(0, half),
        });
        const others = names.slice(half);
        if (others.length > 0) {
          submit({ payment: { from, to: "yan", token: "USD", value: `${paid}.5` } }, from, nonce, { only: others });
        }
        break;
      }
      case "second": {
        // Signed only where the first is refused and shown to nobody; a scripted owner equivocates.
        const { from, first, value: paid } = event;
        const nonce = nonces.get(from) ?? 0;
        submit({ payment: { from, to: "zoe", token: "USD", value: String(first) } }, from, nonce, {});
        submit({ payment: { from, to: "yan", token: "USD", value: `${paid}.25` } }, from, nonce, {}, at + 90);
        break;
      }
      case "workload": {
        const { mix, count, everyMs } = event;
        steps.push({ at, workload: { accounts: WALLETS, count, every_ms: `0..${everyMs}`, mix } });
        break;
      }
      case "authority":
        submit(event.operation, "issuer", nonces.get("issuer") ?? 0, {});
        break;
      case "crash":
        steps.push({ at, crash: { node: names[event.node % validators], restart_after_ms: event.forMs } });
        break;
      case "partition": {
        const cut = event.cut % validators;
        if (cut === 0) break;
        steps.push({ at, partition: [names.slice(0, cut), names.slice(cut)] }, { at: at + event.forMs, heal: true });
        break;
      }
      case "govern": {
        // The first ones find their epoch; one that comes too late, or too soon, changes nothing.
        const epoch = proposed++;
        const next = committeeOf(names, byzantine, epoch, event);
        steps.push({ at, govern: { to: [names[event.to % validators]], epoch, validators: next } });
        break;
      }
      case "drop":
        steps.push({
          at,
          drop: {
            rule: `r${steps.length}`,
            kinds: [event.kind],
            to: [names[event.node % validators]],
            count: event.count,
          },
        });
        break;
    }
  }
  return {
    name: "an arbitrary network",
    network: {
      validators,
      delay_ms: `1..${slowestMs}`,
      write_ms: `0..${writeMs}`,
      spares: SPARES,
      ...(lossy ? { loss: "1/20", duplicate: "1/20", reorder: "1/10" } : {}),
    },
    genesis: {
      ...(checkpoints === undefined ? {} : { checkpoints }),
      ...(checkpoints === undefined || epochLength === undefined ? {} : { epochs: { checkpoints: epochLength } }),
      tokens: {
        USD: {
          decimals: 2,
          master: "issuer",
          roles: {
            MasterMintBurn: ["boss"],
            MintBurnTokens: ["boss", "frank"],
            Pause: ["boss", "scribe"],
            ManageList: ["boss"],
            UpdateMetadata: ["scribe"],
          },
          allowances: { boss: "60" },
        },
        RWA: {
          decimals: 2,
          master: "owner",
          private: true,
          roles: { ManageList: ["boss"] },
          whitelist: ["erin", "frank"],
        },
      },
      balances: {
        ...Object.fromEntries(EVERYBODY.map((name) => [name, { USD: "100" }])),
        erin: { USD: "100", RWA: "9" },
        boss: { USD: "5" },
      },
      fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
    },
    clients: clientsOf(validators, equivocators),
    steps,
    expect: [{ violation: "none" }],
  };
}

/** Who equivocates is scripted; all others trust a refusal that was shown to nobody, and cancel after doubt. */
function clientsOf(validators: number, equivocators: ReadonlySet<string>): object {
  const names = [...EVERYBODY, "boss", "scribe", "owner", "operator"];
  return Object.fromEntries(
    names.map((name, index) => {
      if (equivocators.has(name)) return [name, { behaviour: "scripted" }];
      const home = `v${(index % validators) + 1}`;
      return [name, { on_refusal: "reuse", cancel_after: 3, give_up_after: 6, home, window: 1 + (index % 3) }];
    }),
  );
}
