/** Known-bad variants in arguments. */

import { BUGS } from "../bugs/catalogue.ts";
import type { KnownBadVariant } from "../bugs/known-bad-variant.ts";
import { type Args, textOf } from "./command.ts";
import { UsageError } from "./exit-code.ts";
import { textOption } from "./options.ts";

/** Option `--bug` of commands that can run a variant. */
export const BUG_OPTION: ReturnType<typeof textOption> = textOption(
  "the known-bad variant that runs instead of the real program",
);

/** Returns the variant with this name; `option` is named in the error. @throws UsageError for an unknown name. */
export function variantFor(name: string, option?: string): KnownBadVariant {
  const bug = BUGS.find((one) => one.name === name);
  if (bug !== undefined) return bug;
  const where = option === undefined ? "" : `${option}: `;
  throw new UsageError(`${where}no known-bad variant is called "${name}"; src/bugs has ${BUGS.length} of them`);
}

/** Returns the name after `--bug`; `undefined` if absent. @throws UsageError for an unknown name. */
export function variantOption(args: Args): string | undefined {
  const name = textOf(args, "bug");
  return name === undefined ? undefined : variantFor(name, "--bug").name;
}
