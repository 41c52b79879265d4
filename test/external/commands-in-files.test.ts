/** Validators that a scenario file names by their commands: started where the user allows it, and nowhere else. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/library/simulate.ts";
import { folder, runCommand } from "../cli/support.ts";
import { TRUSTING, trustingCommand } from "./nodes.ts";

const fileWith = (network: string): string => `name: a payment among validators of others
network: ${network}
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "9" } } }
steps: [{ at: 0, submit: { id: x, nonce: 0, payment: { from: alice, to: bob, token: USD, value: "1" } } }]
expect: [{ final: x }]
`;
const commandOf = (command: string): string => JSON.stringify({ command });

const REFUSED = "a file starts no program by itself: expected --allow-commands";

describe("without a word of the user", () => {
  test.each([
    ["run"],
    ["explain"],
    ["shrink"],
    ["why"],
    ["report"],
    ["explore"],
    ["serve", "--scenario"],
    ["serve", "--genesis"],
    ["fuzz", "--seeds", "1", "--from"],
  ])("%s starts no program", async (...words) => {
    const path = folder({});
    const marker = join(path, "started");
    const files = folder({ "mine.yaml": fileWith(`{ node: ${commandOf(`touch ${marker}`)} }`) });
    const { code, err, out } = await runCommand([...words, join(files, "mine.yaml")]);
    expect(`${err}${out}`).toContain(REFUSED);
    expect(code).not.toBe(0);
    expect(existsSync(marker)).toBe(false);
  });

  test("the problem has its place in the file", async () => {
    const files = folder({ "mine.yaml": fileWith(`{ nodes: { v2: ${commandOf("native:x")} } }`) });
    const { err } = await runCommand(["run", join(files, "mine.yaml")]);
    expect(err).toContain(`mine.yaml:2:12: ${REFUSED}`);
  });

  test("check takes the file, and starts nothing", async () => {
    const marker = join(folder({}), "started");
    const files = folder({ "mine.yaml": fileWith(`{ node: ${commandOf(`touch ${marker}`)} }`) });
    expect((await runCommand(["check", join(files, "mine.yaml")])).code).toBe(0);
    expect(existsSync(marker)).toBe(false);
  });

  test("the library refuses it", () => {
    expect(() => simulate(fileWith(`{ node: ${commandOf(TRUSTING)} }`))).toThrow(REFUSED);
  });
});

describe("with --allow-commands", () => {
  test("the validators of the file run, and the command that repeats the run allows them too", async () => {
    const files = folder({ "mine.yaml": fileWith(`{ node: ${commandOf(TRUSTING)} }`) });
    const { code, lines } = await runCommand(["run", join(files, "mine.yaml"), "--allow-commands", "--json"]);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ verdict: "pass", replay: expect.stringMatching(/ --seed 1 --allow-commands$/) });
    const given = folder({ "mine.yaml": fileWith("{}") });
    const { lines: same } = await runCommand(["run", join(given, "mine.yaml"), "--node", TRUSTING, "--json"]);
    expect(lines[0]?.["hash"]).toBe(same[0]?.["hash"]);
  });

  test("a command for one validator comes before that for all", async () => {
    const nodes = `{ node: ${commandOf(TRUSTING)}, nodes: { v3: ${commandOf("exit 7")} } }`;
    const files = folder({ "mine.yaml": fileWith(nodes) });
    const { code, out } = await runCommand(["run", join(files, "mine.yaml"), "--allow-commands"]);
    expect(code).toBe(1);
    expect(out).toContain("v3 threw NodeFault at 0 ms on its start: ended with exit code 7");
  });

  test("--node takes the place of the commands of the file", async () => {
    const marker = join(folder({}), "started");
    const files = folder({ "mine.yaml": fileWith(`{ node: ${commandOf(`touch ${marker}`)} }`) });
    expect((await runCommand(["run", join(files, "mine.yaml"), "--node", TRUSTING])).code).toBe(0);
    expect(existsSync(marker)).toBe(false);
    const both = await runCommand(["run", join(files, "mine.yaml"), "--node", TRUSTING, "--allow-commands"]);
    expect(both.err).toContain("--allow-commands: expected no --node");
  });

  test("a minimized file has no command, and its commands name the validators", async () => {
    const path = folder({ "mine.yaml": fileWith(`{ node: ${commandOf(trustingCommand("mints"))} }`) });
    const { code, out } = await runCommand(["shrink", join(path, "mine.yaml"), "--allow-commands", "--runs", "50"]);
    expect(code).toBe(0);
    expect(readFileSync(join(path, "mine.min.yaml"), "utf8")).not.toContain("command:");
    expect(out).toContain(" --node ");
  });

  test("the library runs it", () => {
    const result = simulate(fileWith(`{ node: ${commandOf(TRUSTING)} }`), { allowCommands: true });
    expect(result).toMatchObject({ verdict: "pass" });
    expect(simulate(fileWith("{}"), { nodes: { "": TRUSTING } }).hash).toBe(result.hash);
  });
});

test.each([
  [
    "an unknown validator",
    `{ nodes: { v9: ${commandOf("native:x")} } }`,
    'mine.yaml:2:21: no validator is called "v9"',
  ],
  [
    "two protocols",
    `{ node: ${commandOf("native:x")}, nodes: { v2: ${commandOf("y")} } }`,
    "expected all commands to begin with native:, or none",
  ],
  [
    "validators of ours beside those of another protocol",
    `{ nodes: { v2: ${commandOf("y")}, v1: ${commandOf("y")} } }`,
    "no command for v3, v4: expected `node` beside it",
  ],
  ["an empty command", `{ node: ${commandOf(" ")} }`, "expected a command"],
])("%s is a problem of the file", async (_what, network, problem) => {
  const files = folder({ "mine.yaml": fileWith(network) });
  const { code, err } = await runCommand(["check", join(files, "mine.yaml")]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
});
