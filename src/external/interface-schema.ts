/** JSON Schema of the node interface, at both levels. */
import { DEFINITIONS } from "./forms/form.ts";
import { nativeInput, nativeOutput } from "./native-shapes.ts";
import { INPUT_SHAPES, INTERFACE_VERSION, OUTPUT_SHAPES } from "./shapes.ts";

/** Returns the schema of an input and of the list of outputs that answers it. */
export function interfaceSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `quorumlab node interface, version ${INTERFACE_VERSION}`,
    $defs: {
      input: { oneOf: Object.values(INPUT_SHAPES) },
      outputs: { type: "array", items: { oneOf: Object.values(OUTPUT_SHAPES) } },
      nativeInput: nativeInput.schema,
      nativeOutputs: { type: "array", items: nativeOutput.schema },
      ...Object.fromEntries(DEFINITIONS),
    },
  };
}
