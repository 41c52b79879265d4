/** Description of a fault verb: its part of the schema, its check and its action. */
import type { Address } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Path, ScenarioIssue } from "../../schema/problem.ts";
import type { Shape } from "../../schema/shape.ts";
import type { Action } from "../../simulator/plan.ts";
import type { Declarations, NamedSubmission } from "../names.ts";

/** Context in which faults and message patterns are compiled: the addresses and operations behind names. */
export interface FaultContext {
  readonly directory: {
    account(name: string): Address;
    token(name: string): { readonly address: Address };
  };
  readonly operations: ReadonlyMap<string, OperationId>;
  readonly submissions: readonly (NamedSubmission | undefined)[];
}

/** A verb of the scenario language that is a fault, or ends one. `T`: its value in a step. */
export interface Fault<T> {
  /** One or more sentences for the documents and editors. */
  readonly sentence: string;
  /** A step with the verb, as YAML. */
  readonly example: string;
  /** The schema of the value; sentence and example replace its description. */
  readonly value: Shape<T>;
  /** Returns the issues of a value that matches the schema: names that are not declared, for example. */
  check(value: T, path: Path, declared: Declarations): readonly ScenarioIssue[];
  /** Returns the action of the simulator. `step`: its number in the file, from 1. */
  compile(value: T, context: FaultContext, step: number): Action;
}

/** A fault, whose checks and compilation have the type that its schema describes. */
export function fault<T>(described: Fault<NoInfer<T>> & { readonly value: Shape<T> }): Fault<T> {
  return described;
}

/** The value of a fault in a step. */
export type ValueOf<F> = F extends Fault<infer T> ? T : never;
