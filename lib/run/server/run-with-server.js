import { watchProcess } from '../../measure/process-usage.js';
import { Benchmark } from '../benchmark.js';
import { StartedServer } from './started-server.js';
import { placeOfFlow, portOf, serverPlace } from './server-place.js';

/**
 * @import { ServerLoad } from '../../measure/process-usage.js'
 * @import { LoadPlan, RunPlan } from '../plan.js'
 * @import { Result, Run } from '../run.js'
 * @import { RunOptions } from '../options/types.js'
 * @import { ServerPlace } from './server-place.js'
 * @import { ServerEnd, StartSettings } from './started-server.js'
 *
 * @typedef {object} ReadyServer
 * @property {number} pid
 * @property {string} origin
 * @property {(listener: (end: ServerEnd) => void) => void} onEnd the listener is called when it ends before it is stopped
 * @property {() => Promise<string | void>} stop resolves with a sentence about processes that had left the server
 *
 * @typedef {Pick<ReadyServer, 'onEnd'> & { load: ServerLoad }} ServerProcess of a benchmark
 *
 * @typedef {(settings: StartSettings, isCancelled: () => boolean) => Promise<ReadyServer>} StartServer
 *
 * @typedef {object} ServedRun
 * @property {RunOptions} options
 * @property {(baseUrl: string) => LoadPlan & RunPlan} planFor throws the problems of the flow
 * @property {(plan: LoadPlan & RunPlan) => void} onPlan called when the server is ready
 * @property {StartServer} [startServer]
 * @property {(text: string) => void} [onNotice]
 */

/**
 * Starts a server, runs the benchmark and ends the server. The run is planned before the server starts, so that
 * problems of the flow do not wait for it.
 *
 * @param {Run} run
 * @param {ServedRun} served
 * @returns {Promise<Result>}
 */
export async function runWithServer(run, { options, planFor, onPlan, startServer = startHere, onNotice }) {
  const own = await serverPlace(options);
  let plan = planFor(own.baseUrl);
  const place = placeOfFlow(own, plan.summary.origins);
  const isCancelled = () => run.isStopped || options.signal?.aborted === true;
  const server = await startServer(settingsOf(place, options), isCancelled);
  try {
    const [expected] = place.origins;
    if (server.origin !== expected) plan = planFor(place.baseUrl.replace(expected, server.origin));
    onPlan(plan);
    return await new Benchmark(run, plan, { onEnd: server.onEnd, load: watchProcess(server.pid) }).run();
  } finally {
    const notice = await server.stop();
    if (notice) onNotice?.(notice);
  }
}

/** @type {(place: ServerPlace, options: RunOptions) => StartSettings} */
function settingsOf({ origins, socketPath, isPortFree, ...place }, { start, insecure }) {
  const { command, env, cwd, timeout, ready } = /** @type {NonNullable<RunOptions['start']>} */ (start);
  const port = portOf({ ...place, origins, socketPath, isPortFree });
  return { command, env, cwd, timeout, ready, origins, socketPath, insecure, port, isPortFree };
}

/** A server of this thread. @type {StartServer} */
async function startHere(settings, isCancelled) {
  const server = new StartedServer(settings);
  try {
    const { pid, origin } = await server.start(isCancelled);
    return { pid, origin, onEnd: (listener) => server.onEnd(listener), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
