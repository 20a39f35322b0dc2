/** Reads a factor from 0 to 1000, or NaN. It is apart, as `--help` loads it. @type {(text: string) => number} */
export function readPauseFactor(text) {
  if (text === 'keep') return 1;
  if (text === 'drop') return 0;
  const factor = text.trim() === '' ? NaN : Number(text);
  return factor >= 0 && factor <= 1000 ? factor : NaN;
}

/** The texts that {@link readPauseFactor} reads, to complete "expected …". */
export const PAUSE_FACTORS = 'keep, drop, or a factor such as 0.5';
