/** `quorumlab verify`: offline check of a finality certificate or an inclusion proof. */

import { proofRefusal, readCommittee, readProof } from "../proofs/verify.ts";
import { type Command, EXIT, textOf } from "./command.ts";
import { readOrReport } from "./files.ts";
import { painterFor } from "./io.ts";
import { JSON_OPTION, QUIET_OPTION, textArgument, textOption } from "./options.ts";
import { jsonLine } from "./output.ts";

export const verifyCommand: Command = {
  examples: [
    ["$0 verify out/payment/x.json --committee out/payment/committee.json", "a certificate that run --out wrote"],
    [
      "$0 verify out/checkpoint/x.inclusion.json --committee out/checkpoint/committee.json",
      "that a checkpoint lists x",
    ],
  ],
  positionals: { file: textArgument("the certificate or the proof, as JSON") },
  options: {
    committee: { ...textOption("the committee of the proof's epoch, as JSON"), demandOption: true },
    json: JSON_OPTION,
    quiet: QUIET_OPTION,
  },
  run: async (args, io) => {
    const proof = readOrReport(textOf(args, "file") ?? "", readProof, io);
    const committee = readOrReport(textOf(args, "committee") ?? "", readCommittee, io);
    if (proof === undefined || committee === undefined) return EXIT.usage;
    const reason = proofRefusal(proof, committee) ?? null;
    const paint = painterFor(io);
    if (args["json"] === true) io.out(jsonLine({ type: "verify", valid: reason === null, reason }));
    else if (reason !== null) io.out(`${paint("bad", "refused")}  ${reason}\n`);
    else if (args["quiet"] !== true) io.out(`${paint("good", "valid")}\n`);
    return reason === null ? EXIT.expected : EXIT.failed;
  },
};
