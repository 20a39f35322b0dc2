import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { counted, ms, rate } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { workingFolder } from '../../../core/ground/system-errors.js';
import { refuseUntested } from '../measure/compared-figures.js';
import { MIN_RUNS } from '../measure/comparison-method.js';
import { reasonsOf } from '../../../core/measure/outcome.js';
import { comparisonOf } from '../report/index.js';
import { render } from '../../../core/report/formats/json.js';
import { targetText } from '../../../core/report/rows.js';
import { optionsIn } from '../../../core/run/options/layers.js';
import { COMMAND_LINE } from '../../../core/run/options/names.js';
import { startFields } from '../../server/options/target.js';
import { safe } from '../../../core/text/safe.js';
import { configLayer, openConfig } from '../../../core/cli/config.js';
import { Engine, errorOf } from '../../../core/cli/engine/engine.js';
import { Signals } from '../../../core/cli/exit-process.js';
import { printMessage, withNotices } from '../../../core/cli/output.js';
import { knownNoise, readHistory } from '../baseline.js';
import { openComparison, printComparison } from '../compare-results.js';
import { describeRun } from '../../../core/cli/result/describe-run.js';
import { replaceFile } from '../../../core/cli/result/replace-file.js';
import { unwritable } from '../../../core/cli/result/unwritable.js';
import { usageError } from '../../../core/cli/usage-error.js';
import { openSource } from '../../../core/cli/run/open-source.js';
import { runSetup } from './ref-packages.js';
import { nameOfRef, nameOfTree, RefTree } from './ref-tree.js';

/** @import { FlowInput } from '../../../core/flow/source/types.js' */
/** @import { Reason } from '../../../core/ground/exit-codes.js' */
/** @import { Result, RunInfo } from '../../../core/report/types.js' */
/** @import { RunnerOutcome } from '../../../core/run/types.js' */
/** @import { Layer } from '../../../core/run/options/types.js' */
/** @import { Io } from '../../../core/cli/types.js' */
/** @import { AbRequest } from '../requests.js' */
/** @import { Shutdown } from '../../../core/cli/exit-process.js' */

/**
 * @typedef {{ source: FlowInput, config: Layer, commandLine: Layer[], git?: RunInfo['git'] }} Side git: of
 *   its server, if that is not the working directory's
 * @typedef {{ io: Io, signals: Signals, shutdown: Shutdown, version: string, folder:
 *   RunsFolder | null, outputs: string[] }} RunContext outputs: of the comparison
 */

const SIDES = /** @type {const} */ (['A', 'B']);
/**
 * In A B, B A, A B, … neighbouring pairs share a disturbance with the same sign: 6 % of equal services differed,
 * instead of 4 % (bench/alarms.js).
 */
const ORDERS = [
  [0, 1],
  [1, 0],
  [1, 0],
  [0, 1],
];

/**
 * Runs two flows, or one flow against two services, in turn (A B, B A, A B, …), so that disturbances of the machine
 * affect both sides, and compares the results.
 * @type {(request: AbRequest & { version: string }, io: Io, shutdown: Shutdown) => Promise<Set<Reason>>}
 */
export async function runAb(request, io, shutdown) {
  const { runs, flows, version, saveRuns } = request;
  const cwd = workingFolder(io);
  const output = openComparison(request, cwd, { sources: flows, role: 'the flow itself' });
  // The first run will show which results of the history are of this flow and load: until then all of them count.
  const known = await withNotices(io, (onNotice) => readHistory(request, cwd, onNotice));
  const { noise } = knownNoise(known, []);
  refuseUntested(
    output.limits,
    (figure) => (runs >= MIN_RUNS || noise.has(figure) ? null : `--runs is below ${MIN_RUNS}`),
    `use --runs ${MIN_RUNS} or more`,
  );
  const sides = await sidesOf(request, io);
  const folder = saveRuns === undefined ? null : new RunsFolder(saveRuns, { cwd, runs });
  const signals = new Signals(io, (text) => io.stderr.write(`${text}\n`));
  const context = { io, signals, shutdown, version, folder, outputs: request.outputs };
  const { results, cutBy, labels } = await withRefTree(request, sides, context, () => runInTurn(sides, runs, context));
  const pairs = Math.min(results[0].length, results[1].length);
  const [bases, others] = results.map((side) => side.slice(0, pairs));
  let reasons = reasonsOfSides(bases, others);
  if (cutBy) reasons.add(cutBy);
  if (pairs === 0) await printMessage(io.stderr, 'nothing to compare: no pair of runs was completed');
  else {
    const comparison = comparisonOf(bases, others, {
      isPaired: true,
      isInTurn: true,
      areFlowsGiven: flows[0] !== flows[1],
      labels,
      limits: output.limits,
      ...knownNoise(known, bases),
    });
    reasons = await printComparison(comparison, output, io, reasons);
  }
  if (folder?.failure) {
    await printMessage(io.stderr, folder.failure);
    reasons.add('notWritten');
  }
  return reasons;
}

