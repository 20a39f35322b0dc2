import { counted, countedOf, interval, ms, rate, signed } from '../../../core/ground/decimal.js';
import { TOOL } from '../../../core/measure/document.js';
import { HISTORY_HEAD, newestOf, trendOf } from '../measure/history.js';
import { outcomeWith } from '../../../core/measure/outcome.js';
import { statisticOf } from '../../../core/measure/threshold-figures.js';
import { isUrl, toolText } from '../../../core/report/rows.js';
import { COMMIT, CONTENT, versionOf } from './entry.js';

/** @import { ComparedFigure } from '../../compare/comparison.js' */
/** @import { Note } from '../../../core/contracts/stats.js' */
/** @import { Change, History, HistoryGroup, HistoryResult, LeftOut, Newest } from '../history.js' */
/** @import { HistoryEntry } from './entry.js' */

/**
 * The history of saved results, as `history` prints it. Results of one flow, load, machine and set of options are a
 * group (their `setting` is the same text); within it results of one label are a version, and only versions can be a
 * change for the worse.
 */

/** Groups results by flow, load, machine and options. @type {(entries: (HistoryEntry | LeftOut)[]) => History} */
export function historyOf(entries) {
  const { known, leftOut } = withoutCopies(entries);
  const bySetting = groupBy(known, ({ setting }) => JSON.stringify(setting));
  const firsts = bySetting.map(([first]) => first);
  const groups = bySetting.map((own) => groupOf(own, firsts));
  const last = known.at(-1)?.result;
  const newestGroups = groups.filter(({ results }) => last && isOfOneChange(results[results.length - 1], last));
  const regressions = newestGroups.flatMap(({ name, newest: one }) => {
    if (one?.verdict !== 'worse') return [];
    return [{ code: 'regression', message: groups.length > 1 ? `${name}: ${one.message}` : one.message }];
  });
  const none = groups.length === 0 ? [{ code: 'flow', message: 'no file has a result' }] : [];
  const missed = missedIn(leftOut, known).map((message) => ({ code: 'regression', message }));
  const outcome = outcomeWith([...none, ...regressions, ...missed]);
  const notes = untoldOf(newestGroups);
  return { ...HISTORY_HEAD, tool: TOOL, outcome, message: messageOf(groups), notes, groups, leftOut };
}

/** Compares labels, or without labels commits. @type {(one: HistoryResult, other: HistoryResult) => boolean} */
function isOfOneChange(one, other) {
  if (versionOf(one) === versionOf(other)) return true;
  const isUnnamed = one.label === undefined && other.label === undefined;
  return isUnnamed && one.git !== undefined && one.git.commit === other.git?.commit;
}

/**
 * Why nothing tells whether the newest version is worse. A new flow, option or machine begins a group of its own, and a
 * check that passes for that would seem to have compared something.
 * @type {(newestGroups: HistoryGroup[]) => Note[]} newestGroups: those that end with this version
 */
function untoldOf(newestGroups) {
  const untold = newestGroups.filter(({ newest }) => newest === null || newest.verdict === 'unknown');
  return untold.map((group) => {
    const { name } = group.results[group.results.length - 1];
    const first = `cannot tell whether ${name} is a change, because no earlier result has its flow, load, options and machine`;
    const message = group.newest?.message ?? first;
    return { code: 'untold', message: newestGroups.length > 1 ? `${headText(group)}: ${message}` : message };
  });
}

/** Names a group, with what distinguishes it from others. @type {(group: HistoryGroup) => string} */
export function headText({ name, differs }) {
  return differs.length > 0 ? `${name}; ${differs.join(', ')}` : name;
}

/** Codes of runs that were left out because of how they ended. */
const ENDED_BADLY = ['failed', 'invalid', 'running'];

/**
 * Names the newest run that was left out, if it is of a version after all others: without it nothing says that the
 * service is not worse.
 * @type {(leftOut: LeftOut[], known: HistoryEntry[]) => string[]}
 */
