import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './command.js';

/** Returns the paths of the Markdown files of a folder, from the root. */
export function documentsIn(folder = 'docs', { recursive = true } = {}) {
  const names = readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive });
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

/** @type {(path: string) => string} */
export const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Returns the blocks of code of a document: their language, the word after it, and the code. */
export function blocksOf(text) {
  const matches = text.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms);
  return [...matches].map(([, language, kind, code]) => ({ language, kind, code }));
}

/** Returns the commands of bench-rest in blocks for a shell, also in those that have other commands, without comments. */
export function commandLines(blocks) {
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replace(/ +# .*/, '').replace(/^npx bench-rest(@next|@latest)?/, 'bench-rest'))
    .filter((line) => line.startsWith('bench-rest '));
}

/** Returns the words of a line of the shell. */
export function wordsOf(line) {
  return line.match(/"[^"]*"|'[^']*'|\S+/g).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}
