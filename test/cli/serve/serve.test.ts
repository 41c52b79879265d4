import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Millis } from "../../../src/core/base/ids.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { HEAD, payment, recorded, SETUP, submit, textOf } from "../../live/support.ts";
import { type CommandOutput, folder, GOOD, listening, refusalOf, runCommand } from "../support.ts";

interface Ready {
  readonly url: string;
  readonly admin_url: string | null;
  readonly chain_id: number;
  readonly accounts: readonly { readonly name: string; readonly address: string; readonly key: string }[];
}

const FREE = ["--port", "0", "--admin-port", "0"];

/** Serves until `use` has ended, and then interrupts. */
async function served(argv: readonly string[], use: (ready: Ready) => Promise<void>): Promise<CommandOutput> {
  const file = join(folder({}), "ready.json");
  let ended = false;
  let failed: unknown;
  let begun = false;
  const interrupted = async (): Promise<boolean> => {
    if (!begun && existsSync(file)) {
      begun = true;
      use(JSON.parse(readFileSync(file, "utf8")) as Ready)
        .catch((error: unknown) => {
          failed = error;
        })
        .finally(() => {
          ended = true;
        });
    }
    return ended;
  };
  const result = await runCommand(["serve", ...FREE, "--ready-file", file, ...argv], { interrupted });
  if (failed !== undefined) throw failed;
  return result;
}

const health = async ({ url }: Ready): Promise<string> => (await fetch(`${url}/api/health`)).text();

describe("quorumlab serve", () => {
  it.each([
    ["by default", [], false],
    ["with the profile of the clients' suites", ["--profile", "clients"], true],
    ["in version 1 alone", ["--write-mode", "v1-only"], true],
  ] as const)("warns of signatures that are read as two kinds where it takes them: %s", async (_, argv, isWarned) => {
    const { out } = await served(argv, async () => undefined);
    expect(/warning +\S* *\/v1 takes mints and burns/.test(out)).toBe(isWarned);
  });

  it("says where it answers and who has what, and that it is ready last; an interrupt ends it with 0", async () => {
    const { code, out, err } = await served([], async (ready) => {
      expect(await health(ready)).toBe("UP");
      expect([ready.chain_id, ready.accounts.length]).toEqual([31_337, 10]);
    });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /Accounts\n {2}name +address +private key +balance\n {2}operator +0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/,
    );
    expect(out).toMatch(/Never use real keys or real funds here\.\n\nready\n$/);
  });

  it("prints one line for programs, the same as in the ready file", async () => {
    const { lines } = await served(["--json", "--validators", "7", "--accounts", "3"], async (ready) => {
      const epoch = await (await fetch(`${ready.url}/v1/governances/epoch`)).json();
      expect(epoch).toMatchObject({ certificate: { validators: { length: 7 } } });
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      type: "ready",
      accounts: { length: 3 },
      tokens: [{ symbol: "USDX", decimals: 6 }],
    });
  });

  it("serves each validator on a port of its own with --ports, and no admin API where it is switched off", async () => {
    const { out } = await served(["--ports", "each", "--admin-port", "none"], async (ready) => {
      expect(ready.admin_url).toBeNull();
    });
    expect(out).toMatch(/v2 +http:\/\/127\.0\.0\.1:\d+\n/);
    expect(out).not.toContain("admin");
  });

  it("keeps its state in a file, and says that it goes on", async () => {
    const state = join(folder({}), "s.ndjson");
    const faucet = async ({ url }: Ready): Promise<void> => {
      const body = JSON.stringify({ address: "bob", value: "5" });
      const answer = await fetch(`${url}/faucet`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(await answer.json()).toMatchObject({ value: "5000000" });
    };
    await served(["--state", state, "--quiet"], faucet);
    const again = await served(["--state", state, "--validators", "9", "--quiet"], faucet);
    expect(again.err).toBe(`continuing the network of ${state}\nit keeps its setup: ignoring --validators\n`);
    const read = readRecording(readFileSync(state, "utf8"));
    expect(read.ok && read.value.entries.filter(({ type }) => type === "input")).toHaveLength(3);
    expect((await runCommand(["replay", state])).out).toMatch(/^same/);
    writeFileSync(`${state}.snapshot`, "x");
    const repeated = await served(["--state", state, "--quiet"], faucet);
    expect(repeated.err).toContain(
      `${state}.snapshot is of no use, since it is cut short: repeating the whole recording`,
    );
  });

  it("lets one network at a time keep its state in a file, and minds no claim of a process that is gone", async () => {
    const state = join(folder({}), "s.ndjson");
    const options = ["--state", state, "--quiet"];
    await served(options, async () => {
      const second = await runCommand(["serve", ...FREE, ...options], { interrupted: async () => true });
      expect(second).toEqual(refusalOf(`${state} is in use by another process`));
    });
    expect(readdirSync(dirname(state)).filter((name) => name.includes("lock"))).toEqual([]);
    expect((await served(options, async () => undefined)).code).toBe(0);
  });

  it("does not go on with a recording that does not happen again", async () => {
    const state = join(folder({}), "s.ndjson");
    const { network, entries } = recorded();
    submit(network, "v1", payment("alice", 0));
    network.runTo(300 as Millis, 1_000_000);
    network.writeVerificationPoint();
    writeFileSync(state, textOf(entries, { ...HEAD, setup: { ...SETUP, seed: "2" } }));
    const refused = await runCommand(["serve", ...FREE, "--state", state], { interrupted: async () => true });
    expect(refused).toEqual(refusalOf(/s\.ndjson: the recording says 0x[0-9a-f]{32} after \d+ events/));
    expect(readdirSync(dirname(state)).filter((name) => name.includes("lock"))).toEqual([]);
  });

  it("runs the steps of a scenario while clients use it", async () => {
    const file = join(folder({ "a.yaml": `${GOOD}` }), "a.yaml");
    const { out } = await served(["--scenario", file], async (ready) => {
      expect(await health(ready)).toBe("UP");
    });
    expect(out).toContain("its steps are executed at their virtual times");
  });

  it("says clearly that a port is taken", async () => {
    const taken = createServer();
    const { port } = new URL(await listening(taken));
    const refused = await runCommand(["serve", "--port", port, "--admin-port", "0"]);
    taken.close();
    expect(refused).toEqual(refusalOf(`port ${port} on 127.0.0.1 is in use`));
  });
});
