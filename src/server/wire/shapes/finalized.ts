import type { LedgerState } from "../../../core/ledger/state.ts";
import type { Copy, Final, Place } from "../../../live/archive.ts";
import { certificateFile } from "../../../proofs/certificate-file.ts";
import type { Finalized } from "../schemas/receipts.ts";
import { signatureParts } from "../signature.ts";
import { receipt } from "./receipt.ts";

/** The receipt with the certificate that proves the decision (wire 1.4, Finalized). */
export function finalized(copy: Copy, final: Final, place: Place | undefined, ledger: LedgerState): Finalized {
  const { certificate } = final;
  return {
    ...receipt(copy, final.receipt, place, ledger),
    epoch: certificate.epoch,
    counter_signatures: certificate.seals.map(({ signature }) => signatureParts(signature)),
    certificate: certificateFile(ledger.chainId, certificate),
  };
}
