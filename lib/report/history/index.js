import { counted, interval, ms, rate, signed } from '../../ground/decimal.js';
import { HISTORY_HEAD, TOOL, loadText } from '../../measure/document.js';
import { COMPARED_FIGURES } from '../../measure/compared-figures.js';
import { failedRuns } from '../../measure/compared-sides.js';
import { outcomeWith } from '../../measure/outcome.js';
import { historyRun, newestOf, trendOf } from '../../measure/history.js';
import { statisticOf } from '../../measure/threshold-figures.js';
import { formatValue, shortened } from '../../text/format-value.js';
import { EXIT_CODES } from '../../ground/exit-codes.js';
import { headOf, machineTexts, toolText } from '../rows.js';

/** @import { ComparedFigure } from '../../contracts/comparison.js' */
/** @import { Note, SavedOutcome } from '../../contracts/stats.js' */
/** @import { Change, HistoryRun, Newest, Trend } from '../../measure/history.js' */
/** @import { Result } from '../types.js' */

/**
 * The history of saved results, as `history` prints it. Results of one flow, load, machine and set of options are a
 * group (their `setting` is the same text); within it results of one label are a version, and only versions can be a
 * change for the worse.
 *
 * @typedef {object} HistoryResult a result in a history
 * @property {string} file
 * @property {string} [id]
 * @property {string} startedAt when the measurement began, which may be later than the run
 * @property {string} name of its version: the label, the commit, or else the time
 * @property {string} [label]
 * @property {NonNullable<Result['run']>['git']} [git]
 * @property {Result['tool']} [tool]
 * @property {string} runtime
 * @property {Pick<Result['validity'], 'status'>} validity
 * @property {Record<string, number | null>} figures
 *
 * @typedef {Note & { file: string, startedAt?: string, label?: string }} LeftOut a file that is in no group; code: of
 *   LEFT_OUT_CODES
 *
 * @typedef {object} HistoryGroup results of one flow and load, with the same options, on the same machine
 * @property {string} name flow, load and target
 * @property {string} machine
 * @property {Record<string, string>} setting what its results have in common, in words
 * @property {string[]} differs what distinguishes it from the other groups, other than name and machine
 * @property {HistoryResult[]} results in the order of time, those of a version together
 * @property {Trend['figures']} figures
 * @property {(Change & { message: string })[]} changes
 * @property {(Newest & { from: number, message: string }) | null} newest the newest version beside the earlier results,
 *   and the index of its first result; null: there are no earlier ones
 * @property {Note[]} notes what changed beside the service; code: one of HISTORY_NOTES
 *
 * @typedef {object} HistoryAbout
 * @property {SavedOutcome} outcome whether the newest results are no change for the worse
 * @property {string} message
 * @property {Note[]} notes why the newest version could not be judged; code: one of HISTORY_NOTES
 * @property {HistoryGroup[]} groups
 * @property {LeftOut[]} leftOut
 *
 * @typedef {typeof HISTORY_HEAD & { tool: typeof TOOL } & HistoryAbout} History
 *
 * @typedef {{ result: HistoryResult, run: HistoryRun, setting: Record<string, string>, title: string }} HistoryEntry
 */

/** Characters of a text of a result, which may be of others. */
const LONGEST = 200;
/** Characters that name a commit. */
const COMMIT = 7;

/**
 * What a history needs of a saved result, or why it is left out.
 * @type {(result: Result, file: string) => HistoryEntry | LeftOut}
 */
export function historyEntry(result, file) {
  const { run, id, label, tool, validity, startedAt = '', measuredAt = startedAt } = result;
  const labelled = label === undefined ? {} : { label: shortened(label, LONGEST) };
  const reason = run === undefined ? NO_FLOW : whyLeftOut(result);
  if (run === undefined || reason !== null)
    return { file, .../** @type {Note} */ (reason), ...(measuredAt !== '' && { startedAt: measuredAt }), ...labelled };
  const [runtime] = runtimesOf(result);
  const { commit, branch } = run.git ?? {};
  const { title, subtitle } = headOf({ ...result, title: undefined });
  const named = {
    startedAt: measuredAt,
    ...labelled,
    ...(commit && { git: { commit, ...(branch && { branch: shortened(branch, LONGEST) }) } }),
  };
  return {
    result: {
      file,
      ...(id !== undefined && { id }),
      ...named,
      name: nameOf(named),
      ...(tool && { tool: { name: tool.name, version: tool.version } }),
      runtime: runtime ?? '',
      validity: { status: validity.status },
      figures: Object.fromEntries(COMPARED_FIGURES.map(({ figure, of }) => [figure, of(result)])),
    },
    run: historyRun(result),
    setting: settingOf({ ...result, run }),
    title: withoutPorts(`${title}: ${subtitle}`),
  };
}

