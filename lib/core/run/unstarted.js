import { summarize } from '../measure/summary.js';
import { Recorder } from '../measure/recorder.js';
import { addSenders } from '../measure/thread.js';
import { recordFailure } from './flow-failures.js';

/** @import { Stats } from '../contracts/stats.js' */

/** Returns the stats of a run that failed before it started: nothing but its error. @type {(error: Error) => Stats} */
export function unstartedStats(error) {
  const recorder = new Recorder();
  recordFailure(recorder, error, { phase: 'before' }, null);
  const now = new Date().toISOString();
  return summarize(recorder, {
    ...{ startedAt: now, endedAt: now, elapsedMs: 0, measuredMs: 0, isOver: true, planned: null },
    ...{ loadGenerator: addSenders([]), server: null, sharesLoop: false, workers: 1, warmup: null, traffic: {} },
  });
}
