/** Permission of a model to number what it has not met before: replicas (replica.ts) leave that to the search. */

/** Step of a replica to a local state, statement or message that the search has not numbered yet. */
export class UnknownStep extends Error {
  override readonly name = "UnknownStep";
}

/** Thrown often and caught at once, so it is made once. */
const UNKNOWN = new UnknownStep("the search has not numbered what a step leads to");

export class Learning {
  isAllowed = true;

  /** Called before anything gets a new number. @throws UnknownStep where that is not allowed */
  begin(): void {
    if (!this.isAllowed) throw UNKNOWN;
  }
}
