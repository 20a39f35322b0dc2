import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { COMMANDS } from '../lib/core/cli/commands/index.js';
import { LISTINGS, listText } from '../lib/addons/lists/list-text.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { WEB_SOCKET } from '../lib/addons/websocket/flow/index.js';
import { ERRORS, KINDS } from '../lib/core/ground/errors.js';
import { EXIT_CODES } from '../lib/core/ground/exit-codes.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { ROOT, command } from './support/command.js';
import { documentsIn, textOf } from './support/documents.js';
import { literalResult } from './support/literal-result.js';
import { itSlow } from './support/slow.js';

/** Words that no text for users may contain, and what to write instead. */
const BANNED = [
  [/\bbooks\b/i, 'write counters or accounting check'],
  [/\bunder way\b/i, 'write in flight (requests) or running (iterations)'],
  [/\bin no figure\b/i, 'write not included in the results'],
  [/\bthat stood\b/i, 'write on reused connections'],
  [/\bwhat is told\b|\bis said\b|\bof what is\b|\bas far as\b/i, 'begin with the subject, then an active verb'],
  [/\bheed|\bwhoever\b|\brelent|\bcrew\b/i, 'write handle, everyone, cancel, workers'],
  [/\bthe client was the limit\b/i, 'write the load generator was saturated'],
  [/\bgiven up\b/i, 'write dropped, aborted or lost'],
  [/\bspectrum\b/i, 'write percentile distribution'],
  [/\d x \d{3}\b/, 'write 200: 1,000 for a status and its count'],
  [/\b(iterations|requests|runs|times) a second\b/i, 'write per second'],
  [/\bleft at once\b|\bleaves at once\b/i, 'write aborted'],
  [/(^|[.:;] )(Whether|Who|What|So many) (?![^.]*\?)[a-z]+ [^.?]*\b(is|are)\b[^.?]*, /m, 'begin with the subject'],
  [/\btear-down\b|\bset-up\b/i, 'write teardown, setup'],
  [/\bfor ever\b/i, 'write forever'],
  [/\bnobody\b|\bsomebody\b/i, 'name the user, the hook, the server, …'],
  [/\bfor want of\b/i, 'write for lack of'],
  [/\b(it|that|which|what|one) (says|said|told)\b/i, 'write prints, reports, names, lists'],
  [/\bis given back\b|\bgives? back\b|\bgiven back\b/i, 'write releases'],
];