function missedIn(leftOut, known) {
  const versions = new Set(known.map(({ result }) => versionOf(result)));
  const last = known.reduce((latest, { result }) => Math.max(latest, Date.parse(result.startedAt)), 0);
  const timeOf = (/** @type {LeftOut} */ { startedAt = '' }) => Date.parse(startedAt);
  const newer = leftOut.filter(
    (one) => ENDED_BADLY.includes(one.code) && timeOf(one) > last && !versions.has(versionOf(one)),
  );
  const [newest] = newer.sort((a, b) => timeOf(b) - timeOf(a));
  if (known.length === 0 || newest === undefined) return [];
  const { file, label = file, message } = newest;
  return [`the newest result, ${label}, ${message}`];
}

/**
 * Each run once, in the order of a history.
 * @type {(entries: (HistoryEntry | LeftOut)[]) => { known: HistoryEntry[], leftOut: LeftOut[] }}
 */
function withoutCopies(entries) {
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {HistoryEntry[]} */
  const known = [];
  /** @type {LeftOut[]} */
  const leftOut = [];
  for (const entry of [...entries].sort((a, b) => (fileOf(a) < fileOf(b) ? -1 : 1))) {
    if ('code' in entry) {
      leftOut.push(entry);
      continue;
    }
    const { file, id } = entry.result;
    const other = id === undefined ? undefined : files.get(id);
    if (other === undefined) known.push(entry);
    else leftOut.push({ file, code: 'sameRun', message: `is the same run as ${other}` });
    if (id !== undefined) files.set(id, other ?? file);
  }
  return { known: byVersion(known), leftOut };
}

/** @type {(entry: HistoryEntry | LeftOut) => string} */
function fileOf(entry) {
  return 'file' in entry ? entry.file : entry.result.file;
}

/**
 * In the order of time, with all results of a version where its first one is: so versions can be measured in several
 * rounds, and a drift of the machine is common to all of them.
 * @type {(entries: HistoryEntry[]) => HistoryEntry[]}
 */
function byVersion(entries) {
  const timeOf = (/** @type {HistoryEntry} */ { result }) => Date.parse(result.startedAt);
  const inTime = [...entries].sort((a, b) => timeOf(a) - timeOf(b) || (a.result.file < b.result.file ? -1 : 1));
  return groupBy(inTime, ({ result }) => versionOf(result)).flat();
}

/** Groups values by key. @type {<V>(values: V[], keyOf: (value: V) => string) => V[][]} */
export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  return [...groups.values()];
}

/** @type {(entries: HistoryEntry[], others: HistoryEntry[]) => HistoryGroup} others: the first ones of all groups */
function groupOf(entries, others) {
  const [{ title, setting }] = entries;
  const results = entries.map(({ result }) => result);
  const runs = entries.map(({ run }) => run);
  // Only the first result of a version can begin a change.
  const starts = results.map((one, i) => i === 0 || versionOf(one) !== versionOf(results[i - 1]));
  const { changes, figures } = trendOf(runs, starts);
  const last = versionOf(results[results.length - 1]);
  const from = results.findLastIndex((one) => versionOf(one) !== last) + 1;
  const newest = from === 0 ? null : newestOf(runs.slice(0, from), runs.slice(from), starts);
  return {
    name: title,
    machine: setting.machine,
    setting,
    differs: differencesOf(entries[0], others),
    results,
    figures,
    changes: changes.map((change) => ({ ...change, message: changeText(change, results) })),
    newest: newest && { ...newest, from, message: newestText(newest, results[from].name) },
    notes: notesOf(results),
  };
}

/** Settings that the name of a group shows, unless another group has the same name. */
const NAMED = ['flow', 'load', 'target', 'proxy'];

