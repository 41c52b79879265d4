/** Numbers of signatures in answers and frames, as `signatureFormat` says (wire 3.5). */
import { expect, test } from "vitest";
import { type NetworkOptions, startNetwork } from "../../../src/server/network/start-network.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { type Json, STILL, subscribe } from "./support.ts";

/** The answers about one payment that show signatures, and the frame of its checkpoint. */
async function told(options: NetworkOptions = {}): Promise<readonly Json[]> {
  await using network = await startNetwork({ ...STILL, ...options });
  const { frames, socket } = await subscribe(network, [{ name: "CHECKPOINTS", full: true }]);
  const client = new ReferenceClient(network.url);
  const fields = { recipient: network.account("bob").address, value: "1", token: network.tokens[0]?.address ?? "" };
  const { hash } = await client.send("payment", fields, network.account("alice").key);
  network.advance(5_000);
  await expect.poll(() => frames.length).toBeGreaterThan(1);
  socket.close();
  const paths = [
    `/v1/transactions/by_hash?hash=${hash}`,
    `/v1/transactions/finalized/by_hash?hash=${hash}`,
    "/v1/checkpoints/by_number?number=1&full=true",
  ];
  const answers = await Promise.all(paths.map((path) => client.request("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  return [...answers.map(({ body }) => body as Json), frames[1] ?? {}];
}

/** Every r and s in a value, in their order. */
function numbersIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { r, s, v } = value as Json;
  if (v !== undefined && r !== undefined) return [String(r), String(s)];
  return Object.values(value).flatMap(numbersIn);
}

// holds: 38
test("hex is the default, decimal that of the profile specification; decimal differs in r and s alone", async () => {
  const specified = { profile: "specification", emptyCheckpoints: false, epochCheckpoints: 0 } as const;
  const [usual, hex, decimal, asSpecified, inHexDespite] = await Promise.all([
    told(),
    told({ signatureFormat: "hex" }),
    told({ signatureFormat: "decimal" }),
    told(specified),
    told({ ...specified, signatureFormat: "hex" }),
  ]);
  expect([usual, inHexDespite]).toEqual([hex, hex]);
  expect(asSpecified).toEqual(decimal);
  for (const [index, answer] of hex.entries()) {
    const [inHex, inDecimal] = [numbersIn(answer), numbersIn(decimal[index])];
    expect(inHex.length).toBeGreaterThan(1);
    for (const number of inHex) expect(number).toMatch(/^0x[0-9a-f]{64}$/);
    expect(inDecimal).toEqual(inHex.map((number) => String(BigInt(number))));
    const texts = inHex.reduce(
      (text, number) => text.replace(`"${number}"`, `"${BigInt(number)}"`),
      JSON.stringify(answer),
    );
    expect(JSON.stringify(decimal[index])).toBe(texts);
  }
});
