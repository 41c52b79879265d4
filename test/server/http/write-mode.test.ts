/** Which writes an interface takes, by its mode (specification 15.4; wire 1.3). */
import { afterEach, describe, expect, test } from "vitest";
import { EDGE_ERRORS } from "../../../src/server/wire/errors.ts";
import { servesVersion, WRITE_MODES, type WriteMode } from "../../../src/server/wire/paths.ts";
import { WRITES } from "../../../src/server/wire/schemas/bodies.ts";
import { type Served, serve } from "./support/client.ts";

let served: Served | undefined;
afterEach(() => served?.app.close());

/** Codes by which clients sign anew for the other version. */
const CLOSED = { 1: "LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED", 2: "DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE" } as const;

const MODES: Readonly<Record<WriteMode, readonly number[]>> = { "v1-only": [1], dual: [1, 2], "v2-only": [2] };

describe.each(WRITE_MODES)("mode %s", (writeMode) => {
  test("takes writes of its versions, and refuses the others before it reads their bodies", async () => {
    served = await serve({ writeMode });
    for (const [path, { version }] of Object.entries(WRITES)) {
      const { status, json } = await served.post(path, "{");
      const isTaken = MODES[writeMode].includes(version);
      expect(servesVersion(writeMode, version)).toBe(isTaken);
      const expected = isTaken ? [400, "validation_json"] : [EDGE_ERRORS[CLOSED[version]][0], CLOSED[version]];
      expect([path, status, json["error_code"]]).toEqual([path, ...expected]);
    }
    expect(served.host.submitted).toEqual([]);
  });

  test("shows itself, and takes recoveries, which nobody signs", async () => {
    served = await serve({ writeMode });
    expect((await served.get("/api/status")).json).toMatchObject({ native_write_mode: writeMode.replace("-", "_") });
    expect((await served.get("/")).json).toMatchObject({ write_mode: writeMode });
    const recovery = await served.post("/v1/transactions/recovery", "{");
    expect([recovery.status, recovery.json["error_code"]]).toEqual([400, "validation_json"]);
    const raw = await served.post("/v1/transactions/raw", "{");
    const isRemoved = writeMode === "v2-only";
    expect(raw.json["error_code"]).toBe(isRemoved ? "RAW_TRANSACTION_ENDPOINT_REMOVED" : "validation_json");
  });

  test("answers what version 2 has and this ledger has not", async () => {
    served = await serve({ writeMode });
    const { status, json } = await served.post("/v2/nothing", "{");
    const code = writeMode === "v1-only" ? CLOSED[2] : "resource_route_not_found";
    expect([status, json["error_code"]]).toEqual([writeMode === "v1-only" ? 403 : 404, code]);
  });
});

test("without a mode both versions are taken", async () => {
  served = await serve();
  expect((await served.get("/api/status")).json).toMatchObject({ native_write_mode: "dual" });
});
