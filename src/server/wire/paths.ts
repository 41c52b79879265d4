/** Table of POST paths with their operations and body shapes (wire 1.2, W1 to W12). */
import type { List, OperationKind } from "../../core/base/operation.ts";
import type { Shape } from "../../scenario/schema/shape.ts";
import * as bodies from "./schemas/bodies.ts";

/** Operation of a path. */
export interface WritePath {
  readonly kind: OperationKind;
  readonly body: Shape<unknown>;
  /** List that is changed; `undefined` if the action names it. */
  readonly list?: List["list"];
}

/** Equivalent paths are adjacent; W10 and W11 are older than W8 and W9. */
export const WRITES: Readonly<Record<string, WritePath>> = {
  "/v1/transactions/payment": { kind: "payment", body: bodies.paymentBody },
  "/v1/transactions/cancellation": { kind: "cancellation", body: bodies.cancellationBody },
  "/v1/tokens/issue": { kind: "issue", body: bodies.issueBody },
  "/v1/tokens/mint": { kind: "mint", body: bodies.mintBody },
  "/v1/tokens/burn": { kind: "burn", body: bodies.burnBody },
  "/v1/tokens/grant_authority": { kind: "authority", body: bodies.authorityBody },
  "/v1/tokens/pause": { kind: "pause", body: bodies.pauseBody },
  "/v1/tokens/manage_blacklist": {
    kind: "list",
    list: "blacklist",
    body: bodies.listBody(["Add", "Remove", "Blacklist"]),
  },
  "/v1/tokens/manage_whitelist": {
    kind: "list",
    list: "whitelist",
    body: bodies.listBody(["Add", "Remove", "Whitelist"]),
  },
  "/v1/tokens/managelist": { kind: "list", body: bodies.listBody(["Blacklist", "Whitelist"]) },
  "/v1/tokens/blacklist": { kind: "list", body: bodies.listBody(["Blacklist", "Whitelist"]) },
  "/v1/tokens/update_metadata": { kind: "metadata", body: bodies.metadataBody },
};

/** The path of a recovery, which no published client has (wire 3.9). */
export const RECOVERY_PATH = "/v1/transactions/recovery";
