// The mix behind the stand-in signatures (validator wire 3).

function spread(word) {
  let w = word;
  w ^= w >>> 16;
  w = Math.imul(w, 0x85ebca6b);
  w ^= w >>> 13;
  w = Math.imul(w, 0xc2b2ae35);
  return w ^ (w >>> 16);
}

function rotl(word, bits) {
  return (word << bits) | (word >>> (32 - bits));
}

/** Four lanes of 32 bits that take words and give 32 hex digits. */
export class Mix {
  a = 0x243f6a88;
  b = 0x85a308d3;
  c = 0x13198a2e;
  d = 0x03707344;

  word(w) {
    this.a = (spread(this.a ^ w) + this.b) | 0;
    this.b = (spread(this.b ^ rotl(w, 11)) + this.c) | 0;
    this.c = (spread(this.c ^ rotl(w, 19)) + this.d) | 0;
    this.d = (spread(this.d ^ rotl(w, 27)) + this.a) | 0;
    return this;
  }

  hex(text) {
    for (let i = 2; i < text.length; i += 8) this.word(Number.parseInt(text.slice(i, i + 8), 16));
    return this;
  }

  integer(n) {
    if (n === -1) return this.word(-1).word(-1);
    return this.word(n % 2 ** 32).word(Math.floor(n / 2 ** 32));
  }

  digits() {
    for (let i = 0; i < 8; i++) this.word(0x9e3779b9 + (i % 4));
    return [this.a, this.b, this.c, this.d].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
