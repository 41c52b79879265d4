/** Entry validators of generated operations. */
import type { Name } from "../../scenario/scalar-types.ts";
import type { Rng } from "./rng.ts";
import type { Roles } from "./roles.ts";

/** Returns `undefined` for the client's home, or one or several validators, Byzantine ones included. */
export function drawEntryValidators(rng: Rng, { validators }: Roles): readonly Name[] | undefined {
  switch (
    rng.weighted([
      [4, "home"],
      [4, "one"],
      [1, "some"],
      [1, "all"],
    ])
  ) {
    case "one":
      return [rng.pick(validators)];
    case "some":
      return rng.some(validators, rng.between(1, validators.length));
    case "all":
      return validators;
    default:
      return undefined;
  }
}

/** Splits the validators into `count` groups, none of them empty. */
export function drawGroups(rng: Rng, names: readonly Name[], count: number): readonly (readonly Name[])[] {
  const groups: Name[][] = Array.from({ length: Math.min(count, names.length) }, () => []);
  for (const [index, name] of rng.shuffled(names).entries()) {
    const place = index < groups.length ? index : rng.between(0, groups.length - 1);
    groups[place]?.push(name);
  }
  return groups.map((group) => group.sort());
}
