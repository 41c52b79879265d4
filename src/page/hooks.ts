/** Repeated reads of a server, the cone of the chosen event, and the colour scheme. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { coneOf } from "../report/timeline/causality.ts";
import type { Timeline } from "../report/timeline/model.ts";

/** Returns what the server answers; `undefined` where it does not: the state of the page says that. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  const response = await fetch(path).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as T) : undefined;
}

/**
 * Reads a state of the page's server while it is wanted and the page is in sight, `ms` milliseconds after each answer, and at
 * each `refresh`; `fault` says why there is no newer one.
 */
export function useServedState<State>(path: string, ms: number, isWanted = true) {
  const [state, setState] = useState<State>();
  const [fault, setFault] = useState("");
  const read = useCallback(async (): Promise<void> => {
    try {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`the server answers ${response.status}: ${await response.text()}`);
      setState((await response.json()) as State);
      setFault("");
    } catch (error) {
      setFault(`No news since ${new Date().toLocaleTimeString("en-GB")}: ${(error as Error).message}`);
    }
  }, [path]);
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer = 0;
    let isOver = false;
    const next = async (): Promise<void> => {
      if (!document.hidden) await read();
      if (!isOver) timer = window.setTimeout(next, ms);
    };
    void next();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [read, ms, isWanted]);
  return { state, fault, refresh: () => void read() };
}

/** Returns the causes and effects of the chosen event, unless they are switched off, and the switch. */
export function useCone(model: Timeline, chosen: number | undefined) {
  const [showsCone, setShowsCone] = useState(true);
  const cone = useMemo(
    () => (chosen === undefined || !showsCone || chosen >= model.events.length ? undefined : coneOf(model, chosen)),
    [model, chosen, showsCone],
  );
  return { cone, showsCone, setShowsCone };
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
