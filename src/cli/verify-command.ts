/** `quorumlab verify`: checks a finality certificate, or a proof of what a checkpoint holds, offline. */

import type { Result } from "../core/base/result.ts";
import { readText } from "../harness/files.ts";
import { type Problem, problemText } from "../harness/problem.ts";
import { proofRefusal, readCommittee, readProof } from "../harness/verify.ts";
import { painter } from "../report/paint.ts";
import { type Command, textOf } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { fromEnv, JSON_OPTION, QUIET_OPTION } from "./options.ts";

export const verifyCommand: Command = {
  usage: "verify <file>",
  description: "check a finality certificate or an inclusion proof offline: 0 valid, 1 refused, 2 malformed",
  examples: [
    ["$0 verify out/payment/x.json --committee out/payment/committee.json", "a certificate that run --out wrote"],
    [
      "$0 verify out/checkpoint/x.inclusion.json --committee out/checkpoint/committee.json",
      "that a checkpoint lists x",
    ],
  ],
  build: (yargs, env) =>
    yargs
      .positional("file", { type: "string", demandOption: true, description: "the certificate or the proof, as JSON" })
      .option(
        "committee",
        fromEnv(env, "committee", {
          type: "string",
          demandOption: env["QUORUMLAB_COMMITTEE"] === undefined,
          requiresArg: true,
          description: "the committee of the proof's epoch, as JSON",
        }),
      )
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION)),
  run: async (args, io) => {
    const proof = load(textOf(args, "file") ?? "", readProof, io);
    const committee = load(textOf(args, "committee") ?? "", readCommittee, io);
    if (proof === undefined || committee === undefined) return EXIT.usage;
    const reason = proofRefusal(proof, committee) ?? null;
    const paint = painter(wantsColours(io));
    if (args["json"] === true) io.out(`${JSON.stringify({ type: "verify", valid: reason === null, reason })}\n`);
    else if (reason !== null) io.out(`${paint("bad", "refused")}  ${reason}\n`);
    else if (args["quiet"] !== true) io.out(`${paint("good", "valid")}\n`);
    return reason === null ? EXIT.expected : EXIT.failed;
  },
};

function load<T>(path: string, read: (text: string) => Result<T, readonly Problem[]>, io: Io): T | undefined {
  const text = readText(path);
  const result = text.ok ? read(text.value) : { ok: false as const, error: [text.error] };
  if (result.ok) return result.value;
  for (const problem of result.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}
