import { parentPort, workerData } from 'node:worker_threads';

import { hashFlow } from '../../flow/hash.js';
import { loadFlow } from '../../flow/source/load.js';
import { classify, describe } from '../../iteration/failure.js';
import { beginningOf } from '../../report/text/exchange.js';
import { startRun } from '../../run/benchrest.js';
import { argumentsOf, commandLayers, flowLayers, hintsOf } from '../../run/options/layers.js';
import { recordingOptions } from '../../run/options/recording.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { RawFlow } from '../../flow/types.js'
 * @import { EngineRequest } from './engine.js'
 */

/** Interval between snapshots: a thread that dies loses at most the results of this interval. */
const KEEP_MS = 500;
const port = /** @type {MessagePort} */ (parentPort);
/** @type {(type: string, message: object) => void} */
const post = (type, message) => port.postMessage({ type, ...message });

try {
  const { source: given, cwd, config, commandLine, debug } = /** @type {EngineRequest} */ (workerData);
  const above = [config, ...commandLine];
  const source = { ...given, cwd, args: argumentsOf(above), recording: recordingOptions(above) };
  const { flow, from, folder, isRecording, notices } = await loadFlow(source, source);
  /** @type {string[]} */
  let hints = [];
  const layersOf = (/** @type {RawFlow} */ read) => {
    const trace = debug ? postExchange : null;
    const layers = commandLayers({ config, flow: flowLayers(from, read), commandLine, debug: trace });
    hints = hintsOf(layers);
    return layers;
  };
  const run = startRun(flow, layersOf, { source, isRecording, uncloneable: null, folder });
  const keep = (/** @type {string} */ phase) =>
    post('kept', { stats: run.snapshot(), inFlight: run.inFlight(), phase });
  let current = 'before';
  run.onPhase = (phase) => {
    current = phase;
    keep(phase);
  };
  run.on('progress', (stats, percent, concurrent, ips) => post('progress', { stats, percent, concurrent, ips }));
  port.on('message', ({ type, reason, options }) => {
    if (type === 'stop') run.stop(reason, options);
    else run.abort();
  });
  post('begun', { plan: run.plan, from, hash: hashFlow(flow), notices, hints });
  const keeping = setInterval(() => keep(current), KEEP_MS);
  const { stats, why } = await run.finally(() => clearInterval(keeping));
  post('ended', { stats, why });
} catch (error) {
  const { code, message, stack } = /** @type {any} */ (error) ?? {};
  post('refused', { error: { code, message: message ?? String(error), stack } });
}

/** @type {(exchange: any) => void} */
function postExchange({ where, request, response, error, ms }) {
  post('exchange', {
    exchange: {
      where,
      request: { ...request, body: beginningOf(request.body) },
      response: response && { ...response, headers: { ...response.headers }, body: beginningOf(response.body) },
      error: error && describe(error, classify(error).code),
      ms,
    },
  });
}
