/** Roles of a generated scenario: validators, Byzantine ones among them, and accounts. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import type { Dice } from "./dice.ts";
import type { Profile } from "./profile.ts";
import type { Swarm } from "./swarm.ts";

/** Accounts whose operations are single submissions. */
export const PAYERS: readonly Name[] = ["alice", "bob", "carol", "dave"];
/** Account that pays only under a restriction and has enough funds: no burns, no pending operations. */
export const BARRED = "heidi";
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
/**
 * Time by which every disk has written once, in virtual milliseconds: a validator that crashes sooner has no durable
 * state and abstains like one with a lost disk (protocol 11.3).
 */
export const FIRST_WRITE_MS = 100;
/** Accounts without a balance at the genesis. */
export const STRANGERS: readonly Name[] = ["yan", "zoe"];

export interface Cast {
  readonly profile: Profile;
  readonly swarm: Swarm;
  /** Committee of epoch 0. */
  readonly validators: readonly Name[];
  readonly spares: readonly Name[];
  /** Validators that run twice with one key; Byzantine. */
  readonly twins: readonly Name[];
  /** Validators that lose acknowledged writes; Byzantine. */
  readonly losing: readonly Name[];
  /** All validators that are Byzantine at some time. */
  readonly liars: readonly Name[];
  /** Validators that lose their disk; they abstain until the next epoch (protocol 11.3). */
  readonly wiped: readonly Name[];
  /** True if more than f are Byzantine: only invariants that hold beyond f are demanded, and no progress. */
  readonly isBeyond: boolean;
  /** True if the last validator stays last in every committee, because a known-bad variant needs it there. */
  readonly keepsLast: boolean;
}

/** Constraints on the drawn roles. */
export interface CastOptions {
  /** True if the last validator must be Byzantine, in a committee that tolerates one. */
  readonly lastLies: boolean;
}

/** Draws the validators and their faults. */
export function drawCast(dice: Dice, profile: Profile, swarm: Swarm, { lastLies }: CastOptions): Cast {
  const sizes = lastLies ? profile.validators.filter((size) => bounds(size).faults > 0) : profile.validators;
  const size = dice.part("size").pick(sizes);
  const validators = Array.from({ length: size }, (_, place) => `v${place + 1}`);
  const last = lastLies ? validators.slice(-1) : [];
  const count = countOfLiars(dice.part("liars"), size, swarm);
  const drawn = dice.part("liars").shuffled(validators.slice(0, size - last.length));
  const liars = [...last, ...drawn].slice(0, Math.max(last.length, count));
  const { faults, quorum } = bounds(size);
  const honest = validators.filter((name) => !liars.includes(name));
  // A quorum of voting validators must remain for progress after the healing.
  const spare = Math.max(0, honest.length - quorum);
  const wiped = swarm.wipes === 0 ? [] : dice.part("wiped").some(honest, Math.min(1, spare));
  const odd = dice.part("odd");
  const free = liars.filter((name) => !last.includes(name));
  return {
    profile,
    swarm,
    validators,
    spares: swarm.govern === 0 ? [] : ["s1", "s2", "s3"].slice(0, odd.between(0, 3)),
    twins: odd.chance(1, 6) ? free.slice(0, 1) : [],
    losing: odd.chance(1, 8) ? free.slice(1, 2) : [],
    liars,
    wiped,
    isBeyond: liars.length > faults,
    keepsLast: lastLies,
  };
}

function countOfLiars(dice: Dice, size: number, { liars }: Swarm): number {
  const { faults } = bounds(size);
  if (liars === 0 || size === 1) return 0;
  if (liars === 1 || dice.chance(3, 4)) return faults === 0 ? 0 : dice.between(1, faults);
  return dice.between(faults + 1, size - 1);
}

/** Returns the validators that are correct, keep their disks, and act as entry validators. */
export function steadyOf({ validators, liars, wiped }: Cast): readonly Name[] {
  return validators.filter((name) => !liars.includes(name) && !wiped.includes(name));
}
