/** Generated payments: single, pipelined, and conflicting ones of one owner. */

import type { Name } from "../../scenario/scalar-types.ts";
import type { SubmitKinds } from "../../scenario/scenario.ts";
import { cents } from "./amounts.ts";
import { drawEntryValidators, drawGroups } from "./entry-validators.ts";
import type { Rng } from "./rng.ts";
import { FIRST_WRITE_MS, ISSUER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";

/** Adds one payment, or several of one owner at once. */
export function payment(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const count = rng.weighted([
    [5, 1],
    [1, 2],
    [1, 4],
  ]);
  const only = drawEntryValidators(rng, roles);
  for (let index = 0; index < count; index++) {
    const at = builder.at + (index === 0 ? 0 : rng.skewed(0, 60));
    builder.submit(from, drawPayment(rng, from), { at, only });
  }
}

/**
 * Adds two or three operations for one nonce, each submitted to some of the validators; then a cancellation, a recovery
 * or neither.
 */
export function conflict(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.chance(1, 6) ? ISSUER : rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const groups = drawGroups(
    rng,
    roles.validators,
    rng.weighted([
      [5, 2],
      [1, 3],
    ]),
  );
  const signed = groups.map((only, index) =>
    builder.submit(from, conflicting(rng, from, index), { nonce, only, at: builder.at + rng.skewed(0, index * 100) }),
  );
  if (rng.chance(1, 3)) resubmitOnVoid(rng, rng.pick(roles.validators), builder);
  const later = builder.at + rng.skewed(20, 3_000);
  const [first, second] = signed;
  if (first === undefined || second === undefined || rng.chance(1, 3)) return;
  if (rng.chance(1, 2)) {
    builder.submit(from, { cancellation: { from } }, { nonce, at: later, only: drawEntryValidators(rng, roles) });
    return;
  }
  const recovery = { account: from, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
  const only = drawEntryValidators(rng, roles);
  builder.addAt(later, { submit: { id: `${first.id}r`, recovery, nonce }, ...(only === undefined ? {} : { only }) });
}

/** Adds a crash right after an output, with a restart before the others have progressed. */
export function resubmitOnVoid(rng: Rng, node: Name, builder: StepBuilder): void {
  const at = Math.max(FIRST_WRITE_MS, builder.at);
  const output = rng.pick(["sign", "sign", "send", "persist"] as const);
  builder.addAt(at, { crash: { node, after_output: output, restart_after_ms: rng.skewed(0, 60) } });
}

/**
 * Returns an operation that conflicts for a nonce; the issuer's payment and mint have equal signed bytes (protocol
 * 3.0).
 */
function conflicting(rng: Rng, from: Name, index: number): SubmitKinds {
  if (from === ISSUER) {
    const parts = { from, to: "bob", token: "USD", value: "3" };
    return index === 0 ? { payment: parts } : { mint: parts };
  }
  const value = cents(rng.skewed(1, 3_000) + index);
  return { payment: { from, to: UNKNOWN_ACCOUNTS[index % 2] ?? "zoe", token: "USD", value } };
}

/** Adds a second operation for a nonce whose first may be refused undisclosed. */
export function secondSubmission(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const only = drawEntryValidators(rng, roles);
  const first = { from, to: "zoe", token: "USD", value: cents(rng.between(1, 20_000)) };
  builder.submit(from, { payment: first }, { nonce, only });
  const other = { from, to: "yan", token: "USD", value: cents(rng.between(1, 2_000)) };
  builder.submit(from, { payment: other }, { nonce, at: builder.at + rng.between(20, 400) });
}

/** Draws a payment of one of the tokens, mostly one that its sender can afford. */
export function drawPayment(rng: Rng, from: Name): SubmitKinds {
  const token = rng.weighted([
    [5, "USD"],
    [1, "RWA"],
  ]);
  const to = rng.weighted([
    [4, rng.pick(PAYERS)],
    [1, rng.pick(UNKNOWN_ACCOUNTS)],
  ]);
  return {
    payment: {
      from,
      to,
      token,
      value: cents(
        rng.weighted([
          [4, rng.skewed(1, 2_000)],
          [1, 10_000],
        ]),
      ),
    },
  };
}
