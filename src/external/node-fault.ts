/** Fault of a validator that others wrote: it ends the run that it happens in, whose verdict names it. */
export class NodeFault extends Error {
  override readonly name = "NodeFault";

  /** `words`: what the node did, as the end of a sentence that begins with its name. */
  constructor(words: string) {
    super(words);
    // Where this program noticed it says nothing.
    this.stack = words;
  }
}
