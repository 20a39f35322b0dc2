import { count, counted, ms, number } from '../ground/decimal.js';
import { offered, placed } from '../ground/addons.js';
import { checkRows, checksLine, marginOf } from './rows.js';
import { markedAt } from './supported.js';
import { OUTCOME_STYLES, wrapped } from './text/layout.js';

/** @import { AddressFigures } from '../contracts/stats.js' */
/** @import { CheckRow } from './rows.js' */
/** @import { Block, BlockOptions, OfferedSection, Result } from './types.js' */

/** @typedef {(result: Result, options: BlockOptions) => Block[]} BlocksOf none if there is nothing to report */

/**
 * A section of the core that several formats print from the same blocks.
 * @type {(name: string, blocksOf: BlocksOf, places: Partial<OfferedSection>) => OfferedSection}
 */
const own = (name, blocksOf, places) => ({ name, suits: () => true, load: () => ({ blocksOf }), ...places });

/** The sections that have blocks: those of the core, then those of add-ons. @type {OfferedSection[]} */
export const SECTIONS = [
  own('percentiles', percentileBlocks, {
    text: { after: 'figures', isAttached: true },
    markdown: { before: 'errors' },
  }),
  own('traces', traceBlocks, { text: { after: 'errors', isFailure: true }, markdown: { after: 'figures' } }),
  own('addresses', addressBlocks, {
    text: { after: 'traces', isFailure: true },
    markdown: { after: 'exchanges' },
    page: { after: 'by-load', heading: 'Addresses' },
  }),
  own('credentials', credentialBlocks, {
    text: { after: 'addresses', isFailure: true },
    markdown: { after: 'addresses' },
    page: { after: 'addresses', heading: 'Credentials' },
  }),
  own('checks', checkBlocks, {
    text: { before: 'load', isQuiet: true },
    markdown: { after: 'thresholds' },
    page: { after: 'errors', heading: 'Checks' },
  }),
  own('section', sectionBlocks, {
    text: { before: 'thresholds', isFailure: true, isQuiet: true },
    markdown: { after: 'credentials' },
    page: { after: 'metrics', heading: 'From the flow' },
  }),
  ...offered('sections'),
];

/**
 * Returns the sections of a format: those that it has alone, and among them those of blocks, which `make` turns into
 * such.
 * @type {<R extends { name: string }>(format: 'text' | 'markdown', alone: R[], make: (blocksOf: BlocksOf) =>
 *   Omit<R, 'name'>) => R[]}
 */
export function sectionsOf(format, alone, make) {
  const more = SECTIONS.flatMap((one) => {
    const { name, [format]: place } = one;
    const blocksOf = /** @type {BlocksOf} */ ((result, options) => blocksIn(one, result, options));
    return place ? [/** @type {any} */ ({ name, ...place, ...make(blocksOf) })] : [];
  });
  return placed(alone, more);
}

/** @type {(section: OfferedSection, result: Result, options: BlockOptions) => Block[]} */
export function blocksIn({ suits, load }, result, options) {
  return suits(result) ? (load().blocksOf?.(result, options) ?? []) : [];
}

/** The percentiles of the run option. @type {BlocksOf} */
function percentileBlocks(result, { scale: { unit, format } }) {
  const { percentiles = [], main } = result;
  const texts = percentiles.map(({ percentile, responseTime }) => {
    const value = markedAt(responseTime, { count: main.completed.count, percentile }, format);
    return `p${percentile} ${value}${marginOf(result, `p${percentile}`, format)}`;
  });
  return texts.length > 0 ? [{ remarks: [{ name: `percentiles, ${unit}`, text: texts.join(', ') }] }] : [];
}

const MOST_TRACES = 3;

/** The traces of the slowest requests that the service was asked to record. @type {BlocksOf} */
function traceBlocks({ exemplars: { slowest } }) {
  const list = slowest.flatMap(({ serviceTime, operation, trace }) =>
    trace?.sampled ? [{ text: `${ms(serviceTime)} ms  ${operation}`, link: trace }] : [],
  );
  if (list.length === 0) return [];
  return [{ title: { text: 'traces of the slowest requests', style: 'bold' }, list: list.slice(0, MOST_TRACES) }];
}

const MOST_ADDRESSES = 10;

/** Where the requests of names with several addresses went. @type {BlocksOf} */
function addressBlocks({ requests: { addresses = [] } }) {
  const shown = addresses.slice(0, MOST_ADDRESSES);
  const more = addresses.length - shown.length;
  const text = `${more} more ${more === 1 ? 'address' : 'addresses'} in the result (requests.addresses)`;
  return [
    ...[...new Set(shown.map(({ name }) => name))].map((name) => ({
      title: { text: `addresses of ${name}`, style: /** @type {const} */ ('bold') },
      list: shown.filter((one) => one.name === name).map(addressItem),
    })),
    ...(more > 0 ? [{ remarks: [{ text }] }] : []),
  ];
}

