/** Combination of several world listeners into one. */
import type { WorldListener } from "../simulator/listener.ts";

/** A listener that passes each call to all of them in order. */
export function joined(...listeners: readonly WorldListener[]): WorldListener {
  return listeners.reduce(pair);
}

function pair(first: WorldListener, second: WorldListener): Required<WorldListener> {
  return {
    eventBegins: (...args) => {
      first.eventBegins?.(...args);
      second.eventBegins?.(...args);
    },
    signed: (...args) => {
      first.signed?.(...args);
      second.signed?.(...args);
    },
    stepped: (...args) => {
      first.stepped?.(...args);
      second.stepped?.(...args);
    },
    carriedOut: (...args) => {
      first.carriedOut?.(...args);
      second.carriedOut?.(...args);
    },
    sent: (...args) => {
      first.sent?.(...args);
      second.sent?.(...args);
    },
    lost: (...args) => {
      first.lost?.(...args);
      second.lost?.(...args);
    },
    held: (...args) => {
      first.held?.(...args);
      second.held?.(...args);
    },
    crashed: (node) => {
      first.crashed?.(node);
      second.crashed?.(node);
    },
    restarted: (...args) => {
      first.restarted?.(...args);
      second.restarted?.(...args);
    },
    submitted: (...args) => {
      first.submitted?.(...args);
      second.submitted?.(...args);
    },
    answered: (...args) => {
      first.answered?.(...args);
      second.answered?.(...args);
    },
    acted: (action) => {
      first.acted?.(action);
      second.acted?.(action);
    },
    healed: (core) => {
      first.healed?.(core);
      second.healed?.(core);
    },
  };
}
