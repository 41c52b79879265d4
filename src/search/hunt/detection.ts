/**
 * Examination of one seed for a known-bad variant. It is a detection only if an invariant fails that may catch the
 * variant, and the real program passes the same scenario.
 */
import type { KnownBadVariant, ValidatorProgram } from "../../bugs/known-bad-variant.ts";
import type { Variant } from "../../bugs/variant.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Program } from "../../simulator/plan.ts";
import {
  type FailureSignature,
  failureSignatureKey,
  failureSignatureOf,
  signatureOfViolation,
} from "../fuzz/failure-signature.ts";
import type { ProfileName } from "../fuzz/profile.ts";
import { runSeed } from "../fuzz/seed-run.ts";

export type Detection =
  /** The run passed or was empty. */
  | { readonly kind: "unseen" }
  | {
      readonly kind: "found";
      readonly invariant: InvariantName;
      readonly place: FailureSignature;
      readonly detail: string;
    }
  /** An assertion of the core aborted the run, and no invariant failed. */
  | { readonly kind: "error"; readonly where: string }
  /** The run fails by an invariant that must not catch this variant, or is endless. */
  | { readonly kind: "other"; readonly where: string }
  /** The real program fails in this scenario, too. */
  | { readonly kind: "real"; readonly where: string };

/** Generates the scenario of a seed and runs the variant in it; on a failure also the real program. */
export function* examine(bug: KnownBadVariant, seed: string, profile: ProfileName): Interruptible<Detection> {
  const { scenario, result, signature } = yield* runSeed(seed, { profile, bug: bug.name });
  if (signature === undefined) return { kind: "unseen" };
  const { bug: _bug, ...world } = scenario;
  const real = failureSignatureOf(world, yield* runInSlices(world, { seed, variant: realProgram(bug) }));
  if (real !== undefined) return { kind: "real", where: failureSignatureKey(real) };
  return judged(bug, scenario, result, signature);
}

function judged(
  { caughtBy }: KnownBadVariant,
  scenario: Scenario,
  { violations }: RunResult,
  signature: FailureSignature,
): Detection {
  const caught = violations.find(({ invariant }) => caughtBy.includes(invariant));
  if (caught !== undefined) {
    const { invariant, detail } = caught;
    return { kind: "found", invariant, place: signatureOfViolation(scenario, caught), detail };
  }
  return { kind: signature.invariant === "error" ? "error" : "other", where: failureSignatureKey(signature) };
}

/** Returns the real program, with the Byzantine validator's attack if the variant has one. */
export function realProgram({ attack }: KnownBadVariant): Variant {
  if (attack === undefined) return { name: "real" };
  return { name: "real", program: (real: Program) => attack(real as ValidatorProgram) as Program };
}
