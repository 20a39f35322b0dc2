import { createRequire } from 'node:module';

import { readFlow } from '../flow/compile.js';
import { offered } from '../ground/addons.js';
import { joinAddonNow, joinedAddons } from '../ground/join-addon.js';
import { withMetricNames } from '../measure/user-metrics.js';
import { flowFile, isRepeatedRun, openFlow, originOf } from './flow-source.js';
import { RUN_OPTIONS } from './options/index.js';
import { PROGRAM, programLayers } from './options/layers.js';
import { prepare, startRun } from './prepare.js';
import { Run } from './run.js';

/** @import { Flow, FlowFunction } from '../contracts/flows.js' */
/** @import { RunOptions } from '../contracts/run.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { Layer } from './options/types.js' */
/** @import { Caller } from './prepare.js' */
/** @import { HostEntry } from './types.js' */

const requireHere = createRequire(import.meta.url);

/** Most programs have no add-ons. @type {() => typeof import('./same-names.js')} */
const loadSameNames = () => requireHere('./same-names.js');

for (const { begin } of /** @type {HostEntry[]} */ (offered('hosts'))) begin?.();

/** @typedef {(error: Error | null, stats?: Stats, errorCount?: number) => void} RunCallback */

/**
 * Runs a flow. Listeners that are attached right after the call miss no event; the run can be awaited as well.
 *
 * @example
 * const { stats, errorCount } = await benchrest('http://localhost:8000/', { limit: 10, iterations: 100 });
 *
 * @param {Flow} flow a URL, an operation, an array of operations, an object of phases, or a flow file: a path or a
 *   file: URL. It is not changed.
 * @param {RunOptions | RunCallback | null} [runOptions] `limit` and an option that ends the run are required, here or
 *   in
 *   `flow.runOptions`
 * @param {RunCallback} [callback] called at the end, in place
 *   of `await`; the second argument if the flow has its run options
 * @returns {Run}
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems. The run of a file or of
 *   a flow with data, and a run against a server of this process, reject with those that are found later.
 */
export function benchrest(flow, runOptions, callback) {
  const hasOptions = typeof runOptions !== 'function';
  // A flow file may be a program as well, which another thread has run: its runs never begin here.
  const run = isRepeatedRun()
    ? new Run(() => new Promise(() => {}))
    : createRun(flow, hasOptions ? runOptions : null, hasOptions ? {} : { hint: NO_OPTIONS });
  const called = hasOptions ? callback : runOptions;
  run.forProgram = withMetricNames;
  if (typeof called === 'function') run.then(({ stats, errorCount }) => called(null, stats, errorCount), called);
  return run;
}

const NO_OPTIONS = 'there are none: write benchrest(flow, { limit: 10, iterations: 1000 }, callback)';

/**
 * Creates a run of a program. A flow that is a value is planned at once, so that its problems are thrown; one in a file
 * is read and planned by the work of the run.
 *
 * @param {Flow} flow
 * @param {RunOptions | null} [given]
 * @param {Pick<Caller, 'hint' | 'hosting'> & { layersOf?: (layers: Layer[]) => Layer[] }} [caller] layersOf: adds
 *   layers of run options
 * @returns {Run}
 */
export function createRun(flow, given, { layersOf = (layers) => layers, ...caller } = {}) {
  const own = withoutCommander(given ?? {});
  const { addons } = own;
  // Options may be those of a prototype.
  const runOptions = addons === undefined ? own : { ...own, addons: undefined };
  for (const name of [addons ?? []].flat()) joinAddonNow(name, process.cwd());
  if (joinedAddons().length > 0) loadSameNames().refuseSameNames();
  const argument = flowFile(flow);
  if (argument === null) {
    // Code of the program can change any object after the call.
    const read = readFlow(flow, { isLive: typeof flow === 'object' });
    const layers = layersOf(programLayers(read.flow, runOptions));
    return startRun(read, layers, originOf(flow), { onNotice: warn, ...caller });
  }
  return new Run(async (run) => {
    const { read, origin, notices } = await openFlow({ argument }, [{ name: PROGRAM, options: runOptions }]);
    for (const text of runOptions.quiet ? [] : notices) {
      warn(text);
      run.warn(text);
    }
    const layers = layersOf(programLayers(read.flow, runOptions));
    const { summary, work } = prepare(read, layers, origin, { onNotice: warn, ...caller });
    if (summary !== null) run.planned(summary);
    return work(run);
  });
}

/** Warnings that this process has printed: programs run one flow many times. @type {Set<string>} */
const warned = new Set();
/** After this many, a warning may be printed again. */
const MOST_WARNINGS = 1000;

/** @type {(text: string) => void} */
function warn(text) {
  if (warned.has(text)) return;
  if (warned.size < MOST_WARNINGS) warned.add(text);
  process.emitWarning(text, 'BenchRestWarning');
}

/**
 * Returns the run options in a program of commander (a `Command`), which people pass as it is: the options that it
 * declares, and those that code has set on the object. Its operands, its methods and its other properties are none.
 * @type {(given: Record<string, any>) => Record<string, any>}
 */
export function withoutCommander(given) {
  if (!isCommand(given)) return given;
  const names = RUN_OPTIONS.map(({ name }) => name).filter((name) => name !== 'args' && Object.hasOwn(given, name));
  const own = names.map((name) => [name, given[name]]);
  // Before commander 7, an option and a method of one name are one property.
  const declared = Object.entries(given.opts()).filter(
    ([name, value]) => name !== 'version' && typeof value !== 'function',
  );
  return Object.fromEntries([...declared, ...own]);
}

/** A program brings its own copy of commander, of any version. @type {(given: Record<string, any>) => boolean} */
function isCommand({ opts, parse, commands }) {
  return typeof opts === 'function' && typeof parse === 'function' && Array.isArray(commands);
}

/**
 * Returns its argument. Editors complete and check what is written in it, or what its function returns, in JavaScript
 * too. With one signature, instead of two, compilers point at the property that is wrong.
 *
 * @example
 * export default defineFlow({ main: [{ get: 'http://localhost:8000/' }] });
 *
 * @example
 * export default defineFlow(({ args }) => ({ main: [{ get: `/users/${args.user}` }] }));
 *
 * @param {Flow | FlowFunction} flow a URL, an operation, an array of operations, an object of phases, or a function
 *   that gets `{ args }`, the values of `--arg name=value`, and returns one of these
 * @returns {Flow & FlowFunction} of the type of its argument
 */
export function defineFlow(flow) {
  return /** @type {any} */ (flow);
}
