/** Answers to requests, bounded for each peer (protocol 9.2). */
import { pieceWeight } from "../../ledger/pieces.ts";
import type { Content } from "../content.ts";
import { SERVED_PER_SECOND } from "../limits.ts";
import { contentSize } from "../mempool/budget.ts";
import type { Decisions, Peer, SnapshotOffer, StatePieces } from "../message.ts";
import { coverage, type StepContext, send } from "../step-context.ts";

type ServedAnswer = Decisions | SnapshotOffer | StatePieces;

/** Returns true if a peer may be served more in this second; another request gets no answer, and its sender asks again. */
export function mayServe(context: StepContext, to: Peer): boolean {
  if (servedSize(context, to) < SERVED_PER_SECOND) return true;
  coverage(context, "request beyond the rate");
  return false;
}

/** Sends what a peer asked for, unless it has got enough in this second. */
export function serveAnswer(context: StepContext, to: Peer, answer: ServedAnswer): void {
  const { state, at } = context;
  if (to === state.environment.self || !mayServe(context, to)) return;
  state.sync.served.set(to, { second: Math.floor(at / 1_000), size: servedSize(context, to) + sizeOf(answer) });
  send(context, [to], answer);
}

/** Sends as many of these decisions and contents as a peer may be served in this second: it asks again for the others. */
export function serveDecisions(context: StepContext, to: Peer, { decided, contents }: Omit<Decisions, "type">): void {
  let size = servedSize(context, to);
  const fits = (content: Content): boolean => {
    if (size >= SERVED_PER_SECOND) return false;
    size += contentSize(content);
    return true;
  };
  const answer = { decided: decided.filter(({ content }) => fits(content)), contents: contents.filter(fits) };
  if (decided.length + contents.length > 0) serveAnswer(context, to, { type: "decisions", ...answer });
}

/** Returns the size of an answer: contents as in the budgets, and the entries of a state. */
function sizeOf(answer: ServedAnswer): number {
  if (answer.type === "snapshot") return contentSize(answer.content) + answer.links.length;
  if (answer.type === "statePieces") return answer.pieces.reduce((sum, { piece }) => sum + pieceWeight(piece), 0);
  const contents = [...answer.decided.map(({ content }) => content), ...answer.contents];
  return contents.reduce((sum, content) => sum + contentSize(content), 0);
}

function servedSize({ state, at }: StepContext, to: Peer): number {
  const last = state.sync.served.get(to);
  return last?.second === Math.floor(at / 1_000) ? last.size : 0;
}
