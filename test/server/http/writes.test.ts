import { beforeEach, describe, expect, test } from "vitest";
import type { Epoch, Hash } from "../../../src/core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../../../src/core/base/operation.ts";
import { recoveryId } from "../../../src/core/ledger/identity.ts";
import type { HostResponse } from "../../../src/server/host/pending-requests.ts";
import { CHAIN } from "../../core/ledger/support/operations.ts";
import { MINT, mintBody, PAYMENT, paymentBody } from "./support/bodies.ts";
import { ALICE, keyOf, MASTER, MASTER_KEY, sharedServer } from "./support/client.ts";
import { copyOfSubmission } from "./support/fake-host.ts";

const served = sharedServer({ sharedDigests: true });
beforeEach(() => {
  served.host.answer = { status: "pending" };
  served.host.judge = undefined;
  served.host.submitted.length = 0;
});

describe("a write", () => {
  // holds: 52, 95
  test("is admitted for its signer, and answered with the hash of the copy", async () => {
    const answer = await served.post(PAYMENT, paymentBody());
    const [submitted] = served.host.submitted as SignedOperation[];
    expect(submitted).toMatchObject({ sender: ALICE, operation: { layout: "client", kind: "payment" } });
    expect([answer.status, answer.json]).toEqual([200, { hash: copyOfSubmission(submitted as SignedOperation).hash }]);
  });

  test("resubmitted byte for byte is answered the same, and changes nothing", async () => {
    const first = await served.post(PAYMENT, paymentBody());
    served.host.submitted.length = 0;
    served.host.judge = () => ({ code: "validation_nonce", got: 0 });
    const again = await served.post(PAYMENT, paymentBody());
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(served.host.submitted).toEqual([]);
  });

  test("that became void is admitted anew", async () => {
    served.host.judge = () => undefined;
    const first = await served.post(PAYMENT, paymentBody({ nonce: 7 }));
    const copy = served.host.network.archive.find(first.json["hash"] as Hash);
    served.host.mark(copy?.id as Hash, { status: "void", epoch: 1 as Epoch });
    served.host.submitted.length = 0;
    const again = await served.post(PAYMENT, paymentBody({ nonce: 7 }));
    expect([again.status, again.json, served.host.submitted.length]).toEqual([200, first.json, 1]);
  });

  // holds: 106, 108
  test.each(["client", "spec"] as const)("counts in the layout that can be admitted: %s", async (layout) => {
    served.host.judge = undefined;
    const answer = await served.post(MINT, mintBody(layout));
    expect(answer.status).toBe(200);
    expect(served.host.submitted).toMatchObject([{ sender: MASTER, operation: { layout, kind: "mint" } }]);
  });

  test("that no layout admits is refused for the signer that is known, and names all that it may be of", async () => {
    // Signed in the spec layout (wire 3.9) by the master, and refused: the other reading is a stranger's.
    served.host.judge = (submission) => {
      if (isRecovery(submission)) return undefined;
      const { sender } = submission;
      return sender === MASTER
        ? { code: "validation_nonce", got: 0 }
        : { code: "business_missing_role", token: undefined, role: "Master", signer: sender };
    };
    const answer = await served.post(MINT, mintBody("spec", MASTER_KEY, 9));
    expect([answer.status, answer.json["error_code"]]).toEqual([400, "validation_nonce"]);
    expect(answer.json["message"]).toMatch(
      new RegExp(`signed by 0x[0-9a-f]{40} \\(client layout\\) or ${MASTER} \\(spec layout\\)$`),
    );
    const refusal = served.log.findLast(({ msg }) => msg === "a write was refused");
    expect(refusal).toMatchObject({ path: MINT, code: "validation_nonce", level: 30, reqId: expect.anything() });
    expect(refusal?.["senders"]).toContain(MASTER);
  });

  test("of a stranger is refused for the first layout", async () => {
    const answer = await served.post(MINT, mintBody("client", keyOf(99)));
    expect([answer.status, answer.json["error_code"]]).toEqual([422, "business_missing_role"]);
  });

  test.each<[string, HostResponse, number, string]>([
    ["unanswered", { status: "unanswered" }, 408, "request_timeout"],
    ["settled", { status: "settled" }, 422, "business_nonce_too_low"],
    ["void", { status: "void", epoch: 2 as Epoch }, 422, "business_epoch_closed"],
    [
      "refused",
      { status: "refused", refusal: { code: "system_queue_full", limit: 3 }, disclosed: false },
      429,
      "system_queue_full",
    ],
  ])("that the validator answers with %s gets the matching status", async (_name, reply, status, code) => {
    served.host.judge = () => undefined;
    served.host.answer = reply;
    const answer = await served.post(PAYMENT, paymentBody({ nonce: 20 }));
    expect([answer.status, answer.json["error_code"]]).toEqual([status, code]);
  });

  test("may have members that nobody knows: they are ignored, and logged", async () => {
    served.host.judge = () => undefined;
    const answer = await served.post(PAYMENT, { ...paymentBody({ nonce: 21 }), gas: 1 });
    expect(answer.status).toBe(200);
    expect(served.log).toContainEqual(expect.objectContaining({ level: 20, path: PAYMENT, ignored: ["body.gas"] }));
  });
});

describe("a recovery", () => {
  const path = "/v1/transactions/recovery";
  const evidence = (bodies: readonly unknown[]): unknown => ({
    chain_id: CHAIN,
    account: ALICE,
    nonce: 0,
    evidence: bodies.map((body) => ({ path: PAYMENT, body })),
  });

  test("has the same hash whichever proof is attached, and is submitted once", async () => {
    const [one, two] = [paymentBody(), paymentBody({ value: 11n })];
    const hash = recoveryId(CHAIN, ALICE, 0 as never);
    for (const proof of [
      [one, two],
      [two, one],
      [one, paymentBody({ value: 12n })],
    ]) {
      const answer = await served.post(path, evidence(proof));
      expect([answer.status, answer.json]).toEqual([200, { hash }]);
    }
    expect(served.host.submitted).toMatchObject([{ kind: "recovery", account: ALICE }]);
  });
});
