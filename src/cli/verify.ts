/** `quorumlab verify`: offline check of a finality certificate or an inclusion proof. */

import { ok, type Result } from "../core/base/result.ts";
import type { CommitteeFile } from "../proofs/certificate-file.ts";
import { proofVerdict, readCommittee, readProof, type Verdict } from "../proofs/verify.ts";
import type { Problem } from "../schema/problem.ts";
import { finalizedVerdict, isFinalizedAnswer, readFinalized } from "../server/wire/finalized-check.ts";
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
    const verdictOf = readOrReport(textOf(args, "file") ?? "", readVerdict, io);
    const committee = readOrReport(textOf(args, "committee") ?? "", readCommittee, io);
    if (verdictOf === undefined || committee === undefined) return EXIT.usage;
    const { reason = null, ...members } = verdictOf(committee);
    const paint = painterFor(io);
    if (args["json"] === true)
      io.out(
        jsonLine({ type: "verify", valid: reason === null, reason, ...members, committee: committee.committee_hash }),
      );
    else if (reason !== null) io.out(`${paint("bad", "refused")}  ${reason}\n`);
    else if (args["quiet"] !== true)
      io.out(`${paint("good", "valid")}\n${coverageText(members)}${committeeText(committee)}`);
    return reason === null ? EXIT.expected : EXIT.failed;
  },
};

/** Reads a file as what it is, and returns its verdict by a committee. */
function readVerdict(text: string): Result<(committee: CommitteeFile) => Verdict, readonly Problem[]> {
  if (isFinalizedAnswer(text)) {
    const read = readFinalized(text);
    return read.ok ? ok((committee) => finalizedVerdict(read.value, committee)) : read;
  }
  const read = readProof(text);
  return read.ok ? ok((committee) => proofVerdict(read.value, committee)) : read;
}

function coverageText({ covered, uncovered }: Pick<Verdict, "covered" | "uncovered">): string {
  const rest = uncovered.length === 0 ? "" : `  not covered  ${uncovered.join(", ")}\n`;
  return `  covered      ${covered.join(", ")}\n${rest}`;
}

/** The committee is believed: a reader who has its hash from elsewhere compares it. */
function committeeText({ epoch, committee_hash }: CommitteeFile): string {
  return `  committee    of epoch ${epoch}, ${committee_hash ?? "without a hash over its members"}\n`;
}
