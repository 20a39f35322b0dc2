import { bytes, count, counted, percent, rate, seconds } from '../../ground/decimal.js';
import { isUnanswered, reasonsOf } from '../../measure/outcome.js';
import { shortfallsOf } from '../../measure/shortfalls.js';
import { MAX_MISSED } from '../../measure/validity.js';
import { codeFrame } from '../../text/code-frame.js';
import { shortened } from '../../text/format-value.js';
import { safe } from '../../text/safe.js';
import { groupText, hintedErrors, shortExchange, withoutMessage } from '../errors.js';
import { findingsOf, outcomeOf, trustOf, validityNotes, validityOf } from '../outcome.js';
import { counterRows, mainFigures, spacingText, usageText } from '../rows.js';
import { blockLines } from './blocks.js';
import { OUTCOME_STYLES, cut, joined, wrapped } from './layout.js';
import { remainingTimes } from './tables.js';

/** @import { Result } from '../types.js' */
/** @import { Section, SectionOptions } from './index.js' */
/** @import { TimeScale } from './layout.js' */

/** The title, and the main figures in the color of the outcome. @type {Section} */
export function headlineSection(result, { width, paint, glyphs, scale }) {
  const { status, headline } = outcomeOf(result);
  const color = OUTCOME_STYLES[status];
  const lines = joined(partsOf(result, headline, scale), {
    gap: '  ',
    indent: 2,
    width: width - glyphs[status].length - 1,
  });
  const title = result.title === undefined ? [] : [paint('bold', result.title)];
  return [
    ...title,
    ...lines.map((line, i) => paint('bold', paint(color, i === 0 ? `${glyphs[status]} ${line}` : line))),
  ];
}

/** @type {(result: Result, headline: string, scale: TimeScale) => string[]} */
function partsOf(result, headline, { unit, withUnit, format }) {
  if (hasNoAnswer(result)) return [headline];
  const { main, errors } = result;
  const { p95, max } = main.completed;
  const [perSecond, ...times] = mainFigures(result, format);
  const share = errors.count > 0 && typeof errors.share === 'number' ? ` (${percent(errors.share)})` : '';
  return [
    ...(main.completed.count === 0
      ? ['no iteration completed']
      : [
          `${perSecond.value}${perSecond.margin}${plannedText(result)} iterations/s`,
          ...times.map(({ label, value, margin }) => `${label} ${withUnitBehind(value, unit)}${margin}`),
        ]),
    // The highest time is known of any number of values.
    ...(p95 === null && max !== null ? [`max ${withUnit(max)}`] : []),
    `${counted(errors.count, 'error')}${share}`,
  ];
}

/** @type {(text: string, unit: string) => string} */
function withUnitBehind(text, unit) {
  return text === '-' ? text : `${text} ${unit}`;
}

/** The planned rate, if the run fell behind it: ` of 130`. @type {(result: Result) => string} */
function plannedText(result) {
  const { plannedRate } = result.iterations;
  const isBehind = reasonsOf(result).some((reason) => reason === 'dropped' || reason === 'backlog');
  return isBehind && plannedRate !== undefined ? ` of ${rate(plannedRate)}` : '';
}

/**
 * Reports whether a run has only errors to show.
 * @type {(result: Pick<Result, 'requests' | 'operations' | 'errors'>) => boolean}
 */
export function hasNoAnswer(result) {
  return isUnanswered(result) && result.errors.count > 0;
}

const MAX_STATUSES = 6;

/** Times that the headline lacks, then one line: iterations, requests and answers. @type {Section} */
export function countsSection(result, options) {
  const { width, paint, glyphs } = options;
  const parts = [
    iterations(result),
    users(result),
    requests(result),
    messages(result),
    received(result),
    statuses(result),
  ].filter((part) => part !== '');
  const gap = ` ${glyphs.dot} `;
  return [
    ...joined(remainingTimes(result, options), { gap: '  ', indent: 0, width }),
    ...joined(parts, { gap, indent: 0, width }).map((line) => paint('dim', line)),
  ];
}

