/** Validation of values against schemas; the first error names the member. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Shape } from "../../../scenario/schema/shape.ts";
import { memberOf, shown, type WireFault, type WireFaultCode, wireFault } from "../wire-error.ts";
import { CODE_KEYWORD } from "./schema-types.ts";

/** Returns the error in a value, `undefined` for a valid one. `root`: name of the value in errors. */
export type Validator = (value: unknown, root?: string) => WireFault | undefined;

interface SchemaNode {
  readonly description?: string;
  readonly [CODE_KEYWORD]?: WireFaultCode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** Compiles a schema. Strict, nothing coerced, nothing removed. `part` is the part of a request that it is of. */
export function validatorOf(schema: Shape<unknown>, part: "body" | "query" = "body"): Validator {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: false,
    verbose: true,
    ownProperties: true,
  });
  ajv.addKeyword(CODE_KEYWORD);
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
  const fallback: WireFaultCode = part === "query" ? "validation_query" : "validation_body";
  return (value, root = part) => (validate(value) ? undefined : faultOfError(validate.errors ?? [], root, fallback));
}

function faultOfError(errors: readonly ErrorObject[], root: string, fallback: WireFaultCode): WireFault {
  const [error] = errors;
  if (error === undefined) return wireFault(fallback, root, "does not have the expected shape");
  const path = pathOf(error.instancePath, root);
  const parent = (error.parentSchema ?? {}) as SchemaNode;
  if (error.keyword !== "required") return fault(path, parent, fallback, error.data);
  const name = String((error.params as { readonly missingProperty: unknown }).missingProperty);
  return fault(memberOf(path, name), parent.properties?.[name] ?? {}, fallback, undefined);
}

function fault(
  path: string,
  { description, [CODE_KEYWORD]: code }: SchemaNode,
  fallback: WireFaultCode,
  got: unknown,
): WireFault {
  return wireFault(code ?? fallback, path, `expected ${description ?? "another value"}, got ${shown(got)}`);
}

/** `/additional_metadata/0/key` as `body.additional_metadata[0].key`. */
function pathOf(pointer: string, root: string): string {
  const names = pointer.split("/").slice(1);
  return names.reduce((path, name) => {
    const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(plain) ? `${path}[${plain}]` : memberOf(path, plain);
  }, root);
}
