/** Admission of a submission at its entry validator. */
import type { Submission } from "../core/base/operation.ts";
import type { NodeName } from "../simulator/settings.ts";

/** Submission that its entry validator admits; worthless after the next event. */
export interface Admission {
  readonly node: NodeName;
  readonly submission: Submission;
  /** Events of the network before it. */
  readonly steps: number;
}
