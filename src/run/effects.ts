/**
 * Steps of a scenario without an effect: events that never came, rules that matched no message, strategies that changed
 * none, links that nobody used, stops of what was stopped. A run in which the attack was left out shows nothing.
 */
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";
import type { Action } from "../simulator/plan.ts";
import type { Party } from "../simulator/settings.ts";

/** A step without an effect, by its number in the file, from 1. */
export interface IdleStep {
  readonly step: number;
  /** Says what did not happen: `rule late held no message`. */
  readonly reason: string;
}

interface EffectRecord {
  readonly listener: WorldListener;
  /** Steps without an effect until now, in the order of the file, but those that may have none. */
  idleSteps(): readonly IdleStep[];
}

/** Returns a record of what each step of a compiled scenario does. */
export function createEffectRecord({
  planned,
  scenario,
}: Pick<CompiledScenario, "planned" | "scenario">): EffectRecord {
  const isMeant = (index: number): boolean => scenario.steps?.[index]?.allow_idle === true;
  const pending = new Set(
    planned.flatMap((actions, index) => (isMeant(index) ? [] : actions.map(({ action }) => action))),
  );
  /** Carried out, and without an effect until now. */
  let watched: Action[] = [];
  const suspended = new Set<Party>();
  /** Validators that wrote since their last backup. */
  const written = new Set<Party>();
  const noteEffect = (isCause: (action: Action) => boolean): void => {
    if (watched.length === 0) return;
    for (const action of watched) if (isCause(action)) pending.delete(action);
    watched = watched.filter((action) => pending.has(action));
  };
  return {
    listener: {
      acted: (action) => {
        if (action.do === "suspend") suspended.add(action.node);
        const isEnd = action.do === "resume" && suspended.delete(action.node);
        if (action.do === "backup") written.delete(action.node);
        const isRollback = action.do === "restore" && written.has(action.node);
        if (!pending.has(action)) return;
        if (isEnd || isRollback || idleReason(action) === undefined) pending.delete(action);
        else watched.push(action);
      },
      sent: (from, to) => noteEffect((action) => action.do === "link" && changesLink(action, from, to)),
      lost: (from, to, _parcel, _number, cause) => {
        if (cause === "partition") noteEffect((action) => separates(action, from, to));
      },
      held: (_from, _to, _parcel, rule) => noteEffect((action) => action.do === "hold" && action.rule === rule),
      dropped: (_from, _to, _parcel, rule) => noteEffect((action) => action.do === "drop" && action.rule === rule),
      intercepted: (node, strategy) =>
        noteEffect((action) => action.do === "byzantine" && action.node === node && action.strategy === strategy),
      crashed: ({ name }) => {
        suspended.delete(name);
        noteEffect((action) => action.do === "crash" && action.node === name);
      },
      postponed: (node) => noteEffect((action) => action.do === "suspend" && action.node === node),
      restarted: ({ name }) => noteEffect((action) => action.do === "restart" && action.node === name),
      carriedOut: ({ name }, { type }) => {
        if (type !== "persist") return;
        written.add(name);
        noteEffect((action) => action.do === "disk" && action.node === name);
      },
    },
    idleSteps: () =>
      planned.flatMap((actions, index) => {
        const idle = actions.find(({ action }) => pending.has(action));
        // Of a chaos one effect is enough, and the end of a fault is none.
        const isEffective = actions.some(({ action }) => !pending.has(action) && idleReason(action) !== undefined);
        if (idle === undefined || isEffective) return [];
        const reason = watched.includes(idle.action) ? idleReason(idle.action) : undefined;
        return [{ step: index + 1, reason: reason ?? "the event that it waits for never came" }];
      }),
  };
}

/** Returns what an action did not do if nothing follows it; `undefined` for one that is its own effect. */
function idleReason(action: Action): string | undefined {
  return (IDLE_REASONS[action.do] as ((action: Action) => string) | undefined)?.(action);
}

const NOTHING_SEPARATED = "no message was lost between the parties that it separates";

const IDLE_REASONS: { readonly [Name in Action["do"]]?: (action: Extract<Action, { do: Name }>) => string } = {
  hold: ({ rule }) => `rule ${rule} held no message`,
  drop: ({ rule }) => `rule ${rule} dropped no message`,
  byzantine: ({ node, strategy }) => `${node} changed no message by ${strategy.name}`,
  partition: () => NOTHING_SEPARATED,
  cut: () => NOTHING_SEPARATED,
  link: () => "no message took a link that it changes",
  crash: ({ node }) => `${node} did not stop`,
  restart: ({ node }) => `${node} did not start again`,
  suspend: ({ node }) => `nothing reached ${node} while it was suspended`,
  resume: ({ node }) => `${node} was not suspended`,
  restore: ({ node }) => `${node} wrote nothing since its backup`,
  disk: ({ node }) => `${node} wrote nothing`,
};

function changesLink({ from, to }: Extract<Action, { do: "link" }>, sender: Party, receiver: Party): boolean {
  return (from?.includes(sender) ?? true) && (to?.includes(receiver) ?? true);
}

function separates(action: Action, from: Party, to: Party): boolean {
  if (action.do === "cut") return action.from.includes(from) && action.to.includes(to);
  if (action.do !== "partition") return false;
  const groupOf = (party: Party): number => action.groups.findIndex((group) => group.includes(party));
  const [sender, receiver] = [groupOf(from), groupOf(to)];
  return sender >= 0 && receiver >= 0 && sender !== receiver;
}
