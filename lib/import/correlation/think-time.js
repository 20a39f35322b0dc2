/** The factor of pauses between requests: `keep` is 1, `drop` 0; NaN: it is none. @type {(text: string) => number} */
export function readThinkTime(text) {
  if (text === 'keep') return 1;
  if (text === 'drop') return 0;
  const factor = text.trim() === '' ? NaN : Number(text);
  return factor >= 0 && factor <= 1000 ? factor : NaN;
}

export const THINK_TIMES = 'keep, drop, or a factor such as 0.5';
