/** A running node: it is asked one line and answers one line. */
export interface NodeHost {
  /**
   * Returns the line that answers a line; waits for it.
   * @throws NodeFault if the node has ended, is silent for too long, or answers too much
   */
  ask(line: string): string;
  /** Ends the node. */
  close(): void;
}

/** Makes a host for the validator of a name. It begins with no memory. */
export type HostFactory = (name: string) => NodeHost;

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
