/** Entry validators of generated operations. */
import type { Name } from "../../scenario/scenario-words.ts";
import type { Cast } from "./cast.ts";
import type { Dice } from "./dice.ts";

/** Returns `undefined` for the client's home, or one or several validators, Byzantine ones included. */
export function drawAsked(dice: Dice, { validators }: Cast): readonly Name[] | undefined {
  switch (
    dice.weighted([
      [4, "home"],
      [4, "one"],
      [1, "some"],
      [1, "all"],
    ])
  ) {
    case "one":
      return [dice.pick(validators)];
    case "some":
      return dice.some(validators, dice.between(1, validators.length));
    case "all":
      return validators;
    default:
      return undefined;
  }
}

/** Splits the validators into `count` groups, none of them empty. */
export function drawGroups(dice: Dice, names: readonly Name[], count: number): readonly (readonly Name[])[] {
  const groups: Name[][] = Array.from({ length: Math.min(count, names.length) }, () => []);
  for (const [index, name] of dice.shuffled(names).entries()) {
    const place = index < groups.length ? index : dice.between(0, groups.length - 1);
    groups[place]?.push(name);
  }
  return groups.map((group) => group.sort());
}
