/** Roles of a generated scenario: validators, Byzantine ones among them, accounts, and entry validators. */
import { bounds } from "../../invariants/history/quorum.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declarations.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { Profile, Swarm } from "./swarm.ts";

/** Accounts whose operations are single submissions. */
export const PAYERS: readonly Name[] = ["alice", "bob", "carol", "dave"];
/** Account that pays only under a restriction and has enough funds: no burns, no pending operations. */
export const BARRED = "heidi";
/**
 * Account with exactly 100 units of each token at the genesis, which no list excludes and which may mint: where both of two
 * operations, or each outcome of a burn, must be possible.
 */
export const FUNDED = "ivan";
/** Accounts of workloads: they count their own nonces, so there are no single submissions from them. */
export const WALLETS: readonly Name[] = ["erin", "frank", "grace"];
/** Masters of the two tokens, and holders of their roles. */
export const ISSUER = "issuer";
export const OWNER = "owner";
export const BURNER = "burner";
export const GUARD = "guard";
/** Authorities that sign orders of workloads. */
export const MINTER = "minter";
export const SCRIBE = "scribe";
/** Accounts without a balance at the genesis. */
export const UNKNOWN_ACCOUNTS: readonly Name[] = ["yan", "zoe"];

/** Token of which operations are combined with roles, lists and its state, and that state at the genesis. */
export interface Stage {
  readonly token: "USD" | "RWA";
  readonly isPaused: boolean;
}

export interface Roles {
  readonly profile: Profile;
  readonly swarm: Swarm;
  /** Committee of epoch 0. */
  readonly validators: readonly Name[];
  readonly spares: readonly Name[];
  /** Validators that run twice with one key; Byzantine. */
  readonly twins: readonly Name[];
  /** Validators that lose acknowledged writes; Byzantine. */
  readonly losing: readonly Name[];
  /** Validators whose disk returns to a backup while their keys stay; Byzantine. */
  readonly restored: readonly Name[];
  /** All validators that are Byzantine at some time. */
  readonly byzantine: readonly Name[];
  /** Validators that lose their disk, and with it the keys that have signed (protocol 11.3). */
  readonly wiped: readonly Name[];
  /** True if Byzantine validators and lost disks leave no quorum: no progress is demanded, and all that is safe. */
  readonly lacksQuorum: boolean;
  /** True if more than f are Byzantine: only invariants that hold beyond f are demanded, and no progress. */
  readonly isBeyond: boolean;
  /** True if the last validator stays last in every committee, because a known-bad variant needs it there. */
  readonly keepsLast: boolean;
  /** `undefined` where nothing is combined. */
  readonly stage: Stage | undefined;
  /** True if the first token is paused at the genesis; it is unpaused soon. */
  readonly startsPaused: boolean;
  /** True if nothing takes place but one meeting, of four validators of which one may be Byzantine. */
  readonly isStaged: boolean;
  /** True if epochs are shorter than the first round of a slot, whether or not anything happens in them. */
  readonly hurries: boolean;
  /** True if a validator returns after more checkpoints than others keep. */
  readonly returns: boolean;
  /** True if the state has so many accounts that a validator which was away needs several checkpoints' time to fetch it. */
  readonly isLarge: boolean;
  /** True if a validator outside the committee joins by fetching such a state over slow links. */
  readonly joins: boolean;
}

/** Constraints on the drawn roles. */
interface RoleOptions {
  /** True if the last validator must be Byzantine, in a committee that tolerates one. */
  readonly lastIsByzantine: boolean;
  /** True if at most f are Byzantine. */
  readonly isWithinF: boolean;
}

