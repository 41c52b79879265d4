/** Goal: the command prints what the search finds, for people and programs, and says what it could not try. */
import { describe, expect, it } from "vitest";
import type { Cause } from "../../src/run/events/causes.ts";
import { folder, GOOD, runCommand } from "./support.ts";

const STALL = "scenarios/bugs/one-proposer.yaml";
const FILE = "scenarios/bugs/vote-before-persist.yaml";

/** A clock that advances by 100 ms at each reading. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 100);
}

describe("quorumlab why", () => {
  it("names the causes of a violation that its file expects", async () => {
    const { code, out } = await runCommand(["why", FILE]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "amnesia: v2 contradicts its own signature in slot 0 of account alice: it voted twice in round 0, operation x and operation y (at 200 ms, step 12)
      essential: without any one of these it does not come
          1 ms  v2 will crash between two outputs
          2 ms  alice submits x to v2
        200 ms  alice submits y to v2
      sufficient: these, with all others left out: 3 of 4 causes
      order: alice submits x to v2 before alice submits y to v2
      chance: it comes under 8 of 8 seeds from the start, so it does not depend on chance
      first deviation: v2 at 2 ms: alice submits x to v2
      24 runs
      "
    `);
  });

  it("lists the last ones of many causes", async () => {
    const { out } = await runCommand(["why", "scenarios/bugs/hidden-locks.yaml", "--lines", "2"]);
    const all = await runCommand(["why", "scenarios/bugs/hidden-locks.yaml", "--json"]);
    const sufficient = all.lines[0]?.["sufficient"] as readonly Cause[];
    const [, listed = ""] = out.split("with all others left out\n");
    const shown = sufficient.slice(-2).map(({ event, text }) => `${event.at} ms  ${text}`);
    expect(listed.split("\n").map((line) => line.trim())).toEqual(
      expect.arrayContaining([`${sufficient.length - 2} earlier`, ...shown]),
    );
    expect(listed).not.toContain(`${sufficient.at(-3)?.text}\n`);
  });

  it("prints one line of JSON", async () => {
    const { lines } = await runCommand(["why", FILE, "--json"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      ...{ type: "why", file: FILE, seed: "1", invariant: "amnesia", step: 12, at: 200, causes: 4, minimal: true },
      essential: [
        { key: "action 0", event: { kind: "action", at: 1 } },
        { text: "alice submits x to v2", event: { kind: "delivered", step: 7, at: 2 } },
        { text: "alice submits y to v2", event: { kind: "delivered", step: 12, at: 200 } },
      ],
      chance: { reseeds: 8, failing: 8, from: null },
      deviation: { step: 7, party: "v2" },
      untried: [],
    });
  });

  it("explains a variant in place of the real program", async () => {
    const file = `${folder({ "good.yaml": GOOD })}/good.yaml`;
    const { code, out } = await runCommand(["why", file, "--bug", "half-blacklist"]);
    expect([code, out]).toEqual([1, ""]);
    const found = await runCommand(["why", FILE, "--bug", "hidden-locks"]);
    expect([found.code, found.out]).toEqual([1, ""]);
  });

  it("refuses a run without a failure", async () => {
    const file = `${folder({ "good.yaml": GOOD })}/good.yaml`;
    const refused = { code: 1, out: "", err: `${file}: no violation, stall or abort under seed 7\n` };
    expect(await runCommand(["why", file, "--seed", "7"])).toMatchObject(refused);
  });

  it("ends after its time, and says what it did not try", async () => {
    const clock = ticking();
    const { code, out } = await runCommand(["why", FILE, "--time", "1"], { now: clock });
    expect(code).toBe(0);
    expect(out).toMatch(/; not tried: .*other orders of deliveries\n$/);
    const late = await runCommand(["why", STALL, "--time", "1"], { now: () => 40 * clock() });
    expect(late).toMatchObject({ code: 1, out: "", err: expect.stringContaining("a larger --time may show one") });
  });

  it("goes on from what an earlier call printed", async () => {
    const clock = ticking();
    const first = await runCommand(["why", FILE, "--time", "1", "--json"], { now: clock });
    const files = folder({ "why.json": first.out, "other.json": '{"type":"story"}\n' });
    const whole = await runCommand(["why", FILE, "--json"]);
    expect((await runCommand(["why", FILE, "--json", "--resume", `${files}/why.json`])).lines).toEqual(whole.lines);
    const refused = async (...words: readonly string[]) => (await runCommand(["why", ...words])).err;
    expect(await refused(FILE, "--resume", `${files}/none.json`)).toContain("--resume ");
    expect(await refused(FILE, "--resume", `${files}/other.json`)).toContain("expected the line that `why --json`");
    expect(await refused(FILE, "--seed", "2", "--resume", `${files}/why.json`)).toContain("got those of seed 1");
    expect(await refused(STALL, "--resume", `${files}/why.json`)).toContain("--resume: expected liveness at step");
  });

  it("keeps what it found before an interrupt", async () => {
    let polls = 0;
    const interrupted = async (): Promise<boolean> => {
      polls += 1;
      return polls > 3;
    };
    const { code, out } = await runCommand(["why", FILE], { interrupted });
    expect(code).toBe(130);
    expect(out).toMatch(/^amnesia: .*\nessential: .*\n(.*\n)*\d runs; not tried: some causes one at a time, /);
  });
});
