/** Data of the page of a campaign: plain JSON, read from `/page/state.json`. */
import type { ProgressPoint } from "./search-data.ts";

export interface CampaignState {
  readonly name: string;
  readonly version: string;
  /** Commit of the program, if it is known. */
  readonly commit: string | null;
  readonly state: "running" | "waiting" | "stopped" | "finished";
  /** Source of the worlds; `bug`: the known-bad variant that runs. */
  readonly profile: string;
  readonly bug: string | null;
  /** First seed in decimal, and number of seeds. */
  readonly first: string;
  readonly seeds: number;
  readonly jobs: Readonly<Record<"waiting" | "active" | "done" | "lost", number>>;
  readonly sums: Readonly<Record<"worlds" | "failed" | "operations" | "final" | "events" | "work_ms", number>>;
  /** Machine, process and threads of each. */
  readonly workers: readonly string[];
  /** Coverage points reached, and all. */
  readonly reached: number;
  readonly points: number;
  readonly progress: readonly ProgressPoint[];
  readonly kinds: readonly { readonly kind: string; readonly jobs: number; readonly ms: number }[];
  readonly findings: readonly ShownFinding[];
  /** Failures that are not minimized yet. */
  readonly failures: readonly { readonly signature: string; readonly worlds: number; readonly seed: string }[];
  readonly unexpected: readonly string[];
}

export interface ShownFinding {
  readonly key: string;
  readonly state: "open" | "closed";
  /** Commit that showed it first, and the one that no longer does. */
  readonly commit: string | null;
  readonly closedBy: string | null;
  /** Worlds of this campaign that show it. */
  readonly worlds: number;
  readonly steps: number;
  /** Paths on this server. */
  readonly page: string | null;
  readonly file: string | null;
}
