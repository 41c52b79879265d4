/** Legend of the diagram: each mark as it is drawn. */
import { useEffect, useRef } from "preact/hooks";
import { drawMarksAt, LEGEND, type Mark } from "./marks.ts";
import { themeOf } from "./theme.ts";

const SIZE = 18;

export function Legend({ mode }: { readonly mode: number }) {
  return (
    <ul class="legend" aria-label="Legend">
      {LEGEND.map((mark) => (
        <li key={mark.label}>
          <Sample mark={mark} mode={mode} />
          {mark.label}
        </li>
      ))}
      <li>
        <span class="swatch down" />
        down
      </li>
      <li>
        <span class="swatch byzantine" />
        Byzantine
      </li>
      <li>
        <span class="swatch fault" />
        fault of the network
      </li>
      <li>
        <span class="swatch lost" />
        lost message
      </li>
    </ul>
  );
}

function Sample({ mark, mode }: { readonly mark: Mark; readonly mode: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || !context) return;
    const ratio = devicePixelRatio;
    [element.width, element.height] = [SIZE * ratio, SIZE * ratio];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMarksAt(context, mark, [SIZE / 2, SIZE / 2], 5, themeOf(element));
  }, [mark, mode]);
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} class="sample" />
    </span>
  );
}
