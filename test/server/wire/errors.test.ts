import { describe, expect, test } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { Address, Nonce } from "../../../src/core/base/ids.ts";
import type { OperationId } from "../../../src/core/base/operation.ts";
import { REFUSAL_CODES, REFUSALS, type Refusal } from "../../../src/core/base/refusal.ts";
import {
  EDGE_ERRORS,
  type EdgeCode,
  edgeFault,
  faultOf,
  restErrorData,
  restErrorOf,
} from "../../../src/server/wire/errors.ts";
import { validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";

/** Evidence of every name: a refusal of any code finds its own among it. */
const EVIDENCE = {
  token: `0x${"11".repeat(20)}` as Address,
  address: `0x${"22".repeat(20)}` as Address,
  signer: `0x${"33".repeat(20)}` as Address,
  account: `0x${"44".repeat(20)}` as Address,
  client: `0x${"55".repeat(20)}` as Address,
  spec: `0x${"66".repeat(20)}` as Address,
  id: `0x${"77".repeat(32)}` as OperationId,
  by: `0x${"88".repeat(32)}` as OperationId,
  pending: `0x${"99".repeat(32)}` as OperationId,
  field: "value",
  reason: "some reason",
  sender: `0x${"aa".repeat(20)}` as Address,
  sourceChainId: 12,
  sourceTxHash: "0xsource",
  role: "Pause",
  cap: 5,
  limit: 64,
  nonce: 7 as Nonce,
  balance: 3n as Amount,
  need: 4n as Amount,
  allowance: 5n as Amount,
  minted: 6n as Amount,
  value: 8n as Amount,
  paused: true,
  listed: true,
  isPrivate: true,
  got: 9,
};

function refusal(code: Refusal["code"]): Refusal {
  const expected = code === "validation_action" ? ["Grant", "Revoke"] : 8;
  return { ...EVIDENCE, expected, code } as unknown as Refusal;
}

describe("a refusal as an error", () => {
  // holds: 123
  test.each(REFUSAL_CODES)("%s has the status of the table and a sentence with its evidence", (code) => {
    const fault = faultOf(refusal(code));
    expect(fault).toMatchObject({ code, status: REFUSALS[code].status });
    expect(fault.message).not.toMatch(/undefined|object/);
    const evidence = [...Object.values(EVIDENCE), 8, "Grant"].map(String).filter((text) => text !== "true");
    expect(evidence.some((text) => fault.message.includes(text))).toBe(true);
  });

  test("says which role of which token is missing, and whose", () => {
    const { token, signer } = EVIDENCE;
    const role = "MintBurnTokens";
    const { message } = faultOf({ code: "business_missing_role", token, role, signer });
    for (const part of [token, signer, role]) expect(message).toContain(part);
    const operator = faultOf({ code: "business_missing_role", token: undefined, role: "Operator", signer });
    expect(operator.message).not.toContain("token");
  });
});

describe("an error of the edge", () => {
  const codes = Object.keys(EDGE_ERRORS) as EdgeCode[];

  test("has a code that clients sort by its first word, and never 401", () => {
    const byStatus: Readonly<Record<string, readonly number[]>> = {
      validation: [400, 403, 415],
      resource: [404],
      system: [500, 503],
    };
    for (const code of codes) {
      const [status] = EDGE_ERRORS[code];
      expect(status).not.toBe(401);
      const allowed = byStatus[code.split("_")[0] ?? ""];
      if (allowed !== undefined) expect([code, allowed]).toEqual([code, expect.arrayContaining([status])]);
    }
  });

  test("is no code of the core", () => {
    for (const code of codes) expect(REFUSAL_CODES as readonly string[]).not.toContain(code);
  });

  // holds: 53
  test("is sent as error_code and message, and nothing else", () => {
    const body = restErrorOf(edgeFault("method_not_allowed"));
    expect(body).toEqual({ error_code: "method_not_allowed", message: "the path is served for another method" });
    expect(restErrorOf(edgeFault("validation_json", "at character 7"))).toHaveProperty("message", "at character 7");
    expect(validatorOf(restErrorData)(body)).toBeUndefined();
  });
});
