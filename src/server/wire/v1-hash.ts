/** Spelling of version 1 hashes in answers: an option, since the published clients differ (wire 3.3). */
import type { ArchivedSubmission } from "../../live/archive.ts";
import type { Answers } from "./answers.ts";

/** Words of `--v1-hash`. */
export const V1_HASHES = ["minimal", "padded"] as const;

/** `minimal`: r and s as integers, as Go and the published network. `padded`: 32 bytes each, as TypeScript. */
export type V1Hash = (typeof V1_HASHES)[number];

export const V1_HASH_DEFAULT: V1Hash = "minimal";

/** Returns the functions with the padded spelling of every version 1 hash that differs. */
export function withPaddedHashes(answers: Answers): Answers {
  return {
    ...answers,
    hashOf: (copy) => padded(copy).hash,
    transaction: (copy, ...rest) => answers.transaction(padded(copy), ...rest),
    receipt: (copy, ...rest) => answers.receipt(padded(copy), ...rest),
    finalized: (copy, ...rest) => answers.finalized(padded(copy), ...rest),
    checkpoint: (link, full, copyOf, ...rest) => answers.checkpoint(link, full, (id) => padded(copyOf(id)), ...rest),
    checkpointReceipts: (link, copyOf) => answers.checkpointReceipts(link, (id) => padded(copyOf(id))),
    eventCheckpoint: (link, full, copyOf, ...rest) =>
      answers.eventCheckpoint(link, full, (id) => padded(copyOf(id)), ...rest),
    transactionEvent: (news, copy, ...rest) => answers.transactionEvent(news, padded(copy), ...rest),
  };
}

function padded(copy: ArchivedSubmission): ArchivedSubmission {
  return copy.paddedHash === undefined ? copy : { ...copy, hash: copy.paddedHash };
}
