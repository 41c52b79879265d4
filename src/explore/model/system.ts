/** The explored system: the honest validators with their programs, and the Byzantine one with its key. */
import type { Variant } from "../../bugs/known-bad-variant.ts";
import { requireDefined } from "../../core/base/assert.ts";
import type { SignedProposal } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import { type EquivocationProof, isRecovery, type Recovery, type SignedOperation } from "../../core/base/operation.ts";
import type { Committee } from "../../core/consensus/committee.ts";
import type { SignedMessage, StatementContent } from "../../core/consensus/message.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import { type CompiledScenario, compile } from "../../scenario/compile/compile.ts";
import { validatorNames } from "../../scenario/declarations.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import { kindOf } from "../../scenario/members.ts";
import { proposalsOf } from "../../scenario/proposals.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { checkpointsIn } from "../../scenario/schema/epoch.ts";
import { createSigner } from "../../simulator/nodes/node.ts";
import type { Program } from "../../simulator/plan.ts";
import { VALIDATORS_MAX } from "../limits.ts";

/** Bounds of an exploration, which is exhaustive within them. */
export interface ExplorationBounds {
  /** Highest round of any slot. */
  readonly rounds: number;
  /** Crashes of all honest validators together. */
  readonly crashes: number;
}

export interface SystemOptions {
  readonly variant?: Variant | undefined;
  /** Name of the Byzantine validator; default: the last validator of the committee. */
  readonly byzantine?: string | undefined;
  readonly bounds: ExplorationBounds;
}

export type Participant = Readonly<{ name: string; key: Address; program: Program<ValidatorState>; sign: Sign }>;

/** Signs with one key only: no holder can forge signatures of other keys. */
export type Sign = (body: StatementContent) => SignedMessage;

/** Two conflicting operations for one nonce: of a recovery of the scenario, or of others that any validator may know. */
interface ExplorableProof {
  readonly name: string;
  readonly evidence: EquivocationProof;
  /** Names of the operations whose disclosure it waits for; a recovery discloses its own. */
  readonly disclosedBy: readonly string[];
}

export interface System {
  readonly compiled: CompiledScenario;
  readonly bounds: ExplorationBounds;
  /** The committee, with quorums as the explored program counts them. */
  readonly committee: Committee;
  readonly honest: readonly Participant[];
  readonly byzantine: Participant;
  readonly operations: readonly { readonly name: string; readonly signed: SignedOperation }[];
  readonly recoveries: readonly { readonly name: string; readonly recovery: Recovery }[];
  readonly proofs: readonly ExplorableProof[];
  /** Proposals of the operator, with the number of the step that makes each. */
  readonly proposals: readonly { readonly step: number; readonly signed: SignedProposal }[];
}

/** Scenario that cannot be explored; the mistake of its author. */
export class NotExplorable extends Error {
  override readonly name = "NotExplorable";
}

/**
 * Returns the system of a scenario. @throws NotExplorable for unsupported features; RangeError for an invalid genesis.
 */
