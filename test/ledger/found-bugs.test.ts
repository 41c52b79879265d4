/** The ledger of found bugs, and the checks of its rows. No history is needed: `npm run ledger` renews it from there. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { LEDGER, ledgerOf, REGRESSIONS, rowsOf } from "../../tools/ledger/row.ts";

const text = readFileSync(LEDGER, "utf8");
const rows = rowsOf(text);

describe("the ledger of found bugs", () => {
  it("has one row for each regression, and no other, by file", () => {
    const files = readdirSync(REGRESSIONS).map((name) => `${REGRESSIONS}/${name}`);
    expect(rows.map(({ file }) => file)).toEqual(files.sort());
    expect(ledgerOf([...rows].reverse())).toBe(text);
  });

  it("names each bug like its scenario", () => {
    for (const { file, bug } of rows) expect([file, bug]).toEqual([file, parse(readFileSync(file, "utf8")).name]);
  });

  it("names the last commit before the fix that reproduces each bug, or the reason why none does", () => {
    for (const row of rows) {
      if (row.reproduced === null) expect(row.why).not.toBe("");
      else expect(row.reproduced.commit).not.toBe(row.fixed);
    }
  });
});

describe("a line of the ledger", () => {
  const reproduced = { commit: "0123abc", on: "2026-01-31", verdict: "unmet", invariant: null, detail: "final: x" };
  const row = { bug: "a", file: `${REGRESSIONS}/a.yaml`, fixed: "4567def", command: "npm run ledger", reproduced };

  function refusalOf(line: object): string {
    try {
      rowsOf(`${JSON.stringify(line)}\n`);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  it("is a reproduced bug, one whose fix is not committed yet, or one that is not reproducible, with the reason", () => {
    const complete = { ...reproduced, verdict: "violation", invariant: "agreement", without: ["{ coverage: x }"] };
    for (const good of [row, { ...row, fixed: null }, { ...row, reproduced: complete }])
      expect(rowsOf(`${JSON.stringify(good)}\n`)).toEqual([good]);
    expect(refusalOf({ ...row, reproduced: null, why: "no words for it" })).toBe("");
  });

  it("is rejected without a reproduction or a reason, and with an invalid member", () => {
    const bad = [
      { ...row, reproduced: null },
      { ...row, reproduced: null, why: "" },
      { ...row, why: "it showed" },
      { ...row, file: "scenarios/rules/a.yaml" },
      { ...row, fixed: "HEAD" },
      { ...row, reproduced: { ...reproduced, verdict: "pass" } },
      { ...row, reproduced: { ...reproduced, on: "yesterday" } },
      { ...row, reproduced: { ...reproduced, without: [] } },
    ];
    for (const line of bad) expect([line, refusalOf(line)]).toEqual([line, expect.stringContaining(`${LEDGER}:1: `)]);
  });

  it("is rejected without valid JSON or a line end", () => {
    expect(() => rowsOf("{\n")).toThrow(`${LEDGER}:1: expected JSON`);
    expect(() => rowsOf(JSON.stringify(row))).toThrow("expected a line end after the last row");
  });
});
