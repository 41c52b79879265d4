/** Goal: the command runs each case once, and saves failing ones as files that fail on their own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MODULE } from "../external/native-nodes.ts";
import { TRUSTING } from "../external/nodes.ts";
import { folder, runCommand } from "./support.ts";

describe("quorumlab twins", () => {
  it("runs all cases of a size", async () => {
    const whole = await runCommand(["twins", "--rounds", "1"]);
    expect(whole).toMatchObject({ code: 0, out: "4 validators, 1 twice, 1 round: 17 of 17 cases, 0 failed\n" });
    const { lines } = await runCommand(["twins", "--rounds", "1", "--json"]);
    expect(lines.at(-1)).toMatchObject({ type: "summary", runs: 17, failed: 0 });
  });

  it("saves a failing case as a scenario that fails again", async () => {
    const out = folder({});
    const bad = await runCommand(["twins", "--bug", "quorum-off-by-one", "--stop-after", "1", "--out", out]);
    expect(bad.code).toBe(1);
    const file = join(out, "case-0.yaml");
    expect(readFileSync(file, "utf8")).toMatch(/^# agreement: /);
    expect((await runCommand(["run", file])).code).toBe(1);
  });

  it("runs validators of others, of which one has a twin", async () => {
    const native = await runCommand(["twins", "--rounds", "1", "--node", MODULE]);
    expect(native).toMatchObject({ code: 0, out: "4 validators, 1 twice, 1 round: 17 of 17 cases, 0 failed\n" });
    const out = folder({});
    const trusting = await runCommand(["twins", "--stop-after", "1", "--node", TRUSTING, "--out", out]);
    expect(trusting).toMatchObject({ code: 1, out: expect.stringContaining(` --node ${TRUSTING}`) });
    const [file = ""] = readdirSync(out).map((name) => join(out, name));
    expect(readFileSync(file, "utf8")).toMatch(/^# agreement: /);
    expect((await runCommand(["run", file, "--node", TRUSTING])).code).toBe(1);
  });
});
