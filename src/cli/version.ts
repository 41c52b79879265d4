/** Which program this is: run lines carry it, so that a replay elsewhere can say what differs. */
import { readFileSync } from "node:fs";

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The format of run lines and saved runs. */
export const FORMAT = 1;

/** What run lines say about the program that made them. */
export function versions(): { readonly quorumlab: string; readonly format: number; readonly node: string } {
  return { quorumlab: packageVersion(), format: FORMAT, node: process.versions.node };
}
