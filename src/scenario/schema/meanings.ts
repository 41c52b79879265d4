/** The words of the scenario language, each with its meaning in one sentence: shown by editors and in docs/scenarios.md. */
import type { Layout, Role } from "../../core/base/operation.ts";
import type { Misbehaviour } from "../../core/validator/output.ts";
import { CATALOGUE } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { MessageKind, SchedulePlan } from "../../simulator/plan.ts";
import type { ClientSpec, CrashSpec, ListSpec, SubmitSpec, TokenSpec } from "../scenario.ts";

/** A sentence for each word; the compiler asks for one where a word is new. */
type Meanings<T extends string | undefined> = Readonly<Record<NonNullable<T>, string>>;

export const KINDS_OF_MESSAGES: Meanings<MessageKind> = {
  offer: "A relay brings a value to round 0 of a slot and asks for votes.",
  recovery: "A validator discloses a recovery to all.",
  fetch: "A validator asks for the decisions of slots, or for the contents of values.",
  decisions: "A validator sends decisions with their contents.",
  status: "A validator names the digest of what it has applied, so that peers can compare.",
  logRequest: "A validator asks for the slots that another one applied, in its order.",
  logPage: "A validator sends a page of the slots that it applied.",
  snapshot: "A validator offers a final checkpoint in place of decisions that it has pruned.",
  stateRequest: "A validator asks for pieces of the state after a checkpoint.",
  statePieces: "A validator sends pieces of a state.",
  epochQuery: "A validator without its disk asks whether an epoch is closed.",
  epochQueryReply: "A validator responds to an epochQuery.",
  cause: "A validator outside the committee discloses the reason why the epoch closes.",
  reason: "A validator that signs no round change discloses the reason why a slot leaves round 0.",
  vote: "A validator votes for a value.",
  commit: "A validator commits to a value that has a lock certificate.",
  roundChange: "A validator moves to a higher round, with the lock that it holds.",
  proposal: "The proposer of a round above 0, of a token slot or of the chain proposes a value.",
  close: "A validator closes its epoch: it signs an EpochClose with its claims.",
  lock: "A validator passes a lock certificate on.",
  finality: "A validator passes a finality certificate on.",
  submit: "A client submits an operation.",
  reply: "A validator responds to a client.",
};

export const MISBEHAVIOUR_MEANINGS: Meanings<Misbehaviour | "any"> = {
  "double vote": "Two votes of one key for different values in one round.",
  "double commit": "Two commits of one key to different values in one round.",
  "double round change": "Two round changes of one key to one round with different locks.",
  "double proposal": "Two proposals of one key with different values in one round.",
  "hidden lock": "A round change that denies a lock to which its signer has committed.",
  "invalid signature": "A signature that does not verify.",
  "invalid certificate": "A lock or claim whose signatures do not form a certificate.",
  "unjustified proposal": "A proposal without the round changes that allow it.",
  "malformed content": "A content that does not prove itself.",
  "false checkpoint": "A proposed checkpoint that does not follow from the decisions.",
  "false closing": "A proposed closing that does not follow from what it shows.",
  "double close": "Two different EpochCloses of one key in one epoch.",
  "wrong epoch": "A statement about the closing of another epoch than its own.",
  "false state": "A piece of a state that does not match its hash, or an offered state with a false history.",
  any: "Any of the others.",
};

export const INVARIANT_MEANINGS: Meanings<InvariantName | "none"> = {
  ...(Object.fromEntries(CATALOGUE.map(({ name, sentence }) => [name, sentence])) as Record<InvariantName, string>),
  none: "No oracle finds a violation, even where more than f Byzantine validators would excuse it.",
};

export const METHODS: Meanings<SchedulePlan["method"]> = {
  random: "Events follow the random delays.",
  pct: "Links, clocks and clients have random priorities, of which a few change during the run.",
  "delay-bounded": "Links, clocks and clients take turns, with a few departures from round robin.",
};

export const TOKEN_STATES: Meanings<TokenSpec["state"]> = {
  paused: "The token starts paused.",
  unpaused: "The token starts unpaused.",
};

export const CLIENT_BEHAVIOURS: Meanings<ClientSpec["behaviour"]> = {
  correct: "The client retries with the same bytes and never equivocates.",
  scripted: "The client sends exactly the operations of the steps, once each.",
};

export const ON_REFUSAL: Meanings<ClientSpec["on_refusal"]> = {
  cancel: "The client keeps the nonce for that operation and its cancellation.",
  reuse: "The client signs its next operation for the same nonce.",
};

export const CRASH_OUTPUTS: Meanings<CrashSpec["after_output"]> = {
  persist: "It writes a durable record.",
  erase: "It erases a durable record.",
  sign: "It signs and sends a statement.",
  send: "It sends a message without a signature of its own.",
};

export const LIST_ACTIONS: Meanings<ListSpec["action"]> = {
  add: "Adds the address to the list.",
  remove: "Removes the address from the list.",
};

export const ROLE_MEANINGS: Meanings<Role> = {
  MasterMintBurn: "Grants and revokes MintBurnTokens.",
  MintBurnTokens: "Mints within an allowance, and burns.",
  Pause: "Pauses and unpauses the token.",
  ManageList: "Changes the blacklist or whitelist.",
  UpdateMetadata: "Replaces the metadata.",
};

export const LAYOUT_MEANINGS: Meanings<Layout> = {
  client: "The order in which the clients of the network sign.",
  "client-json": "The same, with metadata pairs as one JSON text, as older clients sign them.",
  spec: "The order that the specification states.",
};

export const SIGNATURES: Meanings<SubmitSpec["signature"]> = {
  none: "65 zero bytes stand in place of the signature.",
  broken: "One byte of the signature is changed.",
  high_s: "The signature has the high s value, which validators reject as malleable.",
};
