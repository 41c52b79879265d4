/** Commands that reproduce and explain a run. */
export function reproduceCommand(file: string, seed: string): string {
  return `quorumlab run ${shellQuoted(file)} --seed ${shellQuoted(seed)}`;
}

/** Returns the command that explains a run. */
export function explainCommand(file: string, seed: string): string {
  return `quorumlab explain ${shellQuoted(file)} --seed ${shellQuoted(seed)}`;
}

/** Returns a word quoted for a POSIX shell. */
export function shellQuoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
