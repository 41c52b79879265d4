/** News of one operation in the order in which it makes sense to whoever watches. */
import type { OperationId } from "../core/base/operation.ts";
import type { News } from "./news.ts";

type Signed = Extract<News, { type: "signed" }>;

/**
 * The asked validator votes before it answers that it has admitted an operation: votes are told after `submitted`, or
 * before whatever else is told of an operation that nobody handed in here. `isKnown`: whether it was handed in.
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
