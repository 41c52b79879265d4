/** Controls of a network in the caller's process: the admin API as functions that throw. */
import type { Role } from "../../core/base/operation.ts";
import type { Result } from "../../core/base/result.ts";
import type { GovernSpec } from "../../scenario/schema/epoch.ts";
import type { StepVerbs } from "../../scenario/schema/step.ts";
import { resolveHolding } from "../admin/name-resolver.ts";
import { type AdminStatus, checkpointNow, epochNow, statusOf } from "../admin/operations.ts";
import type { SubmissionResult } from "../admin/signed-submission.ts";
import type { ListeningNetwork } from "../start.ts";

/** One verb of the scenario language, such as `{ crash: { node: "v2" } }`. */
export type LiveStep = Omit<StepVerbs, "submit" | "workload">;

/** Violation of an invariant, with its virtual milliseconds. */
export type Violation = AdminStatus["violations"][number];

/**
 * Accounts are named by their names or addresses, tokens by their symbols or addresses, amounts by decimal text in a
 * token's units. Each throws an Error that names what was refused and why.
 */
export interface NetworkControls {
  /** Executes a fault, or its end, now: any verb of the scenario language but `submit` and `workload`. */
  step(step: LiveStep): void;
  /** Advances virtual time by up to `ms` as fast as possible; returns the milliseconds that passed. */
  advance(ms: number): number;
  /** Sets the virtual milliseconds for each real one. At 0 no submission is final before `advance`. */
  rate(rate: number): void;
  /** Takes a snapshot; returns its name. */
  snapshot(): string;
  /** Reverts to a snapshot, which stays; later snapshots are dropped. */
  revert(snapshot: string): void;
  /** Reverts to the start and drops all snapshots. */
  reset(): void;
  /** Advances to the next checkpoint; returns its number. Refused if there is no operation to list. */
  checkpoint(): number;
  /** Closes the epoch; returns the new one. `change`: changed parameters, as in the verb `govern`. */
  epoch(change?: Omit<GovernSpec, "to" | "epoch">): number;
  /** Mints or burns up to this balance; returns the operation's hash, `undefined` if the account had that balance. */
  setBalance(account: string, token: string, value: string): Promise<string | undefined>;
  /** Mints for an account; returns the operation's hash. */
  give(account: string, token: string, value: string): Promise<string>;
  /** Grants or revokes a role, signed by the token's master; returns the operation's hash. `allowance`: of MintBurnTokens. */
  setRole(
    account: string,
    token: string,
    role: Role,
    change: { readonly action: "Grant" | "Revoke"; readonly allowance?: string },
  ): Promise<string>;
  /** Returns the status of the network, as in the admin API. */
  status(): AdminStatus;
  /** Violations so far. */
  readonly violations: readonly Violation[];
}

/** Returns the controls of a served network. */
export function controlsOf(served: ListeningNetwork): NetworkControls {
  const { host, signer, names } = served;
  const holdingOf = (account: string, token: string, value: string) =>
    unwrap(resolveHolding(host, names, account, token, value));
  return {
    step: (step) => void unwrap(host.step(step)),
    advance: (ms) => unwrap(host.advance(ms)),
    rate: (rate) => void unwrap(host.setRate(rate)),
    snapshot: () => unwrap(host.snapshot()),
    revert: (snapshot) => void unwrap(host.revert(snapshot)),
    reset: () => host.reset(),
    checkpoint: () => unwrap(checkpointNow(host)),
    epoch: (change = {}) => unwrap(epochNow(host, { ...change })),
    setBalance: async (account, token, value) => {
      const { owner, token: address, amount } = holdingOf(account, token, value);
      return unwrap(await signer.setBalance(owner, address, amount))?.hash;
    },
    give: async (account, token, value) => {
      const { owner, token: address, amount } = holdingOf(account, token, value);
      return unwrap<SubmissionResult>(await signer.give(owner, address, amount)).hash;
    },
    setRole: async (account, token, role, { action, allowance = "0" }) => {
      const { owner, token: address, amount } = holdingOf(account, token, allowance);
      return unwrap(await signer.setRole(address, owner, role, { action, allowance: amount })).hash;
    },
    status: () => statusOf(host),
    get violations() {
      return statusOf(host).violations;
    },
  };
}

/** Returns the value of a result. @throws Error with its error. */
export function unwrap<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new Error(result.error);
}
