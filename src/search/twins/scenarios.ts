/** Twins cases as scenarios: the rounds of a case one after the other, then a healed network. */
import { fitScenario } from "../../external/fit.ts";
import type { NodeSettings } from "../../external/nodes.ts";
import { bounds } from "../../invariants/history/quorum.ts";
import { isNative } from "../../scenario/node-commands.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { type TwinCase, type TwinRound, type TwinSizes, twinCases } from "./cases.ts";

export interface TwinOptions {
  /** Known-bad variant that runs instead of the real program; the scenario names it, so that a file of it can be run again. */
  readonly bug?: string | undefined;
  /** Validators that others wrote, in place of the real program. */
  readonly nodes?: NodeSettings | undefined;
  /** True if each round's proposer crashes right after its first signature in it, and restarts. */
  readonly crashes?: boolean;
}

/** Yields the scenario of each case, in the order of `twinCases`. @throws RangeError as that does */
export function* twinScenarios(
  sizes: TwinSizes,
  { bug, nodes, crashes = false }: TwinOptions,
): Generator<Scenario, undefined> {
  for (const twinCase of twinCases(sizes)) {
    const whole = { ...twinScenario(sizes, twinCase, crashes), ...(bug === undefined ? {} : { bug }) };
    yield nodes === undefined || isNative(nodes.commands) ? whole : withoutCancellation(whole);
  }
}

/** Returns what validators with a protocol of their own can take part in: a conflict may block its owner there for ever. */
function withoutCancellation({ steps = [], expect = [], ...rest }: Scenario): Scenario {
  return fitScenario({
    ...rest,
    steps: steps.filter(({ submit }) => submit?.cancellation === undefined),
    expect: expect.filter(({ nonce }) => nonce === undefined),
  }).scenario;
}

/** Duration of a round's split: longer than a relay's interval of offers, so that offers reach the next split. */
const ROUND_MS = 400;
/** Time of the round's submission, after the split. */
const SUBMIT_MS = 1;
/** Downtime of a crashing proposer: it is back before the next round. */
const DOWN_MS = 100;
/** Time of the owner's cancellation, after the last split has ended. */
const TAIL_MS = 100;

/**
 * Alice signs two payments for one nonce, which the rounds propose alternately; in the tail she cancels. Whatever the
 * rounds decided, no invariant fails, and the nonce is used in the end (protocol 7.1, 7.8).
 */
function twinScenario(sizes: TwinSizes, twinCase: TwinCase, crashes: boolean): Scenario {
  const { n, twins } = sizes;
  const name = (instance: number): string => nameOf(sizes, instance);
  const steps = twinCase.flatMap((round, at) => roundSteps(sizes, round, at, crashes));
  const end = twinCase.length * ROUND_MS;
  const isBound = twins <= bounds(n).faults;
  return {
    name: `twins: ${twinCase.map(({ proposer, side }) => `${name(proposer)} among ${side.map(name).join(" ")}`).join("; ")}`,
    shows: "protocol 1.1, at most f Byzantine; 3.3",
    network: { validators: n, ...(twins === 0 ? {} : { twins: twinnedValidators(sizes) }) },
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
    allow_idle: true,
    expect: [...(isBound ? [{ violation: "none" as const }] : []), { nonce: { alice: 1 } }],
  };
}

function roundSteps(sizes: TwinSizes, { proposer, side }: TwinRound, round: number, crashes: boolean): readonly Step[] {
  const at = round * ROUND_MS;
  const instances = Array.from({ length: sizes.n + sizes.twins }, (_, instance) => instance);
  const name = (instance: number): string => nameOf(sizes, instance);
  const others = instances.filter((instance) => !side.includes(instance));
  return [
    { at, heal: true },
    ...(others.length === 0 ? [] : [{ at, partition: [side.map(name), others.map(name)] }]),
    ...(crashes
      ? [{ at, crash: { node: name(proposer), after_output: "sign" as const, restart_after_ms: DOWN_MS } }]
      : []),
    { at: at + SUBMIT_MS, submit: roundSubmission(round), only: [name(proposer)] },
  ];
}

/** Alternates the two payments; from the third round on they are resubmissions. */
function roundSubmission(round: number): NonNullable<Step["submit"]> {
  const id = round % 2 === 0 ? "x" : "y";
  if (round > 1) return { repeat: id };
  const to = id === "x" ? "bob" : "carol";
  return { id, payment: { from: "alice", to, token: "USD", value: "10" }, nonce: 0 };
}

/** Returns the name of an instance: `v4`, or `v4'` for its twin. */
function nameOf({ n, twins }: TwinSizes, instance: number): string {
  return instance < n ? `v${instance + 1}` : `v${instance - twins + 1}'`;
}

function twinnedValidators(sizes: TwinSizes): readonly string[] {
  return Array.from({ length: sizes.twins }, (_, pair) => nameOf(sizes, sizes.n - sizes.twins + pair));
}
