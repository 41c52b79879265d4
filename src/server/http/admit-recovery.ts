/** Submission of a recovery to the entry validator (specification 5.4; wire 3.9, Recovery). */
import type { Recovery, SignedOperation } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { isEquivocation, recoveryId } from "../../core/ledger/identity.ts";
import { candidatesOf } from "../wire/candidates.ts";
import type { RecoveryReading } from "../wire/write.ts";
import { type Admitted, handIn, isAnswered, mayBeLost, type RefusedWrite } from "./admit.ts";
import { noSender, refused, sendersOf, signedBy } from "./candidates.ts";
import { type EntryValidator, ledgerOf } from "./entry-validator.ts";
import type { HttpError } from "./errors.ts";
import { validatorDown } from "./response.ts";

/** Submits the first admissible pair of readings: every proof gives the same id. */
export async function admitRecovery(
  entry: EntryValidator,
  reading: RecoveryReading,
): Promise<Result<Admitted, RefusedWrite>> {
  const first = candidatesOf(reading.first, entry.scheme);
  const second = candidatesOf(reading.second, entry.scheme);
  const candidates = [...first, ...second];
  const refuse = (error: HttpError): Result<Admitted, RefusedWrite> =>
    err({ fault: error, senders: sendersOf(candidates) });
  if (ledgerOf(entry) === undefined) return refuse(validatorDown(entry.node));
  if (first.length === 0 || second.length === 0) return refuse(noSender());

  const { network } = entry.host;
  const hash = recoveryId(reading.chainId, reading.account, reading.nonce);
  const recoveries = proofs(reading, first, second);
  const isKnown = isAnswered(network.archive, hash, hash);
  if (isKnown && !recoveries.some((recovery) => mayBeLost(entry, hash, recovery))) return ok({ hash });

  const judged = recoveries.map((recovery) => ({ recovery, refusal: network.admissionFault(entry.node, recovery) }));
  const chosen = judged.find(({ refusal }) => refusal === undefined) ?? judged[0];
  if (chosen === undefined) return refuse(noProof(reading, candidates));
  if (chosen.refusal !== undefined) return refuse(refused(chosen.refusal, candidates));
  const { recovery } = chosen;
  const error = await handIn(entry, recovery, recovery.account, (refusal) => refused(refusal, candidates));
  return error === undefined ? ok({ hash }) : refuse(error);
}

/** Returns every pair of readings that is an equivocation proof of the account for this nonce. */
function proofs(
  { chainId, account, nonce }: RecoveryReading,
  firsts: readonly SignedOperation[],
  seconds: readonly SignedOperation[],
): readonly Recovery[] {
  const isMeant = ({ sender, operation }: SignedOperation): boolean =>
    sender === account && operation.chainId === chainId && operation.nonce === nonce;
  return firsts
    .filter(isMeant)
    .flatMap((first) =>
      seconds
        .filter((second) => isMeant(second) && isEquivocation(first, second))
        .map((second) => ({ kind: "recovery", chainId, account, nonce, evidence: { first, second } }) as const),
    );
}

function noProof({ account, nonce }: RecoveryReading, candidates: readonly SignedOperation[]): HttpError {
  const wanted = `two different operations of ${account} for nonce ${nonce} of this chain, neither a cancellation`;
  const message = `body.evidence: expected ${wanted}; got bodies ${signedBy(candidates)}`;
  return { status: 400, code: "validation_evidence", message };
}