/** @type {(result: Result) => string} */
function iterations(result) {
  const { iterations: counts, measuredElapsed, warmup } = result;
  const { plannedRate = 0, startedRate = 0 } = counts;
  const planned = startedRate < plannedRate * (1 - MAX_MISSED) ? [`${rate(plannedRate)}/s planned`] : [];
  const warmUpErrors = warmup && warmup.errors > 0 ? [`${counted(warmup.errors, 'error')} in the warm-up`] : [];
  return [
    `${counted(counts.started, 'iteration')} in ${seconds(measuredElapsed)}`,
    ...counters(result, 'iterations'),
    ...planned,
    ...warmUpErrors,
  ].join(', ');
}

/** @type {(result: Result) => string} */
function users({ virtualUsers: { started } }) {
  return started > 0 ? counted(started, 'virtual user') : '';
}

/** @type {(result: Result) => string} */
function requests(result) {
  const { answered, rate: perSecond } = result.requests;
  if (answered === 0) return '';
  const speed = perSecond > 0 ? `, ${rate(perSecond)}/s` : '';
  return [`${counted(answered, 'request')}${speed}`, ...counters(result, 'requests')].join(', ');
}

/** @type {(result: Result) => string} */
function messages({ messages: all }) {
  return all && all.received > 0 ? `${counted(all.received, 'message')} received, ${rate(all.receivedRate)}/s` : '';
}

/** @type {(result: Result) => string} */
function received({ requests: { answered }, bytes: all }) {
  if (answered === 0 || !all.received) return '';
  const perSecond = all.receivedRate > 0 ? `, ${bytes(all.receivedRate)}/s` : '';
  return `${bytes(all.received)} received${perSecond}`;
}

/** Requests of `before` and `after`. @type {(result: Result) => string[]} */
function outside({ outside: all }) {
  return all ? [`${counted(all.sent, 'request')} of before and after, ${count(all.answered)} answered`] : [];
}

/** The most frequent statuses. @type {(result: Result) => string} */
function statuses({ requests: { statusCodes } }) {
  const all = Object.entries(statusCodes);
  const shown = [...all].sort(([, a], [, b]) => b - a).slice(0, MAX_STATUSES);
  const texts = all.filter((entry) => shown.includes(entry)).map(([status, n]) => `${status}: ${count(n)}`);
  const more = all.length - shown.length;
  const others = more > 0 ? [`${more} other ${more === 1 ? 'status' : 'statuses'}`] : [];
  return [...texts, ...others].join(', ');
}

/** @type {(result: Result, group: string) => string[]} */
function counters(result, group) {
  return counterRows(result, group).map(
    ({ label, value }) => `${count(value)} ${value === 1 ? (SINGULAR[label] ?? label) : label}`,
  );
}

/** @type {Record<string, string | undefined>} */
const SINGULAR = { retries: 'retry', redirects: 'redirect', reconnections: 'reconnection' };

/** All counts, for a full report. @type {Section} */
export function overviewSection(result, { width, paint }) {
  const { iterations, requests, connections } = result;
  const rows = /** @type {[string, string[]][]} */ ([
    ['iterations', [`${count(iterations.completed)} completed`, ...counters(result, 'iterations'), ...backlog(result)]],
    ['arrivals', [spacingText(result)].filter((text) => text !== '')],
    ['time', times(result)],
    [
      'requests',
      [`${count(requests.answered)} answered, ${rate(requests.rate)} per second`, ...counters(result, 'requests')],
    ],
    ['outside', outside(result)],
    ['statuses', Object.entries(requests.statusCodes).map(([status, n]) => `${status}: ${count(n)}`)],
    ['messages', messageTraffic(result)],
    ['bytes', traffic(result)],
    [
      'connections',
      [
        `${count(connections.opened)} opened`,
        `${count(connections.requestsOnReused)} on reused connections`,
        ...counters(result, 'connections'),
      ],
    ],
    ['proxy', (result.run?.proxies ?? []).map(safe)],
  ]).filter(([, parts]) => parts.length > 0);
  const label = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, parts]) => `${paint('bold', name.padEnd(label))}${wrapped(parts.join(', '), label, width)}`);
}

/** @type {(result: Result) => string[]} */
function backlog({ iterations }) {
  return iterations.late > 0 ? [`${count(iterations.late)} started late${atATime(iterations)}`] : [];
}

/**
 * Describes how many iterations waited together: some may not have started, and others may not count as late.
 * @type {(iterations: Result['iterations']) => string}
 */
