/** The words of the scenario language, each with its meaning in one sentence: shown by editors and in docs/scenarios.md. */
import type { Layout, Role } from "../../core/base/operation.ts";
import type { Misbehaviour } from "../../core/validator/output.ts";
import { CATALOGUE } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { CheckpointMode, ChoiceMode, JustificationMode } from "../../simulator/byzantine-modes.ts";
import type { MessageKind, SchedulePlan, StrategyPlan } from "../../simulator/plan.ts";
import type { ClientSpec, CrashSpec, ListSpec, SubmitSpec, TokenSpec } from "../scenario.ts";

/** A sentence for each word; the compiler asks for one where a word is new. */
type Meanings<T extends string | undefined> = Readonly<Record<NonNullable<T>, string>>;

export const STRATEGIES_DO: Meanings<StrategyPlan["name"]> = {
  "double-vote": "Votes for every value of a round that it receives.",
  "double-commit": "Commits to every value of a round that it receives, with or without a lock certificate.",
  "double-close": "Signs two different EpochCloses, one for each half of its peers; the second one shows no claims.",
  "withhold-votes": "Signs its votes and sends them to nobody, or not to the parties of `towards`.",
  "withhold-commits": "Signs its commits and sends them to nobody, or not to the parties of `towards`.",
  "hide-locks":
    "Claims in each round change that it holds no lock, and in its EpochClose that it knows of no decision.",
  "stale-locks": "Claims in each round change and in its EpochClose that the first lock it held is its highest.",
  "replay-stale": "Sends a message that it received earlier again to all validators, in a share `chance` of its steps.",
  "invalid-signatures":
    "Sends statements with broken signatures, or in the name of another validator, at a share of `chance`.",
  "selective-silence": "Sends nothing to the parties of `towards`, and goes on receiving.",
  silence: "Sends nothing to any party, and goes on receiving.",
  "false-refusal": "Responds to its clients that it refused their operation and disclosed it to nobody, and relays it.",
  "double-proposal":
    "Proposes one list, checkpoint or closing to one half of its peers, and another one to the other half.",
  "false-justification": "Proposes in rounds above 0 with a justification that does not allow it; `lie` says how.",
  "inflated-rounds": "Sends round changes for rounds far above its own, and for slots that nobody has opened.",
  "false-answers":
    "Responds to fetches with wrong or missing contents and certificates, and passes votes off as commits.",
  "replay-changed": "Sends the statements of others with one member changed and the old signature.",
  "false-locks":
    "Names invalid lock certificates in its round changes, and certificates of other values in its EpochClose.",
  "false-choices": "Proposes or offers a value that the choice of a proposer does not include; `lie` says which.",
  "forged-operations": "Relays operations whose sender never signed them.",
  "careless-relay": "Relays every operation that a client submits, valid or not.",
  "false-state": "Serves false pieces of states to validators that join.",
  "worthless-reasons": "Shows reasons to leave round 0 that do not count.",
  "false-contents": "Discloses contents of skips that carry an operation other than the one that the value names.",
  "other-epoch": "Signs its votes and commits for the next epoch.",
  "false-checkpoint":
    "Proposes checkpoints that do not follow from the decisions, and closings with false headers; `lie` says how.",
  mutate:
    "Sends beside each of its own statements a signed copy in which one member is changed: a round, sequence, epoch, value or lock.",
  "vote-for": "Votes for the operation `of` in every round of its account's slots that it receives.",
};

export const LIES: Meanings<JustificationMode | ChoiceMode | CheckpointMode> = {
  none: "false-justification: no round changes.",
  "too-few": "false-justification: one round change fewer than a quorum.",
  repeated:
    "false-justification: a quorum of round changes with one of them twice. false-checkpoint: a slot stands twice.",
  "other-round": "false-justification: a quorum of round changes for another round.",
  "other-slot": "false-justification: a quorum of round changes for another slot.",
  "no-lock": "false-justification: the locks of the round changes are removed, and a skip is proposed.",
  "other-value":
    "false-justification: the round changes carry locks, and a skip is proposed. false-checkpoint: a slot has another value than was decided.",
  "out-of-turn": "false-justification: a valid proposal by a validator that is not the proposer of the round.",
  "cheap-skip": "false-choices: a skip at a lower fee step than the payer can afford.",
  operation: "false-choices: the operation of the owner in a round above 0.",
  "early-skip": "false-choices: the skip is offered in round 0, in place of a round change.",
  "other-outcome": "false-choices: the other outcome in its offers of forced burns.",
  "later-burn": "false-choices: a later burn of the same authority first, in its offers of forced burns.",
  "hasty-burn": "false-choices: every due burn of an account at once, as burned and as failed.",
  "reversed-list": "false-choices: its lists in reverse order.",
  "long-list": "false-choices: its lists with all other operations that wait for the token.",
  "other-token": "false-choices: operations of another token in its lists.",
  missing: "false-checkpoint: a slot in the middle of its sequence is absent.",
  reordered: "false-checkpoint: a slot stands before the one that it follows.",
  "listed-before": "false-checkpoint: a slot that the parent lists stands in it again.",
  "too-long": "false-checkpoint: it lists more slots than the limit.",
  "state-root": "false-checkpoint: another state root.",
  "transactions-root": "false-checkpoint: another root of the transactions.",
  "receipts-root": "false-checkpoint: another root of the receipts.",
  parent: "false-checkpoint: another parent.",
  number: "false-checkpoint: another number.",
  size: "false-checkpoint: another size.",
  "timestamp-late": "false-checkpoint: a timestamp one hour ahead of its own clock.",
  "timestamp-never": "false-checkpoint: the latest timestamp that a number can hold.",
  "timestamp-early": "false-checkpoint: a timestamp no later than that of the parent.",
  empty: "false-checkpoint: it lists no slots.",
  undecided: "false-checkpoint: it lists a slot that is open.",
  copies: "false-checkpoint: hashes of signed copies that it does not show.",
  "next-committee":
    "false-checkpoint: a closing whose next committee lacks one validator of those that its cause names.",
  withheld: "false-checkpoint: a valid checkpoint whose content only one half of its peers receives.",
};

export const KINDS_OF_MESSAGES: Meanings<MessageKind> = {
  offer: "A relay brings a value to round 0 of a slot and asks for votes.",
  shown: "A validator discloses a recovery to all.",
  fetch: "A validator asks for the decisions of slots, or for the contents of values.",
  decisions: "A validator sends decisions with their contents.",
  status: "A validator names the digest of what it has applied, so that peers can compare.",
  logRequest: "A validator asks for the slots that another one applied, in its order.",
  logPage: "A validator sends a page of the slots that it applied.",
  snapshot: "A validator offers a final checkpoint in place of decisions that it has pruned.",
  stateRequest: "A validator asks for pieces of the state after a checkpoint.",
  statePieces: "A validator sends pieces of a state.",
  epochQuestion: "A validator without its disk asks whether an epoch is closed.",
  epochAnswer: "A validator responds to an epochQuestion.",
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

export const MISBEHAVIOUR_MEANINGS: Meanings<Misbehaviour | "anything"> = {
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
  anything: "Any of the others.",
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
