/** Tap on the events of a served run, for those who look at it. */
import { createRecorder } from "../run/events/recorder.ts";
import type { RunEvent, RunEventKind } from "../run/events/run-event.ts";
import { listenWhileWanted } from "../run/observers.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";

/** Receives events of these kinds while they are wanted; costs a call for each callback of the world while they are not. */
export interface EventTap {
  readonly kinds: ReadonlySet<RunEventKind>;
  readonly isWanted: () => boolean;
  readonly observe: (event: RunEvent) => void;
}

/** Events of the world for which names of operations and values are kept: some hundred payments. */
const EVENTS_NAMED = 20_000;

/** Returns the listener that feeds a tap. */
export function tapListener(compiled: CompiledScenario, { isWanted, kinds, observe }: EventTap): WorldListener {
  return listenWhileWanted(isWanted, EVENTS_NAMED, () => createRecorder(compiled, { kinds, observe }));
}
