/** How large drawn worlds are, among the arguments. */
import type { Options } from "yargs";
import { PROFILES, type ProfileName } from "../../search/fuzz/profile.ts";
import { type Args, textOf } from "../command.ts";
import { textOption } from "../options.ts";

/** `--profile`. */
export function profileOption(usual: ProfileName): Options {
  return { ...textOption("how large the worlds are", usual), choices: PROFILES };
}

/** The profile that is asked for: yargs lets no other word through. */
export function profileIn(args: Args, usual: ProfileName): ProfileName {
  return PROFILES.find((name) => name === textOf(args, "profile")) ?? usual;
}
