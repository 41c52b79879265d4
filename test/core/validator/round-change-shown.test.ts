import { expect, it } from "vitest";
import type { Round } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { newSlot } from "../../../src/core/consensus/slot-state.ts";
import { addPending } from "../../../src/core/validator/mempool/pending.ts";
import { sendRoundChange } from "../../../src/core/validator/slots/slots.ts";
import { accountSlot, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { cancellation, idOf, payment } from "./support/operations.ts";

it("a cancellation in a round change is disclosed, for any reason to leave round 0", () => {
  const state = new Cluster(4).node(0);
  const slot = accountSlot("alice");
  const at = 0 as Parameters<typeof addPending>[0]["at"];
  const context = { state, at, clock: at, from: state.environment.self, outputs: [], agenda: [] };
  const [paid, cancelled] = [payment("alice", 0, "bob", 10n), cancellation("alice", 0)];
  addPending(context, paid, { disclosed: true, isEntry: true });
  addPending(context, cancelled, { disclosed: false, isEntry: true });
  state.slots.records.set(slotKey(slot), { ...newSlot(slot, EPOCH), round: 2 as Round });
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(false);
  sendRoundChange(context, slot, state.environment.others);
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(false);
  state.slots.reasons.set(slotKey(slot), [{ kind: "cancellation", cancellation: cancelled, displaced: paid }]);
  sendRoundChange(context, slot, state.environment.others);
  expect(state.mempool.pending.get(idOf(cancelled))?.disclosed).toBe(true);
});
