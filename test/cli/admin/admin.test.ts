import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminCommand } from "../../../src/cli/admin/admin.ts";
import { listening, runCommand } from "../support.ts";

const STATUS = {
  ...{ virtual_ms: 5, rate: 1, steps: 7, hash: "0x00", pending: 0, final: 2 },
  nodes: [
    { node: "v1", running: true, epoch: 0, checkpoint: 3 },
    { node: "v2", running: false, epoch: null, checkpoint: null },
  ],
  faults: ["v4 is Byzantine: double-vote", "v2 is down"],
  liveness: { owed_from_ms: null, faults: ["v2 is down"] },
  violations: [] as object[],
};

/** Next responses of the played admin API, and the requests that it received. */
let answer: readonly [status: number, text: string] = [200, ""];
let asked: readonly [request: string, body: string, token: string | undefined] = ["", "", undefined];
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const token = request.headers["x-admin-token"];
  asked = [`${request.method} ${request.url}`, text, token?.toString()];
  response.writeHead(answer[0], { "content-type": "application/json" }).end(answer[1]);
});
let url = "";
beforeAll(async () => {
  url = await listening(server);
});
afterAll(() => void server.close());

/** Runs a command line against an API that answers so. */
function admin(line: readonly string[], status = 200, body: object = { ...STATUS, result: null }) {
  answer = [status, JSON.stringify(body)];
  asked = ["", "", undefined];
  return runCommand(["admin", ...line, "--url", `${url}/`]);
}

/** Every command: what is typed, the path below /admin that is asked, and the body as JSON; empty: a GET. */
const TABLE: readonly (readonly [typed: string, path: string, body: string])[] = [
  ["status", "status", ""],
  ["crash v2", "step", '{"crash":{"node":"v2"}}'],
  ["crash v2 --restart-after-ms 500", "step", '{"crash":{"node":"v2","restart_after_ms":500}}'],
  ["restart v2", "step", '{"restart":"v2"}'],
  ["byzantine v4 double-vote", "step", '{"byzantine":{"node":"v4","strategy":"double-vote"}}'],
  [
    "byzantine v4 replay-stale --towards v1,v2 --chance 1/2 --mode none",
    "step",
    '{"byzantine":{"node":"v4","strategy":"replay-stale","towards":["v1","v2"],"chance":"1/2","mode":"none"}}',
  ],
  ["behave v4", "step", '{"behave":{"node":"v4"}}'],
  ["behave v4 silence", "step", '{"behave":{"node":"v4","strategy":"silence"}}'],
  ["partition v1,v2 v3,v4", "step", '{"partition":[["v1","v2"],["v3","v4"]]}'],
  ["heal", "step", '{"heal":true}'],
  ["heal v1,v2 v3", "step", '{"heal":["v1","v2","v3"]}'],
  ["delay 100", "step", '{"delay":{"ms":100}}'],
  ["delay 50..200 --from v1 --to v2,v3", "step", '{"delay":{"from":["v1"],"to":["v2","v3"],"ms":"50..200"}}'],
  ["loss 1/5", "step", '{"loss":{"chance":"1/5"}}'],
  ["hold", "step", '{"hold":{}}'],
  [
    "hold late --kinds vote,commit --from v1 --to v2 --account alice --round 1",
    "step",
    '{"hold":{"rule":"late","from":["v1"],"to":["v2"],"kinds":["vote","commit"],"account":"alice","round":1}}',
  ],
  ["release", "step", '{"release":true}'],
  ["release late", "step", '{"release":"late"}'],
  ["advance 60000", "advance", '{"ms":60000}'],
  ["rate 0.5", "rate", '{"rate":0.5}'],
  ["snapshot", "snapshot", "{}"],
  ["revert 1", "revert", '{"snapshot":"1"}'],
  ["reset", "reset", "{}"],
  ["checkpoint", "checkpoint", "{}"],
  ["epoch", "epoch", "{}"],
  [
    "epoch --validators v1,v5 --fees payment=1,cancellation=2 --checkpoint-interval 500",
    "epoch",
    '{"validators":["v1","v5"],"fees":{"payment":"1","cancellation":"2"},"checkpoints":{"interval_ms":500}}',
  ],
  ["balance alice USDX 12.5", "balance", '{"account":"alice","token":"USDX","value":"12.5"}'],
  [
    "grant bob USDX MintBurnTokens --allowance 10",
    "role",
    '{"action":"Grant","account":"bob","token":"USDX","role":"MintBurnTokens","allowance":"10"}',
  ],
  ["revoke bob USDX Pause", "role", '{"action":"Revoke","account":"bob","token":"USDX","role":"Pause"}'],
  ['step {"disk":{"node":"v1","write_ms":50}}', "step", '{"disk":{"node":"v1","write_ms":50}}'],
];

