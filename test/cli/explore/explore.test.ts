/** Goal: output, files and exit codes of `explore`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GENESIS, PAYMENT } from "../../run/support.ts";
import { folder, refusalOf, runCommand } from "../support.ts";

const CONFLICT = `name: conflict\n${GENESIS}${PAYMENT}  - { at: 0, submit: { id: c, cancellation: { from: alice }, nonce: 0 } }
expect:
  - { nothing_final: true }
`;

function conflict(): { readonly file: string; readonly out: string } {
  const path = folder({ "conflict.yaml": CONFLICT });
  return { file: join(path, "conflict.yaml"), out: join(path, "out") };
}

describe("quorumlab explore", () => {
  it("exhausts level after level, and prints the bounds with the counts", async () => {
    const { file } = conflict();
    const { code, lines } = await runCommand(["explore", file, "--rounds", "0", "--crashes", "1", "--json"]);
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ type: "explore", scenario: "conflict", exhausted: true, violations: [] });
    expect(lines[0]?.["bounds"]).toMatchObject({
      validators: 4,
      byzantine: ["v4"],
      unchosen: [],
      interchangeable: ["v1", "v2", "v3", "v4"],
      rounds: 0,
      crashes: 1,
      values: ["x", "the skip of x by c"],
    });
    const levels = lines[0]?.["levels"] as readonly { readonly states: number; readonly exhausted: boolean }[];
    expect(levels.map(({ exhausted }) => exhausted)).toEqual([true, true]);
    expect(levels[1]?.states).toBe(lines[0]?.["states"]);
    expect(lines[0]).toMatchObject({ reached: { round: 0, decided: ["x"] }, unreached: [] });
  });

  it("chooses one validator of each kind as the Byzantine one, and names those that a caller leaves out", async () => {
    const { file } = conflict();
    const all = await runCommand(["explore", file, "--json"]);
    const levels = all.lines[0]?.["levels"] as readonly Record<string, unknown>[];
    expect(levels.map(({ rounds, byzantine }) => [rounds, byzantine])).toEqual([
      [0, "v4"],
      [1, "v4"],
      [1, "v3"],
    ]);
    expect(all.lines[0]).toMatchObject({ exhausted: true, reached: { round: 1, proposers: ["v4"] }, unreached: [] });
    const chosen = await runCommand(["explore", file, "--byzantine", "v2"]);
    expect(chosen.out).toMatch(/^4 validators, of which v2 is Byzantine/m);
    expect(chosen.out).toMatch(/^not explored: v4 as the Byzantine validator$/m);
  });

  it("says that no validator left round 0, although a round more was asked for", async () => {
    const path = folder({ "payment.yaml": `name: payment\n${GENESIS}${PAYMENT}expect: [{ final: x }]\n` });
    const { code, out } = await runCommand(["explore", join(path, "payment.yaml")]);
    expect([code, /^no validator entered round 1: the result says nothing about rounds beyond 0$/m.test(out)]).toEqual([
      0,
      true,
    ]);
  });

  it("reports a violation with its path and the oracles' validation, saves it, and reproduces it", async () => {
    const { file, out } = conflict();
    const found = await runCommand(["explore", file, "--bug", "late-commit", "--out", out]);
    expect(found.code).toBe(1);
    expect(found.out).toMatch(/amnesia \(protocol 7\.6\): v1 committed to \w+ in round 0 after changing to round 1/);
    expect(found.out).toMatch(/ {4}1\. v\d receives x from its client/);
    expect(found.out).toMatch(/reproduce: quorumlab explore .*\.json/);
    const [saved = ""] = readdirSync(out);
    const again = await runCommand(["explore", join(out, saved), "--json"]);
    expect(again.code).toBe(1);
    expect(again.lines[0]).toMatchObject({
      type: "explored path",
      impossible: null,
      violations: [{ invariant: "amnesia" }, {}],
    });
  });

  it("reports a stall with its path, saves it, and reproduces it; without the check there is none", async () => {
    const { file, out } = conflict();
    const asked = ["explore", file, "--rounds", "0", "--bug", "waits-for-all", "--out", out];
    const found = await runCommand([...asked, "--json"]);
    expect(found.code).toBe(1);
    const stall = /^no decision on nonce 0 of alice \(requested by x, c\) .* with v4 silent: v1 in round \d/;
    const [violation] = (found.lines[0]?.["violations"] ?? []) as readonly Record<string, unknown>[];
    expect(violation).toMatchObject({ check: "liveness", section: "7.8", oracles: [], impossible: null });
    expect([violation?.["detail"], violation?.["stall"]].every((text) => stall.test(String(text)))).toBe(true);
    expect(found.lines[0]?.["bounds"]).toMatchObject({
      liveness: "resting",
      owed: ["nonce 0 of alice (requested by x, c)"],
    });
    const [saved = ""] = readdirSync(out);
    const again = await runCommand(["explore", join(out, saved)]);
    expect([again.code, /^liveness: no decision on nonce 0/m.test(again.out)]).toEqual([1, true]);
    writeFileSync(
      join(out, saved),
      readFileSync(join(out, saved), "utf8").replace('"bug": "waits-for-all"', '"bug": ""'),
    );
    const real = await runCommand(["explore", join(out, saved)]);
    expect([real.code, /all demands are met/.test(real.out)]).toEqual([0, true]);
    const unchecked = await runCommand([...asked, "--liveness", "off", "--json"]);
    expect([unchecked.code, unchecked.lines[0]?.["violations"]]).toEqual([0, []]);
    expect(unchecked.lines[0]?.["bounds"]).toMatchObject({ liveness: "off", owed: [] });
  });

  it("fails if the limit of states is exceeded, and stops with 130 on an interruption", async () => {
    const { file } = conflict();
    const short = await runCommand(["explore", file, "--states", "20"]);
    expect([short.code, /not exhausted/.test(short.out)]).toEqual([1, true]);
    expect(short.out).toMatch(/frontier: \d+ states, depth <= \d+ visible steps\n/);
    const stopped = await runCommand(["explore", file, "--json"], { interrupted: async () => true });
    expect([stopped.code, stopped.lines[0]?.["exhausted"]]).toEqual([130, false]);
  });

  it("rejects unsupported scenarios, with position and reason", async () => {
    const path = folder({
      "bad.yaml": "name: [",
      "burn.yaml": CONFLICT.replace(
        /steps:[\s\S]*?expect:/,
        "steps:\n  - { at: 0, submit: { id: b, burn: { from: issuer, account: alice, token: USD, value: '1' }, nonce: 0 } }\nexpect:",
      ),
      "path.json": "{}",
    });
    for (const [file, words] of [
      ["bad.yaml", "bad.yaml:1:"],
      ["burn.yaml", "step 1: burns from another account are not explored"],
      ["path.json", 'expected "type": "explored path"'],
    ] as const)
      expect(await runCommand(["explore", join(path, file)])).toEqual(refusalOf(words));
  });
});
