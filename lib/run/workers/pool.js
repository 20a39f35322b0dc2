import { makeError } from '../../errors.js';
import { claimsMemory, startedCounts } from '../claims.js';
import { clock } from '../clock.js';
import { toCommonTime } from './common-time.js';
import { startMember } from './member.js';
import { fromPlain } from './plain-error.js';

/**
 * @import { Phase } from '../../flow/types.js'
 * @import { Recorder } from '../../measure/recorder.js'
 * @import { ThreadSummary } from '../../measure/thread.js'
 * @import { TransportTotals } from '../../transport/types.js'
 * @import { Ending } from '../ending.js'
 * @import { FlowSource } from '../flow-source.js'
 * @import { RunOptions } from '../options.js'
 * @import { Report } from './types.js'
 *
 * @typedef {object} Employer
 * @property {Recorder} recorder where all that is recorded comes together
 * @property {Ending} ending
 * @property {Record<string, any>} runCtx
 * @property {(failures: { error: Error, phase: Phase }[]) => void} onFailures they are counted already
 * @property {(error: Error & { code: string }, phase: Phase) => void} fail counts a failure of no operation
 * @property {() => boolean} tellsErrors somebody wants to hear of each
 */

const SPARE_MS = 1000;

/**
 * Worker threads that share the lanes and the iterations of a run: INDEX is claimed from shared memory, the schedule is
 * one, and what each records is added up here.
 *
 * @param {FlowSource} source
 * @param {RunOptions} options
 * @param {Employer} employer
 * @throws {Error} what a worker says of the flow; E_WORKER
 */
export async function hireWorkers(
  source,
  { signal: _signal, target: _target, ...options },
  { recorder, ending, runCtx, onFailures, fail, tellsErrors },
) {
  const parts = /** @type {number} */ (options.workers);
  const memory = claimsMemory(parts);
  /** what each has said @type {{ started: number, ended: number, traffic: TransportTotals | null, thread: ThreadSummary | null }[]} */
  const known = Array.from({ length: parts }, () => ({ started: 0, ended: 0, traffic: null, thread: null }));
  const members = known.map((_, part) =>
    startMember(
      { source, options, memory, part, parts },
      { onReport: (report) => add(part, report), onLost: (error) => writeOff(part, error) },
    ),
  );
  let relent = () => {};
  const forget = ending.onOver((reason, { within }) => {
    members.forEach((member) => member.tell({ type: 'stop', reason, within }));
    giveUpAfter(within);
  });
  ending.onLeft(() => members.forEach((member) => member.tell({ type: 'leave' })));
  const close = async () => {
    forget();
    relent();
    await Promise.all(members.map((member) => member.end()));
  };
  const readiness = await Promise.allSettled(members.map(({ ready }) => ready));
  const refusal = readiness.find(({ status }) => status === 'rejected');
  if (refusal) {
    await close();
    throw /** @type {PromiseRejectedResult} */ (refusal).reason;
  }

  return {
    /** @returns {Promise<{ iterations: number, errors: number }>} */
    async warmUp() {
      /** @type {({ iterations: number, errors: number } | null)[]} */
      const all = sendContext() ? await Promise.all(members.map((member) => member.ask({ type: 'warmUp' }))) : [];
      return {
        iterations: sum(all.map((one) => one?.iterations ?? 0)),
        errors: sum(all.map((one) => one?.errors ?? 0)),
      };
    },

    /** @type {(start: number, end: number) => Promise<void>} end: ms after the start, when the plan ends */
    async run(start, end) {
      if (ending.isOver || !sendContext()) return;
      if (end < Infinity) giveUpAfter(end + options.gracefulStop);
      await Promise.all(members.map((member) => member.ask({ type: 'run', start: toCommonTime(start) })));
    },

    /** @returns {TransportTotals[]} */
    traffic: () => known.flatMap(({ traffic }) => traffic ?? []),
    /** @returns {ThreadSummary[]} */
    threads: () => known.flatMap(({ thread }) => thread ?? []),
    close,
  };

  /** @type {(part: number, report: Report) => void} */
  function add(part, { state, traffic, thread, errors }) {
    const { started, completed, failed, cancelled } = state.iterations;
    const of = known[part];
    of.started += started;
    of.ended += completed + failed + cancelled;
    of.traffic = traffic;
    of.thread = thread;
    recorder.add(state);
    if (state.errors.count > 0) onFailures(errors.map(({ error, phase }) => ({ error: fromPlain(error), phase })));
  }

  /** A worker died: what it started and did not report is cancelled, the others come to an end. @type {(part: number, error: Error & { code: string }) => void} */
  function writeOff(part, error) {
    const { started, ended } = known[part];
    const begun = startedCounts(memory)[part];
    recorder.iterations.started += begun - started;
    recorder.iterations.cancelled += begun - ended;
    fail(error, 'main');
    ending.stop('worker');
  }

  /** Who computes for ever hears no word: a second after all grace it is ended. @type {(ms: number) => void} */
  function giveUpAfter(ms) {
    relent();
    relent = clock.after(() => members.forEach((member) => member.giveUp()), ms + options.teardownTimeout + SPARE_MS);
  }

  /** What `before` left for the iterations goes to every worker. @returns {boolean} whether it could */
  function sendContext() {
    try {
      for (const member of members) member.tell({ type: 'context', runCtx, tellsErrors: tellsErrors() });
      return true;
    } catch (cause) {
      fail(makeError('E_RUN_CTX', { reason: /** @type {Error} */ (cause).message }, { cause }), 'before');
      ending.stop('before');
      return false;
    }
  }
}

/** @type {(numbers: number[]) => number} */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
