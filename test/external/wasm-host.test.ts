/** Nodes in WebAssembly: what a module answers, logs and gets wrong. The modules are assembled here, byte by byte. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wasmHosts } from "../../src/external/wasm-host.ts";
import { runWith } from "./nodes.ts";

const READY = '[{"output":"ready","version":1,"operations":["payment"]}]';
const I32 = 0x7f;
const LOG_PLACE = 4;

/** A number of the binary format. */
function leb(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

/** The operand of `i32.const`, which is signed. */
function signedLeb(value: number): readonly number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signedLeb(value >>> 7)];
}

const vector = (items: readonly (readonly number[])[]): readonly number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, body: readonly number[]): readonly number[] => [id, ...leb(body.length), ...body];
const name = (text: string): readonly number[] => vector([...Buffer.from(text)].map((byte) => [byte]));
const code = (body: readonly number[]): readonly number[] => [...leb(body.length + 2), 0, ...body, 0x0b];
const constant = (value: number): readonly number[] => [0x41, ...signedLeb(value)];

/** A module that logs its answer and answers the same text each time; `handle`: another body of that function. */
function moduleOf(answer: string, handle?: readonly number[]): string {
  const text = Buffer.from(answer);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const logged = [...constant(LOG_PLACE), ...constant(text.length), 0x10, 0];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      vector([
        [0x60, 1, I32, 1, I32],
        [0x60, 2, I32, I32, 1, I32],
        [0x60, 2, I32, I32, 0],
      ]),
    ),
    ...section(2, vector([[...name("quorumlab"), ...name("log"), 0, 2]])),
    ...section(3, vector([[0], [1]])),
    ...section(5, vector([[0, 1]])),
    ...section(
      7,
      vector([
        [...name("memory"), 2, 0],
        [...name("allocate"), 0, 1],
        [...name("handle"), 0, 2],
      ]),
    ),
    ...section(10, vector([code(constant(4_096)), code(handle ?? [...logged, ...constant(0)])])),
    ...section(11, vector([[0, ...constant(0), 0x0b, ...vector([...size, ...text].map((byte) => [byte]))]])),
  ];
  const path = join(mkdtempSync(join(tmpdir(), "wasm-")), "node.wasm");
  writeFileSync(path, Buffer.from(bytes));
  return path;
}

test("a module answers from its memory, and what it logs is passed on", () => {
  const logged: string[] = [];
  const hosts = wasmHosts(moduleOf(READY), (text) => logged.push(text));
  expect(hosts("v1").ask("{}")).toBe(READY);
  expect(logged).toEqual([READY]);
});

test("a validator that says nothing else is found: it owes responses", () => {
  const { verdict, reason } = runWith(moduleOf(READY, constant(0)));
  expect(verdict).toBe("stalled");
  expect(reason).toMatch(
    /^payment a of alice \(nonce 0\), submitted to v1.* is undecided; .* no honest validator has applied/,
  );
});

test.each([
  ["a trap", moduleOf(READY, [0, ...constant(0)]), "trapped: unreachable"],
  ["a place outside of the memory", moduleOf(READY, constant(1_000_000)), "named a place outside of its memory"],
])("%s is said", (_what, path, words) => expect(() => wasmHosts(path, () => undefined)("v1").ask("{}")).toThrow(words));

test("a file that is no module is said", () => {
  const path = join(mkdtempSync(join(tmpdir(), "wasm-")), "node.wasm");
  writeFileSync(path, "hello");
  expect(() => wasmHosts(path, () => undefined)).toThrow(`did not load from ${path}`);
  expect(runWith(path).reason).toMatch(/^did not load from .* expected magic word/);
});
