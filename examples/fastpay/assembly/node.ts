/**
 * The payment network of ../node.py as WebAssembly: rule for rule, and byte for byte on the wire, so that both run in one
 * network. Read docs/node-interface.md and node.py beside this file; `npm run examples` compiles it to ../node.wasm.
 */
import { add, amountOf, isLess, subtract } from "./decimal";
import { Certificate, isPair, pack, Payment, placeOf, Signed, unpack } from "./forms";
import { Json, Kind, parse, quoted } from "./json";
import { log } from "./quorumlab";
import { sha256 } from "./sha256";

const RETRY_MS: i64 = 400;
const RETRY_MAX_MS: i64 = 6_400;
const SYNC_MS: i64 = 2_000;
const RETRY = "retry/";

const LENGTH_BYTES: usize = 4;

/** The code that says of an operation that nothing is wrong with it. */
const NO_FAULT = "";

/** Says what went wrong, and ends the node. */
function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  const text = `${file === null ? "" : file}:${line}:${column}: ${message === null ? "failed" : message}`;
  const bytes = String.UTF8.encode(text);
  log(changetype<usize>(bytes), bytes.byteLength);
  unreachable();
}

/** The stand-in for signatures of the node interface, which no fault computes. */
function signature(signer: string, text: string): string {
  return sha256(`${signer}\n${text}`);
}

class Token {
  fee: string;
  isPaused: bool;

  constructor(json: Json) {
    this.fee = amountOf(json.textOf("fee"));
    this.isPaused = json.truthOf("paused");
  }
}

/** A payment that this validator relays: its votes so far, and the time until the next try. */
class Relayed {
  op: Payment;
  votes: Signed[] = [];
  wait: i64 = RETRY_MS;

  constructor(op: Payment) {
    this.op = op;
  }
}

class Node {
  outputs: string[] = ['{"output":"ready","version":1,"operations":["payment"]}'];
  now: i64;
  name: string;
  validators: string[];
  quorum: i64;
  chain: i64;
  tokens: Map<string, Token> = new Map();
  balances: Map<string, string> = new Map(); // account and token -> amount
  pools: Map<string, string> = new Map();
  nonces: Map<string, i64> = new Map(); // account -> next nonce
  locks: Map<string, string> = new Map(); // place -> id of the payment that this validator votes for
  certificates: Map<string, Certificate> = new Map(); // place -> what was applied
  relayed: Map<string, Relayed> = new Map(); // by the payment's id
  clients: Map<string, Set<string>> = new Map(); // id -> clients that wait for the outcome
  waiting: Map<string, Certificate> = new Map(); // place -> certificates that are early

  /** Begins from the genesis, and repeats what its records say that it has applied. */
  constructor(start: Json) {
    this.now = start.integerOf("at");
    this.name = start.textOf("self");
    this.validators = textsOf(start.listOf("validators"));
    this.quorum = start.integerOf("quorum");
    this.chain = start.integerOf("chain");
    const tokens = start.listOf("tokens");
    for (let i = 0; i < tokens.length; i++) this.tokens.set(tokens[i].textOf("token"), new Token(tokens[i]));
    const balances = start.listOf("balances");
    for (let i = 0; i < balances.length; i++) {
      const row = textsOf(balances[i].items);
      this.balances.set(balanceKey(row[0], row[1]), amountOf(row[2]));
    }
    const records = start.member("records");
    if (records !== null) this.restore(records.items);
    this.setTimer("sync", SYNC_MS, true);
  }

  // What the validator keeps over a crash

  restore(records: Json[]): void {
    const certificates: Certificate[] = [];
    for (let i = 0; i < records.length; i++) {
      const key = records[i].items[0].text;
      const value = unpack(records[i].items[1].text);
      if (value === null) throw new Error(`record ${key}: expected JSON`);
      if (key.startsWith("lock/")) this.locks.set(key.substring(5), value.textOf("id"));
      else certificates.push(Certificate.of(value));
    }
    this.restorePayments(certificates);
  }

