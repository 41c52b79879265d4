/** Versions of this program, which run lines contain so that a replay elsewhere can report a difference. */
import { packageVersion } from "../run/version.ts";

/** The format of run lines and saved runs. */
export const FORMAT = 1;

/** Versions in run lines. */
export function versions(): { readonly quorumlab: string; readonly format: number; readonly node: string } {
  return { quorumlab: packageVersion(), format: FORMAT, node: process.versions.node };
}
