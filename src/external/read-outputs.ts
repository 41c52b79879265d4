/** Reading of the line with which a node answers an input. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { MemoTable } from "../core/base/memo-table.ts";
import { issuesOf } from "../schema/errors.ts";
import { listFirst, suggestion } from "../schema/problem.ts";
import { NodeFault } from "./host.ts";
import { type NodeInput, type NodeOutput, OUTPUT_KINDS, OUTPUT_SHAPES, type OutputKind } from "./shapes.ts";

/** Characters of a line that a fault quotes. */
const QUOTED_MAX = 200;

/**
 * Returns the outputs of a line. Cost: O(its length).
 * @throws NodeFault for a line that is no JSON list of outputs, with the place and what was expected there
 */
export function readOutputs(line: string, input: NodeInput): readonly NodeOutput[] {
  const on = `answered its input \`${input.input}\` at ${input.at} ms with`;
  let outputs: unknown;
  try {
    outputs = JSON.parse(line);
  } catch (error) {
    throw new NodeFault(`${on} what is no JSON (${(error as Error).message}): ${quotation(line)}`);
  }
  if (!Array.isArray(outputs)) throw new NodeFault(`${on} no list of outputs: ${quotation(line)}`);
  for (const [place, output] of outputs.entries()) {
    const fault = faultOf(output);
    if (fault !== undefined)
      throw new NodeFault(`${on} a wrong output ${place + 1}: ${fault}; got ${quotation(JSON.stringify(output))}`);
  }
  return outputs as readonly NodeOutput[];
}

function quotation(text: string): string {
  return text.length <= QUOTED_MAX ? text : `${text.slice(0, QUOTED_MAX)}… (${text.length} characters)`;
}

function faultOf(output: unknown): string | undefined {
  const kind = (output as { readonly output?: unknown } | null)?.output;
  const known = OUTPUT_KINDS.find((word) => word === kind);
  if (known === undefined) {
    const hint = typeof kind === "string" ? suggestion(kind, OUTPUT_KINDS) : "";
    return `expected \`output\` to be one of ${listFirst(OUTPUT_KINDS)}${hint}`;
  }
  const validate = validators.getOrCompute(known, compile);
  if (validate(output)) return undefined;
  return issuesOf(validate.errors ?? [])
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

const validators = new MemoTable<OutputKind, ValidateFunction>();

function compile(kind: OutputKind): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false });
  return ajv.compile(JSON.parse(JSON.stringify(OUTPUT_SHAPES[kind])) as object);
}
