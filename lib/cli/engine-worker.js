import { parentPort, workerData } from 'node:worker_threads';

import { hashFlow } from '../flow/hash.js';
import { loadFlow } from '../flow/load.js';
import { classify, describe } from '../iteration/failure.js';
import { startRun } from '../run/benchrest.js';
import { ENDS } from '../run/read-options.js';
import { DEFAULTS } from './defaults.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { EngineRequest } from './engine.js'
 */

/** ms: what a thread that dies has not told yet is lost */
const KEEP_MS = 500;
const port = /** @type {MessagePort} */ (parentPort);
/** @type {(type: string, message: object) => void} */
const tell = (type, message) => port.postMessage({ type, ...message });

try {
  const { source, cwd, given, below, debug } = /** @type {EngineRequest} */ (workerData);
  const { flow, from } = await loadFlow(source, { cwd });
  const ofFlow = /** @type {any} */ (flow)?.runOptions ?? {};
  const once = debug
    ? {
        ...Object.fromEntries(ENDS.map((name) => [name, undefined])),
        rate: undefined,
        workers: undefined,
        warmup: undefined,
        iterations: 1,
        limit: 1,
        prealloc: 0,
        trace,
      }
    : {};
  const asked = { ...DEFAULTS, ...below, ...ofFlow, ...given, ...once };
  const run = startRun(withoutOptions(flow), ENDS.some((name) => asked[name]) ? asked : { ...asked, iterations: 1 }, {
    ...source,
    cwd,
  });
  run.on('progress', (stats, percent, concurrent, ips) => tell('progress', { stats, percent, concurrent, ips }));
  port.on('message', ({ type, reason, options }) => {
    if (type === 'stop') run.stop(reason, options);
    else run.leave();
  });
  tell('begun', {
    plan: run.plan,
    from,
    hash: hashFlow(flow),
    options: { ...asked, trace: undefined, password: undefined },
  });
  const keeping = setInterval(() => tell('kept', { stats: run.snapshot() }), KEEP_MS);
  const { stats, why } = await run.finally(() => clearInterval(keeping));
  tell('ended', { stats, why });
} catch (error) {
  const { code, message, stack } = /** @type {any} */ (error) ?? {};
  tell('refused', { error: { code, message: message ?? String(error), stack } });
}

/** Its options are among those that are asked for already. @type {(flow: unknown) => unknown} */
function withoutOptions(flow) {
  return typeof flow === 'object' && flow !== null && 'runOptions' in flow ? { ...flow, runOptions: undefined } : flow;
}

/** @type {(exchange: any) => void} */
function trace({ where, request, response, error, ms }) {
  const { body } = request;
  tell('exchange', {
    exchange: {
      where,
      request: { ...request, body: typeof body === 'string' || Buffer.isBuffer(body) ? body : null },
      response: response && { ...response, headers: { ...response.headers } },
      error: error && describe(error, classify(error).code),
      ms,
    },
  });
}
