/** The vectors of the validator wire: `examples/validator/vectors.mjs`, which knows nothing of the core, checks their bytes. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { interfaceSchema } from "../../src/external/native-shapes.ts";
import { validatorVectors, vectorsText } from "../../tools/vectors/validator.ts";

type Json = Readonly<Record<string, any>>;

const FOLDER = "test/vectors/validator";
const read = (name: string): readonly Json[] => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, "utf8"));

test("the vectors are of every kind", () => {
  const kindsIn = (name: string, kindOf: (vector: Json) => unknown): readonly unknown[] =>
    [...new Set(read(name).map(kindOf))].sort();
  const statements = ["close", "commit", "proposal", "roundChange", "vote"];
  expect(kindsIn("statements", ({ statement }) => statement.type)).toEqual(statements);
  const values = ["burn", "checkpoint", "closing", "list", "operation", "skip"];
  expect(kindsIn("values", ({ value }) => value.type)).toEqual(values);
  expect(kindsIn("warrants", ({ warrant }) => warrant.closing.cause.kind)).toEqual(["checkpoint", "proposal"]);
  expect(read("slots").filter(({ proposer }) => proposer !== undefined).length).toBeGreaterThan(2);
  expect(read("states").length).toBeGreaterThan(2);
});

test("every message, record, reply, event and submission fits the published schema", () => {
  const schema = interfaceSchema() as { readonly $defs: Json };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const parts = { messages: "Message", records: "Record", replies: "Reply", events: "Event", submissions: "Submission" };
  for (const [file, name] of Object.entries(parts)) {
    const member = name.toLowerCase();
    const validate = ajv.compile({ $ref: `#/$defs/${name}`, $defs: schema.$defs });
    for (const vector of read(file)) {
      expect([validate(vector[member]), validate.errors]).toEqual([true, null]);
      expect(validate({ ...vector[member], surplus: 1 })).toBe(false);
    }
  }
});

test("the vectors are those that `npm run vectors` writes", () => {
  for (const [name, vectors] of validatorVectors("."))
    expect(readFileSync(`${FOLDER}/${name}.json`, "utf8"), name).toBe(vectorsText(vectors));
});
