/** Generated operations with one fault of form, which every validator refuses (specification 2.2, 2.5, 5, 14.1). */
import type { RefusalCode } from "../../core/base/refusal.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import { ISSUER } from "./roles.ts";

/** An operation with its signer and its members besides the kind, and the code for which it is refused. */
export interface MalformedOperation {
  readonly code: RefusalCode;
  readonly from: Name;
  readonly kinds: SubmitKinds;
  readonly more?: Pick<SubmitSpec, "memo">;
}

const CONTROL = "\u0007";
/** One character more than a text may have. */
const over = (characters: number): string => "x".repeat(characters + 1);
const NOBODY = `0x${"0".repeat(40)}`;
const LEG = { to: "bob", value: "0.01" } as const;

/** Draws one; `from` pays, and the issuer governs. */
export function drawMalformed(rng: Rng, from: Name): MalformedOperation {
  return rng.pick(allMalformed(from));
}

/** Returns one operation for each fault that a file can hold. */
export function allMalformed(from: Name): readonly [MalformedOperation, ...MalformedOperation[]] {
  const payment = { from, to: "bob", token: "USD", value: "0.01" } as const;
  const bridged = { from, token: "USD", value: "0.01", chain: 1, destination: "0xd" } as const;
  const described = { from: ISSUER, token: "USD", name: "US dollar" } as const;
  const ownerCase = (code: RefusalCode, kinds: SubmitKinds): MalformedOperation => ({ code, from, kinds });
  const issuerCase = (code: RefusalCode, kinds: SubmitKinds): MalformedOperation => ({ code, from: ISSUER, kinds });
  const issueCase = (
    code: RefusalCode,
    issue: Pick<NonNullable<SubmitKinds["issue"]>, "symbol" | "decimals" | "master">,
  ): MalformedOperation => ({ code, from: "operator", kinds: { issue } });
  const memoCase = (memo: NonNullable<SubmitSpec["memo"]>): MalformedOperation => ({
    ...{ code: "validation_text", from, kinds: { payment }, more: { memo } },
  });
  const batch = (code: RefusalCode, part: object): MalformedOperation =>
    ownerCase(code, { batch: { from, token: "USD", legs: [LEG], ...part } });
  const bridge = (part: object): MalformedOperation =>
    ownerCase("validation_text", { bridge_burn: { ...bridged, ...part } });
  const metadata = (part: object): MalformedOperation =>
    issuerCase("validation_text", { metadata: { ...described, ...part } });
  return [
    memoCase({ data: CONTROL }),
    memoCase({ data: over(256) }),
    memoCase({ type: "a b" }),
    memoCase({ format: over(64) }),
    batch("validation_batch", { operations_hash: `0x${"0".repeat(64)}` }),
    batch("validation_batch", { legs: [LEG, { to: NOBODY, value: "1" }] }),
    batch("validation_amount", { legs: [LEG, { to: "bob", value: "0" }] }),
    batch("validation_text", { batch_id: over(128) }),
    bridge({ destination: CONTROL }),
    bridge({ bridge_param: "0xabc" }),
    bridge({ bridge_metadata: over(1_024) }),
    metadata({ name: CONTROL }),
    metadata({ additional: { k: over(1_024) } }),
    issuerCase("validation_amount", { mint: { from: ISSUER, token: "USD", to: "bob", value: "0" } }),
    issueCase("validation_decimals", { symbol: "DEEP", decimals: 19, master: ISSUER }),
    issueCase("validation_text", { symbol: "NOONE", decimals: 2, master: NOBODY }),
  ];
}
