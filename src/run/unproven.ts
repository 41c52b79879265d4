/** Decisions that a validator shows without proving them: the bytes that clients and newcomers would be given. */
import { requireDefined } from "../core/base/assert.ts";
import type { Epoch } from "../core/base/ids.ts";
import { MemoTable } from "../core/base/memo-table.ts";
import { type Slot, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { Content } from "../core/validator/content.ts";
import { environmentInCommittee } from "../core/validator/environment.ts";
import type { Output, ValidatorEvent } from "../core/validator/output.ts";
import { type Rules, rules as realRules } from "../core/validator/rules.ts";
import { contentFault } from "../core/validator/slots/content-check.ts";
import { type CompiledScenario, decisionFault } from "../scenario/compile/compile.ts";

/** A decision that a validator shows, and why nothing proves it, as a clause. */
export interface UnprovenDecision {
  readonly slot: SlotKey;
  readonly fault: string;
}

/** Rules of the ledger by which a content proves itself. */
const READ = ["wellFormed", "multisigFault", "isEquivocation"] as const;

/** Checks decisions by the real rules. Contents and certificates that validators of one process share are checked once. */
export class DecisionProofs {
  readonly #commons: CompiledScenario["commons"];
  readonly #judged = new MemoTable<Content, string>();
  readonly #rules: Rules;

  constructor(commons: CompiledScenario["commons"]) {
    this.#commons = commons;
    // Checks of operations are cached by the record of the ledger's rules.
    const { ledger } = commons.rules;
    const isReal = READ.every((name) => ledger[name] === realRules.ledger[name]);
    this.#rules = isReal ? { ...realRules, ledger } : realRules;
  }

  /** Returns what is wrong with the decision that an output shows; `undefined` if it shows none, or proves it. */
  faultOf(output: Output): UnprovenDecision | undefined {
    if (output.type === "reply") {
      const { reply } = output;
      return reply.status === "final" ? this.#decision(reply.certificate, reply.content) : undefined;
    }
    if (output.type !== "event" || output.event.type === "halted") return undefined;
    const { event } = output;
    return event.type === "applied" ? this.#application(event) : this.#decision(event.certificate, event.content);
  }

  #application({ slot, value, content }: Extract<ValidatorEvent, { readonly type: "applied" }>) {
    const { hashes } = this.#commons;
    const isSame = content.value === value || hashes.value(content.value) === hashes.value(value);
    return isSame ? undefined : unproven(slot, "it has applied another value than that of its content");
  }

  #decision(certificate: FinalityCertificate, content: Content | undefined): UnprovenDecision | undefined {
    // A closing proves the checkpoints that it builds on.
    const isLocked = certificate.slot.kind === "epoch" && content?.value.type === "checkpoint";
    const fault =
      decisionFault(this.#commons, certificate, isLocked ? undefined : content?.value) ??
      (content === undefined ? "" : this.#contentFault(certificate.epoch, content));
    return fault === "" ? undefined : unproven(certificate.slot, fault);
  }

  /** Returns why a content does not prove itself, "" if it does. An operation that is due in a state needs no warrant. */
  #contentFault(epoch: Epoch, content: Content): string {
    const known = this.#judged.get(content);
    if (known !== undefined) return known;
    const { shared, hashes, committees } = this.#commons;
    const committee = requireDefined(committees.of(epoch), `committee of epoch ${epoch}`);
    const parts = { ...shared, hashes, rules: this.#rules, keys: committee.members };
    const environment = environmentInCommittee(parts, committee);
    const fault = contentFault({ environment, ledger: { authorisedKeys: { has: () => true } } }, content) ?? "";
    this.#judged.set(content, fault);
    return fault;
  }
}

function unproven(slot: Slot, fault: string): UnprovenDecision {
  return { slot: slotKey(slot), fault };
}
