/** Submission of a signed body to the entry validator (wire 3.9, protocol 4.2). */
import type { Address, Hash } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation, Submission } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { issuedTokenAddress, operationId, transactionHash } from "../../core/ledger/identity.ts";
import type { Archive } from "../../live/archive.ts";
import { candidatesOf, type Reading } from "../wire/candidates.ts";
import { choose, noSender, refused, sendersOf } from "./candidates.ts";
import { type EntryValidator, ledgerOf } from "./entry-validator.ts";
import type { HttpError } from "./errors.ts";
import { errorOfResponse, validatorDown } from "./response.ts";

/** Response to the client. */
export interface Admitted {
  readonly hash: Hash;
  /** Of an issue: the address of the new token. */
  readonly token?: Address;
}

/** Refused write with all possible signers: a signature over another digest recovers to an unknown address. */
export interface RefusedWrite {
  readonly fault: HttpError;
  readonly senders: readonly Address[];
}

/** Admits the operation of a body. A byte-identical repost gets the first response and has no effect. */
export async function admit(entry: EntryValidator, reading: Reading): Promise<Result<Admitted, RefusedWrite>> {
  const candidates = candidatesOf(reading, entry.scheme);
  const senders = sendersOf(candidates);
  const refuse = (error: HttpError): Result<Admitted, RefusedWrite> => err({ fault: error, senders });
  const ledger = ledgerOf(entry);
  if (ledger === undefined) return refuse(validatorDown(entry.node));
  if (candidates.length === 0) return refuse(noSender());

  const { network } = entry.host;
  const posted = candidates.find((one) => isAnswered(network.archive, transactionHash(one), operationId(one)));
  if (posted !== undefined) {
    const again = mayBeLost(entry, operationId(posted), posted)
      ? await handIn(entry, posted, posted.sender, (refusal) => refused(refusal, candidates))
      : undefined;
    return again === undefined ? ok(admitted(posted)) : refuse(again);
  }

  const choice = choose(candidates, (candidate) => network.admissionFault(entry.node, candidate), ledger);
  if (choice.type === "refused") return refuse(choice.fault);
  const { candidate } = choice;
  const error = await handIn(entry, candidate, candidate.sender, (refusal) => refused(refusal, candidates));
  return error === undefined ? ok(admitted(candidate)) : refuse(error);
}

/** Waits for the validator's response; returns the error of a submission that was not, or perhaps not, admitted. */
export async function handIn(
  entry: EntryValidator,
  submission: Submission,
  account: Address,
  refusedAs: (refusal: Refusal) => HttpError,
): Promise<HttpError | undefined> {
  const place = entry.requestLimit.enter(account);
  if (!place.ok) return place.error;
  try {
    return errorOfResponse(await entry.host.submit(entry.node, submission), entry.node, refusedAs);
  } finally {
    place.value();
  }
}

/**
 * Returns true if a copy was admitted and is neither void nor refused, so that a repost needs no second admission. The
 * same bytes posted as another kind have the same hash and are another operation.
 */
export function isAnswered(archive: Archive, hash: Hash, id: OperationId): boolean {
  const copy = archive.find(hash);
  if (copy === undefined || copy.id !== id) return false;
  const status = archive.progressOf(copy.id)?.status;
  return status !== "void" && status !== "refused";
}

/**
 * Returns true if a repost is submitted too: the first entry validator may have crashed before it relayed, and a client
 * in doubt sends the same bytes to others (protocol 4.2). A validator that cannot admit it leaves it to those that have.
 */
export function mayBeLost({ host, node }: EntryValidator, id: OperationId, submission: Submission): boolean {
  const { network } = host;
  if (network.archive.progressOf(id)?.status !== "pending" || network.isPendingAt(node, id)) return false;
  return network.admissionFault(node, submission) === undefined;
}

function admitted(candidate: SignedOperation): Admitted {
  const { operation } = candidate;
  const hash = transactionHash(candidate);
  if (operation.kind !== "issue") return { hash };
  return { hash, token: issuedTokenAddress(operation.masterAuthority, operation.symbol) };
}
