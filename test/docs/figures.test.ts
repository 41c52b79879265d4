/** Figures in documents: measured ones are copied from a report by `npm run docs`, bounds are those of the code. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADMIN_BODY_BYTES, HTTP_LIMITS, SOCKET_LIMITS, TRACES_WAITING } from "../../src/server/limits.ts";
import { textWithParts } from "../../tools/docs/parts.ts";
import { textsBelow } from "./texts.ts";

/** A number with a unit that only a measurement gives. */
const MEASURED =
  /\d\S* (?:[kMG]?B|bytes|m?s|minutes|hours)? ?(?:of )?(?:CPU|heap)\b|\d\S* (?:payments|worlds|states|runs|messages) (?:a|per) (?:second|core|minute)|\d (?:x|times) (?:as|faster|slower|quicker)|\babout \d+ (?:m?s|minutes?)\b|\babout a (?:second|minute|hour)\b/;

const measuredIn = (text: string): readonly string[] =>
  text
    .replace(/```[\s\S]*?```|<!-- reports\/[\s\S]*?<!-- end -->/g, "")
    .split("\n")
    .filter((line) => !line.startsWith("#") && MEASURED.test(line));

describe("measured figures", () => {
  const guides = textsBelow(["docs"], /\.md$/).filter(({ path }) => !path.startsWith("docs/decisions/"));

  test.each([...guides, { path: "README.md", text: readFileSync("README.md", "utf8") }])(
    "of $path stand in parts that a report fills",
    ({ text }) => expect(measuredIn(text)).toEqual([]),
  );

  test("are seen elsewhere", () => {
    for (const line of [
      "it serves 550 payments a second",
      "134 s of CPU time",
      "about 30 s for all",
      "a heap, 4.3 GB of heap",
    ])
      expect(measuredIn(line)).toEqual([line]);
    expect(
      measuredIn("```\n5 payments a second\n```\n<!-- reports/x.md, A: . -->\n5 states a second\n<!-- end -->"),
    ).toEqual([]);
  });
});

describe("a part", () => {
  const report =
    "# A\n\nFast: 5 ms.\n\n## B\n\n| what | ms |\n|---|---|\n| x | 5 |\n| y | 6 |\n\n| z |\n|---|\n| w |\n";
  const filled = (part: string): string => {
    const root = mkdtempSync(join(tmpdir(), "parts-"));
    try {
      mkdirSync(join(root, "reports"));
      writeFileSync(join(root, "reports/r.md"), report);
      writeFileSync(join(root, "p.md"), `${part}\nstale\n<!-- end -->\n`);
      return textWithParts(root, "p.md").split("\n").slice(1, -2).join("\n");
    } finally {
      rmSync(root, { recursive: true });
    }
  };

  test.each([
    ["<!-- reports/r.md, B: y -->", "| what | ms |\n|---|---|\n| y | 6 |"],
    ["<!-- reports/r.md, B: . -->", "| what | ms |\n|---|---|\n| x | 5 |\n| y | 6 |"],
  ])("%s has the rows of its section's first table that match", (part, text) => expect(filled(part)).toBe(text));

  test.each(["A: Fast", "B: what", "B: w$", "C: x"])("of %s is an error without rows", (words) =>
    expect(() => filled(`<!-- reports/r.md, ${words} -->`)).toThrow(/has no row like/),
  );
});

test("README has at most 120 lines", () =>
  expect(readFileSync("README.md", "utf8").split("\n").length - 1).toBeLessThanOrEqual(120));

test("the bounds of clients in docs/limits.md are those of the program", () => {
  const page = readFileSync("docs/limits.md", "utf8").split("## Clients that misbehave")[1] ?? "";
  const [http, socket] = [HTTP_LIMITS, SOCKET_LIMITS];
  const [kiB, miB] = [(bytes: number) => `${bytes / 1_024} KiB`, (bytes: number) => `${bytes / 1_048_576} MiB`];
  const whole = (count: number): string => count.toLocaleString("en");
  const rows: readonly (readonly [string, string])[] = [
    ["requests of one connection that wait", `${http.pipelined}`],
    ["unread bytes of all answers together", miB(http.unreadBytes)],
    ["an answer without progress", `${http.unreadMs / 1_000} s`],
    ["writes that wait for their response; of one account", `${whole(http.waiting)}; ${http.waitingPerAccount}`],
    ["reads that wait for `min_receipt`, apart from the writes", whole(http.waitingReads)],
    ["traces under way", `${TRACES_WAITING}`],
    ["connections", whole(http.connections)],
    [
      "websockets; unread bytes of one behind the frame that is being sent; of all, each frame counted once",
      `${socket.sockets}; ${miB(socket.bufferedBytes)}; ${miB(socket.waitingBytes)}`,
    ],
    [`body (admin interface: ${kiB(ADMIN_BODY_BYTES)}), headers`, `${kiB(http.bodyBytes)}, ${kiB(http.headerBytes)}`],
    ["headers, whole request", `${http.headersMs / 1_000} s, ${http.requestMs / 1_000} s`],
  ];
  for (const [bound, value] of rows) expect(page).toContain(`\n| ${bound} | ${value} |`);
});
