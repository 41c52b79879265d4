/** What validators send to each other and write down: JSON with its members in the order of their names, as hex digits. */
import { Json, Kind, parse, quoted } from "./json";

const PAYMENT_TEXTS = ["id", "kind", "sender", "token", "recipient", "amount", "signature"];
const PAYMENT_INTEGERS = ["chain", "nonce"];

export class Payment {
  id: string;
  kind: string;
  chain: i64;
  sender: string;
  nonce: i64;
  token: string;
  recipient: string;
  amount: string;
  signature: string;

  constructor(json: Json) {
    this.id = json.textOf("id");
    this.kind = json.textOf("kind");
    this.chain = json.integerOf("chain");
    this.sender = json.textOf("sender");
    this.nonce = json.integerOf("nonce");
    this.token = json.textOf("token");
    this.recipient = json.textOf("recipient");
    this.amount = json.textOf("amount");
    this.signature = json.textOf("signature");
  }

  static isForm(json: Json | null): bool {
    return json !== null && json.hasTexts(PAYMENT_TEXTS) && json.hasIntegers(PAYMENT_INTEGERS);
  }

  /** What it takes: one payment of an account has a nonce. */
  place(): string {
    return placeOf(this.sender, this.nonce);
  }

  /** Returns the text that a client signs. */
  signedText(): string {
    return `${this.id} ${this.kind} ${this.chain} ${this.nonce} ${this.token} ${this.recipient} ${this.amount}`;
  }

  toString(): string {
    return `{"amount": ${quoted(this.amount)}, "chain": ${this.chain}, "id": ${quoted(this.id)}, "kind": ${quoted(this.kind)}, "nonce": ${this.nonce}, "recipient": ${quoted(this.recipient)}, "sender": ${quoted(this.sender)}, "signature": ${quoted(this.signature)}, "token": ${quoted(this.token)}}`;
  }
}

export function placeOf(account: string, nonce: i64): string {
  return `${account}/${nonce}`;
}

/** A validator and its signature. */
export class Signed {
  voter: string;
  vote: string;

  constructor(voter: string, vote: string) {
    this.voter = voter;
    this.vote = vote;
  }
}

export class Certificate {
  op: Payment;
  votes: Signed[];

  constructor(op: Payment, votes: Signed[]) {
    this.op = op;
    this.votes = votes;
  }

  static isForm(json: Json | null): bool {
    if (json === null || !Payment.isForm(json.member("op"))) return false;
    const votes = json.member("votes");
    if (votes === null || votes.kind != Kind.List) return false;
    for (let i = 0; i < votes.items.length; i++) if (!isPair(votes.items[i], Kind.Text)) return false;
    return true;
  }

  static of(json: Json): Certificate {
    const votes: Signed[] = [];
    const pairs = json.listOf("votes");
    for (let i = 0; i < pairs.length; i++) votes.push(new Signed(pairs[i].items[0].text, pairs[i].items[1].text));
    return new Certificate(new Payment(json.member("op")!), votes);
  }

  toString(): string {
    const votes: string[] = [];
    for (let i = 0; i < this.votes.length; i++)
      votes.push(`[${quoted(this.votes[i].voter)}, ${quoted(this.votes[i].vote)}]`);
    return `{"op": ${this.op.toString()}, "votes": [${votes.join(", ")}]}`;
  }
}

/** Returns true for a list of a text and a value of the kind. */
export function isPair(json: Json, kind: Kind): bool {
  return json.items.length == 2 && json.items[0].kind == Kind.Text && json.items[1].kind == kind;
}

/** Returns the bytes of a text as hex digits. */
export function pack(text: string): string {
  const bytes = Uint8Array.wrap(String.UTF8.encode(text));
  const digits = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    digits[2 * i] = digitOf(bytes[i] >> 4);
    digits[2 * i + 1] = digitOf(bytes[i] & 15);
  }
  return String.UTF8.decode(digits.buffer);
}

/** Returns the value that hex digits have, null if they have none. */
export function unpack(digits: string): Json | null {
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (valueOf(digits.charCodeAt(2 * i)) << 4) | valueOf(digits.charCodeAt(2 * i + 1));
  return parse(String.UTF8.decode(bytes.buffer));
}

const ZERO: i32 = 0x30;
const LETTER: i32 = 0x61 - 10;

function digitOf(value: u8): u8 {
  return <u8>(value < 10 ? ZERO + value : LETTER + value);
}

function valueOf(digit: i32): u8 {
  return <u8>(digit <= 0x39 ? digit - ZERO : digit - LETTER);
}
