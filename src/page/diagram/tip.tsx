/** Words for what is under the pointer. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

interface TipProps {
  readonly frame: RefObject<HTMLElement | null>;
  /** Returns the words for a point; empty for none. */
  readonly textAt: (x: number, y: number) => string;
}

/** Pixels between the pointer and the words. */
const AWAY = 14;

export function Tip({ frame, textAt }: TipProps) {
  const [{ text, x, y }, setTip] = useState({ text: "", x: 0, y: 0 });
  useEffect(() => {
    const element = frame.current;
    const moved = ({ offsetX, offsetY, buttons, target }: PointerEvent): void => {
      const next = buttons === 0 && target instanceof HTMLCanvasElement ? textAt(offsetX, offsetY) : "";
      setTip((before) => (before.text === next ? before : { text: next, x: offsetX, y: offsetY }));
    };
    const left = (): void => setTip({ text: "", x: 0, y: 0 });
    element?.addEventListener("pointermove", moved);
    element?.addEventListener("pointerleave", left);
    return () => {
      element?.removeEventListener("pointermove", moved);
      element?.removeEventListener("pointerleave", left);
    };
  });
  if (text === "" || frame.current === null) return null;
  const isLeft = x > frame.current.clientWidth / 2;
  const side = isLeft ? { right: `${frame.current.clientWidth - x + AWAY}px` } : { left: `${x + AWAY}px` };
  return (
    <div class="tip" style={{ ...side, top: `${y + AWAY}px` }} aria-hidden="true">
      {text}
    </div>
  );
}
