import { readFileSync } from 'node:fs';

/** The rows of the changes since 1.2.4, each with what to write instead, and with the code in that. */
export const GUIDE_ROWS = readFileSync(new URL('../../docs/reference/changes-since-1.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .map((line) => {
    const [differs, instead = ''] = line.slice(2).split('. Instead: ');
    return { differs, instead, codes: [...instead.matchAll(/`([^`]+)`/g)].map(([, code]) => code) };
  });
