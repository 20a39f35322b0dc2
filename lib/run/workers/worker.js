import { parentPort, workerData } from 'node:worker_threads';

import { readFlow } from '../../flow/index.js';
import { sharedClaims, startedCounts } from '../claims.js';
import { readSource } from '../flow-source.js';
import { createGenerator } from '../generator.js';
import { fromCommonTime } from './common-time.js';
import { toPlain } from './plain-error.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { FromWorker, Report, ToWorker, WorkerData } from './types.js'
 */

const REPORT_MS = 200;
/** an error is told sooner: it may end the run */
const HURRY_MS = 10;
const MOST_ERRORS = 1000;

const port = /** @type {MessagePort} */ (parentPort);
/** @type {(message: FromWorker) => void} */
const tell = (message) => port.postMessage(message);
/** @type {Report['errors']} */
let errors = [];
let tellsErrors = false;
/** @type {NodeJS.Timeout | undefined} */
let hurry;

try {
  const { source, options, memory, part, parts } = /** @type {WorkerData} */ (workerData);
  const runCtx = {};
  const flow = readFlow(await readSource(source)).compile(options);
  const started = startedCounts(memory);
  const generator = await createGenerator(flow, options, {
    claims: sharedClaims(memory),
    part,
    parts,
    isPart: true,
    runCtx,
    onStart: () => started[part]++,
    onFailure(error, phase) {
      if (tellsErrors && errors.length < MOST_ERRORS) errors.push({ error: toPlain(error), phase });
      hurry ??= setTimeout(report, HURRY_MS);
    },
  });

  const report = () => {
    clearTimeout(hurry);
    hurry = undefined;
    tell({
      type: 'report',
      state: generator.recorder.take(),
      traffic: generator.traffic(),
      thread: generator.thread(),
      errors,
    });
    errors = [];
  };

  port.on('message', async (/** @type {ToWorker} */ message) => {
    if (message.type === 'context') {
      Object.assign(runCtx, message.runCtx);
      ({ tellsErrors } = message);
    } else if (message.type === 'stop') {
      generator.ending.stop(message.reason, { within: message.within });
    } else if (message.type === 'leave') {
      generator.ending.leave();
    } else if (message.type === 'warmUp') {
      tell({ type: 'answer', result: await generator.warmUp() });
    } else {
      const reporting = setInterval(report, REPORT_MS);
      await generator.run(fromCommonTime(message.start));
      clearInterval(reporting);
      await generator.close();
      report();
      tell({ type: 'answer', result: null });
    }
  });
  tell({ type: 'answer', result: null });
} catch (error) {
  tell({ type: 'refused', error: toPlain(error) });
}
