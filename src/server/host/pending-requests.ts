/** Clients that wait for the first response of a node, responses that wait for the recording, and waits for conditions. */
import { entryOf } from "../../core/base/entry.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { NodeName } from "../../simulator/settings.ts";
import { ANSWER_MS, WAITING_MAX } from "../limits.ts";

/** First response of the entry validator. */
export type HostResponse =
  | Reply
  /** The validator did not respond within the time limit: the operation may be admitted or not. */
  | { readonly status: "unanswered" };

interface PendingRequest {
  readonly resolve: (answer: HostResponse) => void;
  timer: NodeJS.Timeout | undefined;
}

export class PendingRequests {
  /** By node and operation. */
  readonly #requests = new Map<string, PendingRequest[]>();
  /** Answers that are sent once the recording has a verification point after them. */
  #answers: { readonly resolve: PendingRequest["resolve"]; readonly reply: Reply }[] = [];

  /** Resolves with the first answer of the node after `ask` is called. Most are there when it returns. */
  ask(id: OperationId, node: NodeName, ask: () => void): Promise<HostResponse> {
    const key = `${node} ${id}`;
    return new Promise((resolve) => {
      const request: PendingRequest = { resolve, timer: undefined };
      entryOf(this.#requests, key, () => []).push(request);
      ask();
      if (this.#requests.get(key)?.includes(request) === true)
        request.timer = setTimeout(() => this.#abandon(key, request), ANSWER_MS);
    });
  }

  /** Notes an answer, for `sendAnswers`. */
  answer(id: OperationId, node: NodeName, reply: Reply): void {
    const key = `${node} ${id}`;
    const waiting = this.#requests.get(key);
    if (waiting === undefined) return;
    this.#requests.delete(key);
    for (const { resolve, timer } of waiting) {
      clearTimeout(timer);
      this.#answers.push({ resolve, reply });
    }
  }

  sendAnswers(): void {
    const answers = this.#answers;
    this.#answers = [];
    for (const { resolve, reply } of answers) resolve(reply);
  }

  /** Leaves every request unanswered, those with a held answer included. */
  abandonAll(): void {
    for (const [key, waiting] of this.#requests) for (const request of waiting) this.#abandon(key, request);
    for (const { resolve } of this.#answers) resolve({ status: "unanswered" });
    this.#answers = [];
  }

  #abandon(key: string, asking: PendingRequest): void {
    const remaining = (this.#requests.get(key) ?? []).filter((request) => request !== asking);
    if (remaining.length === 0) this.#requests.delete(key);
    else this.#requests.set(key, remaining);
    clearTimeout(asking.timer);
    asking.resolve({ status: "unanswered" });
  }
}

interface Waiter {
  readonly condition: () => boolean;
  readonly resolve: (isMet: boolean) => void;
}

/** Callers that wait for a condition of the network, each for a bounded time and all within a bounded number. */
export class ConditionWaits {
  readonly #waiters = new Set<Waiter>();
  #isEnding = false;

  /** Resolves with true once the condition holds, and with false after `ms` milliseconds, at the bound or at the end. */
  async wait(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) return true;
    if (this.#isEnding || this.#waiters.size >= WAITING_MAX) return false;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        condition,
        resolve: (isMet) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(isMet);
        },
      };
      const timer = setTimeout(() => waiter.resolve(false), ms);
      this.#waiters.add(waiter);
    });
  }

  /** Ends the waits whose conditions hold. O(waits). */
  look(): void {
    for (const waiter of [...this.#waiters]) if (waiter.condition()) waiter.resolve(true);
  }

  /** Ends every wait, those to come included. */
  endAll(): void {
    this.#isEnding = true;
    for (const waiter of [...this.#waiters]) waiter.resolve(false);
  }
}
