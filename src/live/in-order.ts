/** Reordering of the notifications of one operation: `submitted` precedes its votes. */
import type { OperationId } from "../core/base/operation.ts";
import type { News } from "./news.ts";

type Signed = Extract<News, { type: "signed" }>;

/**
 * The entry validator votes before it responds that it has admitted an operation: votes are reported after `submitted`,
 * or before the next notification of an operation that no client submitted here. `isKnown`: whether it was submitted.
 */
export function inOrder(tell: (news: News) => void, isKnown: (id: OperationId) => boolean): (news: News) => void {
  const early = new Map<OperationId, Signed[]>();
  const tellEarly = (id: OperationId): void => {
    const votes = early.get(id) ?? [];
    early.delete(id);
    for (const vote of votes) tell(vote);
  };
  return (news) => {
    switch (news.type) {
      case "checkpoint":
      case "violation":
        tell(news);
        return;
      case "signed":
        if (isKnown(news.id)) tell(news);
        else early.set(news.id, [...(early.get(news.id) ?? []), news]);
        return;
      case "submitted":
        tell(news);
        tellEarly(news.copy.id);
        return;
      default:
        tellEarly(news.id);
        tell(news);
    }
  };
}
