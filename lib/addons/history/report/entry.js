import { EXIT_CODES } from '../../../core/ground/exit-codes.js';
import { COMPARED_FIGURES } from '../../compare/measure/compared-figures.js';
import { failedRuns } from '../../compare/measure/compared-sides.js';
import { historyRun } from '../measure/history.js';
import { shortened } from '../../../core/text/format-value.js';
import { withoutPorts } from '../../../core/text/local-ports.js';
import { headOf } from '../../../core/report/rows.js';
import { factName, factsOf, isOfOneRun } from '../../compare/report/run-facts.js';
import { distinct } from '../../saved/distinct.js';

/** @import { Note } from '../../../core/contracts/stats.js' */
/** @import { HistoryResult, LeftOut } from '../history.js' */
/** @import { HistoryRun } from '../measure/history.js' */
/** @import { Result } from '../../../core/report/types.js' */

/**
 * What a history keeps of a saved result, so that it can have thousands.
 *
 * @typedef {object} HistoryEntry
 * @property {HistoryResult} result
 * @property {HistoryRun} run the figures that show changes
 * @property {Record<string, string>} setting results with the same one can be compared
 * @property {string} title
 */

/** Characters of a text: the file of a result may come from someone else. */
const LONGEST = 200;
/** Characters that name a commit. */
export const COMMIT = 7;

/** A result for a history, or why it is left out. @type {(result: Result, file: string) => HistoryEntry | LeftOut} */
export function historyEntry(result, file) {
  const { run, id, label, tool, validity, startedAt = '', measuredAt = startedAt } = result;
  const labelled = label === undefined ? {} : { label: distinct(label) };
  const reason = run === undefined ? NO_FLOW : whyLeftOut(result);
  if (run === undefined || reason !== null)
    return { file, .../** @type {Note} */ (reason), ...(measuredAt !== '' && { startedAt: measuredAt }), ...labelled };
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
      tool: { name: tool.name, version: tool.version },
      runtime: runtimesOf(result).join(', '),
      validity: { status: validity.status },
      figures: Object.fromEntries(COMPARED_FIGURES.map(({ figure, of }) => [figure, of(result)])),
    },
    run: historyRun(result),
    setting: settingOf(result),
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

/** The setting that names the text of a flow. */
export const CONTENT = 'content of the flow';

/**
 * Returns what a group of results has in common: flow, load, target, machine and options, not those of one run.
 * @type {(result: Result) => Record<string, string>}
 */
export function settingOf(result) {
  const facts = [...factsOf(withoutRuntime(result))].filter(([path]) => path !== 'tool' && !isOfOneRun(path));
  return Object.fromEntries(facts.map(([path, text]) => [factName(path), withoutPorts(text)]));
}

/** @type {(result: Result) => string[]} */
function runtimesOf({ loadGenerators = [] }) {
  return [...new Set(loadGenerators.flatMap(({ machine }) => machine?.runtime ?? []))].sort();
}

/** The runtime of a machine is updated. @type {(result: Result) => Result} */
function withoutRuntime({ loadGenerators = [], ...result }) {
  const bare = loadGenerators.map(({ machine, ...one }) => ({
    ...one,
    ...(machine && { machine: { ...machine, runtime: '' } }),
  }));
  return { ...result, loadGenerators: bare };
}

/**
 * Only a label says that results are of one version: the commit is that of the flow, and the service may be elsewhere.
 * @type {(result: Pick<HistoryResult, 'label' | 'file'>) => string}
 */
export function versionOf({ label, file }) {
  return label === undefined ? `file ${file}` : `label ${label}`;
}
