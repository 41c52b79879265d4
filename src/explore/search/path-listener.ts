/**
 * Events of a path as a listener of a world hears them. The explorer has no links: a message counts as sent when its
 * statement is signed, and those of the Byzantine validator when they arrive.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Hash, Millis } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import type { CompiledScenario } from "../../scenario/compile/compile.ts";
import type { NodeView, Parcel, WorldListener } from "../../simulator/listener.ts";
import { messageKind } from "../../simulator/network/message-content.ts";
import { STEP_TIME_MS } from "../limits.ts";

const AT = STEP_TIME_MS as Millis;
/** Listeners of paths compare no digests. */
const DIGEST: Parcel["digest"] = { a: 0, b: 0, c: 0, d: 0 };

export class PathListener {
  readonly #listener: WorldListener;
  readonly #compiled: CompiledScenario;
  /** Numbers of messages that are on their way, by their link and content. */
  readonly #onTheWay = new Map<string, number[]>();
  #sent = 0;
  #step = 0;

  constructor(listener: WorldListener, compiled: CompiledScenario) {
    this.#listener = listener;
    this.#compiled = compiled;
  }

  begins(step: number): void {
    this.#step = step;
    // A start has no effect by itself.
    this.#listener.eventBegins?.(step, AT, { type: "start", node: "" });
  }

  /** Called before a step of a validator, of which the listener hears next. */
  takes(to: string, input: Input): void {
    if (input.type === "timer")
      this.#listener.eventBegins?.(this.#step, AT, { type: "timer", node: to, name: input.name });
    else if (input.type === "message") {
      const { from, message } = input;
      const parcel = { type: "peer", sender: from, message, digest: DIGEST } as const;
      this.#arrives(this.#compiled.directory.nameOf(from), to, contentKey(message), parcel);
    } else if (input.type === "submit") {
      const { client, submission } = input;
      const id = submissionId(submission, this.#compiled.commons.hashes.operationId);
      this.#arrives(client, to, id, { type: "submit", submission, id, digest: DIGEST });
    }
  }

  /** Called with each output of a step that is carried out. */
  carriedOut(from: string, key: Address, output: Output): void {
    if (output.type !== "sign" && output.type !== "send") return;
    // Even before it is signed it has the members that name it.
    const parcel = { type: "peer", sender: key, message: output.message as PeerMessage, digest: DIGEST } as const;
    const { directory } = this.#compiled;
    for (const peer of output.to) this.#sends(from, directory.nameOf(peer), contentKey(output.message), parcel);
  }

  /** Tells of the statement of a message that comes from nowhere. */
  #signs(name: string, parcel: Parcel): void {
    if (parcel.type !== "peer" || parcel.message.type !== "consensus") return;
    const { sender: key, message } = parcel;
    if (!STATEMENTS.has(message.body.type)) return;
    // Pictures show no digest.
    this.#listener.signed?.(byzantineView(name, key), message.body as StatementContent, "" as Hash);
  }

  #sends(from: string, to: string, content: string, parcel: Parcel): number {
    this.#sent += 1;
    entryOf(this.#onTheWay, `${from} ${to} ${content}`, () => []).push(this.#sent);
    this.#listener.sent?.(from, to, parcel, this.#sent, AT);
    return this.#sent;
  }

  #arrives(from: string, to: string, content: string, parcel: Parcel): void {
    const key = `${from} ${to} ${content}`;
    if ((this.#onTheWay.get(key)?.length ?? 0) === 0) {
      this.#signs(from, parcel);
      this.#sends(from, to, content, parcel);
    }
    const number = this.#onTheWay.get(key)?.shift() ?? 0;
    const ends = { from, to, sender: 0, receiver: 0 };
    this.#listener.eventBegins?.(this.#step, AT, { type: "arrival", ...ends, number, parcel });
  }
}

/** The Byzantine validator, of which the explorer knows no state. */
export function byzantineView(name: string, key: Address): NodeView {
  const view = { name, key, keys: [key], signedWith: [], honest: false, running: true, isSuspended: false };
  return { ...view, incarnation: 0, ahead: 0, state: undefined };
}

/** Kinds of messages that are one signed statement. */
const STATEMENTS: ReadonlySet<string> = new Set(["proposal", "vote", "commit", "roundChange", "close"]);

/** Equal for a message and its signed form. */
function contentKey(message: PeerMessage | UnsignedMessage): string {
  const kind = messageKind(message);
  if (message.type === "offer") return `${kind} ${slotKey(message.slot)}`;
  if (message.type !== "consensus") return kind;
  const { epoch, slot, round } = message.body;
  return `${kind} ${epoch} ${slotKey(slot)} ${round} ${"value" in message.body ? message.body.value : ""}`;
}
