/** Candidates of a body: one operation for each signing layout in which it can exist, and their senders (wire 3.8, 3.9). */
import { ZERO } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Hash, Signature } from "../../core/base/ids.ts";
import type { Authority, Layout, Operation, SignedOperation } from "../../core/base/operation.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { digestOf } from "../../core/ledger/layout.ts";

/** Reading of a body. */
export interface Reading {
  /** At least one, in the order client, client-json, spec, with distinct signed digests (wire 3.9). */
  readonly operations: readonly Operation[];
  readonly signature: Signature;
  /** Paths of members unknown to the schema, which have no effect. */
  readonly ignored: readonly string[];
}

type Without<T> = T extends unknown ? Omit<T, "layout"> : never;
/** Fields of a body, independent of its layout. */
export type BodyFields = Without<Operation>;

/** Returns candidates in the order client, client-json, spec, the first of equal digests; none if no layout can sign it. */
export function candidates(said: BodyFields): readonly Operation[] {
  const known = new Set<Hash>();
  return layoutsOf(said).filter((operation) => {
    const digest = digestOf(operation);
    const isNew = !known.has(digest);
    known.add(digest);
    return isNew;
  });
}

function layoutsOf(said: BodyFields): readonly Operation[] {
  const spec = said.memo === undefined ? [inLayout(said, "spec")] : [];
  switch (said.kind) {
    case "payment":
    case "cancellation":
    case "mint":
    case "burn":
    case "list":
    case "pause":
      return [inLayout(said, "client"), ...spec];
    case "issue":
      return [
        ...(said.isPrivate === undefined ? [] : [inLayout(said, "client")]),
        ...(said.clawbackEnabled === undefined ? spec : []),
      ];
    case "metadata":
      // Clients that signed the list as one text are older than memos.
      return [inLayout(said, "client"), ...(said.memo === undefined ? [inLayout(said, "client-json")] : []), ...spec];
    case "authority":
      return [...absentAsZero(said), inLayout(said, "client"), ...spec];
    default:
      return unreachable(said);
  }
}

/** Most clients that name no allowance sign 0, the others leave the item out (wire 3.2). */
function absentAsZero(said: Omit<Authority, "layout">): readonly Operation[] {
  return said.value === undefined ? [{ ...said, layout: "client", value: ZERO }] : [];
}

function inLayout(said: BodyFields, layout: Layout): Operation {
  return { ...said, layout } as Operation;
}

/**
 * Returns each candidate with the address that its signature recovers to, in the same order. Candidates without a
 * recovered address are dropped, so there may be none.
 */
export function candidatesOf({ operations, signature }: Reading, scheme: Scheme): readonly SignedOperation[] {
  return operations.flatMap((operation) => {
    const sender = scheme.recover(digestOf(operation), signature);
    return sender === undefined ? [] : [{ operation, sender, signature }];
  });
}
