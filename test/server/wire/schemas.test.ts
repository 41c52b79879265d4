import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Shape } from "../../../src/schema/shape.ts";
import * as errors from "../../../src/server/wire/errors.ts";
import * as bodies from "../../../src/server/wire/schemas/bodies.ts";
import { WRITES } from "../../../src/server/wire/schemas/bodies.ts";
import * as network from "../../../src/server/wire/schemas/network.ts";
import * as queries from "../../../src/server/wire/schemas/queries.ts";
import { type Validator, validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";
import * as tokens from "../../../src/server/wire/schemas/tokens.ts";
import * as transactions from "../../../src/server/wire/schemas/transactions.ts";

const modules = { bodies, errors, network, queries, tokens, transactions };
const schemas: readonly (readonly [string, Shape<unknown>])[] = [
  ...Object.entries(modules).flatMap(([file, module]) =>
    Object.entries(module)
      .filter(([, one]) => typeof one === "object" && "description" in one)
      .map(([name, one]): [string, Shape<unknown>] => [`${file}.${name}`, one as Shape<unknown>]),
  ),
  ...Object.entries(WRITES).map(([path, { body }]): [string, Shape<unknown>] => [path, body]),
];

interface Part {
  readonly description?: string;
  readonly type?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
}

function partsOf(part: Part): readonly Part[] {
  const inner = [
    ...Object.values(part.properties ?? {}),
    ...(part.anyOf ?? []),
    ...(part.items === undefined ? [] : [part.items]),
  ];
  return [part, ...inner.flatMap(partsOf)];
}

/** Most parts stand in many schemas. */
const compiled = new Map<string, Validator>();

function validatorFor(part: Part): Validator {
  const key = JSON.stringify(part);
  const validator = compiled.get(key) ?? validatorOf(part as unknown as Shape<unknown>);
  compiled.set(key, validator);
  return validator;
}

describe("schemas", () => {
  test("are found by this test", () => expect(schemas.length).toBeGreaterThan(40));

  test.each(schemas)("%s is a schema", (_, schema) => {
    expect(new Ajv2020({ strict: false }).validateSchema(JSON.parse(JSON.stringify(schema)) as object)).toBe(true);
  });

  test.each(schemas)("%s compiles in strict mode, and says what each part is", (_, schema) => {
    expect(validatorOf(schema)(undefined)?.message).toMatch(/^body: expected .*, got nothing$/);
    for (const part of partsOf(JSON.parse(JSON.stringify(schema)) as Part)) {
      if (part.anyOf === undefined) expect([part, part.description]).toEqual([part, expect.stringMatching(/^\S.*\S$/)]);
      for (const example of part.examples ?? []) expect(validatorFor(part)(example)).toBeUndefined();
    }
  });
});
