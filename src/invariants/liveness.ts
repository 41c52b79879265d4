/** Design 7.8: after the healing every operation of a correct client is decided within the bound. */
import { unreachable } from "../core/base/assert.ts";
import { isRecovery, type OperationId } from "../core/base/operation.ts";
import type { Application } from "./application.ts";
import type { Chronicle } from "./chronicle.ts";
import { type Oracle, oracle, type Place, type Report } from "./fold.ts";
import {
  accountOf,
  type Cases,
  closed,
  furthered,
  handedIn,
  noCases,
  nonceAsked,
  settledBy,
} from "./liveness-cases.ts";
import { explained, isExcused } from "./liveness-explained.ts";
import type { Observed, Setting } from "./observation.ts";
import { type Roster, roster } from "./roster.ts";
import { short } from "./words.ts";

interface Scene {
  readonly setting: Setting;
  readonly who: Roster;
  readonly seen: Chronicle;
  readonly report: Report;
}

const HEEDS = ["applied", "submitted", "answered", "healed", "ended"] as const;

/** Follows every waiting operation. Late ends are judged when they come, missing ones at the end, with the reason. */
export function liveness(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("liveness", HEEDS, noCases(), (cases, seen, record, report) => {
    const scene = { setting, who, seen, report };
    switch (record.type) {
      case "applied":
        return record.honest ? applied(scene, cases, record) : cases;
      case "submitted":
        return submitted(who, cases, record);
      case "answered":
        return answered(scene, cases, record);
      case "healed":
        return { ...cases, healed: { at: record.at, core: record.core } };
      case "ended":
        judgeAll(scene, cases, record);
        return cases;
      default:
        return unreachable(record);
    }
  });
}

function applied(scene: Scene, before: Cases, one: Application): Cases {
  let cases = before;
  for (const id of settledBy(cases, one)) cases = settle(scene, cases, id, true, one);
  return furthered(cases, one);
}

/**
 * A correct client's operation is owed a decision, but one that comes when its nonce is used up: that is an answer only.
 * Of the others a recovery is: with its proof shown to an honest node, the account that its owner blocked must get
 * going again.
 */
function submitted(who: Roster, cases: Cases, record: Extract<Observed, { readonly type: "submitted" }>): Cases {
  const { id, submission, client, at, to } = record;
  if (!record.correct && !(isRecovery(submission) && who.isHonestNode(to))) return cases;
  if (nonceAsked(submission) < (cases.accounts.get(accountOf(submission))?.nonce ?? 0)) return cases;
  return handedIn(cases, { id, submission, client, at, to: [to] });
}

function answered(scene: Scene, cases: Cases, record: Extract<Observed, { readonly type: "answered" }>): Cases {
  const { answer, id } = record;
  switch (answer.status) {
    case "pending":
    case "settled":
      return cases;
    case "final":
    case "superseded":
      return settle(scene, cases, id, true, record);
    case "refused":
      return settle(scene, cases, id, answer.shown, record);
    default:
      return unreachable(answer);
  }
}

function settle({ setting, report }: Scene, cases: Cases, id: OperationId, forGood: boolean, where: Place): Cases {
  const known = cases.waiting.get(id);
  if (known !== undefined && cases.healed !== undefined) {
    const from = Math.max(cases.healed.at, known.at);
    if (where.at - from > setting.livenessMs) {
      report(
        `${short(id)} of ${known.client} was decided ${where.at - from} ms after ` +
          `${from === known.at ? "it was handed in" : "the healing"}, the bound is ${setting.livenessMs} ms`,
        { where },
      );
    }
  }
  return closed(cases, id, forGood);
}

function judgeAll(scene: Scene, cases: Cases, end: Extract<Observed, { readonly type: "ended" }>): void {
  if (cases.healed === undefined) return;
  const { setting, who, seen, report } = scene;
  for (const one of cases.waiting.values()) {
    const isPast = end.at - Math.max(cases.healed.at, one.at) > setting.livenessMs;
    if (!end.rested && !isPast) continue;
    const telling = { setting, who, seen, cases, core: coreOf(scene, cases) };
    if (!isExcused(telling, one)) report(explained(telling, one));
  }
}

function coreOf({ setting, who }: Scene, cases: Cases): readonly number[] {
  const places: number[] = [];
  for (const { node, key } of setting.nodes) {
    const place = who.indexOf(key);
    if (place !== undefined && cases.healed?.core.includes(node)) places.push(place);
  }
  return places;
}