/** Words of the code base that users do not know, except as the name of a property. docs/internals may use them. */
const INTERNAL = [[/(?<![.`])\blanes?\b/i, 'write virtual user']];

/** Words that no name in lib may contain, and what to use instead. */
const BANNED_IN_NAMES = [
  [/hire|crew|employer/i, 'pool, workers, host'],
  [/heed|forgive|relent/i, 'handle, ignore, cancel'],
  [/underWay/i, 'running, inFlight'],
  [/^(tell|told|say|said|heard)|(Told|Said|Heard)$/, 'emit, post, print, format'],
  [/giveBack|givenUp|giveUp|writeOff/i, 'free, drop, cancel'],
  [/spectrum/i, 'percentileDistribution'],
  [/colour/i, 'color'],
  [/^(wish|wishes|occasion|evidence|ability|books)$/i, 'request, runContext, verdictInput, middleware, counters'],
];

const STRING = /'[^'\n]*'|`[^`]*`/g;
const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm;

/** Texts that still contain such words. This list only shrinks. */
const OPEN = [];

const SOURCES = readdirSync(join(ROOT, 'lib'), { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => join('lib', name));
const TESTS = readdirSync(join(ROOT, 'test'), { recursive: true })
  .filter((name) => name.endsWith('.test.js') && name !== 'words.test.js')
  .map((name) => join('test', name));

const prose = once(proseOf);
const names = once(namesIn);

describe('texts for users use the terms of the field', () => {
  const texts = new Map();
  before(async () => {
    const helps = [['-h'], ['--help'], ['--help-all'], ['list'], ...COMMANDS.map(({ name }) => ['help', name])];
    for (const args of helps) texts.set(`bench-rest ${args.join(' ')}`, (await command(args)).stdout);
    for (const name of Object.keys(LISTINGS)) texts.set(`bench-rest list ${name}`, listText(name));
    for (const { name, load } of REPORTERS)
      texts.set(`report ${name}`, withoutScripts((await load()).render(literalResult(), { width: 100 })));
    texts.set('errors', JSON.stringify([ERRORS, KINDS], null, 1));
    texts.set('exit codes', JSON.stringify(EXIT_CODES, null, 1));
    texts.set('run options', RUN_OPTIONS.map(({ about, expected }) => `${about}\n${expected}`).join('\n'));
    for (const path of ['README.md', 'CHANGELOG.md', ...documentsIn()]) texts.set(path, textOf(path));
  });

  for (const [pattern, remedy] of BANNED) {
    it(`no text matches ${pattern}: ${remedy}`, () => {
      const isOpen = ([name]) => OPEN.some(([open, words]) => open === name && words.source === pattern.source);
      expect(
        matches(
          [...texts].filter((text) => !isOpen(text)),
          pattern,
        ),
        remedy,
      ).to.deep.equal([]);
    });

    itSlow(`no comment or message in lib matches ${pattern}: ${remedy}`, () =>
      expect(matches(SOURCES.map(prose), pattern), remedy).to.deep.equal([]),
    );
  }

  itSlow('no test title has such a word, or begins with Who, What or Whether', () => {
    const patterns = [...BANNED.map(([pattern]) => pattern), /^(who|what|whether|so many) /im];
    const titles = TESTS.map(titlesOf);
    for (const pattern of patterns) expect(matches(titles, pattern)).to.deep.equal([]);
  });

  for (const [pattern, remedy] of INTERNAL) {
    it(`no text outside of docs/internals matches ${pattern}: ${remedy}`, () =>
      expect(
        matches(
          [...texts].filter(([name]) => !name.startsWith('docs/internals/')),
          pattern,
        ),
      ).to.deep.equal([]));
  }

  for (const [pattern, remedy] of BANNED_IN_NAMES) {
    it(`no name in lib matches ${pattern}: use ${remedy}`, () =>
      expect(SOURCES.flatMap((path) => names(path).filter((name) => pattern.test(name)))).to.deep.equal([]));
  }

  it('every entry of the open list is needed', () => {
    const stale = OPEN.filter(([name, words]) => !words.test(texts.get(name) ?? ''));
    expect(stale, 'delete these').to.deep.equal([]);
  });
});

describe('the guide has the names of this version', () => {
  const partsOf = ({ schema }) => Object.keys((schema.anyOf ?? schema.oneOf).find((one) => one.properties).properties);
  for (const [page, properties] of [
    ['websocket', Object.keys(WEB_SOCKET.properties)],
    ['streams', partsOf(PROPERTIES.stream)],
    ['graphql', partsOf(PROPERTIES.graphql)],
  ])
    it(`the list of properties in ${page}.md has each of them`, () => {
      const items = [...textOf(`docs/guide/${page}.md`).matchAll(/^- ([^:]*):/gm)].map(([, name]) => name);
      const names = items.flatMap((item) => [...item.matchAll(/`(\w+)`/g)].map(([, name]) => name));
      expect(names).to.include.members(properties);
    });
});

/** The matches of a pattern in texts, each with its surroundings. */
function matches(texts, pattern) {
  return texts.flatMap(([name, text]) => {
    const at = text.search(pattern);
    return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 30), at + 60).replaceAll('\n', ' ')}`];
  });
}

/** Reads each file once, for all patterns. @type {<R>(read: (path: string) => R) => (path: string) => R} */
function once(read) {
  const known = new Map();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
}

function strings(path) {
  return (readFileSync(join(ROOT, path), 'utf8').match(STRING) ?? []).join('\n');
}

/** Comments, without their decoration, and string literals. */
function proseOf(path) {
  const comments = readFileSync(join(ROOT, path), 'utf8').match(COMMENT) ?? [];
  return [path, `${comments.map((text) => text.replace(/\n\s*\* ?/g, ' ')).join('\n')}\n${strings(path)}`];
}

/** The titles of tests and suites. */
function titlesOf(path) {
  const titles = readFileSync(join(ROOT, path), 'utf8').matchAll(/\b(?:it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  return [path, [...titles].map(([, , title]) => title).join('\n')];
}

function namesIn(path) {
  const code = readFileSync(join(ROOT, path), 'utf8').replace(COMMENT, '').replace(STRING, "''");
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))];
}

/** Removes scripts and styles from a page: those of uPlot are not ours. */
function withoutScripts(text) {
  return text.replace(/<script(?![^>]*application\/json)[^>]*>[^]*?<\/script>|<style[^]*?<\/style>/g, '');
}