/** @type {(one: AddressFigures) => NonNullable<Block['list']>[0]} */
function addressItem({ address, connections, failed, requests, time, error }) {
  const attempts = failed > 0 ? [`${counted(failed, 'failed attempt')} to connect (${error})`] : [];
  const unused = failed > 0 ? 'not used' : 'not used: fewer connections than addresses';
  const mean = requests > 0 ? [`mean ${ms(time / requests)} ms`] : [];
  const used = [counted(connections, 'connection'), counted(requests, 'request'), ...mean, ...attempts];
  const parts = connections === 0 ? [...attempts, unused] : used;
  return { text: `${address}  ${parts.join(', ')}`, ...(failed > 0 && { style: 'yellow' }) };
}

const MOST_ORIGINS = 5;

/** The origins that got requests without the credentials of the run. @type {BlocksOf} */
function credentialBlocks({ requests: { withheld = {} } }) {
  const all = Object.entries(withheld);
  const more = all.length - MOST_ORIGINS;
  const lines = all.slice(0, MOST_ORIGINS).map(([origin, requests]) => {
    // `other` stands for origins beyond those that are listed.
    const remedy = origin === 'other' ? '' : `; to send them, add --credentials-for ${origin}`;
    const text = `the credentials of the run were not sent to ${origin} (${counted(requests, 'request')}): a response named it, not the flow${remedy}`;
    return { text, style: /** @type {const} */ ('yellow') };
  });
  const remarks = more > 0 ? [{ text: `${counted(more, 'more origin')} in the result (requests.withheld)` }] : [];
  return [{ lines, remarks }];
}

/** Failed checks of a text that is not full. */
const MOST_FAILED = 10;
/** Checks of which none is folded. */
const MOST_UNFOLDED = 12;

/** How many checks passed, the first failure of each, and a table (in a text only if it is full). @type {BlocksOf} */
function checkBlocks(result, { format, glyphs, width, full, quiet }) {
  const { checks } = result;
  if (!checks || (quiet && checks.failed === 0)) return [];
  const rows = checkRows(result);
  const [failed, passed] = [true, false].map((isFailed) => rows.filter(({ failures }) => failures > 0 === isFailed));
  const line = checksLine(checks);
  if (format !== 'text') {
    const title = { text: format === 'page' ? line : `checks: ${line}` };
    if (rows.length <= MOST_UNFOLDED) return [{ title, ...checkTable(rows) }];
    return [
      { title, ...checkTable(failed) },
      { ...checkTable(passed), folded: `${counted(passed.length, 'check')} passed` },
    ];
  }
  const state = failed.length > 0 ? 'failed' : 'passed';
  const listed = full ? failed : failed.slice(0, MOST_FAILED);
  const rest = failed.length - listed.length;
  return [
    {
      title: { text: `${glyphs[state]} checks   ${line}`, style: OUTCOME_STYLES[state] },
      ...(full && checkTable(rows)),
    },
    {
      plain: [...listed.flatMap((row) => failureLines(row, width)), ...(rest > 0 ? [`  and ${count(rest)} more`] : [])],
    },
  ];
}

/** @type {(rows: CheckRow[]) => Block} */
function checkTable(rows) {
  return {
    columns: [
      { head: 'check', isText: true },
      { head: 'passed' },
      { head: 'count', from: 58 },
      { head: 'failed' },
      // In a text, it has lines of its own.
      { head: 'first failure', isText: true, from: Infinity },
    ],
    rows: rows.map(({ name, passed, total, failures, failure }) => [
      ...[name, passed, count(total)],
      failures > 0 ? { text: count(failures), style: 'red' } : '0',
      failure,
    ]),
  };
}

/** @type {(row: CheckRow, width: number) => string[]} */
function failureLines({ name, total, failures, failure }, width) {
  return [
    `  ${wrapped(`${count(failures)} of ${count(total)} failed: ${name}`, 4, width)}`,
    `    ${wrapped(failure, 6, width)}`,
  ];
}

/** What the section function returned. Rows of a saved result may have any number of cells. @type {BlocksOf} */
function sectionBlocks({ section }, { quiet }) {
  if (!section || (quiet && !section.failed)) return [];
  const { title, lines: plain = [], columns = [], rows = [], failed } = section;
  const cellOf = (/** @type {string | number | null} */ cell) =>
    typeof cell === 'string' ? { text: cell } : number(cell);
  return [
    {
      title: { text: title, style: failed ? 'red' : 'bold', level: 4 },
      plain,
      columns: columns.map((head, i) => ({ head, isText: rows.every((row) => typeof row[i] === 'string') })),
      rows: columns.length > 0 ? rows.map((row) => columns.map((_, i) => cellOf(row[i] ?? null))) : [],
    },
  ];
}
