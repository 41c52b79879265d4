/** Option for the size of generated scenarios. */
import type { Options } from "yargs";
import { PROFILES, type ProfileName } from "../../search/fuzz/profile.ts";
import { type Args, textOf } from "../command.ts";
import { textOption } from "../options.ts";

/** Returns the option `--profile`. */
export function profileOption(usual: ProfileName): Options {
  return { ...textOption("size of the generated scenarios", usual), choices: PROFILES };
}

/** Returns the requested profile; yargs rejects all other values. */
export function profileIn(args: Args, usual: ProfileName): ProfileName {
  return PROFILES.find((name) => name === textOf(args, "profile")) ?? usual;
}
