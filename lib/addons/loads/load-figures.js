import { contextOfLoad, doubtsOfLoads, loadSummaryOf } from './measure/loads.js';
import { Recorder } from '../../core/measure/recorder.js';
import { BEGIN } from '../../core/measure/cut-off.js';
import { NOTHING_ELSE } from '../../core/measure/state.js';
import { summarize } from '../../core/measure/summary.js';
import { SharedLoads } from './shared-loads.js';
import { isRamped, plannedIn, shareOf } from '../../core/run/run-figures.js';

/** @import { LoadSummary } from '../../core/contracts/summaries.js' */
/** @import { RecorderState } from '../../core/measure/state.js' */
/** @import { FiguresOfLoads, Load, LoadPlan, LoadsMoment } from '../../core/run/types.js' */
/** @import { CancelledCounts } from '../../core/run/workers/worker-handle.js' */

/**
 * The figures of each load of a run with several. Threads record each load by itself; what they have recorded is added
 * to the load and to the run, so the run is the exact sum.
 * @implements {FiguresOfLoads}
 */
export class LoadFigures {
  #plan;
  #shared;
  #whole;
  /** @type {Recorder[]} */
  #recorders;
  /** Some loads are open: what the closed ones record is added to the run as that of open ones. */
  #isMixed;
  /** The load of the run changes as planned. */
  isRamped;

  /**
   * @param {Pick<LoadPlan, 'loads' | 'stride' | 'options'>} plan
   * @param {object} parts
   * @param {Recorder} parts.whole of the run
   * @param {SharedArrayBuffer} parts.loadsMemory of {@link SharedLoads}
   */
  constructor(plan, { whole, loadsMemory }) {
    const { loads, options } = plan;
    this.#plan = plan;
    this.#shared = new SharedLoads(loadsMemory, options.workers ?? 1);
    this.#whole = whole;
    this.#recorders = loads.map(() => new Recorder({ interval: options.seriesInterval }));
    this.#isMixed = loads.some(isOpenLoad);
    // A run changes its load also if each of its loads is steady, when one of them starts later or ends earlier.
    const ends = new Set(loads.map(({ from, schedule }) => from + schedule.end));
    this.isRamped =
      ends.size > 1 || loads.some((load) => load.from > 0 || load.after !== null || isRamped(load.options));
  }

  /** Adds what a thread has recorded of each load since the last call. @type {(states: RecorderState[]) => void} */
  add(states) {
    states.forEach((state, at) => {
      const { counters, histograms, points } = state;
      const operations = state.operations.filter(({ phase }) => phase === BEGIN);
      this.#recorders[at].add({ ...NOTHING_ELSE, counters, histograms, points, operations });
      this.#whole.add(this.#isMixed && !isOpenLoad(this.#plan.loads[at]) ? asOpen(state) : state);
    });
  }

