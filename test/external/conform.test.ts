/** `--node` on the command line, and `conform`: the share of the files that fit which pass, folder by folder. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../cli/support.ts";
import { TRUSTING } from "./nodes.ts";

const GENESIS = `genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "9" } } }`;
const paymentOf = (value: string): string =>
  `{ at: 0, submit: { id: x, nonce: 0, payment: { from: alice, to: bob, token: USD, value: "${value}" } } }`;

const FILES = {
  "good/one": `name: one\n${GENESIS}\nsteps: [${paymentOf("1")}]\nexpect: [{ final: x }]\n`,
  "good/held": `name: held\n${GENESIS}\nsteps: [${paymentOf("1")}, { at: 0, hold: { tags: [payments], to: [v3] } }]\nexpect: [{ final: x }]\n`,
  "bad/nothing": `name: nothing\n${GENESIS}\nsteps: [${paymentOf("20")}]\nexpect: [{ final: x }]\n`,
  "bad/pause": `name: pause\n${GENESIS}\nsteps: [{ at: 0, submit: { id: p, nonce: 0, pause: { from: issuer, token: USD } } }]\nexpect: [{ final: p }]\n`,
};

function folderOfFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), "conform-"));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, `${name}.yaml`), text);
  }
  return folder;
}

test("scores each folder, counts what is left out, and fails below the threshold", async () => {
  const folder = folderOfFiles();
  const arguments_ = ["conform", folder, "--node", TRUSTING, "--workers", "1"];
  const { code, out } = await runCommand(arguments_);
  expect(code).toBe(1);
  expect(out).toContain("unmet     bad/nothing: ");
  expect(out).toMatch(/bad +0 of 1 +0 % +1 left out\n/);
  expect(out).toMatch(/good +2 of 2 +100 % +0 left out\n/);
  expect(out).toMatch(/conformance 2\/3 \(66 %\)\n$/);
  expect((await runCommand([...arguments_, "--least", "66"])).code).toBe(0);
});

test("writes a JUnit file, and JSON lines", async () => {
  const folder = folderOfFiles();
  const junit = join(folder, "out.xml");
  const { lines } = await runCommand([
    "conform",
    folder,
    "--node",
    TRUSTING,
    "--workers",
    "1",
    "--json",
    "--junit",
    junit,
  ]);
  expect(lines.at(-1)).toEqual({ type: "area", area: "all", passed: 2, failed: 1, left_out: 1, percent: 66 });
  expect(readFileSync(junit, "utf8")).toContain('tests="3" failures="1"');
});

test("a validator of others that ends is a failing run, and no fault of the program", async () => {
  const { code, out } = await runCommand(["run", "scenarios/rules/payments/payment.yaml", "--node", "exit 7"]);
  expect(code).toBe(1);
  expect(out).toContain("v1 threw NodeFault at 0 ms on its start: ended with exit code 7");
});

test("run leaves out what does not fit, with the reason", async () => {
  const { code, out } = await runCommand(["run", folderOfFiles(), "--node", TRUSTING]);
  expect(code).toBe(1);
  expect(out).toContain("left out  bad/pause: needs `pause`");
  expect(out).toContain(`reproduce: quorumlab run `);
  expect(out).toContain(` --node ${TRUSTING}`);
});

test.each([
  [["run", "x.yaml", "--node", " "], '--node: expected a command or v2=COMMAND, got " "'],
  [["run", "x.yaml", "--node", "a", "--node", "b"], "--node: two commands for all validators"],
  [["run", "x.yaml", "--node", "v2=a", "--node", "v2=b"], "--node: two commands for v2"],
  [
    ["run", "x.yaml", "--node", "a", "--node", "v2=native:b"],
    "--node: expected all commands to begin with native:, or none",
  ],
  [["conform", "x.yaml"], "node"],
  [["conform", "x.yaml", "--node", "a", "--least", "101"], "--least: expected a whole number from 0 to 100"],
])("%j is refused", async (argv, words) => {
  const { code, err } = await runCommand(argv);
  expect(code).toBe(2);
  expect(err).toContain(words);
});
