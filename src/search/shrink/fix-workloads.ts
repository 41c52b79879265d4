/** Replacement of workloads by the submissions that they draw, so that a minimized file names payers, recipients and amounts. */

import { isRecovery } from "../../core/base/operation.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { formOf } from "../../scenario/submission-form.ts";
import { type Attempts, type FailingRun, RUN_EVENTS, ShrinkStop } from "./attempts.ts";

/** Most submissions that take the place of workloads: a longer file explains less than its workload. */
const SUBMISSIONS_MAX = 60;

/** Replaces all workloads, each by its orders at the times at which they left; keeps them where the failure goes away. */
export function* fixWorkloads(attempts: Attempts): Interruptible<void> {
  const { steps = [] } = attempts.best.scenario;
  if (!steps.some(({ workload }) => workload !== undefined)) return;
  const drawn = yield* submissionsOf(attempts.best);
  if (drawn.length === 0 || drawn.length > SUBMISSIONS_MAX) return;
  yield* attempts.change((scenario) => {
    const rest = (scenario.steps ?? []).filter(({ workload }) => workload === undefined);
    return { ...scenario, steps: [...rest, ...drawn].sort((a, b) => (a.at ?? 0) - (b.at ?? 0)) };
  });
}

/** The first submission of each operation without a name, in the order of time. One run, beside the limit. @throws Stopped */
function* submissionsOf({ scenario, seed }: FailingRun): Interruptible<readonly Step[]> {
  const found = new Map<string, Step>();
  const used = new Set((scenario.steps ?? []).flatMap(({ submit }) => submit?.id ?? []));
  let at = 0;
  let number = 0;
  const nextId = (): string => {
    do number += 1;
    while (used.has(`o${number}`));
    return `o${number}`;
  };
  const run = runInSlices(scenario, {
    seed,
    events: scenario.events ?? RUN_EVENTS,
    watch: ({ directory, operations }) => {
      const named = new Set(operations.values());
      return {
        eventBegins: (_step, now) => {
          at = now;
        },
        submitted: (_client, id, submission) => {
          if (named.has(id) || found.has(id) || isRecovery(submission)) return;
          const form = formOf(submission, directory);
          if (form === undefined) return;
          const { nonce, layout } = submission.operation;
          const head = { id: nextId(), nonce, ...(layout === "client" ? {} : { layout }) };
          found.set(id, { at, submit: { ...head, [form.verb]: form.members } } as Step);
        },
      };
    },
  });
  if ((yield* unlessStopped(run)) === undefined) throw new ShrinkStop("interrupted");
  return [...found.values()];
}
