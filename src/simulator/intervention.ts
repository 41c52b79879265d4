/** Change of a run against another run of the same plan: what arrives, and from when on chance is another one. */
import type { Arrival } from "./listener.ts";

export interface Intervention {
  /**
   * Called with each parcel that has reached a party from another one, once. Returns the parcels that it receives in its
   * place, in this order: none loses it; later ones of the same receiver may come before it.
   */
  readonly arrivalsFor?: (arrival: Arrival) => readonly Arrival[];
  /** After event number `after` all chance is drawn from another seed. */
  readonly reseed?: { readonly after: number; readonly seed: string };
}
