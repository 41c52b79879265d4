/**
 * Goal: the deployment files of the guide call commands and options that exist, and name the queue as it is named. No
 * package with the schemas of Compose, Kubernetes or KEDA is used: the fields on which a campaign depends are checked.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PREFIX } from "../../src/campaign/redis.ts";
import { campaignCommand } from "../../src/cli/campaign/campaign.ts";
import { targetOf } from "../../src/cli/campaign/target.ts";

const FOLDER = "docs/guides/campaigns";
const textOf = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");

interface Container {
  readonly args: readonly string[];
}

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

  test("the image works on a campaign, and is told its commit", () => {
    const text = textOf("Containerfile");
    const [, words = "[]"] = /^CMD (.*)$/m.exec(text) ?? [];
    expect(faultsIn(JSON.parse(words) as readonly string[])).toEqual([]);
    expect(text).toContain("ENV QUORUMLAB_COMMIT=$COMMIT");
    const { bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    const [, entry = "[]"] = /^ENTRYPOINT (.*)$/m.exec(text) ?? [];
    expect(Object.keys(bin)).toEqual(JSON.parse(entry));
  });

  test("Compose starts a campaign and its workers on the queue beside them", () => {
    const { services } = parse(textOf("compose.yaml")) as {
      readonly services: Readonly<Record<string, { readonly command: readonly string[] }>>;
    };
    expect(Object.keys(services)).toEqual(["redis", "start", "worker"]);
    for (const name of ["start", "worker"]) {
      expect(faultsIn(services[name]?.command ?? [])).toEqual([]);
      expect(services[name]?.command).toContain("redis://redis:6379");
    }
    // BullMQ loses jobs on a server that evicts keys.
    expect(services["redis"]?.command).toContain("noeviction");
  });

  test("the indexed Job has as many workers as indexes, which end with the campaign", () => {
    const { apiVersion, kind, spec } = parse(textOf("job.yaml"));
    expect([apiVersion, kind, spec.completionMode]).toEqual(["batch/v1", "Job", "Indexed"]);
    expect(spec.completions).toBe(spec.parallelism);
    const [{ args }] = spec.template.spec.containers as [Container];
    expect(faultsIn(args)).toEqual([]);
    expect(args).not.toContain("--stay");
  });

  test("KEDA scales on the key that holds the waiting jobs", () => {
    const { apiVersion, kind, spec } = parse(textOf("keda.yaml"));
    expect([apiVersion, kind]).toEqual(["keda.sh/v1alpha1", "ScaledJob"]);
    const [{ args }] = spec.jobTargetRef.template.spec.containers as [Container];
    expect(faultsIn(args)).toEqual([]);
    expect(args).not.toContain("--stay");
    const [{ type, metadata }] = spec.triggers;
    expect(type).toBe("redis");
    expect(metadata.listName).toBe(`${PREFIX}:${targetOf({}).name}:prioritized`);
  });
});
