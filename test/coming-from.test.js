import { expect } from 'chai';
import { readFileSync } from 'node:fs';

import { normalizeArguments } from '../lib/cli/normalize-arguments.js';
import { createProgram, readArguments } from '../lib/cli/options.js';

const text = readFileSync(new URL('../docs/reference/coming-from.md', import.meta.url), 'utf8');
const written = text.replace(/<!-- generated[^]*?<!-- \/generated -->/g, '');
const program = createProgram({ version: '', env: {}, submit() {} });

/** The column that has what to write here, of tables by the titles of their columns. */
const HERE = ['write', 'here'];
/** What stands for a value of the reader's own. @type {[RegExp, string][]} */
const VALUES = [
  [/(?<=-T )type\b/, 'json'],
  [/\bhost:port\b/, 'localhost:3128'],
  [/\bURL\b/, 'http://localhost:8000/'],
];

/** The code of the columns with this title, once each. */
function codesOf(document) {
  const codes = [];
  let at = -1;
  for (const line of document.split('\n')) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (cells.length < 3) at = -1;
    else if (at < 0) at = cells.findLastIndex((cell) => HERE.includes(cell));
    else codes.push(...[...cells[at].matchAll(/`([^`]+)`/g)].map(([, code]) => code));
  }
  return [...new Set(codes)];
}

const argumentsOf = (code) =>
  VALUES.reduce((line, [pattern, value]) => line.replace(pattern, value), code.replace(/^-\w, (?=--)/, ''))
    .match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)
    .map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));

describe('coming-from.md prints command lines that are accepted:', () => {
  const codes = codesOf(written).filter((code) => /^(?:bench-rest\b|-)/.test(code) && !code.includes('…'));

  it('there are some', () => expect(codes.length).to.be.above(50));

  for (const code of codes)
    it(code, () => {
      const args = argumentsOf(code);
      if (args.length === 1 && args[0] !== 'bench-rest') {
        expect(normalizeArguments([args[0].split(',')[0]], program).problems).to.deep.equal([]);
        return;
      }
      if (args[0] === 'bench-rest') args.shift();
      else if (!args.includes('--')) args.push('http://localhost:8000/');
      readArguments(args, { version: '', env: {}, columns: 80, cwd: () => import.meta.dirname });
    });
});
