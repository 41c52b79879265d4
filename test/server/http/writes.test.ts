import { beforeEach, describe, expect, test } from "vitest";
import type { Epoch } from "../../../src/core/base/ids.ts";
import { isRecovery } from "../../../src/core/base/operation.ts";
import { recoveryId } from "../../../src/core/ledger/identity.ts";
import type { HostResponse } from "../../../src/server/host/pending-requests.ts";
import { CHAIN } from "../../core/ledger/support/operations.ts";
import { COIN } from "../../core/ledger/support/world.ts";
import { signedBody } from "../client/signing.ts";
import { ALICE, BOB, MASTER, MASTER_KEY, PAYMENT, paymentBody, sharedServer } from "./support/client.ts";

const MINT = "/v1/tokens/mint";

const served = sharedServer({ sharedDigests: true });
beforeEach(() => {
  served.host.answer = { status: "pending" };
  served.host.judge = undefined;
  served.host.submitted.length = 0;
});

describe("a write", () => {
  test("that no layout admits is refused for the signer that is known, and names all that it may be of", async () => {
    // Signed in the spec layout (wire 3.9) by the master, and refused: the other reading is a stranger's.
    served.host.judge = (submission) => {
      if (isRecovery(submission)) return undefined;
      const { sender } = submission;
      return sender === MASTER
        ? { code: "validation_nonce", got: 0 }
        : { code: "business_missing_role", token: undefined, role: "Master", signer: sender };
    };
    const mint = { chain_id: CHAIN, nonce: 9, recipient: BOB, value: "5", token: COIN };
    const answer = await served.post(MINT, signedBody("mint", mint, MASTER_KEY, { layout: "spec" }).body);
    expect([answer.status, answer.json["error_code"]]).toEqual([400, "validation_nonce"]);
    expect(answer.json["message"]).toMatch(
      new RegExp(`signed by 0x[0-9a-f]{40} \\(client layout\\) or ${MASTER} \\(spec layout\\)$`),
    );
    const refusal = served.log.findLast(({ msg }) => msg === "a write was refused");
    expect(refusal).toMatchObject({ path: MINT, code: "validation_nonce", level: 30, reqId: expect.anything() });
    expect(refusal?.["senders"]).toContain(MASTER);
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
