/** The answer of a thread whose world was stopped before its end. */
export interface Unfinished {
  /** The seed of the world. */
  readonly unfinished: string;
}
