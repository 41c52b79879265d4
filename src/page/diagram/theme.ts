/** Colours of the diagram, from the style sheet: they follow light and dark. */

/** Colours by their names in the style sheet, and fonts. */
export type Theme = ReturnType<typeof themeOf>;

const TONE_OF_MESSAGE: Readonly<Record<string, string>> = {
  submit: "client",
  reply: "client",
  offer: "proposal",
  proposal: "proposal",
  vote: "vote",
  commit: "commit",
  roundChange: "round",
  close: "round",
};

/** Reads the colours of an element. */
export function themeOf(element: Element) {
  const style = getComputedStyle(element);
  const colours = new Map<string, string>();
  const tone = (name: string): string => {
    const known = colours.get(name);
    if (known !== undefined) return known;
    const value = style.getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
    return value;
  };
  return {
    font: `12px ${style.fontFamily}`,
    /** Of words beside marks. */
    smallFont: `10.5px ${style.fontFamily}`,
    tone,
    /** Colour of a message by its kind. */
    message: (kind: string) => tone(TONE_OF_MESSAGE[kind] ?? "muted"),
  };
}

/** Returns the context of a canvas, if there is one, of this size in pixels of the page, whatever those of the screen are. */
export function contextOf(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  if (canvas === null) return undefined;
  const ratio = devicePixelRatio;
  const [pixels, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixels || canvas.height !== rows) [canvas.width, canvas.height] = [pixels, rows];
  const context = canvas.getContext("2d") ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
