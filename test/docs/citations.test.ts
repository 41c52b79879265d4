/** Citations of sections in code, scenarios and documents resolve, and so do the links between documents. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFUSALS } from "../../src/core/base/refusal.ts";
import { textsBelow } from "./texts.ts";

const CITED = ["protocol", "specification", "wire"] as const;
const CITATION = new RegExp(`\\b(${CITED.join("|")}) ((?:\\d+(?:\\.\\d+)*)(?:(?:, |; )\\d+\\.\\d+(?:\\.\\d+)*)*)`, "g");
const HEADING = /^#+ (\d+(?:\.\d+)*)\.? /gm;

const sections = new Map(
  CITED.map((name) => {
    const text = readFileSync(`docs/${name}.md`, "utf8");
    return [name as string, new Set([...text.matchAll(HEADING)].map(([, number]) => number))];
  }),
);

/** The citations in a text that name no section, such as `protocol 99.1`. */
function unresolved(text: string): readonly string[] {
  return [...text.matchAll(CITATION)].flatMap(([, name = "", numbers = ""]) =>
    numbers
      .split(/[,;] /)
      .filter((number) => sections.get(name)?.has(number) !== true)
      .map((number) => `${name} ${number}`),
  );
}

const texts = textsBelow(["src", "test", "bench", "tools", "scenarios", "docs"], /\.(ts|yaml|md)$/).filter(
  ({ path }) => path !== "test/docs/citations.test.ts",
);

describe("citations", () => {
  test("name sections that exist", () => {
    expect(texts.flatMap(({ path, text }) => unresolved(text).map((finding) => `${path}: ${finding}`))).toEqual([]);
  });

  test("are seen where they do not", () => {
    expect(unresolved("as agreed (protocol 3.2, 99.1; wire 3.9), see specification 77")).toEqual([
      "protocol 99.1",
      "specification 77",
    ]);
  });

  test("are many, so that an empty pattern is noticed", () => {
    expect(texts.flatMap(({ text }) => [...text.matchAll(CITATION)]).length).toBeGreaterThan(1_000);
  });
});

describe("links", () => {
  const own = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((path) => ({
    path,
    text: readFileSync(path, "utf8"),
  }));
  const pages = [...own, ...texts.filter(({ path }) => path.endsWith(".md")), ...textsBelow(["reports"], /\.md$/)];
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: readonly string[] };
  const packed = files.map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/|$)`));
  const isPacked = (path: string): boolean => packed.some((pattern) => pattern.test(path));

  test.each(pages)("of $path lead somewhere, of the package too", ({ path, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const dead = links.flatMap(([link, target = "", anchor]) => {
      const file = target === "" ? path : join(dirname(path), target);
      if (!existsSync(file) || (isPacked(path) && !isPacked(file))) return [link];
      return anchor === undefined || anchorsOf(readFileSync(file, "utf8")).includes(anchor) ? [] : [link];
    });
    expect(dead).toEqual([]);
  });

  test("are seen to be dead", () => {
    expect(["README.md", "docs/a.md", "reports/bench.md"].every(isPacked)).toBe(true);
    expect(["test/size.test.ts", "reports/guards.json"].some(isPacked)).toBe(false);
    expect(anchorsOf("# A\n## 6.3 Which `clients` work")).toEqual(["a", "63-which-clients-work"]);
  });
});

/** The names under which a page's headings are linked, as GitHub makes them. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-"));
}

test("ARCHITECTURE.md names files that exist", () => {
  const names = [...readFileSync("ARCHITECTURE.md", "utf8").matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|md|ndjson))`/g)];
  const paths = names.map(([, name = ""]) => name);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !["", "src/", "reports/"].some((root) => existsSync(root + path)))).toEqual([]);
});

test("CONTRIBUTING.md names tests that exist, one for each room", () => {
  const rows = readFileSync("CONTRIBUTING.md", "utf8")
    .split("\n")
    .filter((line) => /^\| .* \| `(test|scenarios)\//.test(line));
  const cells = rows.map((row) =>
    row.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
  );
  expect(cells.flatMap(([, , tests = []]) => tests).filter((path) => !existsSync(path ?? ""))).toEqual([]);
  const named = new Set(cells.flatMap(([, rooms = []]) => rooms).map((room) => room?.split("/")[0]));
  expect(readdirSync("src").filter((room) => !room.includes(".") && !named.has(room))).toEqual([]);
});

test.each(Object.entries(REFUSALS))("docs/specification.md has the refusal %s with its status", (code, { status }) => {
  const row = readFileSync("docs/specification.md", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| \`${code}\` |`));
  expect(row).toContain(String(status));
});
