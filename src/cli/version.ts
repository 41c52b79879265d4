/** Which program this is: run lines carry it, so that a replay elsewhere can say what differs. */
import { packageVersion } from "../run/version.ts";

/** The format of run lines and saved runs. */
export const FORMAT = 1;

/** What run lines say about the program that made them. */
export function versions(): { readonly quorumlab: string; readonly format: number; readonly node: string } {
  return { quorumlab: packageVersion(), format: FORMAT, node: process.versions.node };
}