/** @type {(bases: Result[], others: Result[]) => Set<Reason>} */
function reasonsOfSides(bases, others) {
  // A slow base that is repaired fails no threshold.
  const ofBases = bases
    .flatMap((result) => reasonsOf(result))
    .filter((reason) => !['threshold', 'undecided'].includes(reason));
  return new Set([...ofBases, ...others.flatMap((result) => reasonsOf(result))]);
}

/** @type {(request: AbRequest, io: Io) => Promise<[Side, Side]>} */
async function sidesOf({ flows: [a, b], config: named, urlRequest, runOptions, ...sides }, io) {
  const { versus, versusStart, versusRef } = sides;
  const cwd = workingFolder(io);
  const found = await openConfig(io, named);
  const config = configLayer(found);
  const flags = { name: COMMAND_LINE, options: { ...runOptions, progress: 0 } };
  const versusLayers = [
    { name: '--versus', options: { baseUrl: versus } },
    { name: '--versus-start', options: { start: versusStart } },
  ];
  const hasServer = versusStart !== undefined;
  if (versusRef !== undefined && (runOptions.start ?? found.options.start) === undefined)
    throw usageError(
      "--versus-ref needs the command that starts the server on both sides, such as --start 'node app.js'",
    );
  const context = { cwd, io, config: found, runOptions, hasServer, request: urlRequest };
  const first = await openSource({ argument: a }, context);
  // A stream can be read once.
  const second = a === b ? first : await openSource({ argument: b }, context);
  return [
    { source: first.source, config, commandLine: [...first.layers, flags] },
    { source: second.source, config, commandLine: [...second.layers, flags, ...versusLayers] },
  ];
}

/** @typedef {Awaited<ReturnType<typeof runInTurn>>} Runs */

/**
 * Runs with the first side in a work tree of `--versus-ref`, if it is given, which is removed after every end. `labels`
 * name the sides.
 * @type {(request: AbRequest, sides: [Side, Side], context: RunContext, run: () => Promise<Runs>) => Promise<Runs & {
 *   labels: [string, string] }>}
 */
async function withRefTree({ versusRef, setup, flows }, [first], { io, signals }, run) {
  if (versusRef === undefined) return { ...(await run()), labels: flows };
  const cwd = workingFolder(io);
  const tree = await RefTree.open(versusRef, { cwd });
  try {
    /** @type {[string, string]} */
    const labels = [nameOfRef(versusRef), await nameOfTree(cwd)];
    const { command = [], cwd: own } = startFields(optionsIn([first.config, ...first.commandLine]).start);
    tree.refuseOwnPaths(command);
    const folder = tree.folderFor(own);
    // Side A starts its server there.
    first.commandLine.push({ name: '--versus-ref', options: { start: { cwd: folder } } });
    first.git = { commit: tree.commit };
    await tree.refuseMissing();
    for (const notice of await tree.notices(setup)) await printMessage(io.stderr, `${safe(versusRef)}: ${notice}`);
    for (const task of await tree.setup(setup, folder)) {
      if (signals.first) break;
      io.stderr.write(`setup of ${safe(versusRef)}: ${safe(task.command)}\n`);
      await signals.direct(runSetup(task));
    }
    if (!signals.first) await tree.refuseMissing(folder);
    return { ...(signals.first ? { results: [[], []], cutBy: 'interrupted' } : await run()), labels };
  } finally {
    // The comparison is worth more than the folder.
    const notice = await tree.remove();
    if (notice !== null) await printMessage(io.stderr, `${safe(versusRef)}: ${notice}`);
  }
}

