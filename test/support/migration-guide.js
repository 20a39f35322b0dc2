import { readFileSync } from 'node:fs';

/** The rows of the changes since 1.2.4, each with the text of its cells, and with the code in the last one. */
export const GUIDE_ROWS = readFileSync(new URL('../../docs/reference/changes-since-1.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!what differs|-)/.test(line))
  .map((line) => {
    const [differs, why, instead] = line
      .slice(2, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    return { differs, why, instead, codes: [...instead.matchAll(/`([^`]+)`/g)].map(([, code]) => code) };
  });
