/** Answers to requests, bounded for each peer (protocol 9.2). */
import { SERVED_PER_SECOND } from "../limits.ts";
import type { Decisions, Peer, SnapshotOffer, StatePieces } from "../message.ts";
import { coverage, type StepContext, send } from "../step-context.ts";

/** Returns true if a peer may be served more in this second; another request gets no answer, and its sender asks again. */
export function mayServe(context: StepContext, to: Peer): boolean {
  if (servedTo(context, to) < SERVED_PER_SECOND) return true;
  coverage(context, "request beyond the rate");
  return false;
}

/** Sends what a peer asked for, unless it has got enough in this second. `size` is that of the budgets (protocol 9.2). */
export function serve(
  context: StepContext,
  to: Peer,
  answer: Decisions | SnapshotOffer | StatePieces,
  size: number,
): void {
  const { state, at } = context;
  if (to === state.environment.self || !mayServe(context, to)) return;
  state.sync.served.set(to, { second: Math.floor(at / 1_000), size: servedTo(context, to) + size });
  send(context, [to], answer);
}

function servedTo({ state, at }: StepContext, to: Peer): number {
  const last = state.sync.served.get(to);
  return last?.second === Math.floor(at / 1_000) ? last.size : 0;
}
