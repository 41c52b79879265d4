/** Limit of the requests that wait for the network at one time, in total and for each account. */
import type { Address } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { HttpError } from "./http-error.ts";
import type { HttpLimits } from "./limits.ts";

export interface RequestLimit {
  /** Takes a slot, also of the account if given; the value releases it, once. */
  enter(account?: Address): Result<() => void, HttpError>;
  /** Slots taken. */
  readonly waiting: number;
}

/** Returns a limit with all slots free. */
export function createRequestLimit(limits: Pick<HttpLimits, "waiting" | "waitingPerAccount">): RequestLimit {
  const places = new Map<Address, number>();
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    enter(account) {
      if (waiting >= limits.waiting) {
        return err(full(`${waiting} requests wait for the network, the limit; nothing was admitted`));
      }
      const own = account === undefined ? 0 : (places.get(account) ?? 0);
      if (account !== undefined && own >= limits.waitingPerAccount) {
        return err(full(`${own} requests of ${account} wait for their response, the limit; nothing was admitted`));
      }
      waiting++;
      if (account !== undefined) places.set(account, own + 1);
      return ok(() => {
        waiting--;
        if (account !== undefined) leave(places, account);
      });
    },
  };
}

function leave(places: Map<Address, number>, account: Address): void {
  const left = (places.get(account) ?? 0) - 1;
  if (left > 0) places.set(account, left);
  else places.delete(account);
}

function full(message: string): HttpError {
  return { status: 429, code: "rate_limit_exceeded", message };
}
