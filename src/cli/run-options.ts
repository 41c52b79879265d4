/** Options of `quorumlab run` and their values. */

import type { Options } from "yargs";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { JUNIT_OPTION } from "./ci.ts";
import { type Args, textOf } from "./command.ts";
import {
  flagOption,
  JSON_OPTION,
  LOG_LEVEL_OPTION,
  OUT_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  SEED_OPTION,
  textOption,
} from "./options.ts";

/** Options in the order of the help text. */
export const RUN_OPTIONS: Readonly<Record<string, Options>> = {
  seed: SEED_OPTION,
  crypto: {
    ...textOption("signatures: secp256k1, or a fast stand-in with the same shapes", "stand-in"),
    choices: ["real", "stand-in"],
  },
  out: OUT_OPTION,
  update: flagOption("write the transcript of each run into its file"),
  junit: JUNIT_OPTION,
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
  "log-level": LOG_LEVEL_OPTION,
};

export interface RunOptions {
  readonly seed: string;
  readonly scheme: Scheme;
  /** Folder for certificates and proofs; `undefined`: none are written. */
  readonly out: string | undefined;
  /** True to write transcripts into their files. */
  readonly updates: boolean;
}

/** Returns the options; yargs has validated them. */
export function runOptions(args: Args): RunOptions {
  return {
    seed: textOf(args, "seed") ?? DEFAULT_SEED,
    scheme: textOf(args, "crypto") === "real" ? secp256k1 : keyedHash,
    out: textOf(args, "out"),
    updates: args["update"] === true,
  };
}
