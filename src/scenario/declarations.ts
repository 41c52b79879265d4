/** Names that a scenario declares in its genesis, network, clients and steps. */
import { accountsIn, kindOf, OPERATOR, signerOf } from "./members.ts";
import { type Declarations, type DeclaredMultisig, type DeclaredToken, isAddress, nodeOf } from "./names.ts";
import type { Scenario } from "./scenario.ts";
import { checkpointsIn } from "./schema/epoch.ts";
import type { Step } from "./schema/step.ts";
import type { SubmitSpec } from "./schema/submit.ts";
import type { MixEntrySpec } from "./schema/workload.ts";

export const VALIDATORS_DEFAULT = 4;

/** Second services of accounts: `alice'` has the key of `alice`. */
export function twinServices({ clients }: Scenario): ReadonlySet<string> {
  return new Set(Object.entries(clients ?? {}).flatMap(([name, { twin }]) => (twin === true ? [`${name}'`] : [])));
}

/** The committee of epoch 0: v1 to vN. */
export function validatorNames(scenario: Scenario): readonly string[] {
  return Array.from({ length: scenario.network?.validators ?? VALIDATORS_DEFAULT }, (_, place) => `v${place + 1}`);
}

/** The declarations of a scenario. */
export function declarationsOf(scenario: Scenario): Declarations {
  const validators = new Set([...validatorNames(scenario), ...(scenario.network?.spares ?? [])]);
  const nodes = new Set([...validators, ...(scenario.network?.twins ?? []).map((twin) => `${twin}'`)]);
  const steps = scenario.steps ?? [];
  return {
    validators,
    nodes,
    accounts: accountsOf(scenario, steps),
    multisigs: multisigsOf(scenario),
    tokens: tokensOf(scenario, steps),
    operations: operationsOf(steps),
    rules: new Set(steps.flatMap((step) => step.hold?.rule ?? step.drop?.rule ?? [])),
    keys: keysOf(validators, steps),
    proposals: new Set(steps.flatMap(({ govern }) => govern?.id ?? [])),
    formsCheckpoints: checkpointsIn(scenario.genesis) !== undefined || hasProposal(steps),
    closesEpochs: scenario.genesis?.epochs !== undefined || hasProposal(steps),
  };
}

/** The keys that proposals name, the first key of each validator, and a further one, for the case that its disk is lost. */
function keysOf(validators: ReadonlySet<string>, steps: readonly Step[]): ReadonlySet<string> {
  const named = new Set([...validators, ...steps.flatMap(({ govern }) => govern?.validators ?? [])]);
  const last = new Map<string, number>();
  for (const key of named) last.set(nodeOf(key), Math.max(last.get(nodeOf(key)) ?? 1, Number(key.split("/")[1] ?? 1)));
  return new Set([...named, ...[...validators].map((node) => `${node}/${(last.get(node) ?? 1) + 1}`)]);
}

function hasProposal(steps: readonly Step[]): boolean {
  return steps.some(({ govern }) => govern !== undefined);
}

function accountsOf(scenario: Scenario, steps: readonly Step[]): ReadonlySet<string> {
  const { genesis } = scenario;
  const names = new Set<string>([OPERATOR]);
  for (const [account, { signers }] of Object.entries(genesis?.multisig ?? {}))
    for (const name of [account, ...Object.keys(signers)]) names.add(name);
  for (const account of Object.keys(genesis?.balances ?? {})) names.add(account);
  for (const token of Object.values(genesis?.tokens ?? {})) {
    const holders = Object.values(token.roles ?? {}).flat();
    for (const name of [token.master, ...holders, ...(token.blacklist ?? []), ...(token.whitelist ?? [])])
      names.add(name);
  }
  for (const account of Object.values(genesis?.rewards ?? {})) names.add(account);
  for (const service of twinServices(scenario)) names.add(service);
  for (const { govern } of steps) {
    for (const account of Object.values(govern?.rewards ?? {})) names.add(account);
    if (govern?.signer !== undefined) names.add(govern.signer);
  }
  return new Set([...names, ...accountsInSteps(steps)]);
}

/** Accounts that submissions, orders and rewards of proposals name. */
export function accountsInSteps(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => [
    ...(step.workload?.accounts ?? []),
    ...(step.workload?.recipients ?? []),
    ...partsOf(step).flatMap((part) => accountsIn(part).map(({ name }) => name)),
    ...Object.values(step.govern?.rewards ?? {}),
  ]);
}

/** Kinds of operations whose signer pays with what it holds. */
const PAYING: ReadonlySet<string> = new Set(["payment", "batch", "bridge_burn"]);

