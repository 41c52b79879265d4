/**
 * Protocol 9.1: a validator replies to every submission, if only with `pending`; 9.2: an entry validator refuses for lack
 * of room only at its bound of open submissions.
 */
import { describe } from "vitest";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { finder, PENDING, refused, Stream, testRuns } from "./support.ts";
import { ALICE, BOB, payment, setting } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 5);
const SETTLED = { status: "settled" } as const;
const FULL = refused({ code: "system_queue_full", limit: 2 });
const GAP = refused({ code: "business_nonce_gap", expected: 0 as never, got: 1 as never });
const HAS_ROOM = /^v1 refused 0x79.* its queue of 2 is full, but at most 1 other submissions were open there$/;

/** x is decided, so that no other obligation is open, and this node is asked for it again. */
const asked = (node = "v2"): Stream =>
  new Stream(setting({ byzantine: ["v4"] })).submitPending("alice", "x", X).settleOwn("x", X).ask(node, "x");

/** Healed network in which v1 admitted these operations. */
function admitted(...ids: readonly string[]): Stream {
  const stream = new Stream(setting({ byzantine: ["v4"] })).heal();
  for (const id of ids) stream.ask("v1", id).reply("v1", id, PENDING);
  return stream;
}

const full = (stream: Stream, id = "y", node = "v1"): Stream => stream.ask(node, id).reply(node, id, FULL);

describe("found is", () =>
  testRuns(finder(liveness), [
    ["a validator that never responds", () => asked().heal(), /^v2 received .* and never responded$/],
    ["none that responds", () => asked().reply("v2", "x", SETTLED).heal()],
    ["one for which another answers", () => asked().reply("v3", "x", SETTLED).heal(), "never responded"],
    ["none that crashed", () => asked().crash("v2").restart("v2").heal()],
    ["no Byzantine validator", () => asked("v4").heal()],
    ["none before the healing", () => asked()],
    ["a refusal for want of room where there is room", () => full(admitted("x")), HAS_ROOM],
    ["none of a validator that is full", () => full(admitted("x", "z"))],
    ["one where an operation has ended", () => full(admitted("x", "z").reply("v1", "x", GAP)), HAS_ROOM],
    ["one where another was refused", () => full(full(admitted("x"), "u")), /^v1 refused 0x75/, HAS_ROOM],
    ["one after a crash", () => full(admitted("x", "z").crash("v1").restart("v1")), /of 2 is full, but at most 0/],
    ["one beside what others admitted", () => full(admitted("x").ask("v2", "z").reply("v2", "z", PENDING)), HAS_ROOM],
    ["none for an operation that two clients ask for: listeners are bounded, too", () => full(admitted("x", "x"), "x")],
    ["no refusal before the healing", () => full(new Stream(setting())).heal()],
    ["no refusal of a Byzantine validator", () => full(admitted(), "y", "v4")],
  ]));
