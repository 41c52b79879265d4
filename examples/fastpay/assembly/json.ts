/** JSON as far as the node interface has it: null, truth, integers, texts, lists and objects. */

const NOTHING: Json[] = [];
const NO_KEYS: string[] = [];

export enum Kind {
  Null,
  Truth,
  Integer,
  Text,
  List,
  Object,
}

/** A value. Members of an object are its keys and, at the same places, its items. */
export class Json {
  kind: Kind;
  integer: i64 = 0;
  text: string = "";
  keys: string[] = NO_KEYS;
  items: Json[] = NOTHING;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  /** Returns a member of an object, null if there is none. */
  member(key: string): Json | null {
    const place = this.keys.indexOf(key);
    return place < 0 ? null : this.items[place];
  }

  /** Returns true for an object whose members of these keys are texts. */
  hasTexts(keys: string[]): bool {
    return this.hasAll(keys, Kind.Text);
  }

  /** Returns true for an object whose members of these keys are integers. */
  hasIntegers(keys: string[]): bool {
    return this.hasAll(keys, Kind.Integer);
  }

  private hasAll(keys: string[], kind: Kind): bool {
    for (let i = 0; i < keys.length; i++) {
      const value = this.member(keys[i]);
      if (value === null || value.kind != kind) return false;
    }
    return true;
  }

  /** Returns a member that is a text: it must be there. */
  textOf(key: string): string {
    return this.expect(key, Kind.Text).text;
  }

  /** Returns a member that is an integer: it must be there. */
  integerOf(key: string): i64 {
    return this.expect(key, Kind.Integer).integer;
  }

  /** Returns a member that is a list: it must be there. */
  listOf(key: string): Json[] {
    return this.expect(key, Kind.List).items;
  }

  /** Returns a member that is true or false: it must be there. */
  truthOf(key: string): bool {
    return this.expect(key, Kind.Truth).integer != 0;
  }

  private expect(key: string, kind: Kind): Json {
    const value = this.member(key);
    if (value === null || value.kind != kind) throw new Error(`member ${key}: expected another value`);
    return value;
  }
}

/** Returns the value that a text has, null if it has none. */
export function parse(text: string): Json | null {
  const reader = new Reader(text);
  const value = reader.value();
  return reader.isOver() ? value : null;
}

/** Returns a text as JSON, in ASCII. */
export function quoted(text: string): string {
  let escaped = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x20 && code < 0x7f && code != QUOTE && code != ESCAPE) continue;
    escaped += `${text.substring(from, i)}\\u${code.toString(16).padStart(4, "0")}`;
    from = i + 1;
  }
  return from == 0 ? `"${text}"` : `"${escaped}${text.substring(from)}"`;
}

const END: i32 = -1;
const QUOTE: i32 = 0x22;
const ESCAPE: i32 = 0x5c;
const COMMA: i32 = 0x2c;
const COLON: i32 = 0x3a;
const MINUS: i32 = 0x2d;
const ZERO: i32 = 0x30;
const NINE: i32 = 0x39;
const LIST: i32 = 0x5b;
const LIST_END: i32 = 0x5d;
const OBJECT: i32 = 0x7b;
const OBJECT_END: i32 = 0x7d;
const SPACE: i32 = 0x20;

class Reader {
  text: string;
  at: i32 = 0;
  isBroken: bool = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns true if all has been read, and nothing was wrong. */
  isOver(): bool {
    return !this.isBroken && this.next() == END;
  }

  value(): Json {
    const code = this.next();
    if (code == OBJECT) return this.object();
    if (code == LIST) return this.list();
    if (code == QUOTE) return this.textValue();
    if (code == MINUS || (code >= ZERO && code <= NINE)) return this.integer();
    return this.word();
  }

  private object(): Json {
    const value = new Json(Kind.Object);
    value.keys = [];
    value.items = [];
    this.at++;
    if (this.take(OBJECT_END)) return value;
    do {
      if (this.next() != QUOTE) return this.broken();
      value.keys.push(this.quotedText());
      if (!this.take(COLON)) return this.broken();
      value.items.push(this.value());
    } while (!this.isBroken && this.take(COMMA));
    return this.take(OBJECT_END) ? value : this.broken();
  }

  private list(): Json {
    const value = new Json(Kind.List);
    value.items = [];
    this.at++;
    if (this.take(LIST_END)) return value;
    do value.items.push(this.value());
    while (!this.isBroken && this.take(COMMA));
    return this.take(LIST_END) ? value : this.broken();
  }

  private textValue(): Json {
    const value = new Json(Kind.Text);
    value.text = this.quotedText();
    return value;
  }

  private integer(): Json {
    const isNegative = this.take(MINUS);
    const value = new Json(Kind.Integer);
    const from = this.at;
    while (this.code() >= ZERO && this.code() <= NINE)
      value.integer = value.integer * 10 + (this.text.charCodeAt(this.at++) - ZERO);
    if (this.at == from) return this.broken();
    if (isNegative) value.integer = -value.integer;
    return value;
  }

  private word(): Json {
    if (this.takeWord("null")) return new Json(Kind.Null);
    const value = new Json(Kind.Truth);
    if (this.takeWord("true")) value.integer = 1;
    else if (!this.takeWord("false")) return this.broken();
    return value;
  }

  private quotedText(): string {
    let read = "";
    let from = ++this.at;
    for (; this.code() != QUOTE; this.at++) {
      if (this.code() == END) {
        this.isBroken = true;
        return read;
      }
      if (this.code() != ESCAPE) continue;
      read += this.text.substring(from, this.at) + this.escape();
      from = this.at + 1;
    }
    return read + this.text.substring(from, this.at++);
  }

  /** Reads an escape, up to its last character. */
  private escape(): string {
    const name = this.text.charAt(++this.at);
    if (name == "u") {
      const digits = this.text.substring(this.at + 1, this.at + 5);
      this.at += 4;
      return String.fromCharCode(<i32>parseInt(digits, 16));
    }
    const place = '"\\/bfnrt'.indexOf(name);
    if (place < 0 || name.length == 0) this.isBroken = true;
    return place < 0 ? "" : '"\\/\b\f\n\r\t'.charAt(place);
  }

  private take(code: i32): bool {
    if (this.next() != code) return false;
    this.at++;
    return true;
  }

  private takeWord(word: string): bool {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private broken(): Json {
    this.isBroken = true;
    return new Json(Kind.Null);
  }

  /** Returns the next character that is no space. */
  private next(): i32 {
    while (this.code() != END && this.code() <= SPACE) this.at++;
    return this.code();
  }

  private code(): i32 {
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : END;
  }
}
