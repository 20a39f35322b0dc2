import { count, percent, rate } from '../../../core/ground/decimal.js';
import { writeMs } from '../../../core/ground/units.js';
import {
  MAX_DROPPED,
  areDropsAllowed,
  areErrorsAllowed,
  droppedShare,
  slowPartsOf,
} from '../../../core/measure/outcome.js';

/** @import { LoadSummary } from '../../../core/contracts/summaries.js' */
/** @import { Verdict } from '../../../core/measure/outcome.js' */
/** @import { Column } from '../../../core/report/text/layout.js' */
/** @import { Block, Result } from '../../../core/report/types.js' */

/** The loads of a run with several, as rows of a table: what was planned, what became of it, and a verdict. */

/** @type {(Column & { cell: (load: LoadSummary) => string })[]} */
const COLUMNS = [
  { head: 'start', from: 62, spare: 4, cell: ({ startAfter }) => startCell(startAfter) },
  { head: 'users', spare: 1, cell: ({ virtualUsers }) => count(virtualUsers.started) },
  {
    head: 'planned/s',
    from: 74,
    cell: ({ iterations: { plannedRate } }) => (plannedRate === undefined ? '-' : rate(plannedRate)),
  },
  { head: 'completed/s', cell: ({ rate: perSecond }) => rate(perSecond) },
  { head: 'iterations', spare: 5, cell: ({ iterations }) => count(iterations.started) },
  { head: 'late', spare: 2, cell: ({ iterations: { late, plannedRate } }) => (plannedRate ? count(late) : '-') },
  {
    head: 'backlog',
    from: 84,
    spare: 3,
    cell: ({ iterations: { backlog, plannedRate } }) => (plannedRate ? count(backlog) : '-'),
  },
  { head: 'dropped', cell: ({ iterations: { dropped, plannedRate } }) => (plannedRate ? count(dropped) : '-') },
  { head: 'errors', cell: ({ errors }) => count(errors) },
];

/** The start of a load, ms after that of the run, in tenths of a second. @type {(startAfter?: number) => string} */
function startCell(startAfter) {
  if (startAfter === undefined) return '-';
  return startAfter > 0
    ? writeMs(startAfter < 1000 ? Math.round(startAfter) : Math.round(startAfter / 100) * 100)
    : '0';
}

/** The columns behind the name; the verdict is the last one. @type {Column[]} */
export const LOAD_COLUMNS = [...COLUMNS, { head: '', isText: true }];

/** @type {(result: Result) => Block[]} */
export function blocksOf(result) {
  const rows = loadRows(result).map(({ name, cells, state }) => [
    name,
    ...cells.slice(0, -1),
    { text: String(cells.at(-1)), state },
  ]);
  return [{ columns: [{ head: 'load', isText: true }, ...LOAD_COLUMNS], rows }];
}

/**
 * @type {(result: Pick<Result, 'loads' | 'errors' | 'thresholds'>) => { name: string, cells: string[], state: Verdict
 *   }[]}
 */
export function loadRows(result) {
  return (result.loads ?? []).map((load) => {
    const { state, text } = verdictOf(load, result);
    return { name: load.name, cells: [...COLUMNS.map(({ cell }) => cell(load)), text], state };
  });
}

/**
 * Judges a load by one cause: those that fail the run come first, then doubts, and what thresholds allow comes last.
 * @type {(load: LoadSummary, result: Pick<Result, 'errors' | 'thresholds' | 'loads'>) => { state: Verdict, text: string
 *   }}
 */
function verdictOf(load, result) {
  const { iterations, validity } = load;
  const failure = failureOf(load, result);
  if (failure !== null) return { state: 'failed', text: failure };
  if (iterations.missing) return { state: 'undecided', text: `${count(iterations.missing)} missing` };
  if (validity.status !== 'valid')
    return { state: 'undecided', text: WORDS[validity.reasons[0]?.code] ?? validity.status };
  return { state: 'passed', text: droppedText(load) ?? failedText(load) ?? 'sent' };
}

/** @type {(load: LoadSummary, result: Pick<Result, 'errors' | 'thresholds' | 'loads'>) => string | null} */
function failureOf(load, result) {
  const { started, completed } = load.iterations;
  if (started === 0) return 'never started';
  if (completed === 0) return 'none completed';
  const [dropped, failed] = [droppedText(load), failedText(load)];
  if (dropped !== null && !areDropsAllowed(result, load.name)) return dropped;
  if (failed !== null && !areErrorsAllowed(result)) return failed;
  return slowPartsOf(result).some(({ name }) => name === load.name) ? 'did not keep up' : null;
}

/** @type {(load: LoadSummary) => string | null} */
function droppedText(load) {
  const share = droppedShare(load);
  return share > MAX_DROPPED ? `${percent(share)} dropped` : null;
}

/** @type {(load: LoadSummary) => string | null} */
function failedText({ errors, iterations }) {
  return errors > 0 ? `${percent(errors / iterations.started)} failed` : null;
}

/** Codes of reasons against the validity, in the few words that a cell has room for. @type {Record<string, string>} */
const WORDS = {
  accounting: 'counters are wrong',
  bunchedStarts: 'started in bunches',
  loadGeneratorInFigures: 'load generator',
  missedRate: 'missed its rate',
};
