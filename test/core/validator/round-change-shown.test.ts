import { expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { newSlot } from "../../../src/core/consensus/slot-state.ts";
import { keep } from "../../../src/core/validator/mempool/pending.ts";
import { keepReason } from "../../../src/core/validator/slots/rounds.ts";
import { sayRoundChange } from "../../../src/core/validator/slots/slots.ts";
import { accountSlot, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, idOf, payment } from "./support/operations.ts";

it("a cancellation that a round change discloses is disclosed, whatever led out of round 0", () => {
  const state = new Cluster(4).node(0);
  const slot = accountSlot("alice");
  const at = 0 as Parameters<typeof keep>[0]["at"];
  const turn = { state, at, clock: at, from: state.environment.self, outputs: [], agenda: [] };
  const [paid, cancelled] = [payment("alice", 0, "bob", 10n), cancellation("alice", 0)];
  keep(turn, paid, { shown: true, asked: true });
  keep(turn, cancelled, { shown: false, asked: true });
  state.slots = state.slots.set(slotKey(slot), { ...newSlot(slot, EPOCH), round: 2 as Round });
  expect(state.pending.get(idOf(cancelled))?.shown).toBe(false);
  sayRoundChange(turn, slot, state.environment.others);
  expect(state.pending.get(idOf(cancelled))?.shown).toBe(false);
  keepReason(state, slot, { kind: "cancellation", cancellation: cancelled, displaced: paid, votes: [] });
  sayRoundChange(turn, slot, state.environment.others);
  expect(state.pending.get(idOf(cancelled))?.shown).toBe(true);
});