/** @type {(own: HistoryEntry, all: HistoryEntry[]) => string[]} */
function differencesOf({ setting, title }, all) {
  const names = [...new Set(all.flatMap((one) => Object.keys(one.setting)))].filter((name) => name !== 'machine');
  const isNamed = (/** @type {string} */ name) => NAMED.includes(name) || (name === CONTENT && isUrl(setting.flow));
  return names
    .filter((name) =>
      all.some((one) => (one.setting[name] ?? '') !== (setting[name] ?? '') && (!isNamed(name) || one.title === title)),
    )
    .map((name) => `${name} ${name === CONTENT ? setting[name].slice(0, COMMIT) : setting[name] || 'none'}`);
}

/** Figures that a sentence names. */
const MOST = 3;

/** @type {(change: Change, results: HistoryResult[]) => string} */
function changeText({ at, verdict, figures }, results) {
  const word = verdict === 'mixed' ? 'different' : verdict;
  return `${word} from ${results[at].name} on: ${figuresText(figures)}`;
}

/** @type {(newest: Newest, name: string) => string} */
function newestText({ verdict, reason, runs, figures }, name) {
  const before = `the ${counted(runs, 'result')} before it`;
  if (verdict === 'unknown') return `cannot tell whether ${name} is a change, because ${reason?.message}`;
  if (verdict === 'noise') return `${name} differs from ${before} by no more than noise`;
  const changed = figures.filter((one) => one.verdict === verdict).sort((a, b) => Number(a.p) - Number(b.p));
  return `${name} is ${verdict} than ${before}: ${figuresText(changed)}`;
}

/** `p95 4.10 to 4.61 ms (+12.3 %; +10.1 % to +14.5 %), …` @type {(figures: ComparedFigure[]) => string} */
function figuresText(figures) {
  const shown = figures.slice(0, MOST).map(({ figure, unit, base, new: other, change, interval: ends }) => {
    const format = unit === 'ms' ? ms : rate;
    const name = unit === 'ms' ? statisticOf(figure) : 'iterations per second';
    const range = ends ? `; ${interval(ends)}` : '';
    return `${name} ${format(base)} to ${format(other)}${unit === 'ms' ? ' ms' : ''} (${signed(change)}${range})`;
  });
  const rest = figures.length > MOST ? ` and ${counted(figures.length - MOST, 'other')}` : '';
  return `${shown.join(', ')}${rest}`;
}

/** Changes of the tools that the notes of a group list. */
const MOST_NOTES = 5;

/** The tools that measured the results. @type {{ code: string, of: (result: HistoryResult) => string }[]} */
const TOOLS = [
  { code: 'otherVersion', of: toolText },
  { code: 'otherRuntime', of: ({ runtime }) => runtime },
];

/** @type {(results: HistoryResult[]) => Note[]} */
function notesOf(results) {
  const changed = TOOLS.flatMap(({ code, of }) =>
    results.flatMap((one, i) => {
      const [before, now] = [results[i - 1] ?? one, one].map(of);
      const message = `${now || 'unknown'} from ${one.name} on, ${before || 'unknown'} before`;
      return before === now ? [] : [{ code, message }];
    }),
  );
  const more = changed.length - MOST_NOTES;
  const suspect = results.filter(({ validity }) => validity.status === 'suspect').length;
  const message = `figures of ${countedOf(suspect, results.length, 'result')} are ranges, by what the load generator added to them: run it on a less busy machine`;
  return [
    ...changed.slice(0, MOST_NOTES),
    ...(more > 0
      ? [{ code: 'moreChanges', message: `${counted(more, 'more change')} of bench-rest or its runtime` }]
      : []),
    ...(suspect > 0 ? [{ code: 'suspect', message }] : []),
  ];
}

/** @type {(groups: HistoryGroup[]) => string} */
function messageOf(groups) {
  if (groups.length === 0) return 'No results';
  const results = groups.reduce((sum, group) => sum + group.results.length, 0);
  const changes = groups.reduce((sum, group) => sum + group.changes.length, 0);
  const of = groups.length > 1 ? ` in ${groups.length} groups` : '';
  return `${counted(results, 'result')}${of}: ${changes === 0 ? 'no change' : counted(changes, 'change')}`;
}
