// One slot: what a validator must not forget of it, and what it heard (protocol 3.1, 11.1).
import { slotKey, valueHash } from "./values.mjs";

/** The state of one slot at this validator. */
export class SlotState {
  round = 0;
  votes = [];
  commits = [];
  proposed = null;
  lock = null;
  carried = null;
  decided = null;
  /** Contents by value hash, also those that no own statement names. */
  contents = new Map();
  reasons = new Map();
  /** By round and signer: what votes and commits named. */
  ballots = { vote: new Map(), commit: new Map() };
  /** By signer and round. */
  changes = new Map();
  /** The value proposed in each round. */
  proposals = new Map();
  /** Values that cannot be judged yet, by hash. */
  waiting = new Map();
  /** The value for which this validator collects votes in round 0. */
  relayed = null;
  attempts = 0;
  isApplied = false;
  isDurable = false;
  shownByChange = false;
  evidenceSince = null;
  timedRound = null;

  constructor(slot, epoch) {
    this.slot = slot;
    this.epoch = epoch;
    this.key = slotKey(slot);
  }

  get content() {
    return this.decided === null ? undefined : this.contents.get(this.decided.value);
  }

  voteIn(round) {
    return this.votes.find((vote) => vote.round === round);
  }

  commitIn(round) {
    return this.commits.find((commit) => commit.round === round);
  }

  get hasSigned() {
    return this.votes.length > 0 || this.commits.length > 0 || this.proposed !== null || this.round > 0;
  }

  /** Whether this validator voted for an operation of the owner. */
  get votedForOperation() {
    return this.votes.some((vote) => this.contents.get(vote.value)?.value.type === "operation");
  }

  /** The durable record (protocol 3.1). */
  toRecord() {
    const { epoch, slot, round, votes, commits, proposed, lock, carried, decided } = this;
    const settled = decided !== null && slot.kind === "account";
    const named = settled
      ? [decided.value]
      : [...votes, ...commits, proposed, lock, carried, decided].filter((s) => s !== null).map((s) => s.value);
    const contents = [...new Set(named)].map((hash) => this.contents.get(hash)).filter((c) => c !== undefined);
    const keepsCommits = !settled || slot.kind === "token";
    return {
      of: "slot",
      epoch,
      slot,
      round,
      votes: settled ? [] : votes,
      commits: keepsCommits ? commits : [],
      proposed: settled ? null : proposed,
      lock: settled ? null : lock,
      carried: settled ? null : carried,
      decided,
      contents,
      reasons: settled ? [] : [...this.reasons.values()],
    };
  }

  static fromRecord(record) {
    const s = new SlotState(record.slot, record.epoch);
    const { round, votes, commits, proposed, lock, carried, decided } = record;
    Object.assign(s, { round, votes: [...votes], commits: [...commits], proposed, lock, carried, decided });
    for (const content of record.contents) s.contents.set(valueHash(content.value), content);
    for (const reason of record.reasons) s.reasons.set(reason.kind, reason);
    s.isDurable = true;
    return s;
  }

  /** Adds a vote or commit; gives an earlier one of this signer and round for another value, if there is one. */
  addBallot(type, { round, signer, value, signature }) {
    const rounds = this.ballots[type];
    if (!rounds.has(round)) rounds.set(round, new Map());
    const bySigner = rounds.get(round);
    const known = bySigner.get(signer) ?? [];
    if (known.some((ballot) => ballot.value === value)) return undefined;
    if (known.length < 2) bySigner.set(signer, [...known, { value, signature, round, signer }]);
    return known[0];
  }

  /** Seals of the votes or commits for a value, ascending by signer. */
  seals(type, round, value) {
    const seals = [];
    for (const [signer, ballots] of this.ballots[type].get(round) ?? []) {
      const ballot = ballots.find((b) => b.value === value);
      if (ballot !== undefined) seals.push({ signer, signature: ballot.signature });
    }
    return seals.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  }

  hasBallot(type, round, value, signer) {
    return (this.ballots[type].get(round)?.get(signer) ?? []).some((ballot) => ballot.value === value);
  }

  /** The highest round that each signer's round changes name. */
  highestChanges() {
    return [...this.changes].map(([signer, rounds]) => [signer, Math.max(...rounds.keys())]);
  }

  changesOf(round) {
    const found = [];
    for (const rounds of this.changes.values()) if (rounds.has(round)) found.push(rounds.get(round));
    return found.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  }
}
