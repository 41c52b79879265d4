import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { createProgress } from "../../src/cli/output.ts";
import { printable } from "../../src/report/paint.ts";

/** A terminal of some width, with a clock that the test moves. */
function terminal(columns?: number, env: Io["env"] = { NO_COLOR: "1" }) {
  const written: string[] = [];
  const clock = { now: 0 };
  const io = {
    err: (text: string) => void written.push(printable(text)),
    env,
    errIsTerminal: true,
    errColumns: columns,
  };
  const progress = createProgress({ ...io, now: () => clock.now } as unknown as Io, "auto");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const last = (): string => (written.at(-1) ?? "").replace(/\r\u001b\[K/, "");
  return { progress, clock, written, last };
}

describe("progress on a terminal", () => {
  it("shows share, rate and time left", () => {
    const { progress, clock, last } = terminal(100);
    clock.now = 10_000;
    progress.at(250, 1_000, "3 failed");
    expect(last()).toBe(`${"█".repeat(6)}${"░".repeat(18)} 250/1000, 25 a second, 30 s left  3 failed`);
    clock.now = 400_000;
    progress.at(500, 1_000, "3 failed");
    expect(last()).toMatch(/500\/1000, 1\.3 a second, 7 min left {2}3 failed$/);
  });

  it("tells no time at the beginning, at the end, and of work that may end at any time", () => {
    const { progress, clock, last } = terminal(100);
    clock.now = 500;
    progress.at(1, 10, "a");
    expect(last()).not.toMatch(/left/);
    clock.now = 5_000;
    progress.at(10, 10, "a");
    expect(last()).toMatch(/10\/10, 2\.0 a second {2}a$/);
    clock.now = 6_000;
    progress.upTo(7, 100, "frontier 3");
    expect(last()).toBe("7, at most 100  frontier 3");
  });

  it.each([20, 40, 80, undefined])("is one line of %s columns", (columns) => {
    const { progress, clock, last } = terminal(columns);
    clock.now = 3_000;
    progress.upTo(7, 100, "x".repeat(300));
    expect(last().length).toBeLessThan(columns ?? 80);
  });

  it("is drawn ten times a second at most, and removed for results", () => {
    const { progress, clock, written } = terminal(80);
    for (clock.now = 0; clock.now < 1_000; clock.now += 1) progress.at(clock.now, 1_000, "");
    expect(written).toHaveLength(10);
    progress.clear();
    expect(written.at(-1)).toBe("\r\u001b[K");
    progress.clear();
    expect(written).toHaveLength(11);
    progress.at(1, 2, "again at once");
    expect(written).toHaveLength(12);
  });

  it("has colours unless NO_COLOR is set", () => {
    const { progress, last } = terminal(80, {});
    progress.at(1, 2, "");
    expect(last()).toContain("\u001b[");
  });
});
