/** SHA-256 (FIPS 180-4). */

const ROUNDS: StaticArray<u32> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];

const START: StaticArray<u32> = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const BLOCK = 64;
const schedule = new StaticArray<u32>(BLOCK);
const sums = new StaticArray<u32>(8);

/** Returns the hash of a text in UTF-8, as 64 hex digits. */
export function sha256(text: string): string {
  const size = String.UTF8.byteLength(text);
  // The text, a byte 0x80, zeros, and its length in bits as the last eight bytes of a block.
  const padded = ((size + 8) / BLOCK + 1) * BLOCK;
  const bytes = new Uint8Array(padded);
  String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, bytes.dataStart);
  bytes[size] = 0x80;
  store<u64>(bytes.dataStart + padded - 8, bswap<u64>(<u64>size * 8));
  memory.copy(changetype<usize>(sums), changetype<usize>(START), 32);
  for (let block = 0; block < padded; block += BLOCK) compress(bytes.dataStart + block);
  let digits = "";
  for (let i = 0; i < 8; i++) digits += sums[i].toString(16).padStart(8, "0");
  return digits;
}

function compress(block: usize): void {
  for (let i = 0; i < 16; i++) schedule[i] = bswap<u32>(load<u32>(block + 4 * i));
  for (let i = 16; i < BLOCK; i++) {
    const early = schedule[i - 15];
    const late = schedule[i - 2];
    schedule[i] =
      schedule[i - 16] +
      (rotr<u32>(early, 7) ^ rotr<u32>(early, 18) ^ (early >> 3)) +
      schedule[i - 7] +
      (rotr<u32>(late, 17) ^ rotr<u32>(late, 19) ^ (late >> 10));
  }
  let a = sums[0];
  let b = sums[1];
  let c = sums[2];
  let d = sums[3];
  let e = sums[4];
  let f = sums[5];
  let g = sums[6];
  let h = sums[7];
  for (let i = 0; i < BLOCK; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = h + (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + choice + ROUNDS[i] + schedule[i];
    const second = (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  sums[0] += a;
  sums[1] += b;
  sums[2] += c;
  sums[3] += d;
  sums[4] += e;
  sums[5] += f;
  sums[6] += g;
  sums[7] += h;
}
