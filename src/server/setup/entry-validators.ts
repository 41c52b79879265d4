/** Entry validators of a served network. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Setup } from "../../live/setup.ts";
import { validatorNames } from "../../scenario/declared.ts";

/** Returns `each`, or the named validator or spare, v1 by default. The error lists the known ones. */
export function entryValidatorsOf(
  { scenario }: Setup,
  ports: "one" | "each" | undefined,
  validator = "v1",
): Result<string, string> {
  if (ports === "each") return ok("each");
  const known = [...validatorNames(scenario), ...(scenario.network?.spares ?? [])];
  return known.includes(validator) ? ok(validator) : err(`expected one of ${known.join(", ")}, got "${validator}"`);
}
