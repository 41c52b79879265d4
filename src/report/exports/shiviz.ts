/** Log for ShiViz: each event with the vector clock of its party. */
import type { Model } from "../timeline/model.ts";

/** Returns two lines for each event of a party: its sentence, and party with clock. O(events times parties). */
export function shivizText(model: Model): string {
  const { events, lanes, laneOf, messages, messageOf } = model;
  // ShiViz takes a host up to the first space.
  const hosts = lanes.map((name) => name.replaceAll(/\s/g, "_"));
  const clocks = lanes.map(() => new Uint32Array(lanes.length));
  const carried = new Map<number, Uint32Array>();
  const lines: string[] = [];
  for (const [at, event] of events.entries()) {
    const lane = laneOf[at] ?? -1;
    const clock = clocks[lane];
    if (clock === undefined || event.kind === "operation") continue;
    const message = messageOf[at] ?? -1;
    if (event.kind === "delivered") raise(clock, carried.get(message));
    clock[lane] = (clock[lane] ?? 0) + 1;
    if (event.kind === "sent") carried.set(message, clock.slice());
    if (messages[message]?.end === at) carried.delete(message);
    const known = hosts.flatMap((host, place) => ((clock[place] ?? 0) > 0 ? [[host, clock[place]] as const] : []));
    lines.push(
      `${model.text(at).replaceAll("\n", " ")}\n${hosts[lane]} ${JSON.stringify(Object.fromEntries(known))}\n`,
    );
  }
  return lines.join("");
}

function raise(clock: Uint32Array, other: Uint32Array | undefined): void {
  for (const [place, count] of other?.entries() ?? []) clock[place] = Math.max(clock[place] ?? 0, count);
}