function atATime({ late = 0, dropped = 0, maxBacklog = 0 }) {
  return late > 1 ? `, up to ${count(Math.min(late + dropped, maxBacklog))} at a time` : '';
}

/** @type {(result: Result) => string[]} */
function times({ startedAt, measuredElapsed, totalElapsed, warmup }) {
  const parts = [`${seconds(measuredElapsed)} of iterations`, `${seconds(totalElapsed)} in total`];
  if (startedAt !== undefined) parts.push(`started ${startedAt.slice(0, 19).replace('T', ' ')} UTC`);
  if (!warmup) return parts;
  const errors = warmup.errors > 0 ? [counted(warmup.errors, 'error')] : [];
  return [...parts, `warm-up of ${counted(warmup.iterations, 'iteration')}`, ...errors];
}

/** Describes the traffic of WebSockets. @type {(result: Result) => string[]} */
function messageTraffic({ messages: all }) {
  if (!all || (!all.sent && !all.received)) return [];
  const { sent, received: got, receivedRate, unexpected } = all;
  const others = unexpected > 0 ? [`${count(unexpected)} that nothing expected`] : [];
  return [`${count(got)} received, ${rate(receivedRate)} per second`, `${count(sent)} sent`, ...others];
}

/** @type {(result: Result) => string[]} */
function traffic({ bytes: { received: got, sent, receivedRate } }) {
  const perSecond = receivedRate > 0 ? ` (${bytes(receivedRate)} per second)` : '';
  return [`${bytes(got)} received${perSecond}`, `${bytes(sent)} sent`];
}

/** How busy the load generator was. @type {Section} */
export function usageSection({ loadGenerator }, options) {
  const threads = loadGenerator.workers > 1 ? [`${loadGenerator.workers} workers`] : [];
  const text = [...usageText(loadGenerator), ...threads].join(', ');
  // As wide as the name of a server in the same process, which may be below it.
  return blockLines({ lines: [{ name: 'load  ', text }] }, options);
}

/** Characters of a message, and groups of errors in a report that is not full. */
const MAX_MESSAGE = 500;
const MAX_GROUPS = 10;
/** Lines of the response to the first error in a brief report. */
const FEW_LINES = 3;

/** Prints each group of errors with its first message and place, then what did not run as planned. @type {Section} */
export function errorsSection(result, options) {
  const { errors, iterations } = result;
  const groups = hintedErrors(result).slice(0, options.full ? Infinity : MAX_GROUPS);
  if (options.room?.errorLines !== undefined) return briefErrors(result, options.room.errorLines, options);
  const digits = Math.max(...groups.map((group) => count(group.count).length), 1);
  const listed = groups.reduce((sum, group) => sum + group.count, 0);
  const rest = errors.count > listed ? [`and ${count(errors.count - listed)} more in other groups`] : [];
  return [
    ...groups.flatMap((group) => groupLines(group, digits, options)),
    ...rest,
    ...unplanned(iterations).map((line) => wrapped(line, 2, options.width)),
  ];
}

/**
 * The errors in at most so many lines: each of the largest groups in one, then the response to the first of them.
 * @type {(result: Result, most: number, options: SectionOptions) => string[]}
 */
function briefErrors(result, most, { paint, width, glyphs, room: { hasRemarks = true } = {} }) {
  const groups = hintedErrors(result);
  const shown = groups.slice(0, Math.max(1, most - FEW_LINES));
  const more = groups.length - shown.length;
  const [first = [], ...others] = shown.map((group, i) => groupText(group, i === 0 ? most : 0));
  const [head = '', ...response] = first;
  const room = most - shown.length - (more > 0 ? 1 : 0);
  const line = (/** @type {string} */ text) => cut(text, width, glyphs.ellipsis);
  // A remedy stands at the end of a message.
  const heads = room > 0 ? wrapped(head, 2, width).split('\n').slice(0, 2) : [line(head)];
  const left = room + 1 - heads.length;
  const example = shortExchange(response, 'with --full', left - 1).slice(0, Math.max(0, left));
  return [
    ...(head === '' ? [] : heads.map((text) => paint('red', text))),
    ...others.flatMap(([text]) => (text ? paint('red', line(text)) : [])),
    ...(more > 0 ? [`and ${counted(more, 'more group')} with --full`] : []),
    ...example.map((text) => paint('dim', line(`  ${text}`))),
    ...(hasRemarks ? unplanned(result.iterations).map((text) => wrapped(text, 2, width)) : []),
  ];
}

