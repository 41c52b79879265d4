/** Colours of the diagram, from the style sheet: they follow light and dark. */

export interface Theme {
  readonly font: string;
  /** Of words beside marks. */
  readonly smallFont: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  readonly bad: string;
  readonly fault: string;
  readonly byzantine: string;
  tone(name: string): string;
  /** Colour of a message by its kind. */
  message(kind: string): string;
}

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
export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const colours = new Map<string, string>();
  const colour = (name: string): string => {
    const known = colours.get(name);
    if (known !== undefined) return known;
    const value = style.getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
    return value;
  };
  return {
    font: `12px ${style.fontFamily}`,
    smallFont: `10.5px ${style.fontFamily}`,
    surface: colour("surface"),
    text: colour("text"),
    muted: colour("muted"),
    line: colour("line"),
    accent: colour("accent"),
    bad: colour("bad"),
    fault: colour("fault"),
    byzantine: colour("byzantine"),
    tone: colour,
    message: (kind) => colour(TONE_OF_MESSAGE[kind] ?? "muted"),
  };
}
