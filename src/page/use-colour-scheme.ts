/** Follows light and dark: what is drawn in pixels has to be drawn again. */
import { useEffect, useState } from "preact/hooks";

/** Returns a number that changes with the colour scheme. */
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
