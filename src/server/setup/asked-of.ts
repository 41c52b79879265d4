/** Which validators of a network are asked over HTTP. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Setup } from "../../live/setup.ts";
import { validatorNames } from "../../scenario/declared.ts";

/** `each`, or the one validator or spare that is named; v1 where none is. The error lists those that there are. */
export function askedOf(
  { scenario }: Setup,
  ports: "one" | "each" | undefined,
  validator = "v1",
): Result<string, string> {
  if (ports === "each") return ok("each");
  const known = [...validatorNames(scenario), ...(scenario.network?.spares ?? [])];
  return known.includes(validator) ? ok(validator) : err(`expected one of ${known.join(", ")}, got "${validator}"`);
}
