import { isOpen } from '../../../core/measure/figures.js';
import { LOAD_TIMES } from '../../../core/measure/state.js';
import { note } from '../../../core/measure/validity.js';

/** @import { Note, Stats, Validity } from '../../../core/contracts/stats.js' */
/** @import { LoadSummary } from '../../../core/contracts/summaries.js' */
/** @import { RunContext } from '../../../core/measure/summary.js' */

/**
 * The figures of each load of a run with several: a load is a part of a run, and its figures are those of a run. The
 * result has those that differ from load to load. `merge` turns each into the state of a recorder again, and adds up
 * those of the same name.
 */

/** The times that every load has; others only with values. */
const ALWAYS = ['responseTime', 'serviceTime'];

/** Reasons against the figures that belong to one load; the others are of the load generator. */
const OWN_REASONS = ['accounting', 'bunchedStarts', 'loadGeneratorInFigures', 'missedRate'];
/** The reasons among these that the figures of the whole run may hide. */
const HIDDEN_REASONS = ['bunchedStarts', 'missedRate'];

/**
 * Returns the figures of a load from the result of a run that would have had this load alone.
 * @type {(stats: Stats, load: { name: string, startAfter?: number }) => LoadSummary} startAfter: undefined if it never
 *   started
 */
export function loadSummaryOf(stats, { name: load, startAfter }) {
  const { iterations, virtualUsers, main, series, loadGenerator, measuredElapsed, operations } = stats;
  const { startDelay, spacing } = loadGenerator;
  const times = Object.entries(LOAD_TIMES).flatMap(([name, key]) => {
    const summary = /** @type {any} */ (main)[key];
    return summary && (ALWAYS.includes(name) || summary.count > 0) ? [[name, summary]] : [];
  });
  return {
    name: load,
    phase: 'main',
    labels: { load },
    ...(startAfter !== undefined && { startAfter }),
    measuredElapsed,
    count: iterations.completed + iterations.failed,
    errors: iterations.failed,
    rate: iterations.completedRate,
    iterations,
    virtualUsers,
    times: Object.fromEntries(times),
    ...(operations.some(({ times: { cancelled } }) => cancelled) && { operations }),
    ...(isOpen(stats) && startDelay && spacing && { startDelay, spacing }),
    series: { interval: series.interval, points: series.points.map(({ bytes: _all, ...point }) => point) },
    validity: ownValidity(stats.validity),
  };
}

/** @type {(validity: Validity) => LoadSummary['validity']} */
function ownValidity({ reasons: all }) {
  const reasons = all.filter(({ code }) => OWN_REASONS.includes(code));
  const isWrong = reasons.some(({ code }) => code === 'accounting');
  return { status: isWrong ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid', reasons };
}

/** Lists doubts about single loads that are doubts about the run. @type {(loads: LoadSummary[]) => Note[]} */
export function doubtsOfLoads(loads) {
  return loads.flatMap(({ name, validity }) =>
    validity.reasons
      .filter(({ code }) => HIDDEN_REASONS.includes(code))
      .map(({ code, message }) => note(/** @type {any} */ (code), `${name}: ${message}`)),
  );
}

/**
 * Returns the context of a load: that of its run, without the parts that are measured of the whole run alone. It is
 * ramped, so that the steadiness of a sum is not judged; a run that knows the load says whether it is.
 * @type {(context: Pick<RunContext, 'isOver' | 'withCounts' | 'measuredMs' | 'loadGenerator' | 'workers' | 'pacing' |
 *   'pipelining' | 'startGap'>) => RunContext}
 */
export function contextOfLoad({
  isOver,
  withCounts,
  measuredMs,
  loadGenerator,
  workers,
  pacing,
  pipelining,
  startGap,
}) {
  return {
    ...{ isOver, withCounts, elapsedMs: measuredMs, measuredMs, loadGenerator, workers, pacing, pipelining, startGap },
    ...{ planned: null, server: null, sharesLoop: false, warmup: null, traffic: {}, isRamped: true },
  };
}
