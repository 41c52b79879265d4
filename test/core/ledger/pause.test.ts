import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import { checkVote } from "../../../src/core/ledger/check.ts";
import type { Draft } from "./support/operations.ts";
import {
  ALICE,
  BOB,
  burn,
  CAROL,
  draft,
  edit,
  grant,
  LISTER,
  list,
  MASTER,
  MINTER,
  mint,
  PAUSER,
  pause,
  pay,
  play,
  revoke,
  start,
  verdict,
} from "./support/world.ts";

const paused = () => play(start(), [PAUSER, pause("Pause")]);

const STOPPED: readonly (readonly [Address, Draft])[] = [
  [ALICE, pay(BOB, 1)],
  [MINTER, mint(BOB, 1)],
  [MASTER, mint(BOB, 1)],
  [MINTER, burn(1, BOB)],
  [MASTER, burn(1, BOB)],
];
const GOING_ON: readonly (readonly [Address, Draft])[] = [
  [MASTER, grant("Pause", CAROL)],
  [MASTER, revoke("Pause", PAUSER)],
  [LISTER, list("blacklist", "Add", CAROL)],
  [MASTER, edit("n")],
  [PAUSER, pause("Unpause")],
  [ALICE, { kind: "cancellation" }],
];

describe("a pause", () => {
  test("of a paused token is refused at submission, and voted for: the token's order decides", () => {
    const vote = (signer: Address, fields: Draft): string =>
      checkVote(paused(), [], draft(paused(), signer, fields)).answer;
    for (const late of [pause("Pause"), mint(BOB, 1)]) {
      expect(verdict(paused(), MASTER, late)).not.toBe("accept");
      expect(vote(MASTER, late)).toBe("accept");
      expect(vote(ALICE, late)).toBe("refuse");
    }
    expect(vote(ALICE, pay(BOB, 1))).toBe("refuse");
  });

  // holds: 66, 67, 68
  test.each(STOPPED)("stops, for %s, $1.kind", (signer, draft) => {
    expect(verdict(start(), signer, draft)).toBe("accept");
    expect(verdict(paused(), signer, draft)).toBe("business_token_paused");
    expect(verdict(play(paused(), [MASTER, pause("Unpause")]), signer, draft)).toBe("accept");
  });

  // holds: 60, 69
  test.each(GOING_ON)("does not stop, for %s, $1.kind", (signer, draft) => {
    expect(verdict(paused(), signer, draft)).toBe("accept");
  });

  test("is refused while paused, as unpausing is while unpaused", () => {
    expect(verdict(paused(), PAUSER, pause("Pause"))).toBe("business_pause_state");
    expect(verdict(start(), PAUSER, pause("Unpause"))).toBe("business_pause_state");
  });
});
