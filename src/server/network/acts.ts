/** What a test can do to a network in its own process: what the admin API does, as functions that throw. */

import type { Role } from "../../core/base/operation.ts";
import type { Result } from "../../core/base/result.ts";
import type { GovernPart, StepVerbs } from "../../scenario/scenario.ts";
import { checkpointNow, epochNow } from "../admin/chain.ts";
import { amountMeant, tokenMeant } from "../admin/cheats.ts";
import type { Handed } from "../admin/hand.ts";
import { type AdminStatus, statusOf } from "../admin/status.ts";
import type { Served } from "../start.ts";

/** One verb of the scenario language, such as `{ crash: { node: "v2" } }`. */
export type LiveStep = Omit<StepVerbs, "submit" | "workload">;

/** An invariant that broke, and when in virtual milliseconds. */
export type Violation = AdminStatus["violations"][number];

/**
 * Accounts are named by their names or addresses, tokens by their symbols or addresses, amounts by decimal text in a
 * token's units. Each throws an Error that says what was refused and why.
 */
export interface NetworkActs {
  /** A fault, or its end, now: any verb of the scenario language but `submit` and `workload`. */
  step(step: LiveStep): void;
  /** Lets so many virtual milliseconds pass as fast as they can be worked off; how many did. */
  advance(ms: number): number;
  /** How fast time passes: 1 as the clock does, 0 not at all. At 0 nothing that clients send is final before `advance`. */
  rate(rate: number): void;
  /** Remembers where the network stands; the name of that. */
  snapshot(): string;
  /** Undoes whatever came after a snapshot, and later snapshots with it. The snapshot itself stays. */
  revert(snapshot: string): void;
  /** Undoes everything, snapshots too. */
  reset(): void;
  /** Advances to the next checkpoint; its number. Refused where there is nothing to list. */
  checkpoint(): number;
  /** Closes the epoch; the new one. `change`: what it begins with otherwise, as the verb `govern` says it. */
  epoch(change?: Omit<GovernPart, "to" | "epoch">): number;
  /** Mints or burns until an account holds just so much; the operation's hash, `undefined` where it held that. */
  setBalance(account: string, token: string, value: string): Promise<string | undefined>;
  /** Mints so much more for an account; the operation's hash. */
  give(account: string, token: string, value: string): Promise<string>;
  /** Grants or revokes a role, signed by the token's master; the operation's hash. `allowance`: of MintBurnTokens. */
  setRole(
    account: string,
    token: string,
    role: Role,
    change: { readonly action: "Grant" | "Revoke"; readonly allowance?: string },
  ): Promise<string>;
  /** How the network stands: the admin API's answer. */
  status(): AdminStatus;
  /** Invariants that broke so far; a sound protocol within its bounds breaks none. */
  readonly violations: readonly Violation[];
}

/** The acts on a served network. */
export function actsOn(served: Served): NetworkActs {
  const { host, hand } = served;
  return {
    step: (step) => void granted(host.step(step)),
    advance: (ms) => granted(host.advance(ms)),
    rate: (rate) => void granted(host.setRate(rate)),
    snapshot: () => granted(host.snapshot()),
    revert: (snapshot) => void granted(host.revert(snapshot)),
    reset: () => host.reset(),
    checkpoint: () => granted(checkpointNow(host)),
    epoch: (change = {}) => granted(epochNow(host, { ...change })),
    setBalance: async (account, token, value) => {
      const { owner, address, amount } = meant(served, account, token, value);
      return granted(await hand.setBalance(owner, address, amount))?.hash;
    },
    give: async (account, token, value) => {
      const { owner, address, amount } = meant(served, account, token, value);
      return granted<Handed>(await hand.give(owner, address, amount)).hash;
    },
    setRole: async (account, token, role, { action, allowance = "0" }) => {
      const { owner, address, amount } = meant(served, account, token, allowance);
      return granted(await hand.setRole(address, owner, role, { action, allowance: amount })).hash;
    },
    status: () => statusOf(host),
    get violations() {
      return statusOf(host).violations;
    },
  };
}

/** The value of a result. @throws Error that says why there is none. */
export function granted<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new Error(result.error);
}

function meant({ host, names }: Served, account: string, token: string, value: string) {
  const owner = granted(names.account(account));
  const { address, decimals } = granted(tokenMeant(host, names, token));
  return { owner, address, amount: granted(amountMeant(value, decimals)) };
}
