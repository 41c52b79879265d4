/** Who takes part in a drawn world: validators, those of them that lie, and accounts. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import type { Dice } from "./dice.ts";
import type { Profile } from "./profile.ts";
import type { Swarm } from "./swarm.ts";

/** Accounts whose operations the steps hand in one by one. */
export const PAYERS: readonly Name[] = ["alice", "bob", "carol", "dave"];
/** Has enough, and pays only where something bars it: nobody burns from it, and nothing of it waits. */
export const BARRED = "heidi";
/** Wallets of workloads: they count their own nonces, so nothing is submitted from them. */
export const WALLETS: readonly Name[] = ["erin", "frank", "grace"];
/** The masters of the two tokens, and who holds roles of theirs. */
export const ISSUER = "issuer";
export const OWNER = "owner";
export const BURNER = "burner";
export const GUARD = "guard";
/** Authorities that take orders of a workload. */
export const MINTER = "minter";
export const SCRIBE = "scribe";
/**
 * Every disk has written for the first time by then, in virtual milliseconds: whoever crashes sooner has lost what it never
 * had, and abstains like one with a lost disk (protocol 11.3).
 */
export const FIRST_WRITE_MS = 100;
/** Accounts that nothing is known of at the start. */
export const STRANGERS: readonly Name[] = ["yan", "zoe"];

export interface Cast {
  readonly profile: Profile;
  readonly swarm: Swarm;
  /** The committee of epoch 0. */
  readonly validators: readonly Name[];
  readonly spares: readonly Name[];
  /** Run twice with one key; liars. */
  readonly twins: readonly Name[];
  /** Keep less than they acknowledge; liars. */
  readonly losing: readonly Name[];
  /** All that do not follow the rules at some time. */
  readonly liars: readonly Name[];
  /** Lose their disk; they abstain until the next epoch (protocol 11.3). */
  readonly wiped: readonly Name[];
  /** More than f lie: only what holds beyond f is demanded, and nobody has to make progress. */
  readonly isBeyond: boolean;
  /** The last validator stays last in every committee: a known-bad variant gives it its part. */
  readonly keepsLast: boolean;
}

/** What a caller of the draws may ask for. */
export interface CastOptions {
  /** The last validator is among the liars, in a committee that survives one. */
  readonly lastLies: boolean;
}

/** Draws the validators and what is wrong with them. */
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
  // A quorum of those who vote has to be left, or nothing could go on after the healing.
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

/** Validators that follow the rules, keep their disks, and are asked for things. */
export function steadyOf({ validators, liars, wiped }: Cast): readonly Name[] {
  return validators.filter((name) => !liars.includes(name) && !wiped.includes(name));
}
