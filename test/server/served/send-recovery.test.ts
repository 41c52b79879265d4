/** `quorumlab send recovery`: two writes that conflict, printed and posted, free the account that they block. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { send as sendTo } from "./send.ts";
import { type Json, sharedNetwork } from "./support.ts";

const net = sharedNetwork({}, "each");
const folder = mkdtempSync(join(tmpdir(), "quorumlab-"));
afterAll(() => rmSync(folder, { recursive: true }));

const send = (line: string): Promise<string> => sendTo(line, net.served.url);

/** Signs a payment of alice and keeps it in a file. */
async function signed(name: string, to: string, nonce: number): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, await send(`payment --from alice --to ${to} --token USDX --value 2 --nonce ${nonce} --print`));
  return file;
}

test("a printed write is not sent, and recovers an account together with one that conflicts", async () => {
  const [first, second] = [await signed("first.json", "bob", 0), await signed("second.json", "carol", 0)];
  expect(await net.client.nonce(net.address("alice"))).toBe(0);
  const evidence = `--evidence ${first} --evidence ${second}`;
  // Nothing blocks the account yet.
  expect(await send(`recovery --account alice ${evidence}`)).toMatch(/\n {2}refused 422 business_nothing_to_recover: /);
  await net.step({ hold: { rule: "votes", kinds: ["vote"], round: 0, account: "alice" } });
  const { path, body } = JSON.parse(readFileSync(first, "utf8")) as { readonly path: string; readonly body: Json };
  expect((await net.client.request("POST", path, body)).status).toBe(200);
  expect(await send(`recovery --account alice ${evidence}`)).toMatch(
    /^recovery for alice, nonce 0\n {2}hash {3}0x[0-9a-f]{64}\n {2}final after 0 ms, signed by [34] of 4 validators\n/,
  );
  expect(JSON.parse(await send(`recovery --account alice ${evidence} --json`))).toMatchObject({
    kind: "recovery",
    from: { name: "alice", address: net.address("alice") },
    status: "final",
  } satisfies Json);
  expect(await net.client.nonce(net.address("alice"))).toBe(1);
});

test("evidence that shows nothing is refused, with what was expected", async () => {
  const [first, second] = [await signed("third.json", "bob", 3), await signed("fourth.json", "carol", 4)];
  const broken = join(folder, "broken.json");
  writeFileSync(broken, '{"path": "/v1/transactions/payment"}');
  const run = (...files: readonly string[]) =>
    send(`recovery --account alice ${files.map((file) => `--evidence ${file}`).join(" ")}`);
  await expect(run(first)).rejects.toThrow("--evidence: expected two files, got 1");
  await expect(run(first, second)).rejects.toThrow(/one chain and nonce, got chain \d+, nonce 3 in .*, nonce 4 in/);
  await expect(run(first, broken)).rejects.toThrow(/broken\.json: expected a write as send --print prints it/);
  await expect(run(first, join(folder, "none.json"))).rejects.toThrow(/none\.json: /);
  expect(await run(first, first)).toMatch(/refused 400 /);
});
