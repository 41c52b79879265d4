/** Simulation of a scenario in this process, with the real program or a custom one. */
import { loadQuickKeccak } from "../backends/keccak.ts";
import { type Backend, realScheme } from "../backends/secp256k1.ts";
import type { ValidatorProgram, Variant } from "../bugs/known-bad-variant.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { Epoch } from "../core/base/ids.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import type { Rules } from "../core/validator/rules.ts";
import { NODE_SILENT_MS, type NodeSettings, nodesOf, programsOf } from "../external/nodes.ts";
import { type CommitteeFile, certificateFile, committeeFile } from "../proofs/certificate-file.ts";
import { type RunOptions, runScenario } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { directoryOf } from "../scenario/directory.ts";
import { CHAIN_ID_DEFAULT } from "../scenario/parameters.ts";
import { type Scenario, seedOf } from "../scenario/scenario.ts";
import type { Program } from "../simulator/plan.ts";
import { type FinalValidatorState, finalLedgerOf, holdingsOf, type SimulationResult } from "./result.ts";
import { scenario as checked } from "./scenario.ts";

/** Custom rules and programs; both optional. */
export interface CustomProgram {
  /** Returns the rules of every validator, given the real ones. */
  readonly rules?: (real: Rules) => Rules;
  /** Returns the program of the named validator, given the real one, whose inputs and outputs it may wrap. */
  readonly program?: (real: ValidatorProgram, validator: string) => ValidatorProgram;
}

/** The variant with these changes; `undefined` without any. Its rules throw a TypeError if they return none. */
export function variantIn({ rules: change, program }: CustomProgram): Variant | undefined {
  if (change === undefined && program === undefined) return undefined;
  const rules =
    change &&
    ((real: Rules): Rules => {
      const changed: unknown = change(real);
      if (typeof changed === "object" && changed !== null) return changed as Rules;
      throw new TypeError(`rules: expected a function that returns the rules to use, got ${typeof changed}`);
    });
  const replaced = program && ((real: Program, node: string) => program(real as ValidatorProgram, node) as Program);
  return { name: "changed", ...definedMembers({ rules, program: replaced }) };
}

/** Rule of one network: the code that forbids a signed operation on a token, `undefined` for the operations that it allows. */
export type NetworkRule = NonNullable<RunOptions["networkRule"]>;

/** Options of a run; all optional. */
export interface SimulateOptions extends CustomProgram {
  /** Seed of all random choices; default: that of the scenario, else "1". A number stands for its decimal text. */
  readonly seed?: string | number;
  /**
   * `real` signs with the quickest implementation of secp256k1 that loads here, a name with that one; the default is a
   * fast keyed hash of the same format. The result does not depend on the implementation.
   */
  readonly crypto?: "real" | "stand-in" | Backend;
  /**
   * Rule of a stricter network, by which the oracles judge beside its policies: the code that forbids an operation on a
   * token, if it does. `rules` give the validators the same one.
   */
  readonly networkRule?: NetworkRule;
  /**
   * Commands that start validators of yours in place of ours, by the name of a validator, "" for all others: as `--node` of
   * the commands. A process is kept for the next run.
   */
  readonly nodes?: Readonly<Record<string, string>>;
  /** Starts the validators that the scenario names by their commands, where `nodes` is absent; default: it is refused. */
  readonly allowCommands?: boolean;
  /** Bound of events; a run that exceeds it is `unmet`. Default: that of the scenario, else 5,000,000. */
  readonly events?: number;
}

/**
 * Runs a scenario, given as the text of a file or as plain data. An exception inside the run is the verdict `error`.
 * @throws ScenarioError for an invalid scenario
 * @throws RangeError for custom rules or programs with a scenario that names a known-bad variant, for an option that does
 * not exist, and for a seed of another type
 */
export function simulate(input: string | Scenario, options: SimulateOptions = {}): SimulationResult {
  checkOptions(options);
  const given = nodesGiven(options);
  const { scenario, nodes } = nodesOf(checked(input, { allowCommands: given !== undefined }), given);
  const variant = variantIn(options);
  if (variant !== undefined && scenario.bug !== undefined)
    throw new RangeError(
      `simulate: the scenario names the variant ${scenario.bug}: expected no custom rules or program`,
    );
  // It takes a turn of the event loop: this run begins with the one of noble, later ones are quicker.
  void loadQuickKeccak();
  const { crypto = "stand-in" } = options;
  const scheme = crypto === "stand-in" ? keyedHash : realScheme(crypto === "real" ? "auto" : crypto);
  let ends: readonly FinalValidatorState[] = [];
  const ended: RunOptions["ended"] = (compiled, ledgers) => {
    ends = ledgers.map(({ node, ledger }) => finalLedgerOf(node, ledger, compiled));
  };
  const result = runScenario(scenario, {
    seed: seedOf(scenario, options.seed === undefined ? undefined : String(options.seed)),
    scheme,
    variant,
    networkRule: options.networkRule,
    programs: programsOf(nodes),
    ended,
    transcript: true,
    ...(options.events === undefined ? {} : { events: options.events }),
  });
  return simulationResult(scenario, scheme, result, ends);
}

const OPTIONS: Readonly<Record<keyof SimulateOptions, true>> = {
  ...{ rules: true, program: true, seed: true, crypto: true, networkRule: true, nodes: true, allowCommands: true },
  events: true,
};

/** @throws RangeError for an option that does not exist, and for a seed that is no text and no whole number */
function checkOptions(options: SimulateOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(OPTIONS, name))
      throw new RangeError(`simulate: there is no option ${name}; expected ${Object.keys(OPTIONS).join(", ")}`);
  const { seed = "" } = options;
  if (typeof seed !== "string" && !Number.isSafeInteger(seed))
    throw new RangeError(`seed: expected a text or a whole number, got ${JSON.stringify(seed)}`);
}

function nodesGiven({ nodes, allowCommands = false }: SimulateOptions): NodeSettings | undefined {
  if (nodes !== undefined) return { commands: nodes, silentMs: NODE_SILENT_MS };
  return allowCommands ? { commands: {}, silentMs: NODE_SILENT_MS, areInFile: true } : undefined;
}

function simulationResult(
  scenario: Scenario,
  scheme: Scheme,
  result: RunResult,
  validators: readonly FinalValidatorState[],
): SimulationResult {
  const { seed, verdict, reason, hash, steps, virtualMs, violations, expected, beyondF, unmet, transcript } = result;
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  return {
    seed,
    verdict,
    reason,
    hash,
    events: steps,
    virtualMs,
    violations,
    expectedViolations: expected,
    beyondF,
    unmet,
    transcript,
    finals: result.finals.map(({ id, name, virtualMs: at, certificate }) => ({
      id,
      name,
      at,
      certificate: certificateFile(chainId, certificate),
    })),
    committees: committeesOf(scenario, chainId, scheme, result),
    ...holdingsOf(validators[0]),
    validators,
    coverage: Object.fromEntries(result.coverage),
  };
}

/** The committees of epoch 0 and of the epochs that closings began. */
function committeesOf(
  scenario: Scenario,
  chainId: number,
  scheme: Scheme,
  { checkpoints }: RunResult,
): readonly CommitteeFile[] {
  const directory = directoryOf(scenario, scheme);
  const first = directory.validators.map((name) => directory.validator(name));
  const opened = checkpoints.flatMap(({ content: { value } }) =>
    value.type === "closing" ? [value.next.validators.map(({ key }) => key)] : [],
  );
  return [first, ...opened].map((members, epoch) => committeeFile(chainId, epoch as Epoch, members, scheme));
}
