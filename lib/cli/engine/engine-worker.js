import { parentPort, workerData } from 'node:worker_threads';

import { hashFlow } from '../../flow/hash.js';
import { likelyMistakes } from '../../flow/likely-mistakes.js';
import { classify, describe } from '../../iteration/failure.js';
import { openFlow } from '../../run/open-flow.js';
import { commandLayers, hintsOf, resolveLayers } from '../../run/options/layers.js';
import { inWordsOfFlags } from '../../run/options/flag-words.js';
import { startRun } from '../../run/prepare.js';
import { beginningOf } from '../../text/exchange-lines.js';
import { hiddenTexts } from '../../text/mask.js';
import { remoteServer } from './remote-server.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { PlanSummary } from '../../run/plan.js'
 * @import { EngineRequest } from './engine.js'
 */

/** Interval between snapshots: a thread that dies loses at most the results of this interval. */
const KEEP_MS = 500;
/** Interval between updates of a display. */
const TICK_MS = 200;
/** A state with counts is followed by this multiple of the time that it took. */
const REST = 10;
const port = /** @type {MessagePort} */ (parentPort);
const request = /** @type {EngineRequest} */ (workerData);
/** @type {(type: string, message: object) => void} */
const post = (type, message) => port.postMessage({ type, ...message });

try {
  const { source: given, cwd, config, commandLine, debug, ticks, asPart } = request;
  const { raw, read, from, notices, origin } = await openFlow(given, [config, ...commandLine], { cwd });
  const layers = commandLayers({ config, flow: read.flow, from, commandLine, debug: debug ? postExchange : null });
  const run = startRun(read, layers, origin, {
    startServer: remoteServer(port),
    judges: !debug,
    onNotice: (text) => void notices.push(text),
  });
  const { headers } = resolveLayers(layers).options;
  const hints = [...hintsOf(layers), ...(origin.isRecording ? [] : likelyMistakes(raw, headers))];
  const keep = (/** @type {string} */ phase) =>
    post('kept', { stats: run.snapshot({ withCounts: asPart !== undefined }), inFlight: run.inFlight(), phase });
  let current = 'before';
  run.onPhase = (phase) => {
    current = phase;
    keep(phase);
  };
  if (asPart) run.agreement = (await import('./part.js')).startAgreement(port);
  run.on('progress', (stats, percent, concurrent, ips) => post('progress', { stats, percent, concurrent, ips }));
  port.on('message', ({ type, reason, options }) => {
    if (type === 'stop') run.stop(reason, options);
    else if (type === 'abort') run.abort();
  });
  const begin = (/** @type {PlanSummary} */ plan) =>
    post('begun', { plan, from, hash: hashFlow(raw), hidden: hiddenTexts(), notices, hints });
  if (run.plan) begin(run.plan);
  else run.onPlan = begin;
  const tick = () => {
    const counters = run.counters();
    if (counters) post('tick', { tick: { ...counters, inFlight: run.inFlight(), phase: current } });
  };
  const keepNow = () => keep(current);
  const timers = [
    setInterval(asPart ? seldom(keepNow) : keepNow, asPart?.keepMs ?? KEEP_MS),
    ...(ticks ? [setInterval(tick, TICK_MS)] : []),
  ];
  const keepLast = (/** @type {unknown} */ error) => {
    // of an internal error during the run: what was measured is still a result
    keep(current);
    throw error;
  };
  const { stats, why } = await run.catch(keepLast).finally(() => timers.forEach(clearInterval));
  post('ended', { stats, why });
} catch (thrown) {
  const error = inWordsOfFlags(thrown, request.commandLine);
  const { code, message, stack } = error ?? {};
  post('refused', { error: { code, message: message ?? String(error), stack } });
}

/** Counts of 2,000 operations take seconds, in the thread that sends requests. @type {(work: () => void) => () => void} calls it only if it took a small part of the time */
function seldom(work) {
  let nextAt = 0;
  return () => {
    const from = performance.now();
    if (from < nextAt) return;
    work();
    nextAt = performance.now() + REST * (performance.now() - from);
  };
}

/** @type {(exchange: any, secrets: () => string[]) => void} */
function postExchange({ where, request, response, error, ms }, secrets) {
  post('exchange', {
    exchange: {
      where,
      request: { ...request, body: beginningOf(request.body) },
      response: response && { ...response, headers: { ...response.headers }, body: beginningOf(response.body) },
      error: error && describe(error, classify(error).code),
      ms,
      secrets: secrets(),
    },
  });
}
