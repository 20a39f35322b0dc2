import { makeError } from '../errors.js';
import { addThreads, watchThread } from '../measure/thread.js';
import { summarize } from '../measure/summary.js';
import { countExhaustion } from '../measure/verdict.js';
import { createSchedule } from '../schedule/index.js';
import { addTotals } from '../transport/totals.js';
import { createBailout } from './bailout.js';
import { clock } from './clock.js';
import { DONE, createGenerator } from './generator.js';
import { hireWorkers } from './workers/pool.js';

/**
 * @import { CompiledFlow, Phase } from '../flow/types.js'
 * @import { Stats } from '../measure/types.js'
 * @import { Result, Run } from './benchrest.js'
 * @import { FlowSource } from './flow-source.js'
 * @import { RunOptions } from './options.js'
 */

const CONNECT_TRIES = 100;
/** for the word to reach all workers */
const START_MS = 10;
const JUDGE_MS = 1000;

/**
 * One benchmark: before, the iterations, after, the books.
 *
 * @param {Run} run
 * @param {CompiledFlow} flow
 * @param {RunOptions} options
 * @param {FlowSource | null} source what workers make the flow of; null where it cannot leave this thread
 * @returns {Promise<Result>}
 */
export async function conduct(run, flow, options, source) {
  const runCtx = {};
  const isAlone = options.workers === undefined;
  const own = await createGenerator(flow, isAlone ? options : { ...options, prealloc: 0 }, {
    onFailure: (error, phase) => onFailures([{ error, phase }]),
    runCtx,
  });
  const { recorder, ending } = own;
  const bailout = createBailout(options.bailout);
  const schedule = createSchedule(options);
  const beside = !isAlone && options.target ? watchThread() : null;
  const workers = isAlone ? null : await hire();
  const crew = workers ?? own;
  const startedAt = clock.now();
  let measuredFrom = Infinity;
  let measuredTo = Infinity;
  let isOver = false;
  /** @type {{ iterations: number, errors: number } | null} */
  let warmup = null;

  run.attach({ stop: ending.stop, leave: ending.leave, snapshot });
  const abort = () => ending.stop('aborted');
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted) abort();
  const stopJudging = options.abortOnFail ? clock.every(judge, JUDGE_MS) : () => {};
  const stopProgress = options.progress > 0 ? clock.every(() => emitProgress(snapshot()), options.progress) : () => {};

  if (!ending.isOver && (await own.once('before')) === 'failed') ending.stop('before');
  if (options.warmup && !ending.isOver) warmup = await crew.warmUp();
  measuredFrom = clock.now() + (workers ? START_MS : 0);
  beside?.begin();
  await crew.run(measuredFrom, schedule.end);
  beside?.end();
  measuredTo = clock.now();
  ending.drained();
  const afterwards = ending.isLeft ? null : await own.once('after');
  if (afterwards === 'cancelled' && !ending.isLeft) own.fail(makeError('E_AFTER_CUT'), 'after');

  options.signal?.removeEventListener('abort', abort);
  await workers?.close();
  await own.close();
  stopProgress();
  stopJudging();
  isOver = true;
  const stats = snapshot();
  if (options.progress > 0) emitProgress(stats);
  return { stats, errorCount: recorder.errorCount, why: ending.why ?? DONE };

  async function hire() {
    try {
      return await hireWorkers(/** @type {FlowSource} */ (source), options, {
        recorder,
        ending,
        runCtx,
        onFailures,
        fail: own.fail,
        tellsErrors: () => run.listenerCount('error') > 0,
      });
    } catch (error) {
      await own.close();
      throw error;
    }
  }

  /** @type {(failures: { error: Error, phase: Phase }[]) => void} */
  function onFailures(failures) {
    for (const { error, phase } of failures) run.emit('error', error, phase);
    if (bailout.isReached(recorder)) ending.stop('bailout');
    if (!options.keepGoing && recorder.errorCount >= CONNECT_TRIES && isUnreachable()) ending.stop('unreachable');
  }

  function isUnreachable() {
    return traffic().opened === 0 && recorder.errorCount - countExhaustion(recorder.errors()) >= CONNECT_TRIES;
  }

  function traffic() {
    return addTotals([own.traffic(), ...(workers?.traffic() ?? [])]);
  }

  /** @returns {Stats} */
  function snapshot() {
    const now = clock.now();
    const measuredMs = Math.max(0, Math.min(now, measuredTo) - measuredFrom);
    return summarize(recorder, {
      elapsedMs: now - startedAt,
      measuredMs,
      isOver,
      planned:
        schedule.arrived && Math.max(0, schedule.arrived(Math.min(measuredMs, schedule.end, ending.at - measuredFrom))),
      client: workers ? addThreads(workers.threads()) : own.thread(),
      server: beside && beside.toJSON(),
      sharesLoop: isAlone && options.target !== undefined,
      workers: options.workers ?? 1,
      warmup,
      expectedInterval: options.expectedInterval,
      thresholds: options.thresholds,
      traffic: traffic(),
    });
  }

  /** One that fails for want of data may yet get some. */
  function judge() {
    const { thresholds = [] } = snapshot();
    if (thresholds.some(({ passed, actual }) => !passed && actual !== null)) ending.stop('threshold');
  }

  /** @type {(stats: Stats) => void} */
  function emitProgress(stats) {
    const ended = recorder.iterations.started - recorder.active;
    const share = Math.max(
      ended / (options.iterations ?? Infinity),
      Math.min(1, Math.max(0, clock.now() - measuredFrom) / schedule.end),
    );
    run.emit('progress', stats, Math.round(share * 100), recorder.active, Math.round(stats.main.meter.currentRate));
  }
}