/** @type {(group: ReturnType<typeof hintedErrors>[0], digits: number, options: SectionOptions) => string[]} */
function groupLines(
  { count: n, kind, where, message, firstIndex, location, exchange = [] },
  digits,
  { width, paint, glyphs, full },
) {
  const first = firstIndex === null ? '' : `, first in iteration ${count(firstIndex)}`;
  const head = `${count(n)} ${glyphs.times} ${kind} in ${shortened(where, MAX_MESSAGE)}${first}`;
  // All other lines begin below the kind: after the count and ` × `.
  const indent = digits + 3;
  const margin = ' '.repeat(indent);
  const lines = [
    paint('red', ' '.repeat(digits - count(n).length) + wrapped(head, indent, width)),
    margin + wrapped(shortened(message, MAX_MESSAGE), indent, width),
  ];
  const shown = full ? withoutMessage(exchange) : shortExchange(exchange, 'with --full');
  lines.push(...shown.map((line) => paint('dim', margin + cut(line, width - indent, glyphs.ellipsis))));
  if (!location) return lines;
  const { file, line, column, source } = location;
  const trimmed = source.trimStart();
  const from = column - (source.length - trimmed.length);
  const frame = trimmed && from > 0 ? [codeFrame(trimmed, from, `${margin}  `, width - indent - 2)] : [];
  return [...lines, `${margin}${file}:${line}:${column}`, ...frame];
}

/** Iterations that did not run as planned. @type {(iterations: Result['iterations']) => string[]} */
function unplanned(iterations) {
  const { teardownFailed, late = 0 } = iterations;
  const teardownText = `teardown: afterMain failed in ${counted(teardownFailed, 'iteration')}, which may have left data on the server`;
  const lateText = `late: ${counted(late, 'iteration')} waited for a free virtual user${atATime(iterations)}; response times include the wait`;
  return [...(teardownFailed > 0 ? [teardownText] : []), ...(late > 0 ? [lateText] : [])];
}

/**
 * Prints why a run failed, what did not run as planned, what it shows about the service, and how far its figures can be
 * trusted, in one sentence. A full report has the outcome in any case, and the validity with all its reasons.
 * @type {Section}
 */
export function outcomeSection(result, options) {
  const { width, full } = options;
  const shortfalls = shortfallsOf(result).map(
    ({ what, text, advice }) => `${what}: ${text}${advice === undefined ? '' : `; ${advice}`}`,
  );
  const trust = full || options.room?.hasRemarks === false ? null : trustOf(result);
  return [
    ...outcomeLines(result, options),
    ...shortfalls.map((line) => `  ${wrapped(line, 2, width)}`),
    ...[...findingsOf(result), ...(trust === null ? [] : [trust])].map((line) => wrapped(line, 0, width)),
    ...(full ? validityLines(result, options) : []),
  ];
}

/** @type {(result: Result, options: SectionOptions) => string[]} */
function outcomeLines(result, { paint, width, glyphs, full }) {
  const { status, headline } = outcomeOf(result);
  // Without `full`, the headline has the mark of a run that passed, and an undecided threshold its reason.
  if (status !== 'failed' && !full) return [];
  const mark = glyphs[status];
  const reason = status === 'passed' ? '' : `: ${headline}`;
  // In ASCII, the mark is the word.
  const word = mark === status.toUpperCase() ? mark : `${mark} ${status}`;
  return [paint(OUTCOME_STYLES[status], wrapped(`${word}${reason}`, mark.length + 1, width))];
}

/** @type {(result: Result, options: Pick<SectionOptions, 'paint' | 'width'>) => string[]} */
export function validityLines(result, { paint, width }) {
  const word = validityOf(result);
  const colors = /** @type {const} */ ({ valid: 'green', suspect: 'yellow', invalid: 'red' });
  return [
    `validity: ${paint(colors[word], word)}`,
    ...validityNotes(result).map((note) => `  ${wrapped(note, 2, width)}`),
  ];
}

/** The files that the result was written to. @type {Section} */
export function filesSection(_result, { files, width, paint }) {
  return files.length > 0 ? [paint('dim', wrapped(`wrote ${files.join(', ')}`, 2, width))] : [];
}
