/** Arbitrary networks, workloads and faults, as scenario files: what a user could have written by hand. */
import fc from "fast-check";

const ACCOUNTS = ["alice", "bob", "carol", "dave"] as const;
const STRATEGIES = [
  "double-vote",
  "double-commit",
  "withhold-votes",
  "withhold-commits",
  "hide-locks",
  "stale-locks",
  "silence",
] as const;
const KINDS = ["lock", "finality", "vote", "commit", "roundChange", "proposal", "offer"] as const;

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
  | { readonly do: "authority"; readonly operation: object }
  | { readonly do: "crash"; readonly node: number; readonly forMs: number }
  | { readonly do: "partition"; readonly cut: number; readonly forMs: number }
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
      do: fc.constant("drop" as const),
      kind: fc.constantFrom(...KINDS),
      node: fc.nat(9),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
);

/** A network of 1 to 7 validators with up to f Byzantine ones, some accounts that equivocate, and up to 16 events. */
export const network: fc.Arbitrary<{ readonly seed: string; readonly file: string }> = fc
  .record({
    seed: fc.nat(1_000_000).map(String),
    validators: fc.constantFrom(1, 3, 4, 4, 4, 5, 6, 7),
    slowestMs: fc.integer({ min: 2, max: 90 }),
    liars: fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...STRATEGIES)), { maxLength: 3 }),
    events: fc.array(fc.tuple(fc.nat(400), draft), { minLength: 3, maxLength: 16 }),
  })
  .map(({ seed, ...plan }) => ({ seed, file: JSON.stringify(scenarioOf(plan), undefined, 1) }));

interface Plan {
  readonly validators: number;
  readonly slowestMs: number;
  readonly liars: readonly (readonly [number, (typeof STRATEGIES)[number]])[];
  readonly events: readonly (readonly [number, Draft])[];
}

function scenarioOf({ validators, slowestMs, liars, events }: Plan): object {
  const names = Array.from({ length: validators }, (_, i) => `v${i + 1}`);
  const byzantine = new Set(
    liars.map(([node]) => names[node % validators] as string).slice(0, Math.ceil(validators / 3) - 1),
  );
  const steps: object[] = liars
    .filter(([node]) => byzantine.has(names[node % validators] as string))
    .map(([node, strategy]) => ({ at: 0, byzantine: { node: names[node % validators], strategy } }));
  const equivocators = new Set<string>();
  const nonces = new Map<string, number>();
  let at = 0;
  let count = 0;
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
    network: { validators, delay_ms: `1..${slowestMs}` },
    genesis: {
      tokens: { USD: { decimals: 2, master: "issuer", state: "unpaused" } },
      balances: Object.fromEntries(ACCOUNTS.map((name) => [name, { USD: "100" }])),
      fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
    },
    ...(equivocators.size === 0
      ? {}
      : { clients: Object.fromEntries([...equivocators].map((name) => [name, { behaviour: "scripted" }])) }),
    steps,
    expect: [{ violation: "none" }],
  };
}
