import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockState } from "../../../src/server/host/state-file.ts";

test.runIf(existsSync("/proc/self/stat"))(
  "a state file is free once its process has ended, noticed or not",
  async () => {
    const path = join(mkdtempSync(join(tmpdir(), "state-")), "net");
    // The shell starts a process that ends at once, and becomes one that never asks about it.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      writeFileSync(`${path}.lock`, line.toString().trim());
      await expect.poll(() => lockState(path).ok).toBe(true);
      writeFileSync(`${path}.lock`, String(parent.pid));
      expect(lockState(path)).toEqual({ ok: false, error: `${path} is in use by process ${parent.pid}` });
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
