/** The body of a recovery (wire 3.9): unsigned, since the two bodies that it shows are signed. */
import type { Shape } from "../../../scenario/schema/shape.ts";
import { WRITES } from "../paths.ts";
import { address, coded, count, list, object, oneOf, withCode } from "./schema-types.ts";

/** One signed body, and the path that it was for. */
export interface EvidenceBody {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RecoveryBody {
  readonly chain_id: number;
  readonly account: string;
  readonly nonce: number;
  readonly evidence: readonly [EvidenceBody, EvidenceBody];
}

const evidence = object<EvidenceBody>(
  "an object of path and body",
  {
    path: oneOf("the path of a write", Object.keys(WRITES), "validation_evidence"),
    body: withCode("the body that was signed, an object", { type: "object" }, "validation_evidence"),
  },
  coded("validation_evidence"),
);

/** Two different bodies that `account` has signed for one nonce, in any order. */
export const recoveryBody: Shape<RecoveryBody> = object<RecoveryBody>("a recovery", {
  chain_id: count("the chain id", "validation_chain_id"),
  account: address("the account that is blocked"),
  nonce: count("the nonce that is skipped", "validation_nonce"),
  evidence: list("a list of two signed bodies", evidence, {
    minItems: 2,
    maxItems: 2,
    ...coded("validation_evidence"),
  }) as unknown as Shape<RecoveryBody["evidence"]>,
});
