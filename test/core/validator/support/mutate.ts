/** Messages with the shape of real ones and other contents: what a Byzantine validator can send past any decoder. */

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;
const NUMBERS = [0, 1, 2, 3, 5, 63, 64, 65, 2 ** 31, 2 ** 40];

type Json = unknown;

/** Small numbers from a test's choice, one after the other. */
export type Draw = (below: number) => number;

/** Parts of the messages seen so far, by kind, so that one can replace another. */
export class Parts {
  private readonly byKind = new Map<string, Json[]>();

  /** Collects the parts of a message. */
  collect(part: Json): void {
    const kind = kindOf(part);
    if (kind !== "") this.byKind.set(kind, [...(this.byKind.get(kind) ?? []), part].slice(-200));
    if (typeof part !== "object" || part === null) return;
    for (const inner of Object.values(part)) this.collect(inner);
  }

  /** Returns the message with about one part in `rarity` replaced, and list entries left out or repeated. */
  mutate(part: Json, draw: Draw, rarity: number): Json {
    const kind = kindOf(part);
    const others = this.byKind.get(kind);
    if (others !== undefined && draw(rarity) === 0) return others[draw(others.length)];
    if (typeof part === "number" && draw(rarity) === 0) return NUMBERS[draw(NUMBERS.length)];
    if (Array.isArray(part)) return this.mutateList(part, draw, rarity);
    if (part instanceof Map) return new Map(this.mutateList([...part], draw, rarity) as readonly [Json, Json][]);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, this.mutate(inner, draw, rarity)]));
  }

  private mutateList(list: readonly Json[], draw: Draw, rarity: number): readonly Json[] {
    const mutated = list.map((part) => this.mutate(part, draw, rarity));
    const [first] = mutated;
    switch (draw(rarity * 2)) {
      case 0:
        return mutated.slice(1);
      case 1:
        return first === undefined ? mutated : [first, ...mutated];
      default:
        return mutated;
    }
  }
}

/** Texts by their form, records by their tag or their members; empty for parts that are never exchanged. */
function kindOf(part: Json): string {
  if (typeof part === "bigint") return "amount";
  if (typeof part === "string")
    return ADDRESS.test(part) ? "address" : HASH.test(part) ? "hash" : SIGNATURE.test(part) ? "signature" : "";
  if (typeof part !== "object" || part === null || Array.isArray(part)) return "";
  if ("operation" in part && "sender" in part) return "signed";
  if ("sequence" in part || "version" in part) return "slot";
  if ("value" in part && "operations" in part) return "content";
  if ("seals" in part) return `certificate ${(part as { type?: string }).type}`;
  if ("signer" in part && "slot" in part) return `body ${(part as { type?: string }).type}`;
  if ("layout" in part) return "operation";
  if ("slot" in part && "content" in part) return "";
  if ("ids" in part || "outcome" in part || "displaced" in part) return "value";
  if (!("kind" in part)) return "";
  return "votes" in part || "vote" in part || "content" in part ? "reason" : "";
}