/** Draws the validators and their faults. */
export function drawRoles(rng: Rng, profile: Profile, swarm: Swarm, options: RoleOptions): Roles {
  const { lastIsByzantine, isWithinF } = options;
  const sizes = Object.entries(profile.validators)
    .map(([size, weight]) => [weight, Number(size)] as const)
    .filter(([, size]) => !lastIsByzantine || bounds(size).faults > 0);
  const isStaged = swarm.meetings === 2;
  const isLarge = swarm.absences > 0 && rng.split("large").chance(1, 16);
  const joins = isLarge && !isStaged && !lastIsByzantine && rng.split("joins").chance(2, 3);
  const size = isStaged ? VALIDATORS_DEFAULT : joins ? 1 : rng.split("size").pickWeighted(...sizes);
  const validators = Array.from({ length: size }, (_, place) => `v${place + 1}`);
  const last = lastIsByzantine ? validators.slice(-1) : [];
  const count = countOfByzantine(rng.split("liars"), size, swarm, isWithinF);
  const drawn = rng.split("liars").shuffle(validators.slice(0, size - last.length));
  const byzantine = [...last, ...drawn].slice(0, Math.max(last.length, count));
  const { faults, quorum } = bounds(size);
  const isBeyond = byzantine.length > faults;
  const honest = validators.filter((name) => !byzantine.includes(name));
  const wiped = swarm.wipes === 0 ? [] : drawWiped(rng.split("wiped"), honest, quorum);
  const odd = rng.split("odd");
  const staged = rng.split("stage");
  // A meeting that depends on the parameters of its epochs.
  const genesis = rng
    .split("genesis")
    .pickWeighted(
      [2, isStaged && byzantine.length > 0 ? "hurries" : undefined],
      [5, isStaged && byzantine.length > 0 ? "returns" : undefined],
      [18, undefined],
    );
  const free = byzantine.filter((name) => !last.includes(name));
  const spares = joins ? ["s1"] : swarm.govern === 0 ? [] : ["s1", "s2", "s3"].slice(0, odd.integer(0, 3));
  const twins = !isStaged && odd.chance(1, 6) ? free.slice(0, 1) : [];
  const losing = odd.chance(1, 8) ? free.slice(1, 2) : [];
  // A meeting says what Byzantine validators do.
  const isRestored = swarm.meetings === 0 && rng.split("restored").chance(1, 4);
  return {
    profile,
    swarm,
    validators,
    spares,
    twins,
    losing,
    restored: isRestored ? free.filter((name) => !twins.includes(name) && !losing.includes(name)).slice(-1) : [],
    byzantine,
    wiped,
    lacksQuorum: honest.length - wiped.length < quorum,
    isBeyond,
    isStaged,
    // A crowd is served by one list after the other from its begin on. Limited worlds are parts of those of a caller.
    startsPaused:
      !isWithinF && !isStaged && swarm.crowds + swarm.combinations === 0 && rng.split("paused").chance(1, 16),
    keepsLast: lastIsByzantine,
    hurries: genesis === "hurries",
    returns: genesis === "returns",
    isLarge,
    joins,
    stage:
      swarm.combinations === 0
        ? undefined
        : { token: staged.pick(["USD", "RWA"] as const), isPaused: staged.chance(1, 2) },
  };
}

/** Mostly a quorum remains for progress after the healing. */
function drawWiped(rng: Rng, honest: readonly Name[], quorum: number): readonly Name[] {
  const spare = Math.max(0, honest.length - quorum);
  const most = rng.chance(1, 8) ? honest.length : spare;
  return rng.pickSome(honest, Math.min(most, rng.pickWeighted([3, 1], [1, 2], [1, most])));
}

function countOfByzantine(rng: Rng, size: number, { liars: byzantine }: Swarm, isWithinF: boolean): number {
  const { faults } = bounds(size);
  if (byzantine === 0 || size === 1) return 0;
  if (byzantine === 1 || isWithinF || rng.chance(3, 4)) return faults === 0 ? 0 : rng.integer(1, faults);
  return rng.integer(faults + 1, size - 1);
}

/** Returns the validators that are correct, keep their disks, and act as entry validators. */
export function correctOf({ validators, byzantine, wiped }: Roles): readonly Name[] {
  return validators.filter((name) => !byzantine.includes(name) && !wiped.includes(name));
}

/** Returns `undefined` for the client's home, or one or several validators, Byzantine ones included. */
export function drawEntryValidators(rng: Rng, { validators }: Roles): readonly Name[] | undefined {
  switch (rng.pickWeighted([4, "home"], [4, "one"], [1, "some"], [1, "all"])) {
    case "one":
      return [rng.pick(validators)];
    case "some":
      return rng.pickSome(validators, rng.integer(1, validators.length));
    case "all":
      return validators;
    default:
      return undefined;
  }
}