  /** Applies the payments again, each after those that it follows from. */
  restorePayments(certificates: Certificate[]): void {
    while (certificates.length > 0) {
      let ready = 0;
      while (ready < certificates.length && !this.isApplicable(certificates[ready].op)) ready++;
      if (ready == certificates.length) throw new Error("records of payments do not follow from the genesis");
      this.apply(certificates.splice(ready, 1)[0]);
    }
  }

  // Outputs

  persist(key: string, value: string): void {
    this.outputs.push(`{"output":"persist","key":${quoted(key)},"bytes":"${pack(value)}"}`);
  }

  /** Sends to other validators than this one. */
  send(names: string[], tag: string, value: string): void {
    const to: string[] = [];
    for (let i = 0; i < names.length; i++) if (names[i] != this.name) to.push(quoted(names[i]));
    if (to.length == 0) return;
    this.outputs.push(`{"output":"send","to":[${to.join(",")}],"tag":"${tag}","bytes":"${pack(value)}"}`);
  }

  setTimer(name: string, after: i64, isBackground: bool): void {
    this.outputs.push(
      `{"output":"timer","name":${quoted(name)},"at":${this.now + after},"background":${isBackground}}`,
    );
  }

  cancelTimer(name: string): void {
    this.outputs.push(`{"output":"cancel","name":${quoted(name)}}`);
  }

  /** Replies to a client; `members`: those of the status, after a comma. */
  reply(client: string, id: string, status: string, members: string): void {
    this.outputs.push(
      `{"output":"reply","client":${quoted(client)},"id":${quoted(id)},"status":"${status}"${members}}`,
    );
  }

  // Rules

  /** Returns the code for which every correct validator refuses it. */
  faultOf(op: Payment): string {
    if (op.chain != this.chain) return "validation_chain_id";
    if (!this.isSigned(op)) return "validation_signature";
    if (!this.tokens.has(op.token)) return "resource_token_not_found";
    if (this.tokens.get(op.token).isPaused) return "business_token_paused";
    return NO_FAULT;
  }

  isSigned(op: Payment): bool {
    return op.signature == signature(op.sender, op.signedText());
  }

  feeOf(op: Payment): string {
    return this.tokens.get(op.token).fee;
  }

  costOf(op: Payment): string {
    return add(amountOf(op.amount), this.feeOf(op));
  }

  balance(account: string, token: string): string {
    const key = balanceKey(account, token);
    return this.balances.has(key) ? this.balances.get(key) : "0";
  }

  isFunded(op: Payment): bool {
    return !isLess(this.balance(op.sender, op.token), this.costOf(op));
  }

  nextNonce(account: string): i64 {
    return this.nonces.has(account) ? this.nonces.get(account) : 0;
  }

  isNext(op: Payment): bool {
    return op.nonce == this.nextNonce(op.sender);
  }

  /** Returns true if its nonce is used, by this payment or by another one. */
  isOver(op: Payment): bool {
    return op.nonce < this.nextNonce(op.sender);
  }

  isApplicable(op: Payment): bool {
    return this.isNext(op) && this.isFunded(op);
  }

  /** Returns true if this validator may vote for the payment: it has locked the nonce for it, now or before. */
  lock(op: Payment): bool {
    const place = op.place();
    if (!this.locks.has(place)) {
      this.locks.set(place, op.id);
      this.persist(`lock/${place}`, op.toString());
    }
    return this.locks.get(place) == op.id;
  }

  isVote(voter: string, id: string, vote: string): bool {
    return this.validators.includes(voter) && vote == signature(voter, `vote ${id}`);
  }

  hasQuorum(votes: Signed[]): bool {
    const voters = new Set<string>();
    for (let i = 0; i < votes.length; i++) voters.add(votes[i].voter);
    return voters.size >= this.quorum;
  }

