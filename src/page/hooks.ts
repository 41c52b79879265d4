/** Repeated reads of a server, and the colour scheme. */
import { useCallback, useEffect, useState } from "preact/hooks";

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

/** The newest state that the server tells; `fault` says why there is none, or no newer one. */
export interface ServedState<State> {
  readonly state: State | undefined;
  readonly fault: string;
  /** Reads the state at once. */
  readonly refresh: () => void;
}

/** Reads the state of the page's server each `ms` milliseconds. */
export function useServedState<State>(ms: number): ServedState<State> {
  const [state, setState] = useState<State>();
  const [fault, setFault] = useState("");
  const read = useCallback(async (): Promise<void> => {
    try {
      const response = await fetch("/page/state.json");
      if (!response.ok) throw new Error(`the server answers ${response.status}: ${await response.text()}`);
      setState((await response.json()) as State);
      setFault("");
    } catch (error) {
      setFault(`No news since ${new Date().toLocaleTimeString("en-GB")}: ${(error as Error).message}`);
    }
  }, []);
  useRepeated(read, ms, true);
  return { state, fault, refresh: () => void read() };
}

/** Returns a number that changes with the colour scheme: what is drawn in pixels has to be drawn again. */
export function useColourScheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setCount((before) => before + 1);
    scheme.addEventListener("change", changed);
    return () => scheme.removeEventListener("change", changed);
  }, []);
  return count;
}
