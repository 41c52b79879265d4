/** Reading of the line with which a node answers an input. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { MemoTable } from "../core/base/memo-table.ts";
import { issuesOf } from "../schema/errors.ts";
import { listFirst, suggestion } from "../schema/problem.ts";
import { FormFault } from "./forms/form.ts";
import { NodeFault } from "./host.ts";
import {
  INTERFACE_VERSION,
  type NodeInput,
  type NodeOutput,
  OUTPUT_KINDS,
  OUTPUT_SHAPES,
  type OutputKind,
} from "./shapes.ts";

/** Characters of a line that a fault quotes. */
const QUOTED_MAX = 200;

/**
 * Returns the outputs of a line. Cost: O(its length).
 * @throws NodeFault for a line that is no JSON list of outputs, with the place and what was expected there
 */
export function readOutputs(line: string, input: NodeInput): readonly NodeOutput[] {
  return readLine(line, input, (output) => {
    const fault = faultOf(output);
    if (fault !== undefined) throw new FormFault(fault);
    return output as NodeOutput;
  });
}

/** Input that a line answers. */
type AskedInput = Readonly<{ input: string; at: number }>;

/**
 * Returns the outputs of a line, each read by `read`, which throws a `FormFault` for what is none.
 * @throws NodeFault for a line that is no JSON list of outputs, with the place and what was expected there
 */
export function readLine<T>(line: string, input: AskedInput, read: (output: unknown) => T): readonly T[] {
  const on = `answered its input \`${input.input}\` at ${input.at} ms with`;
  let outputs: unknown;
  try {
    outputs = JSON.parse(line);
  } catch (error) {
    throw new NodeFault(`${on} what is no JSON (${(error as Error).message}): ${quotation(line)}`);
  }
  if (!Array.isArray(outputs)) throw new NodeFault(`${on} no list of outputs: ${quotation(line)}`);
  return outputs.map((output: unknown, place) => {
    try {
      return read(output);
    } catch (error) {
      if (!(error instanceof FormFault)) throw error;
      const shown = quotation(JSON.stringify(output));
      throw new NodeFault(`${on} a wrong output ${place + 1}: ${error.message}; got ${shown}`);
    }
  });
}

/** @throws NodeFault for an answer to `start` that does not begin with `ready`, or names a later version */
export function checkReadiness(
  { input }: AskedInput,
  [first]: readonly Readonly<{ output: string; version?: number }>[],
): void {
  if (input !== "start") return;
  if (first?.output !== "ready") throw new NodeFault("did not answer `start` with `ready` as its first output");
  const { version = 0 } = first;
  if (version > INTERFACE_VERSION)
    throw new NodeFault(`speaks version ${version} of the interface: expected at most ${INTERFACE_VERSION}`);
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