  isValid(certificate: Certificate): bool {
    const op = certificate.op;
    const votes: Signed[] = [];
    for (let i = 0; i < certificate.votes.length; i++) {
      const signed = certificate.votes[i];
      if (this.isVote(signed.voter, op.id, signed.vote)) votes.push(signed);
    }
    return this.faultOf(op) == NO_FAULT && this.hasQuorum(votes);
  }

  // Clients

  onSubmit(client: string, op: Payment): void {
    const fault = this.faultOf(op);
    if (fault != NO_FAULT) {
      this.reply(client, op.id, "refused", `,"code":"${fault}","disclosed":false`);
      return;
    }
    const place = op.place();
    if (this.certificates.has(place)) {
      this.tell(client, op, this.certificates.get(place).op.id);
      return;
    }
    if (!this.clients.has(op.id)) this.clients.set(op.id, new Set());
    this.clients.get(op.id).add(client);
    this.reply(client, op.id, "pending", "");
    this.offer(op);
  }

  tell(client: string, op: Payment, winner: string): void {
    if (winner == op.id) this.reply(client, op.id, "final", "");
    else this.reply(client, op.id, "superseded", `,"by":${quoted(winner)}`);
  }

  /** Asks all validators for their votes, and asks again until the nonce is used; an early payment waits here. */
  offer(op: Payment): void {
    if (!this.relayed.has(op.id)) this.relayed.set(op.id, new Relayed(op));
    const relayed = this.relayed.get(op.id);
    this.setTimer(RETRY + op.id, relayed.wait, false);
    relayed.wait = min(2 * relayed.wait, RETRY_MAX_MS);
    if (!this.isNext(op)) return;
    this.send(this.validators, "order", op.toString());
    this.onOrder(this.name, op);
  }

  // Messages

  onMessage(sender: string, tag: string, digits: string): void {
    const value = unpack(digits);
    if (value === null || !this.onValue(sender, tag, value))
      this.outputs.push(`{"output":"report","peer":${quoted(sender)},"text":${quoted(`sent a malformed ${tag}`)}}`);
  }

  /** Returns false for a message that is malformed. */
  onValue(sender: string, tag: string, value: Json): bool {
    if (tag == "order" && Payment.isForm(value)) this.onOrder(sender, new Payment(value));
    else if (tag == "vote" && value.hasTexts(["id", "vote"]))
      this.onVote(sender, value.textOf("id"), value.textOf("vote"));
    else if (tag == "certificate" && Certificate.isForm(value)) this.onCertificate(Certificate.of(value));
    else if (tag == "state" && areNonces(value)) this.onState(sender, value.items);
    else return false;
    return true;
  }

  onOrder(sender: string, op: Payment): void {
    if (this.faultOf(op) != NO_FAULT) return;
    const place = op.place();
    if (this.certificates.has(place)) this.send([sender], "certificate", this.certificates.get(place).toString());
    else if (this.isApplicable(op) && this.lock(op)) this.vote(sender, op);
  }

  vote(collector: string, op: Payment): void {
    const vote = signature(this.name, `vote ${op.id}`);
    if (collector == this.name) this.onVote(this.name, op.id, vote);
    else this.send([collector], "vote", `{"id": ${quoted(op.id)}, "vote": "${vote}", "voter": ${quoted(this.name)}}`);
  }

  onVote(sender: string, id: string, vote: string): void {
    if (!this.relayed.has(id) || !this.isVote(sender, id, vote)) return;
    const relayed = this.relayed.get(id);
    this.collect(relayed.votes, new Signed(sender, vote));
    if (!this.hasQuorum(relayed.votes)) return;
    const certificate = new Certificate(relayed.op, relayed.votes.slice(0).sort(byVoter));
    this.send(this.validators, "certificate", certificate.toString());
    this.onCertificate(certificate);
  }

  collect(votes: Signed[], vote: Signed): void {
    for (let i = 0; i < votes.length; i++) if (votes[i].voter == vote.voter) return;
    votes.push(vote);
  }

