/** Result of a worker whose run was stopped inside. */
export interface Unfinished {
  /** Seed of the run. */
  readonly unfinished: string;
}
