/** Reader of the public vectors. */
import { readFileSync } from "node:fs";

/** Returns the rows of a file of `suites`. */
export const suite = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(`test/vectors/suites/${name}.json`, "utf8")) as readonly T[];
