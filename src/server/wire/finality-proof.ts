/** Proof beside a finalized answer: what its members are recomputed from (wire 1.4, Finalized). */
import type { Static } from "typebox";
import { unreachable } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import { type Hash, isMultisigSignature, type PublicKey, toAddress } from "../../core/base/ids.ts";
import { isRecovery, type SignerSet, type Submission } from "../../core/base/operation.ts";
import { BURN_OUTCOMES, type LedgerValue, type Value } from "../../core/base/slot.ts";
import { decodeMultisig } from "../../core/ledger/multisig.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord } from "../../live/archive.ts";
import { address, hash } from "../../proofs/certificate-file.ts";
import { receiptProof } from "../../proofs/inclusion.ts";
import { inclusionShape } from "../../proofs/inclusion-file.ts";
import { anyObject, choice, list, object, optional, shape, text, wholeNumber } from "../../schema/shape.ts";
import { RECOVERY_PATH } from "./schemas/bodies.ts";
import { type WriteRequest, writeOf } from "./write-of.ts";

const ids = (description: string) => list(description, hash("an operation's id"), { minItems: 0, maxItems: 100_000 });

const id = hash("an operation's id");
const ofType = <T extends LedgerValue["type"]>(type: T) => choice("the type", [type]);
const values = {
  operation: object("an operation", { type: ofType("operation"), id }),
  burn: object("a forced burn", { type: ofType("burn"), id, outcome: choice("the outcome", BURN_OUTCOMES) }),
  skip: object("a skip", {
    type: ofType("skip"),
    by: choice("what uses the nonce up", ["cancellation", "recovery"]),
    id,
    displaced: ids("the operations that it displaces"),
    fee_token: optional(address("the token of the fee")),
  }),
  list: object("a list", { type: ofType("list"), ids: ids("the operations of the list, in its order") }),
};

type ValuePart = { [K in keyof typeof values]: Static<(typeof values)[K]> }[keyof typeof values];

const valueShape = shape<ValuePart>({ description: "the decided value", type: "object", oneOf: Object.values(values) });

export const finalityProofShape = object("the proof of an answer", {
  submission: object("the write as it was posted", {
    path: text("the path"),
    body: anyObject("the body; of a recovery, without its evidence"),
  }),
  signers: optional(
    object("the signer set of a multisig account", {
      signers: list(
        "the signers",
        object("a signer", {
          public_key: text("the key: 0x and 66 hex digits", "^0x0[23][0-9a-f]{64}$"),
          weight: wholeNumber("the weight", 0, 255),
        }),
        { maxItems: 255 },
      ),
      threshold: wholeNumber("the weight that an operation needs", 0, 65_535),
    }),
  ),
  value: optional(valueShape),
  checkpoint: optional(inclusionShape),
});

export type FinalityProof = Static<typeof finalityProofShape>;

/** The proof of an answer, with the receipt's inclusion once a checkpoint lists it. */
export function finalityProof(
  { submission }: ArchivedSubmission,
  { content: { value } }: Pick<FinalRecord, "content">,
  place: ChainPosition | undefined,
): FinalityProof {
  // The certificate of a closing covers an unsigned checkpoint before it, too, without its own header.
  const isCertified = place?.link.certificate.value === place?.link.hash;
  const checkpoint = place && isCertified ? receiptProof(place.link, place.index) : undefined;
  return {
    submission: postedWrite(submission),
    ...definedMembers({ signers: signersPart(submission), value: valuePart(value), checkpoint }),
  };
}

function postedWrite(submission: Submission): WriteRequest {
  if (!isRecovery(submission)) return writeOf(submission);
  const { chainId, account, nonce } = submission;
  return { path: RECOVERY_PATH, body: { chain_id: chainId, account, nonce } };
}

function signersPart(submission: Submission): FinalityProof["signers"] {
  if (isRecovery(submission) || !isMultisigSignature(submission.signature)) return undefined;
  const { signers = [], threshold = 0 } = decodeMultisig(submission.signature) ?? {};
  return { signers: signers.map(({ key, weight }) => ({ public_key: key, weight })), threshold };
}

/** The signer set of a proof, `undefined` if it has none. */
export function signerSetOf({ signers }: FinalityProof): SignerSet | undefined {
  if (signers === undefined) return undefined;
  const members = signers.signers.map(({ public_key, weight }) => ({ key: public_key as PublicKey, weight }));
  return { signers: members, threshold: signers.threshold };
}

/** The JSON of a ledger value; `undefined` of a chain link, which stands beside the receipt's inclusion. */
function valuePart(value: Value): ValuePart | undefined {
  switch (value.type) {
    case "operation":
    case "burn":
    case "list":
      return value;
    case "skip": {
      const { feeToken, ...members } = value;
      return { ...members, ...definedMembers({ fee_token: feeToken }) };
    }
    case "checkpoint":
    case "closing":
      return undefined;
    default:
      return unreachable(value);
  }
}

/** The value in a proof. */
export function ledgerValueOf(part: ValuePart): LedgerValue {
  const lower = (text: string): Hash => text.toLowerCase() as Hash;
  switch (part.type) {
    case "operation":
      return { type: part.type, id: lower(part.id) };
    case "burn":
      return { type: part.type, id: lower(part.id), outcome: part.outcome };
    case "skip": {
      const { type, by, displaced, fee_token } = part;
      const feeToken = fee_token === undefined ? undefined : toAddress(fee_token);
      return { type, by, id: lower(part.id), displaced: displaced.map(lower), feeToken };
    }
    case "list":
      return { type: part.type, ids: part.ids.map(lower) };
    default:
      return unreachable(part);
  }
}