/**
 * @type {(sides: [Side, Side], runs: number, context: RunContext) => Promise<{ results: [Result[], Result[]], cutBy:
 *   Reason | null }>}
 */
async function runInTurn(sides, runs, context) {
  /** @type {[Result[], Result[]]} */
  const results = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const side of ORDERS[run % ORDERS.length]) {
      const { result, reason } = await runOnce(sides[side], { ...context, runLabel: `${SIDES[side]}${run + 1}` });
      if (!result) return { results, cutBy: reason };
      results[side].push(result);
      context.folder?.save(result, side, run);
      context.io.stderr.write(`run ${run + 1} of ${runs}, ${SIDES[side]}: ${summaryOf(result)}\n`);
    }
  }
  return { results, cutBy: null };
}

/** @type {(result: Result) => string} */
function summaryOf({ requests, main, errors, run }) {
  const way = safe(targetText({ origins: [], proxies: run?.proxies }));
  return `${rate(requests.rate)} requests/s, p95 ${ms(main.completed.p95)} ms, ${counted(errors.count, 'error')}${way}`;
}

/**
 * Runs one side once. An incomplete run has a reason instead of a result.
 * @type {(side: Side, context: RunContext & { runLabel: string }) => Promise<{ result: Result | null, reason: Reason |
 *   null }>}
 */
async function runOnce({ source, config, commandLine, git }, { io, signals, shutdown, outputs, runLabel }) {
  /** @type {RunInfo | undefined} */
  let info;
  const cwd = workingFolder(io);
  const engine = new Engine(
    { source, cwd, config, commandLine, debug: false, outputs, runLabel },
    {
      log: io.stderr,
      onBegin: (start) => (info = describeRun(start, cwd)),
      onProgress() {},
      onExchange() {},
    },
  );
  shutdown.add(engine.close);
  const outcome = await signals.direct(engine);
  await engine.endKeepers();
  if (outcome.kind === 'refused') throw errorOf(outcome);
  if (signals.first) return { result: null, reason: 'interrupted' };
  if (outcome.kind === 'ended') {
    const run = info && { run: { ...info, ...(git && { git }), endReason: outcome.why } };
    return { result: { ...outcome.stats, ...run }, reason: null };
  }
  const { message, isFault } = /** @type {Extract<RunnerOutcome, { kind: 'lost' }>} */ (outcome);
  await printMessage(io.stderr, `the run was lost: ${message}`);
  return { result: null, reason: isFault ? 'internal' : 'errors' };
}

/** The folder for the runs of each side: `A/01.json`, `B/01.json`, … */
class RunsFolder {
  /** The reason why a run could not be saved. @type {string | null} */
  failure = null;
  /** @type {string[]} */
  #folders;
  #digits;

  /**
   * Earlier runs would be compared with the new ones, so the folder has to be empty.
   * @param {string} path
   * @param {{ cwd: string, runs: number }} options
   * @throws {Error} E_USAGE
   */
  constructor(path, { cwd, runs }) {
    this.#folders = SIDES.map((name) => resolve(cwd, path, name));
    this.#digits = String(runs).length;
    if (this.#folders.some((folder) => openFolder(folder).length > 0))
      throw usageError(`--save-runs ${path}: it has runs already; use another folder`);
  }

  /**
   * Saves a run at once, so that it survives the next one. After the first failure, no further run is saved.
   * @type {(result: Result, side: number, run: number) => void}
   */
  save(result, side, run) {
    if (this.failure !== null) return;
    const file = join(this.#folders[side], `${String(run + 1).padStart(this.#digits, '0')}.json`);
    try {
      replaceFile(file, render(result));
    } catch (error) {
      const reason = `${file}: ${/** @type {Error} */ (error).message}`;
      const cure = 'is there space, and may you write there?';
      this.failure = makeError('E_RESULT_NOT_WRITTEN', { reason, cure }).message;
    }
  }
}

/** @type {(folder: string) => string[]} the names in it */
function openFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  } catch (error) {
    throw unwritable(folder, /** @type {NodeJS.ErrnoException} */ (error));
  }
}
