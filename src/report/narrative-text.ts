/** Text of a narrative for a terminal: one line per sentence, with its virtual time in front. */
import { countText } from "../invariants/text.ts";
import type { Line } from "../run/events/narrative.ts";
import type { Narrative, NarrativeEnd } from "./narrative.ts";
import type { Paint } from "./paint.ts";

const TIME_WIDTH = 8;

/** The last `most` lines of a narrative. `more`: the command that prints all of them. */
export function narrativeText(narrative: Narrative, most: number, more: string, paint: Paint): string {
  const { title, parties, lines, after, demands, end } = narrative;
  const left = Math.max(0, lines.length - most);
  const cut = left === 0 ? [] : [paint("dim", `${countText(left, "earlier line")}: ${more}`)];
  const rest = after === 0 ? [] : [paint("dim", countText(after, "more line"))];
  return [
    `${paint("strong", title)}`,
    paint("dim", parties),
    ...cut,
    ...timed(lines.slice(left), paint),
    ...rest,
    endText(end, paint),
    ...(end.verdict === "unmet" ? end.unmet.map((words) => `expected ${words}`) : []),
    ...demands,
    "",
  ].join("\n");
}

/** Prints each time once. */
function timed(lines: readonly Line[], paint: Paint): readonly string[] {
  let before: number | undefined;
  return lines.map(({ at, text, isBreach }) => {
    const time = at === before ? "" : `${at} ms`;
    before = at;
    return `${paint("dim", time.padStart(TIME_WIDTH))}  ${isBreach ? paint("bad", text) : text}`;
  });
}

function endText({ verdict, reason, unmet, finals, virtualMs }: NarrativeEnd, paint: Paint): string {
  // The lines contain violations and stalls already.
  const isShown = verdict === "unmet" ? unmet.length > 0 : verdict !== "error";
  const why = isShown ? "" : ` ${reason}`;
  const facts = paint("dim", `${finals} final after ${virtualMs} ms`);
  return `${paint(verdict === "pass" ? "good" : "bad", verdict)}${why}  ${facts}`;
}
