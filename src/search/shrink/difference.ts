/** First difference between two runs, described in terms that hold in both. */
import type { PartyEvent } from "../../run/narrative/party-events.ts";

/** Divergence of two runs. */
export interface Difference {
  /** Event of the first run at which they diverge, or the party's next one. */
  readonly event: number;
  /** Condition of the second run, such as `v2's commit … reaches v3 before v1's change … does`. */
  readonly text: string;
  /** First signature that differs, as a sentence; `undefined` if there is none or `words` has it. */
  readonly firstSignature: string | undefined;
}

/**
 * Compares the moments of each party in its own order, since the order across parties is arbitrary. Repetitions count
 * once. Returns `undefined` for equal runs. `here` is the run to explain, `there` the other one.
 */
export function firstDifference(here: readonly PartyEvent[], there: readonly PartyEvent[]): Difference | undefined {
  const [mine, others] = [firstTimes(here), firstTimes(there)];
  const parting = partingOf(mine, others);
  if (parting === undefined) return undefined;
  const signed = partingOf(
    mine.filter(({ isSigned }) => isSigned),
    others.filter(({ isSigned }) => isSigned),
  );
  const words = whatDiffers(parting, mine, others);
  const said = signed === undefined ? undefined : whatIsSigned(signed, mine, others);
  return { event: parting.event, text: words, firstSignature: said?.startsWith(words) === true ? undefined : said };
}

interface Parting {
  readonly event: number;
  readonly here: PartyEvent | undefined;
  readonly there: PartyEvent | undefined;
}

function firstTimes(moments: readonly PartyEvent[]): readonly PartyEvent[] {
  const seen = new Set<string>();
  return moments.filter(({ party, clause }) => {
    const key = `${party} ${clause}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the earliest divergence of all parties. */
function partingOf(here: readonly PartyEvent[], there: readonly PartyEvent[]): Parting | undefined {
  const parties = new Set([...here, ...there].map(({ party }) => party));
  const partings = [...parties].flatMap((party) => {
    const [mine = [], others = []] = [here, there].map((all) => all.filter((one) => one.party === party));
    return firstUnlike(mine, others) ?? [];
  });
  return partings.sort((a, b) => timeOf(a) - timeOf(b) || a.event - b.event)[0];
}

function firstUnlike(mine: readonly PartyEvent[], others: readonly PartyEvent[]): Parting | undefined {
  const place = Array.from({ length: Math.max(mine.length, others.length) }, (_, at) => at).find(
    (at) => mine[at]?.clause !== others[at]?.clause,
  );
  if (place === undefined) return undefined;
  const [here, there] = [mine[place], others[place]];
  return { event: here?.event ?? Number.MAX_SAFE_INTEGER, here, there };
}

function timeOf({ here, there }: Parting): number {
  return Math.min(here?.at ?? Number.MAX_SAFE_INTEGER, there?.at ?? Number.MAX_SAFE_INTEGER);
}

/** Describes the condition of the second run: another order, an earlier time, or an event of one run only. */
function whatDiffers({ here, there }: Parting, mine: readonly PartyEvent[], others: readonly PartyEvent[]): string {
  if (there === undefined) return `it never happens that ${here?.clause ?? "anything else does"}`;
  const otherwise = mine.find((one) => isSame(one, there));
  if (otherwise === undefined) return `${there.clause}, which never happens otherwise`;
  const isMissing = here !== undefined && !others.some((one) => isSame(one, here));
  if (isMissing && there.at >= otherwise.at) return `it never happens that ${here.clause}`;
  if (isMissing) return `${there.clause} at ${there.at} ms, and not at ${otherwise.at} ms only`;
  return here === undefined ? there.clause : `${there.clause} before ${shortly(here, there)}`;
}

function isSame(one: PartyEvent, other: PartyEvent): boolean {
  return one.party === other.party && one.clause === other.clause;
}

/** If one party receives both messages, the second needs no verb of its own. */
function shortly(here: PartyEvent, there: PartyEvent): string {
  return here.received !== undefined && there.received !== undefined ? `${here.received.text} does` : here.clause;
}

function whatIsSigned({ here, there }: Parting, mine: readonly PartyEvent[], others: readonly PartyEvent[]): string {
  const instead = here !== undefined && !others.some((one) => isSame(one, here)) ? here : undefined;
  if (there === undefined)
    return `it never happens that ${here?.clause ?? "a validator signs"}, as otherwise at ${here?.at ?? 0} ms`;
  const later = mine.find((one) => isSame(one, there));
  if (later !== undefined) return `${there.clause} at ${there.at} ms, otherwise at ${later.at} ms`;
  const otherwise =
    instead === undefined ? "which it never does otherwise" : `where otherwise ${instead.clause} at ${instead.at} ms`;
  return `${there.clause} at ${there.at} ms, ${otherwise}`;
}