  /**
   * Counts iterations that a lost thread did not report.
   * @type {(position: number, counts: CancelledCounts) => void}
   */
  cancel(position, counts) {
    for (const recorder of [this.#recorders[position], this.#whole]) recorder.cancelled(counts);
  }

  /** Returns the part of the run that is over, 0 to 1: the smallest one of the loads with an end. */
  share(/** @type {number} */ elapsedMs) {
    const { loads, stride } = this.#plan;
    const shares = loads.flatMap((load, at) => {
      const { hasEnd, schedule, options } = load;
      if (!hasEnd) return [];
      const { completed, failed, cancelled } = this.#recorders[at].iterations;
      const ended = shareOf(completed + failed + cancelled, stride.countOf(options.iterations ?? Infinity));
      const endMs = this.#shared.startOf(load) + schedule.end;
      return Math.min(1, Math.max(ended, elapsedMs / endMs));
    });
    return shares.length > 0 ? Math.min(...shares) : 0;
  }

  /** Returns the figures of all loads, and what follows from them for the run. @type {FiguresOfLoads['summarize']} */
  summarize(moment) {
    const { loads: all, stride } = this.#plan;
    const plans = all.map((load) => this.#planned(load, moment));
    const loads = all.map((load, at) => {
      const plan = this.#endsAsPlanned(load) ? plans[at] : untilNext(plans[at], { ...load, stride });
      return this.#summaryOf(load, plan, moment, plans[at].startMs);
    });
    const isOpen = plans.some(({ planned }) => planned !== null);
    // Beside open loads, a closed one plans the iterations that it starts.
    const planned = plans.reduce((sum, one, at) => sum + (one.planned ?? this.#recorders[at].iterations.started), 0);
    // The interval between the arrivals of each open load, ms.
    const gaps = loads.flatMap(({ iterations: { plannedRate = 0 } }) => (plannedRate > 0 ? 1000 / plannedRate : []));
    const lastEndMs = Math.max(...plans.map((one) => (one.startMs < Infinity ? one.startMs + one.plannedMs : 0)));
    const { workers = 1 } = this.#plan.options;
    return {
      loads,
      planned: isOpen ? planned : null,
      // The interval after the last arrival of a slow load may go on long after the run, which stands for its own time
      // and the shortest interval at most.
      plannedMs: Math.min(lastEndMs, moment.measuredMs + Math.min(...gaps)),
      ...(gaps.length > 0 && { startGap: Math.max(...gaps) * workers }),
      ...(moment.isOver && { doubts: doubtsOfLoads(loads) }),
    };
  }

  /** @type {(load: Load, plan: ReturnType<typeof plannedIn>, moment: LoadsMoment, startMs: number) => LoadSummary} */
  #summaryOf({ position, name, options }, plan, { ending: _ending, ...moment }, startMs) {
    const recorder = this.#recorders[position];
    const { stride, options: run } = this.#plan;
    // A load may have ended long before the run.
    const endMs = moment.isOver ? recorder.series.end : moment.measuredMs;
    const context = {
      ...contextOfLoad({ ...moment, workers: run.workers ?? 1 }),
      measuredMs: Math.max(0, endMs - startMs),
      isRamped: isRamped(options),
      iterationLimit:
        options.iterations === undefined
          ? null
          : { own: stride.countOf(options.iterations), whole: options.iterations },
    };
    return loadSummaryOf(summarize(recorder, { ...context, ...plan }), {
      name,
      ...(startMs < Infinity && { startAfter: startMs }),
    });
  }

  /**
   * @type {(load: Load, moment: LoadsMoment) => ReturnType<typeof plannedIn> & { startMs: number }} startMs:
   *   after the start of the run; Infinity: it has to wait for the end of another load
   */
  #planned(load, { measuredMs, ending: { stoppedMs, why } }) {
    const { schedule } = load;
    const { stride } = this.#plan;
    const startMs = this.#shared.startOf(load);
    const ownMs = measuredMs - startMs;
    const hasStarted = ownMs >= 0;
    if (!hasStarted) return { planned: schedule.arrived === null ? null : 0, plannedMs: 0, startMs };
    const plan = { ...plannedIn({ schedule, stride }, ownMs, { stoppedMs: stoppedMs - startMs, why }), startMs };
    if (plan.planned === null || this.#endsAsPlanned(load)) return plan;
    // The load went on until other loads had ended, or no request was left, in each thread by itself: no formula has
    // that number.
    const { started, dropped } = this.#recorders[load.position].iterations;
    return { ...plan, planned: started + dropped };
  }

  /** @type {(load: Load) => boolean} */
  #endsAsPlanned({ hasEnd }) {
    return hasEnd && this.#plan.options.maxRequests === undefined;
  }

  close() {
    for (const recorder of this.#recorders) recorder.close();
  }
}

/**
 * A load that went on until the others had ended stands for the time until its next iteration would have been due:
 * its planned rate is that of its plan.
 * @type {(plan: ReturnType<typeof plannedIn>, load: Pick<Load, 'schedule'> & Pick<LoadPlan, 'stride'>) =>
 *   ReturnType<typeof plannedIn>}
 */
export function untilNext(plan, { schedule, stride }) {
  const { planned } = plan;
  if (planned === null || planned === 0) return plan;
  // Counted by INDEX, from the first one of this shard.
  const nextMs = schedule.dueAt?.(stride.indexOf(planned) - stride.indexOf(0)) ?? Infinity;
  return nextMs < Infinity ? { ...plan, plannedMs: nextMs } : plan;
}

/** @type {(load: Pick<Load, 'schedule'>) => boolean} */
function isOpenLoad({ schedule }) {
  return schedule.arrived !== null;
}

/**
 * Adds service times to a closed load, where they equal response times and are recorded once: a run with an open load
 * has both.
 * @type {(state: RecorderState) => RecorderState}
 */
function asOpen(state) {
  const { completed, least } = state.histograms;
  return { ...state, histograms: { ...state.histograms, serviceTime: completed, serviceLeast: least } };
}
