/** Repeated reads of a server. */
import { useEffect } from "preact/hooks";

/** Calls again and again while the page is in sight, each time after the call before has ended. */
export function useRepeated(call: () => Promise<void>, ms: number, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer = 0;
    let isOver = false;
    const next = async (): Promise<void> => {
      if (!document.hidden) await call();
      if (!isOver) timer = window.setTimeout(next, ms);
    };
    void next();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [call, ms, isWanted]);
}