describe("quorumlab admin", () => {
  it.each(TABLE)("%s", async (typed, path, body) => {
    expect(await admin(typed.split(" "))).toMatchObject({ code: 0, err: "" });
    expect(asked).toEqual([`${body === "" ? "GET" : "POST"} /admin/${path}`, body, undefined]);
  });

  it("has a row in this table for every command but one", () => {
    const typed = new Set(TABLE.map(([line]) => line.split(" ")[0]));
    const known = adminCommand.subcommands?.map(({ usage }) => usage.split(" ")[0]) ?? [];
    expect(new Set(known)).toEqual(new Set([...typed, "recording"]));
    expect(known).toHaveLength(new Set(known).size);
  });

  it("shows every command in its help, and an example in each command's", async () => {
    const { out } = await runCommand(["admin", "--help"]);
    for (const { usage } of adminCommand.subcommands ?? []) {
      const name = usage.split(" ")[0] ?? "";
      expect(out).toContain(`quorumlab admin ${name}`);
      const output = await runCommand(["admin", name, "--help"]);
      expect([name, output.code]).toEqual([name, 0]);
      expect(output.out).toMatch(new RegExp(`Examples:\\s+quorumlab admin ${name}`));
    }
  });

  it("prints how the network stands, a row for each validator", async () => {
    const { out } = await admin(["snapshot"], 200, { ...STATUS, result: "3" });
    expect(out).toBe(
      [
        "done  snapshot 3: quorumlab admin revert 3 undoes everything after it",
        "5 ms virtual, 7 events, 2 final, 0 pending",
        "node  state    epoch  checkpoint",
        "v1    running  0      3",
        "v2    down     -      -",
        "fault  v4 is Byzantine: double-vote",
        "fault  v2 is down",
        "liveness is not judged while they last\n",
      ].join("\n"),
    );
    expect((await admin(["status"], 200, { ...STATUS, rate: 0 })).out).toMatch(/^5 ms virtual, time stopped, /);
  });

  it("exits 1 where an invariant broke, and names it", async () => {
    const violations = [{ invariant: "agreement", virtual_ms: 4, detail: "two values" }];
    const { code, out } = await admin(["status"], 200, { ...STATUS, violations });
    expect(code).toBe(1);
    expect(out).toContain("agreement at 4 ms: two values\n");
    expect((await admin(["heal"], 200, { ...STATUS, violations, result: null })).code).toBe(0);
  });

  it("exits 1 where it is refused, and says why", async () => {
    const body = { error_code: "admin_refused", message: 'no validator is called "v9"' };
    expect(await admin(["crash", "v9"], 422, body)).toMatchObject({
      code: 1,
      out: 'refused  no validator is called "v9"\n',
    });
    const { code, lines } = await admin(["crash", "v9", "--json"], 422, body);
    expect([code, lines]).toEqual([1, [{ type: "admin", action: "crash", status: 422, ...body }]]);
  });

  it("prints one JSON line where it is asked to", async () => {
    const { lines } = await admin(["advance", "5", "--json"], 200, { ...STATUS, result: 5 });
    expect(lines).toEqual([{ type: "admin", action: "advance", status: 200, ...STATUS, result: 5 }]);
  });

  const WRONG: readonly (readonly [line: readonly string[], why: RegExp])[] = [
    [[], /expected an action/],
    [["crsh", "v2"], /crash|Unknown/],
    [["crash"], /Not enough/],
    [["crash", "v2", "v3"], /Unknown|Too many/],
    [["advance", "soon"], /ms: expected a whole number, got "soon"/],
    [["rate", "fast"], /rate: expected 0 to 1000, got "fast"/],
    [["grant", "bob", "USDX", "Nope"], /MintBurnTokens/],
    [["revoke", "bob", "USDX", "Pause", "--allowance", "1"], /allowance/],
    [["crash", "v2", "--restart-after-ms", "soon"], /--restart-after-ms: expected a whole number, got "soon"/],
    [["epoch", "--fees", "1"], /--fees: expected name=value/],
    [["step", "{"], /step: expected a step such as/],
    [["step", "[]"], /step: expected a step such as .*, got \[\]/],
    [["hold", "--strange", "1"], /strange/],
  ];

  it.each(WRONG)("admin %j is wrong usage, and asks nobody", async (line, why) => {
    const { code, err } = await admin(line);
    expect([code, asked[0]]).toEqual([2, ""]);
    expect(err).toMatch(why);
  });

  it("exits 2 where nobody answers, or somebody else", async () => {
    const noServer = await runCommand(["admin", "status", "--url", "http://127.0.0.1:9"]);
    expect(noServer).toMatchObject({ code: 2, err: expect.stringMatching(/no response from .*--url takes/) });
    expect(await runCommand(["admin", "status", "--url", "here"])).toMatchObject({ code: 2 });
    const others: readonly (readonly [number, object, RegExp])[] = [
      [
        404,
        { error_code: "resource_route_not_found", message: "no route" },
        /responds with 404, resource_route_not_found/,
      ],
      [403, { error_code: "admin_token_required", message: "the header" }, /responds with 403, admin_token_required/],
      [200, {}, /responds with 200, and is not an admin API/],
      [500, { error_code: "system_internal_error", message: "oh" }, /responds with 500, system_internal_error: oh/],
    ];
    for (const [status, body, why] of others) {
      expect(await admin(["status"], status, body)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
      expect(await admin(["recording"], status, body)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
    }
  });

  it("sends the token that it is given, also from the environment", async () => {
    await admin(["status", "--admin-token", "s3"]);
    expect(asked[2]).toBe("s3");
    answer = [200, JSON.stringify(STATUS)];
    const env = { QUORUMLAB_ADMIN_URL: url, QUORUMLAB_ADMIN_TOKEN: "s4", QUORUMLAB_URL: "http://127.0.0.1:9" };
    expect((await runCommand(["admin", "status"], { env })).code).toBe(0);
    expect(asked[2]).toBe("s4");
  });
});
