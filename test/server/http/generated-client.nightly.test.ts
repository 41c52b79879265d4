/** A client that is generated from the OpenAPI document compiles in strict mode, and reads and writes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "./support/client.ts";

/** Inside of the project, so that the program finds its packages. */
const FOLDER = mkdtempSync(resolve("node_modules/.generated-client-"));

const PROGRAM = `import createClient from "openapi-fetch";
import type { components, paths } from "./paths.ts";

export async function read(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });
  const { data } = await client.GET("/v1/checkpoints/number");
  const number: components["schemas"]["CheckpointNumber"] | undefined = data;
  const { data: checkpoint } = await client.GET("/v1/checkpoints/by_number", {
    params: { query: { number: String(number?.number), full: "false" } },
  });
  const { error } = await client.GET("/v1/transactions/by_hash", {
    params: { query: { hash: "0x${"ab".repeat(32)}" } },
  });
  const refused = await client.POST("/v1/transactions/payment", {
    body: {
      chain_id: 0,
      nonce: 0,
      recipient: "0x${"cd".repeat(20)}",
      value: "1",
      token: "0x${"ef".repeat(20)}",
      signature: { r: "0x1", s: "0x1", v: 0 },
    },
  });
  return { number: number?.number, hash: checkpoint?.hash, code: error?.error_code, refusal: refused.error?.error_code };
}
`;

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(async () => {
  rmSync(FOLDER, { recursive: true });
  await served.app.close();
});

/** Returns the errors of a strict compilation of this file and what it imports. */
function faultsOf(path: string): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  };
  const program = ts.createProgram([path], options);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

// holds: 128
test("a generated client compiles, reads, and is told why a write is refused", async () => {
  const { json } = await served.get("/openapi.json");
  writeFileSync(`${FOLDER}/paths.ts`, astToString(await openapiTypes(json as never)));
  writeFileSync(`${FOLDER}/program.ts`, PROGRAM);
  writeFileSync(`${FOLDER}/package.json`, '{ "type": "module" }');
  expect(faultsOf(`${FOLDER}/program.ts`)).toEqual([]);
  writeFileSync(
    `${FOLDER}/program.js`,
    ts.transpile(PROGRAM, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }),
  );
  const { read } = (await import(/* @vite-ignore */ `${FOLDER}/program.js`)) as {
    read: (url: string) => Promise<Record<string, unknown>>;
  };
  expect(await read(served.url)).toEqual({
    number: 0,
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    code: "resource_transaction_not_found",
    refusal: expect.stringMatching(/^validation_/),
  });
});
