import type { FeeEntry } from "../../../core/base/epoch.ts";
import type { Hash } from "../../../core/base/ids.ts";
import type { Scheme } from "../../../core/crypto/scheme.ts";
import type { EpochRecord } from "../../../live/archive.ts";
import { certificateFile, committeeFile } from "../../../proofs/certificate-file.ts";
import type { EpochAnswer, Fees } from "../schemas/network.ts";

/** Parameters of an epoch and the closing that opened it, for epoch 0 the genesis checkpoint (wire 1.4). */
export function epoch(chainId: number, record: EpochRecord, genesis: Hash, scheme: Scheme): EpochAnswer {
  const { parameters, opening } = record;
  const { validators, fees } = parameters;
  const keys = validators.map(({ key }) => key);
  return {
    epoch_id: record.epoch,
    certificate_hash: opening?.value ?? genesis,
    certificate: {
      type: "Epoch",
      proposal: { epoch: record.epoch },
      ...committeeFile(chainId, record.epoch, keys, scheme),
      fees: {
        ...feesOf(fees.default),
        tokens: [...fees.tokens].map(([token, entry]) => ({ token, ...feesOf(entry) })),
      },
      rewards: validators.map(({ reward }) => reward),
      opening: opening === undefined ? null : certificateFile(chainId, opening),
    },
  };
}

function feesOf({ payment, cancellation, recovery }: FeeEntry): Fees {
  return { payment: String(payment), cancellation: String(cancellation), recovery: String(recovery) };
}
