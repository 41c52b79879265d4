/** The same node as a process: it answers each line of standard input, until it ends. */
import { readSync, writeSync } from "node:fs";
import { createNode } from "./node.ts";

const LINE_FEED = 10;
const CHUNK = 65_536;

const node = createNode();
const buffer = Buffer.alloc(CHUNK);
/** Parts of a line of which the end has not come. */
let parts: Buffer[] = [];

for (let size = readSync(0, buffer); size > 0; size = readSync(0, buffer)) {
  let rest = Buffer.from(buffer.subarray(0, size));
  for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
    const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
    parts = [];
    rest = rest.subarray(end + 1);
    writeWhole(Buffer.from(`${JSON.stringify(node(JSON.parse(line)))}\n`));
  }
  parts.push(rest);
}

function writeWhole(bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}
