/** Hands what a client signed to the asked validator, and says what came of it (wire 3.9, protocol 4.2). */
import type { Address, Hash } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation, Submission } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { issuedTokenAddress, operationId, transactionHash } from "../../core/ledger/identity.ts";
import type { Archive } from "../../live/archive.ts";
import { candidatesOf } from "../wire/senders.ts";
import type { Reading } from "../wire/write.ts";
import { type Asked, ledgerOf } from "./asked.ts";
import { choose, nobody, refused, sendersOf } from "./candidates.ts";
import type { Fault } from "./fault.ts";
import { faultOfAnswer, validatorDown } from "./outcome.ts";

/** What the client is given. */
export interface Admitted {
  readonly hash: Hash;
  /** Of an issue: the address that the token has once it is issued. */
  readonly token?: Address;
}

/** A refused write, with everybody who may have signed it: a wrong digest looks like a stranger's signature. */
export interface RefusedWrite {
  readonly fault: Fault;
  readonly senders: readonly Address[];
}

/** Admits what a body means. A byte-identical repost is answered as the first time and changes nothing. */
export async function admit(asked: Asked, reading: Reading): Promise<Result<Admitted, RefusedWrite>> {
  const candidates = candidatesOf(reading, asked.scheme);
  const senders = sendersOf(candidates);
  const refuse = (fault: Fault): Result<Admitted, RefusedWrite> => err({ fault, senders });
  const ledger = ledgerOf(asked);
  if (ledger === undefined) return refuse(validatorDown(asked.node));
  if (candidates.length === 0) return refuse(nobody());

  const { network } = asked.host;
  const posted = candidates.find((one) => isAnswered(network.archive, transactionHash(one), operationId(one)));
  if (posted !== undefined) {
    const again = mayBeLost(asked, operationId(posted), posted)
      ? await handIn(asked, posted, posted.sender, (refusal) => refused(refusal, candidates))
      : undefined;
    return again === undefined ? ok(admitted(posted)) : refuse(again);
  }

  const choice = choose(candidates, (candidate) => network.admissionFault(asked.node, candidate), ledger);
  if (choice.type === "refused") return refuse(choice.fault);
  const { candidate } = choice;
  const fault = await handIn(asked, candidate, candidate.sender, (refusal) => refused(refusal, candidates));
  return fault === undefined ? ok(admitted(candidate)) : refuse(fault);
}

/** Waits for the validator's answer; the fault of a submission that was not admitted, or may not have been. */
export async function handIn(
  asked: Asked,
  submission: Submission,
  account: Address,
  refusedAs: (refusal: Refusal) => Fault,
): Promise<Fault | undefined> {
  const place = asked.waitingRoom.enter(account);
  if (!place.ok) return place.error;
  try {
    return faultOfAnswer(await asked.host.submit(asked.node, submission), asked.node, refusedAs);
  } finally {
    place.value();
  }
}

/**
 * Whether a copy was admitted, and a repost of it needs no second admission: void and refused ones do. The same bytes
 * posted as another kind have the same hash and are another operation.
 */
export function isAnswered(archive: Archive, hash: Hash, id: OperationId): boolean {
  const copy = archive.find(hash);
  if (copy === undefined || copy.id !== id) return false;
  const status = archive.progressOf(copy.id)?.status;
  return status !== "void" && status !== "refused";
}

/**
 * Whether a repost is handed in too: who was asked first may have crashed before it told anybody, and a client in doubt
 * sends the same bytes to others (protocol 4.2). A validator that cannot take it leaves it to those that have.
 */
export function mayBeLost({ host, node }: Asked, id: OperationId, submission: Submission): boolean {
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
