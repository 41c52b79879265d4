/** A word as a shell reads it back, for lines that are pasted. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