/** @type {Note} */
const NO_FLOW = { code: 'noFlow', message: 'does not name its flow: only results of the command do' };

/** Why a result that names its flow is left out; null if it is not. @type {(result: Result) => Note | null} */
function whyLeftOut(result) {
  if (result.startedAt === undefined) return { code: 'noTime', message: 'has no time' };
  if (result.endedAt === undefined) return { code: 'running', message: 'is of a run that had not ended' };
  if (result.validity.status === 'invalid')
    return { code: 'invalid', message: 'is invalid: its counts contradict each other' };
  const [reason] = [...failedRuns([result]).keys()].filter((one) => one !== 'threshold');
  if (reason === undefined) return null;
  return { code: 'failed', message: `is of a run that failed: ${EXIT_CODES[reason].about}` };
}

/** @type {(result: Pick<HistoryResult, 'label' | 'git' | 'startedAt'>) => string} */
function nameOf({ label, git, startedAt }) {
  const short = git === undefined ? '' : `commit ${git.commit.slice(0, COMMIT)}`;
  if (label !== undefined) return short === '' ? label : `${label} (${short})`;
  return short || `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)}`;
}

/** The setting that names the text of a flow; a URL has none. */
const CONTENT = 'content of the flow';
/** Options that change no figure, so results with others of them are of one group. */
const NO_LOAD = ['title', 'label', 'runId', 'progress', 'quiet', 'percentiles', 'thresholds'];

/**
 * What the results of a group have in common: flow, load, target, machine and options.
 * @type {(result: Result & { run: NonNullable<Result['run']> }) => Record<string, string>}
 */
export function settingOf(result) {
  const { run, loadGenerator } = result;
  const isUrl = /^\w+:\/\//.test(run.flow.source);
  const options = Object.entries(run.options)
    .filter(([name]) => !NO_LOAD.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = {
    flow: run.flow.source,
    // the content of a URL is the URL
    [CONTENT]: isUrl ? '' : run.flow.sha256,
    load: loadText(run),
    pacing: loadGenerator.pacing ?? '',
    target: run.origins.join(', '),
    proxy: (run.proxies ?? []).join(', '),
    machine: machineOf(result),
    ...Object.fromEntries(options.map(([name, value]) => [`option ${name}`, formatValue(value)])),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, withoutPorts(shortened(text, LONGEST))]),
  );
}

/**
 * Removes ports from 32768 on, which systems give to servers that ask for any: one of this machine has another port in
 * each run.
 * @type {(text: string) => string}
 */
function withoutPorts(text) {
  return text.replace(
    /\b(127\.0\.0\.1|localhost|\[::1\]):(3276[89]|327[7-9]\d|32[89]\d\d|3[3-9]\d{3}|[4-6]\d{4})\b/g,
    '$1',
  );
}

/** @type {(result: Result) => string[]} */
function runtimesOf({ loadGenerators = [] }) {
  return [...new Set(loadGenerators.flatMap(({ machine }) => machine?.runtime ?? []))];
}

/** The machine without its runtime, which is updated. @type {(result: Result) => string} */
function machineOf(result) {
  const { loadGenerators = [] } = result;
  const bare = loadGenerators.map((one) => ({
    ...one,
    ...(one.machine && { machine: { ...one.machine, runtime: '' } }),
  }));
  return machineTexts({ loadGenerators: bare }).join(', ');
}

/**
 * The history of saved results: a group for each flow, load, machine and set of options, with its trend.
 * @type {(entries: (HistoryEntry | LeftOut)[]) => History}
 */
