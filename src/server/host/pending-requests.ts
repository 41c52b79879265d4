/** Clients that wait for the first response of a node, and responses that wait for the recording. */
import { entryOf } from "../../core/base/entry.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { NodeName } from "../../simulator/settings.ts";
import { ANSWER_MS } from "../limits.ts";

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
