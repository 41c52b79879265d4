/** Several workers that take jobs from one source. */

/**
 * Lets each worker take jobs until `take` returns `undefined`. After "later" a worker asks again when another one has
 * ended a job.
 */
export async function workThrough<Worker, Job extends object>(
  workers: readonly Worker[],
  take: () => Promise<Job | "later" | undefined>,
  work: (worker: Worker, job: Job) => Promise<void>,
): Promise<void> {
  let waiting: (() => void)[] = [];
  const loop = async (worker: Worker): Promise<void> => {
    for (;;) {
      // Before the question: what changes while it is answered must not be missed.
      const change = new Promise<void>((resolve) => waiting.push(resolve));
      const job = await take();
      if (job === undefined) return;
      if (job === "later") await change;
      else {
        await work(worker, job);
        for (const wake of waiting) wake();
        waiting = [];
      }
    }
  };
  await Promise.all(workers.map(loop));
}