/** Returns the accounts that pay and hold nothing: no balance at the start, and nothing that they receive later. */
export function payersWithoutFunds({ genesis, steps = [] }: Scenario): readonly string[] {
  const payers = steps.flatMap((step) =>
    partsOf(step).flatMap((part) => (PAYING.has(kindOf(part as SubmitSpec)) ? (signerOf(part) ?? []) : [])),
  );
  const paid = new Set([
    ...Object.keys(genesis?.balances ?? {}),
    ...Object.values(genesis?.rewards ?? {}),
    ...steps.flatMap((step) => [
      ...(step.workload?.recipients ?? step.workload?.accounts ?? []),
      ...Object.values(step.govern?.rewards ?? {}),
      ...partsOf(step).flatMap((part) =>
        accountsIn(part).flatMap(({ path, name }) => (path.includes("to") ? [name] : [])),
      ),
    ]),
  ]);
  return [...new Set(payers)].filter((name) => !paid.has(name.replace(/'$/, "")) && !isAddress(name));
}

/** The submission of a step, or the orders of its workload. */
export function partsOf({
  submit,
  workload,
}: Pick<Step, "submit" | "workload">): readonly (SubmitSpec | MixEntrySpec)[] {
  return [...(submit === undefined ? [] : [submit]), ...(workload?.mix ?? [])];
}

/** The multisig accounts that the genesis names. */
export function multisigsOf({ genesis }: Scenario): ReadonlyMap<string, DeclaredMultisig> {
  const all = Object.entries(genesis?.multisig ?? {});
  return new Map(
    all.map(([name, { signers, threshold }]) => [name, { weights: new Map(Object.entries(signers)), threshold }]),
  );
}

/** Returns the signers that an operation of a multisig account has by default: the fewest that reach its threshold. */
export function fewestSigners({ weights, threshold }: DeclaredMultisig): readonly string[] {
  let left = threshold;
  const byWeight = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return byWeight.flatMap(([name, weight]) => {
    if (left <= 0) return [];
    left -= weight;
    return [name];
  });
}

/** True if a list of signers has strangers, repeats one, or lacks weight. */
function isInsufficient({ weights, threshold }: DeclaredMultisig, signers: readonly string[]): boolean {
  const weight = signers.reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  return weight < threshold || new Set(signers).size < signers.length || signers.some((name) => !weights.has(name));
}

function tokensOf({ genesis }: Scenario, steps: readonly Step[]): ReadonlyMap<string, DeclaredToken> {
  const tokens = new Map<string, DeclaredToken>();
  for (const [name, { decimals, master }] of Object.entries(genesis?.tokens ?? {}))
    tokens.set(name, { decimals, master });
  for (const { submit } of steps) {
    const issue = submit?.issue;
    if (issue !== undefined && !tokens.has(issue.symbol))
      tokens.set(issue.symbol, { decimals: issue.decimals, master: issue.master });
  }
  return tokens;
}

function operationsOf(steps: readonly Step[]): ReadonlyMap<string, SubmitSpec> {
  const submits = new Map<string, SubmitSpec>();
  for (const { submit } of steps) {
    if (submit?.id !== undefined && kindOf(submit) !== "repeat" && !submits.has(submit.id))
      submits.set(submit.id, submit);
  }
  return submits;
}

/**
 * Accounts that sign two operations for one nonce or with a false signature, which no correct client does. A client
 * that reuses nonces signs the second operation only after the first is refused undisclosed.
 */
export function equivocators(scenario: Scenario): ReadonlySet<string> {
  const reuses = (name: string): boolean => scenario.clients?.[name]?.on_refusal === "reuse";
  const signers = new Set<string>();
  const seen = new Map<string, string>();
  const multisigs = multisigsOf(scenario);
  for (const { submit } of scenario.steps ?? []) {
    const signer = submit === undefined ? undefined : signerOf(submit);
    if (submit === undefined || signer === undefined) continue;
    const isCancellation = kindOf(submit) === "cancellation";
    const multisig = multisigs.get(signer);
    const isOdd =
      (submit.signature !== undefined && submit.signature !== "second") ||
      submit.signed_by !== undefined ||
      submit.chain_id !== undefined ||
      (multisig !== undefined && submit.signers !== undefined && isInsufficient(multisig, submit.signers));
    // Other signers of the same operation, and second signatures, make another copy of it.
    const signed = { ...submit, id: undefined, times: undefined, signers: undefined, signature: undefined };
    const text = isCancellation ? "cancellation" : JSON.stringify(signed);
    const key = `${signer}/${submit.nonce ?? 0}`;
    const earlier = seen.get(key);
    // Correct clients cancel operations that do not become final.
    const isSecond = earlier !== undefined && earlier !== text && !isCancellation;
    if (isOdd || (isSecond && !reuses(signer))) signers.add(signer);
    if (earlier === undefined || !isCancellation) seen.set(key, text);
  }
  return signers;
}
