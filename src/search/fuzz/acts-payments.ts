/** Generated payments: single, pipelined, and conflicting ones of one owner. */
import type { SubmitKinds } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import { cents } from "./amounts.ts";
import { drawAsked, drawGroups } from "./asked.ts";
import { type Cast, FIRST_WRITE_MS, ISSUER, PAYERS, STRANGERS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";

/** Adds one payment, or several of one owner at once. */
export function pay(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const count = dice.weighted([
    [5, 1],
    [1, 2],
    [1, 4],
  ]);
  const only = drawAsked(dice, cast);
  for (let index = 0; index < count; index++) {
    const at = script.at + (index === 0 ? 0 : dice.skewed(0, 60));
    script.submit(from, drawPayment(dice, from), { at, only });
  }
}

/**
 * Adds two or three operations for one nonce, each submitted to some of the validators; then a cancellation, a recovery
 * or neither.
 */
export function conflict(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.chance(1, 6) ? ISSUER : dice.pick(PAYERS);
  const nonce = script.nonceOf(from);
  const groups = drawGroups(
    dice,
    cast.validators,
    dice.weighted([
      [5, 2],
      [1, 3],
    ]),
  );
  const signed = groups.map((only, index) =>
    script.submit(from, conflicting(dice, from, index), { nonce, only, at: script.at + dice.skewed(0, index * 100) }),
  );
  if (dice.chance(1, 3)) forget(dice, dice.pick(cast.validators), script);
  const later = script.at + dice.skewed(20, 3_000);
  const [first, second] = signed;
  if (first === undefined || second === undefined || dice.chance(1, 3)) return;
  if (dice.chance(1, 2)) {
    script.submit(from, { cancellation: { from } }, { nonce, at: later, only: drawAsked(dice, cast) });
    return;
  }
  const recovery = { account: from, evidence: [first.id, second.id], from: dice.pick(PAYERS) };
  const only = drawAsked(dice, cast);
  script.does(later, { submit: { id: `${first.id}r`, recovery, nonce }, ...(only === undefined ? {} : { only }) });
}

/** Adds a crash right after an output, with a restart before the others have progressed. */
export function forget(dice: Dice, node: Name, script: Script): void {
  const at = Math.max(FIRST_WRITE_MS, script.at);
  const output = dice.pick(["sign", "sign", "send", "persist"] as const);
  script.does(at, { crash: { node, after_output: output, restart_after_ms: dice.skewed(0, 60) } });
}

/**
 * Returns an operation that conflicts for a nonce; the issuer's payment and mint have equal signed bytes (protocol
 * 3.0).
 */
function conflicting(dice: Dice, from: Name, index: number): SubmitKinds {
  if (from === ISSUER) {
    const parts = { from, to: "bob", token: "USD", value: "3" };
    return index === 0 ? { payment: parts } : { mint: parts };
  }
  const value = cents(dice.skewed(1, 3_000) + index);
  return { payment: { from, to: STRANGERS[index % 2] ?? "zoe", token: "USD", value } };
}

/** Adds a second operation for a nonce whose first may be refused undisclosed. */
export function second(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const nonce = script.nonceOf(from);
  const only = drawAsked(dice, cast);
  const first = { from, to: "zoe", token: "USD", value: cents(dice.between(1, 20_000)) };
  script.submit(from, { payment: first }, { nonce, only });
  const other = { from, to: "yan", token: "USD", value: cents(dice.between(1, 2_000)) };
  script.submit(from, { payment: other }, { nonce, at: script.at + dice.between(20, 400) });
}

/** Draws a payment of one of the tokens, mostly one that its sender can afford. */
export function drawPayment(dice: Dice, from: Name): SubmitKinds {
  const token = dice.weighted([
    [5, "USD"],
    [1, "RWA"],
  ]);
  const to = dice.weighted([
    [4, dice.pick(PAYERS)],
    [1, dice.pick(STRANGERS)],
  ]);
  return {
    payment: {
      from,
      to,
      token,
      value: cents(
        dice.weighted([
          [4, dice.skewed(1, 2_000)],
          [1, 10_000],
        ]),
      ),
    },
  };
}
