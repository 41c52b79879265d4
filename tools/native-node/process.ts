/** The same node as a process: it answers each line of standard input, until it ends. */
import { createInterface } from "node:readline";
import { createNode } from "./node.ts";

const node = createNode();
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(node(JSON.parse(line)))}\n`);
});
