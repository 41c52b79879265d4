import { describe, expect, test } from "vitest";
import {
  ALICE,
  BOB,
  burn,
  CAROL,
  CLUB,
  COIN,
  LISTER,
  list,
  MASTER,
  pay,
  play,
  start,
  verdict,
} from "./support/world.ts";

describe("lists", () => {
  // holds: 18, 85
  test("a public token is open to all but the blacklisted, who neither send nor receive", () => {
    expect(verdict(start(), ALICE, pay(CAROL, 1))).toBe("accept");
    const state = play(start(), [LISTER, list("blacklist", "Add", ALICE)]);
    expect(verdict(state, ALICE, pay(BOB, 1))).toBe("business_blacklisted");
    expect(verdict(state, BOB, pay(ALICE, 1))).toBe("business_blacklisted");
    expect(verdict(state, BOB, pay(CAROL, 1))).toBe("accept");
    for (const action of ["Remove", "Whitelist"]) {
      const freed = play(state, [LISTER, list("blacklist", action, ALICE)]);
      expect(verdict(freed, ALICE, pay(BOB, 1))).toBe("accept");
    }
  });

  // holds: 19
  test("a private token is closed to all but the whitelisted", () => {
    expect(verdict(start(), ALICE, pay(BOB, 1, CLUB))).toBe("accept");
    expect(verdict(start(), ALICE, pay(CAROL, 1, CLUB))).toBe("business_not_whitelisted");
    const state = play(start(), [LISTER, list("whitelist", "Remove", ALICE, CLUB)]);
    expect(verdict(state, ALICE, pay(BOB, 1, CLUB))).toBe("business_not_whitelisted");
    expect(verdict(state, BOB, pay(ALICE, 1, CLUB))).toBe("business_not_whitelisted");
    const opened = play(state, [LISTER, list("whitelist", "Whitelist", CAROL, CLUB)]);
    expect(verdict(opened, BOB, pay(CAROL, 1, CLUB))).toBe("accept");
  });

  // holds: 83, 84
  test("listing on the list of the other kind of token is refused, adding and removing", () => {
    for (const action of ["Add", "Remove"]) {
      expect(verdict(start(), LISTER, list("whitelist", action, CAROL, COIN))).toBe("business_list_kind");
      expect(verdict(start(), LISTER, list("blacklist", action, CAROL, CLUB))).toBe("business_list_kind");
    }
  });

  test("adding twice and removing what is not there are refused", () => {
    expect(verdict(start(), LISTER, list("blacklist", "Remove", CAROL))).toBe("business_list_state");
    expect(verdict(start(), LISTER, list("whitelist", "Add", ALICE, CLUB))).toBe("business_list_state");
    const state = play(start(), [LISTER, list("blacklist", "Blacklist", CAROL)]);
    expect(verdict(state, LISTER, list("blacklist", "Add", CAROL))).toBe("business_list_state");
  });

  test("an excluded balance can still be burned", () => {
    const state = play(start(), [LISTER, list("blacklist", "Add", ALICE)]);
    expect(verdict(state, MASTER, burn(1, ALICE))).toBe("accept");
  });

  test("a listed master keeps every role", () => {
    const state = play(start(), [LISTER, list("blacklist", "Add", MASTER)]);
    expect(verdict(state, MASTER, list("blacklist", "Remove", MASTER))).toBe("accept");
  });
});
