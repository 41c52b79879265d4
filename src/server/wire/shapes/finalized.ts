import type { LedgerState } from "../../../core/ledger/state.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord } from "../../../live/archive.ts";
import { certificateFile } from "../../../proofs/certificate-file.ts";
import type { Finalized } from "../schemas/receipts.ts";
import { signatureFields } from "../signature.ts";
import { receipt } from "./receipt.ts";

/** The receipt with the certificate that proves the decision (wire 1.4, Finalized). */
export function finalized(
  copy: ArchivedSubmission,
  final: FinalRecord,
  place: ChainPosition | undefined,
  ledger: LedgerState,
): Finalized {
  const { certificate } = final;
  return {
    ...receipt(copy, final.receipt, place, ledger),
    epoch: certificate.epoch,
    counter_signatures: certificate.seals.map(({ signature }) => signatureFields(signature)),
    certificate: certificateFile(ledger.chainId, certificate),
  };
}