export function historyOf(entries) {
  const { known, leftOut } = withoutCopies(entries);
  /** @type {Map<string, HistoryEntry[]>} */
  const bySetting = new Map();
  for (const entry of known) {
    const key = JSON.stringify(entry.setting);
    bySetting.set(key, [...(bySetting.get(key) ?? []), entry]);
  }
  const settings = [...bySetting.values()].map(([{ setting }]) => setting);
  const groups = [...bySetting.values()].map((own) => groupOf(own, settings));
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

/**
 * Several flows are measured for one change: their results have one label, or without labels one commit.
 * @type {(one: HistoryResult, other: HistoryResult) => boolean}
 */
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
  const isJudged = newestGroups.some(({ newest }) => newest !== null && newest.verdict !== 'unknown');
  if (newestGroups.length === 0 || isJudged) return [];
  const [{ newest: own, results }] = newestGroups;
  const { name } = results[results.length - 1];
  const first = `cannot tell whether ${name} is a change, because no earlier result has its flow, load, options and machine`;
  return [{ code: 'untold', message: own?.message ?? first }];
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
  for (const entry of entries) {
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

/**
 * In the order of time, with all results of a version where its first one is: so versions can be measured in several
 * rounds, and a drift of the machine is common to all of them.
 * @type {(entries: HistoryEntry[]) => HistoryEntry[]}
 */
function byVersion(entries) {
  const timeOf = (/** @type {HistoryEntry} */ { result }) => Date.parse(result.startedAt);
  const inTime = [...entries].sort((a, b) => timeOf(a) - timeOf(b));
  /** @type {Map<string, HistoryEntry[]>} */
  const versions = new Map();
  for (const entry of inTime) {
    const own = versions.get(versionOf(entry.result));
    if (own) own.push(entry);
    else versions.set(versionOf(entry.result), [entry]);
  }
  return [...versions.values()].flat();
}

/**
 * Only a label says that results are of one version: the commit is that of the flow, and the service may be elsewhere.
 * @type {(result: Pick<HistoryResult, 'label' | 'file'>) => string}
 */
function versionOf({ label, file }) {
  return label === undefined ? `file ${file}` : `label ${label}`;
}

/** @type {(entries: HistoryEntry[], settings: Record<string, string>[]) => HistoryGroup} settings: of all groups */
function groupOf(entries, settings) {
  const [{ title, setting }] = entries;
  const results = entries.map(({ result }) => result);
  const runs = entries.map(({ run }) => run);
  // A change can begin only with a version.
  const starts = results.map((one, i) => i === 0 || versionOf(one) !== versionOf(results[i - 1]));
  const { changes, figures } = trendOf(runs, starts);
  const last = versionOf(results[results.length - 1]);
  const from = results.findLastIndex((one) => versionOf(one) !== last) + 1;
  const newest = from === 0 ? null : newestOf(runs.slice(0, from), runs.slice(from), starts);
  return {
    name: title,
    machine: setting.machine,
    setting,
    differs: differencesOf(setting, settings),
    results,
    figures,
    changes: changes.map((change) => ({ ...change, message: changeText(change, results) })),
    newest: newest && { ...newest, from, message: newestText(newest, results[from].name) },
    notes: notesOf(results),
  };
}

/** Settings that the name of a group shows. */
const NAMED = ['flow', 'load', 'target', 'proxy', 'machine'];

/** @type {(setting: Record<string, string>, all: Record<string, string>[]) => string[]} */
function differencesOf(setting, all) {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))].filter((name) => !NAMED.includes(name));
  return names
    .filter((name) => all.some((one) => (one[name] ?? '') !== (setting[name] ?? '')))
    .filter((name) => name !== CONTENT || setting[name] !== '')
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

/** Changes of the tools in the notes of a group. */
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
  const message = `the figures of ${suspect} of ${counted(results.length, 'result')} are suspect`;
  return [
    ...changed.slice(0, MOST_NOTES),
    ...(more > 0 ? [{ code: 'moreChanges', message: `${more} more changes of bench-rest or its runtime` }] : []),
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
