/** Check of a state piece against its hash. */
import type { Hash } from "../../base/ids.ts";
import { type Piece, pieceHash } from "../../ledger/pieces.ts";
import type { StatePart } from "../../ledger/roots.ts";
import { isAuthentic } from "../slots/content-check.ts";
import type { DecisionInputs } from "../slots/decision-inputs.ts";

/** No hash covers the copies of authorised operations: they prove themselves by their ids and signatures. */
export function isValidPiece(environment: DecisionInputs, part: StatePart, piece: Piece, hash: Hash): boolean {
  if (pieceHash(environment.genesis, part, piece) !== hash) return false;
  if (piece.type !== "entries") return true;
  return piece.entries.every(
    ([, value]) =>
      typeof value === "bigint" ||
      !("signed" in value) ||
      (environment.hashes.operationId(value.signed) === value.id && isAuthentic(environment, value.signed)),
  );
}
