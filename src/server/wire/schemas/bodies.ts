/** Shapes of the bodies of writes (wire 1.2), which ../write.ts reads. */

import { DECIMALS_MAX } from "../../../core/ledger/limits.ts";
import { SPELLINGS } from "../../../core/ledger/spelling.ts";
import { optional, type Shape } from "../../../scenario/schema/shape.ts";
import { type BodyHead, head, text } from "./body-head.ts";
import { address, amountIn, boolean, coded, count, list, object, oneOf, orNull } from "./schema-types.ts";

/** W2. */
export type CancellationBody = BodyHead;

/** W1 and W4. */
export interface TransferBody extends BodyHead {
  readonly recipient: string;
  readonly value: string | number;
  readonly token: string;
}

/** W3. */
export interface IssueBody extends BodyHead {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly master_authority: string;
  readonly is_private?: boolean;
  readonly clawback_enabled?: boolean;
}

/** W5. */
export interface BurnBody extends BodyHead {
  readonly recipient?: string;
  readonly value: string | number;
  readonly token: string;
}

/** W6. */
export interface AuthorityBody extends BodyHead {
  readonly action: string;
  readonly authority_type: string;
  readonly authority_address: string;
  readonly token: string;
  readonly value?: string | number | null;
}

/** W7. */
export interface PauseBody extends BodyHead {
  readonly action: string;
  readonly token: string;
}

/** W8 to W11. */
export interface ListBody extends BodyHead {
  readonly action: string;
  readonly address: string;
  readonly token: string;
}

/** W12. */
interface MetadataPair {
  readonly key: string;
  readonly value: string;
}

export interface MetadataBody extends BodyHead {
  readonly name: string;
  readonly uri: string;
  readonly token: string;
  /** Null from clients whose language writes an empty list so. */
  readonly additional_metadata: readonly MetadataPair[] | null;
}

const token = address("the token");
const value = amountIn("the amount");

/** W2. */
export const cancellationBody: Shape<CancellationBody> = object<CancellationBody>("a cancellation", head);

/** W1. */
export const paymentBody: Shape<TransferBody> = object<TransferBody>("a payment", {
  ...head,
  recipient: address("the recipient"),
  value,
  token,
});

/** W4. */
export const mintBody: Shape<TransferBody> = object<TransferBody>("a mint", {
  ...head,
  recipient: address("the account credited"),
  value,
  token,
});

/** W3. */
export const issueBody: Shape<IssueBody> = object<IssueBody>("the issue of a token", {
  ...head,
  symbol: text("the symbol", "EUR"),
  name: text("the name", "Euro"),
  decimals: count("the decimals", "validation_decimals", DECIMALS_MAX),
  master_authority: address("the master authority"),
  is_private: optional(boolean("whether only whitelisted addresses may hold it")),
  clawback_enabled: optional(boolean("the clawback flag of clients: signed if present, otherwise without effect")),
});

/** W5. */
export const burnBody: Shape<BurnBody> = object<BurnBody>("a burn", {
  ...head,
  recipient: optional(address("the account burned from, where it is not the signer")),
  value,
  token,
});

/** W6. */
export const authorityBody: Shape<AuthorityBody> = object<AuthorityBody>("a grant or a revocation", {
  ...head,
  action: oneOf("the action", SPELLINGS.grant, "validation_action"),
  authority_type: oneOf("the role", SPELLINGS.role, "validation_action"),
  authority_address: address("the account that gets or loses the role"),
  token,
  value: optional(orNull(amountIn("the allowance, null for 0"))),
});

/** W7. */
export const pauseBody: Shape<PauseBody> = object<PauseBody>("a pause or its end", {
  ...head,
  action: oneOf("the action", SPELLINGS.pause, "validation_action"),
  token,
});

/** W8 and W9: the path names the list. W10 and W11, older: the action does. */
export function listBody(actions: readonly string[]): Shape<ListBody> {
  return object<ListBody>("a change of a list", {
    ...head,
    action: oneOf("the action", actions, "validation_action"),
    address: address("the account listed"),
    token,
  });
}

/** W12. */
export const metadataBody: Shape<MetadataBody> = object<MetadataBody>("an update of metadata", {
  ...head,
  name: text("the name", "Euro"),
  uri: text("the address of its page", "https://example.org/eur"),
  token,
  additional_metadata: orNull(
    list(
      "a list of pairs, or null for none",
      object<MetadataPair>(
        "a pair of key and value",
        { key: text("the key", "issuer"), value: text("the value", "Example Bank") },
        coded("validation_text"),
      ),
      coded("validation_text"),
    ),
  ),
});
