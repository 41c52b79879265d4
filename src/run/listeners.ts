/** Combination of several world listeners into one. */
import type { WorldListener } from "../simulator/listener.ts";

type Callback = keyof WorldListener;

/** Every callback; the compiler asks for a new one. */
const CALLBACKS = Object.keys({
  eventBegins: true,
  signed: true,
  stepped: true,
  carriedOut: true,
  sent: true,
  lost: true,
  held: true,
  crashed: true,
  restarted: true,
  submitted: true,
  answered: true,
  acted: true,
  healed: true,
} satisfies Record<Callback, true>) as readonly Callback[];

/** A listener that passes each call to all that listen to it, in order; a callback without a listener is absent. */
export function joined(...listeners: readonly WorldListener[]): WorldListener {
  const all: Partial<Record<Callback, (...args: readonly unknown[]) => void>> = {};
  for (const name of CALLBACKS) {
    const calls = listeners.flatMap((one) => {
      const call = one[name] as ((...args: readonly unknown[]) => void) | undefined;
      return call === undefined ? [] : [call.bind(one)];
    });
    const [first] = calls;
    if (first === undefined) continue;
    const each = (...args: readonly unknown[]): void => {
      for (const call of calls) call(...args);
    };
    all[name] = calls.length === 1 ? first : each;
  }
  return all;
}