export function systemOf(scenario: Scenario, { variant, byzantine, bounds }: SystemOptions): System {
  refuseUnknown(scenario);
  const names = validatorNames(scenario);
  if (names.length < 2 || names.length > VALIDATORS_MAX)
    throw new NotExplorable(`expected 2 to ${VALIDATORS_MAX} validators, got ${names.length}`);
  const byzantineName = byzantine ?? requireDefined(names.at(-1), "last validator");
  if (!names.includes(byzantineName))
    throw new NotExplorable(`no validator is called ${byzantineName}; expected one of ${names.join(", ")}`);
  const compiled = compile(scenario, {
    seed: DEFAULT_SEED,
    scheme: keyedHash,
    variant,
    byzantine: new Set([byzantineName]),
  });
  const { directory, commons, plan, submissions } = compiled;
  const { members } = commons.shared.committee;
  const participants = names.map((name, index) => {
    const { program, key } = requireDefined(
      plan.nodes.find((node) => node.name === name),
      `node ${name}`,
    );
    const signer = createSigner(keyedHash, key, commons.authenticator);
    const sign: Sign = (body) => ({ ...body, signer: signer.address, signature: signer.sign(body).signature });
    return { name, key: requireDefined(members[index], name), program: program as Program<ValidatorState>, sign };
  });
  const named = new Map(
    submissions.map((submission, index) => [
      submission.id,
      { ...submission, name: submission.name ?? `#${index + 1}` },
    ]),
  );
  const operations = [...named.values()].flatMap(({ name, submission }) =>
    isRecovery(submission) ? [] : [{ name, signed: submission }],
  );
  const recoveries = [...named.values()].flatMap(({ name, submission }) =>
    isRecovery(submission) ? [{ name, recovery: submission }] : [],
  );
  return {
    compiled,
    bounds,
    committee: commons.shared.committee,
    honest: participants.filter(({ name }) => name !== byzantineName),
    byzantine: requireDefined(
      participants.find(({ name }) => name === byzantineName),
      byzantineName,
    ),
    operations,
    recoveries,
    proofs: proofsOf({ operations, recoveries }, commons),
    proposals: proposalsOf(scenario, directory, compiled.setting.genesis.chainId).flatMap((signed, index) =>
      signed === undefined ? [] : [{ step: index + 1, signed }],
    ),
  };
}

/** Returns the proofs of recoveries, and those of all other pairs of conflicting operations. */
function proofsOf(
  { operations, recoveries }: Pick<System, "operations" | "recoveries">,
  { hashes, rules }: CompiledScenario["commons"],
): System["proofs"] {
  const shown = recoveries.map(({ name, recovery: { evidence } }) => ({ name, evidence, disclosedBy: [] }));
  const pairs = operations.flatMap((first, index) =>
    operations
      .slice(index + 1)
      .filter((second) => rules.ledger.isEquivocation(first.signed, second.signed))
      .map((second) => ({
        name: `the proof of ${first.name} and ${second.name}`,
        evidence: { first: first.signed, second: second.signed },
        disclosedBy: [first.name, second.name],
      })),
  );
  const idsIn = ({ first, second }: EquivocationProof): string =>
    [hashes.operationId(first), hashes.operationId(second)].sort().join();
  const shownIds = new Set(shown.map(({ evidence }) => idsIn(evidence)));
  return [...shown, ...pairs.filter(({ evidence }) => !shownIds.has(idsIn(evidence)))];
}

/** Ignores fault steps, because an exploration covers all delays, losses, partitions and crashes within its bounds. */
function refuseUnknown({ steps = [], genesis, network }: Scenario): void {
  for (const [index, step] of steps.entries()) {
    const where = `step ${index + 1}`;
    if (step.workload !== undefined)
      throw new NotExplorable(`${where}: workloads cannot be explored; use one submit step for each operation`);
    if (step.submit === undefined) continue;
    const kind = kindOf(step.submit);
    if (kind === "burn" && step.submit.burn?.account !== undefined)
      throw new NotExplorable(`${where}: burns from another account are not explored`);
    if (kind === "clawback") throw new NotExplorable(`${where}: clawbacks are not explored`);
    if (step.submit.signature !== undefined || step.submit.signed_by !== undefined)
      throw new NotExplorable(`${where}: invalid signatures cannot be explored; remove signature and signed_by`);
  }
  if (genesis?.filler_accounts !== undefined)
    throw new NotExplorable("genesis.filler_accounts: each state that is found would hold them; remove it");
  if (checkpointsIn(genesis) !== undefined)
    throw new NotExplorable("genesis.checkpoints: only the checkpoint that closes an epoch is explored; expected none");
  if ((network?.twins ?? []).length > 0)
    throw new NotExplorable(
      "network.twins: twins are not explored, because the Byzantine validator signs everything; remove them",
    );
}