  onCertificate(certificate: Certificate): void {
    const op = certificate.op;
    if (this.isOver(op) || !this.isValid(certificate)) return;
    if (this.isApplicable(op)) this.confirm(certificate);
    else this.waiting.set(op.place(), certificate);
  }

  confirm(certificate: Certificate): void {
    this.persist(`applied/${certificate.op.place()}`, certificate.toString());
    this.apply(certificate);
    this.applyWaiting();
  }

  /** A payment may have been waited for by the next one of its account, or by one of its payee. */
  applyWaiting(): void {
    const certificates = this.waiting.values().sort(byPlace);
    for (let i = 0; i < certificates.length; i++) {
      if (!this.isApplicable(certificates[i].op)) continue;
      this.waiting.delete(certificates[i].op.place());
      this.onCertificate(certificates[i]);
      return;
    }
  }

  apply(certificate: Certificate): void {
    const op = certificate.op;
    this.certificates.set(op.place(), certificate);
    this.move(op);
    this.nonces.set(op.sender, op.nonce + 1);
    this.outputs.push(
      `{"output":"applied","id":${quoted(op.id)},"success":true,"fee":"${this.feeOf(op)}",` +
        `"balances":[${this.balancesOf(partiesOf(op), [op.token])}],` +
        `"nonces":[${this.noncesOf([op.sender])}],"pools":[[${quoted(op.token)},"${this.pool(op.token)}"]]}`,
    );
    this.cancelTimer(RETRY + op.id);
    this.relayed.delete(op.id);
    this.tellAll(op);
    this.offerNext(op.sender);
  }

  /** Moves the amount and the fee. */
  move(op: Payment): void {
    const rest = subtract(this.balance(op.sender, op.token), this.costOf(op));
    this.balances.set(balanceKey(op.sender, op.token), rest);
    const received = add(this.balance(op.recipient, op.token), amountOf(op.amount));
    this.balances.set(balanceKey(op.recipient, op.token), received);
    this.pools.set(op.token, add(this.pool(op.token), this.feeOf(op)));
  }

  pool(token: string): string {
    return this.pools.has(token) ? this.pools.get(token) : "0";
  }

  /** Tells the clients of the payment, and of those that lost its nonce. */
  tellAll(op: Payment): void {
    const payments = [op];
    const relayed = this.relayed.values();
    for (let i = 0; i < relayed.length; i++) if (relayed[i].op.place() == op.place()) payments.push(relayed[i].op);
    for (let i = 0; i < payments.length; i++) {
      const id = payments[i].id;
      if (this.clients.has(id)) {
        const clients = this.clients.get(id).values().sort(byText);
        this.clients.delete(id);
        for (let j = 0; j < clients.length; j++) this.tell(clients[j], payments[i], op.id);
      }
      this.relayed.delete(id);
      this.cancelTimer(RETRY + id);
    }
  }

  offerNext(account: string): void {
    const relayed = this.relayed.values();
    for (let i = 0; i < relayed.length; i++)
      if (relayed[i].op.sender == account && this.isNext(relayed[i].op)) this.offer(relayed[i].op);
  }

  // Validators that were away ask for what they lack

  onTimer(name: string): void {
    if (name == "sync") {
      this.setTimer("sync", SYNC_MS, true);
      this.send(this.validators, "state", this.knownNonces());
    } else {
      const id = name.substring(RETRY.length);
      if (this.relayed.has(id)) this.offer(this.relayed.get(id).op);
    }
  }

  /** Returns the next nonces of the accounts that have paid. */
  knownNonces(): string {
    const rows: string[] = [];
    const accounts = this.nonces.keys().sort(byText);
    for (let i = 0; i < accounts.length; i++) rows.push(`[${quoted(accounts[i])}, ${this.nextNonce(accounts[i])}]`);
    return `[${rows.join(", ")}]`;
  }

