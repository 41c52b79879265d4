/** Scenario of a twins case: its rounds one after the other, then a healed network. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { Scenario, Step } from "../../scenario/scenario.ts";
import type { TwinCase, TwinRound } from "./cases.ts";
import { DOWN_MS, ROUND_MS, SUBMIT_MS, TAIL_MS } from "./limits.ts";
import type { TwinSizes } from "./symmetry.ts";

export interface TwinFaults {
  /** True if each round's proposer crashes right after its first signature in it, and restarts. */
  readonly crashes?: boolean;
}

/**
 * Alice signs two payments for one nonce, which the rounds propose alternately; in the tail she cancels. Whatever the
 * rounds decided, no invariant fails, and the nonce is used in the end (protocol 7.1, 7.8).
 */
export function twinScenario(sizes: TwinSizes, twinCase: TwinCase, faults: TwinFaults = {}): Scenario {
  const { n, twins } = sizes;
  const name = (instance: number): string => nameOf(sizes, instance);
  const steps = twinCase.flatMap((round, at) => roundSteps(sizes, round, at, faults));
  const end = twinCase.length * ROUND_MS;
  const isBound = twins <= bounds(n).faults;
  return {
    name: `twins: ${twinCase.map(({ proposer, side }) => `${name(proposer)} among ${side.map(name).join(" ")}`).join("; ")}`,
    shows: "protocol 1.1, at most f Byzantine; 3.3",
    network: { validators: n, ...(twins === 0 ? {} : { twins: twinned(sizes) }) },
    genesis: {
      tokens: { USD: { decimals: 6, master: "issuer" } },
      balances: { alice: { USD: "100" } },
      fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
    },
    steps: [
      ...steps,
      { at: end, heal: true },
      { at: end + TAIL_MS, submit: { id: "c", cancellation: { from: "alice" }, nonce: 0 } },
    ],
    expect: [...(isBound ? [{ violation: "none" as const }] : []), { nonce: { alice: 1 } }],
  };
}

function roundSteps(
  sizes: TwinSizes,
  { proposer, side }: TwinRound,
  round: number,
  faults: TwinFaults,
): readonly Step[] {
  const at = round * ROUND_MS;
  const instances = Array.from({ length: sizes.n + sizes.twins }, (_, instance) => instance);
  const name = (instance: number): string => nameOf(sizes, instance);
  const others = instances.filter((instance) => !side.includes(instance));
  return [
    { at, heal: true },
    ...(others.length === 0 ? [] : [{ at, partition: [side.map(name), others.map(name)] }]),
    ...(faults.crashes === true
      ? [{ at, crash: { node: name(proposer), after_output: "sign" as const, restart_after_ms: DOWN_MS } }]
      : []),
    { at: at + SUBMIT_MS, submit: handedIn(round), only: [name(proposer)] },
  ];
}

/** Alternates the two payments; from the third round on they are resubmissions. */
function handedIn(round: number): NonNullable<Step["submit"]> {
  const id = round % 2 === 0 ? "x" : "y";
  if (round > 1) return { again: id };
  const to = id === "x" ? "bob" : "carol";
  return { id, payment: { from: "alice", to, token: "USD", value: "10" }, nonce: 0 };
}

/** Returns the name of an instance: `v4`, or `v4'` for its twin. */
function nameOf({ n, twins }: TwinSizes, instance: number): string {
  return instance < n ? `v${instance + 1}` : `v${instance - twins + 1}'`;
}

function twinned(sizes: TwinSizes): readonly string[] {
  return Array.from({ length: sizes.twins }, (_, pair) => nameOf(sizes, sizes.n - sizes.twins + pair));
}
