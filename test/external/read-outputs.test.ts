/** Answers of nodes: what is wrong with one is said with its input, its place, and what was expected. */
import { expect, test } from "vitest";
import { readOutputs } from "../../src/external/read-outputs.ts";
import type { NodeInput } from "../../src/external/shapes.ts";

const INPUT: NodeInput = { input: "timer", at: 70, name: "sync" };

test("outputs are read as they are", () => {
  const outputs = [
    { output: "timer", name: "sync", at: 100 },
    { output: "send", to: ["v1", "v2"], tag: "vote", bytes: "00ff" },
  ];
  expect(readOutputs(JSON.stringify(outputs), INPUT)).toEqual(outputs);
});

test.each([
  ["hello", "answered its input `timer` at 70 ms with what is no JSON"],
  ["{}", "with no list of outputs: {}"],
  ["[7]", "with a wrong output 1: expected `output` to be one of ready, persist, erase, send"],
  ['[{"output":"sent"}]', 'did you mean "send"?'],
  ['[{"output":"timer","name":"sync"}]', 'the key "at" is missing'],
  ['[{"output":"timer","name":"sync","at":1.5}]', "at: expected the time at which it expires"],
  ['[{"output":"timer","name":"sync","at":-1}]', "got -1"],
  ['[{"output":"timer","name":"two words","at":1}]', "name: expected the name of the timer"],
  ['[{"output":"cancel","name":"a","soon":1}]', 'soon: unknown key "soon"'],
  ['[{"output":"persist","key":"a","bytes":"0"}]', "bytes: expected the record as hex digits"],
  ['[{"output":"persist","key":"a","bytes":"00"},{"output":"erase"}]', "with a wrong output 2"],
  ['[{"output":"reply","client":"a","id":"0x1","status":"maybe"}]', "status: expected one of pending, final"],
])("%s is refused", (line, words) => expect(() => readOutputs(line, INPUT)).toThrow(words));

test("a long answer is quoted in part", () => {
  expect(() => readOutputs("x".repeat(1_000), INPUT)).toThrow(`${"x".repeat(200)}… (1000 characters)`);
});