  onState(sender: string, rows: Json[]): void {
    const theirs = new Map<string, i64>();
    for (let i = 0; i < rows.length; i++) theirs.set(rows[i].items[0].text, rows[i].items[1].integer);
    const certificates = this.certificates.values().sort(byPlace);
    for (let i = 0; i < certificates.length; i++) {
      const op = certificates[i].op;
      if (op.nonce >= (theirs.has(op.sender) ? theirs.get(op.sender) : 0))
        this.send([sender], "certificate", certificates[i].toString());
    }
  }

  onQuery(accounts: string[]): void {
    const balances = this.balancesOf(accounts, this.tokens.keys());
    this.outputs.push(`{"output":"state","balances":[${balances}],"nonces":[${this.noncesOf(accounts)}]}`);
  }

  balancesOf(accounts: string[], tokens: string[]): string {
    const rows: string[] = [];
    for (let i = 0; i < accounts.length; i++)
      for (let j = 0; j < tokens.length; j++)
        rows.push(`[${quoted(accounts[i])},${quoted(tokens[j])},"${this.balance(accounts[i], tokens[j])}"]`);
    return rows.join(",");
  }

  noncesOf(accounts: string[]): string {
    const rows: string[] = [];
    for (let i = 0; i < accounts.length; i++) rows.push(`[${quoted(accounts[i])},${this.nextNonce(accounts[i])}]`);
    return rows.join(",");
  }
}

function balanceKey(account: string, token: string): string {
  return `${account} ${token}`;
}

function textsOf(values: Json[]): string[] {
  const texts: string[] = [];
  for (let i = 0; i < values.length; i++) texts.push(values[i].text);
  return texts;
}

/** Returns true for a list of accounts and nonces. */
function areNonces(value: Json): bool {
  if (value.kind != Kind.List) return false;
  for (let i = 0; i < value.items.length; i++) if (!isPair(value.items[i], Kind.Integer)) return false;
  return true;
}

/** Returns the accounts of a payment, each once. */
function partiesOf(op: Payment): string[] {
  return op.sender == op.recipient ? [op.sender] : [op.sender, op.recipient].sort(byText);
}

function byText(left: string, right: string): i32 {
  return left < right ? -1 : left > right ? 1 : 0;
}

function byVoter(left: Signed, right: Signed): i32 {
  return byText(left.voter, right.voter);
}

function byPlace(left: Certificate, right: Certificate): i32 {
  const account = byText(left.op.sender, right.op.sender);
  return account != 0 ? account : left.op.nonce < right.op.nonce ? -1 : left.op.nonce > right.op.nonce ? 1 : 0;
}

// The host

let node: Node | null = null;
let answer: ArrayBuffer = new ArrayBuffer(0);

/** Returns the place of so many bytes, into which the host writes an input. */
export function allocate(bytes: usize): usize {
  return heap.alloc(bytes);
}

/** Returns the place of the answer to the input at a place. */
export function handle(place: usize, bytes: usize): usize {
  const text = String.UTF8.decodeUnsafe(place, bytes);
  heap.free(place);
  const input = parse(text);
  if (input === null) throw new Error("an input that is no JSON");
  const outputs = `[${outputsOf(input).join(",")}]`;
  answer = new ArrayBuffer(<i32>LENGTH_BYTES + String.UTF8.byteLength(outputs));
  const start = changetype<usize>(answer);
  store<u32>(start, answer.byteLength - <i32>LENGTH_BYTES);
  String.UTF8.encodeUnsafe(changetype<usize>(outputs), outputs.length, start + LENGTH_BYTES);
  return start;
}

function outputsOf(input: Json): string[] {
  const kind = input.textOf("input");
  if (kind == "start") node = new Node(input);
  const current = node!;
  current.now = input.integerOf("at");
  if (kind == "submit") current.onSubmit(input.textOf("client"), new Payment(input.member("operation")!));
  else if (kind == "message") current.onMessage(input.textOf("from"), input.textOf("tag"), input.textOf("bytes"));
  else if (kind == "timer") current.onTimer(input.textOf("name"));
  else if (kind == "query") current.onQuery(textsOf(input.listOf("accounts")));
  const outputs = current.outputs;
  current.outputs = [];
  return outputs;
}
