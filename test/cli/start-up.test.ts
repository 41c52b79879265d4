/** Goal: what takes long to load is loaded by the commands that have use for it, and no other one waits for it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../../src");
/** Imports that Node follows before it runs anything: those of types alone are gone by then. */
const STATIC = /^(?:import|export) (?!type\b)(?:[^;"]* from )?"([^"]+)";/gm;

/** The packages that stand ready when a file begins to run. */
function packagesOf(start: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [join(SRC, start)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC)) {
      if (name.startsWith(".")) waiting.push(join(dirname(file), name));
      else packages.add(name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
    }
  }
  return packages;
}

describe("the command line", () => {
  it("loads its parser before a command is named, and nothing else", () => {
    expect([...packagesOf("cli/app.ts")].sort()).toEqual(["node:fs", "yargs"]);
  });

  it.each(["xmlbuilder2", "fastify", "@fastify/swagger", "pino", "prom-client", "ws"])(
    "runs scenarios without %s",
    (name) => {
      expect(packagesOf("cli/run/run.ts")).not.toContain(name);
    },
  );

  it("loads the web server with the network that it serves, and XML with the report in it", () => {
    expect(packagesOf("server/start.ts")).toContain("fastify");
    expect(packagesOf("report/junit.ts")).toContain("xmlbuilder2");
  });
});
