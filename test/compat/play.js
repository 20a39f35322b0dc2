import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

import { openTarget } from './target.js';

/** How long a run may take that is expected to end. */
const PATIENCE_MS = 60_000;

/** A run that has not ended by then hangs: for rows that say so. Runs that end take a hundredth of it. */
const HANGS_MS = 1000;

const ONE = { limit: 1, iterations: 1 };

/**
 * Plays a trait with one of the two libraries.
 *
 * @param {import('./traits/index.js').Trait} trait
 * @param {Function} benchrest
 * @param {{ crashed: Promise<Error>, hangs: boolean }} expected
 * @returns {Promise<import('./traits/index.js').Played>}
 */
export async function play(trait, benchrest, { crashed, hangs }) {
  const target = await openTarget({ isSecure: trait.isSecure });
  const record = { errors: [], progress: new Set(), errorCounts: [], figures: [], log: [] };
  /** @type {Promise<void>[]} */
  const runs = [];
  const context = {
    url: target.url,
    log: (...values) => record.log.push(...values.map(plain)),
    benchrest: function start(...values) {
      return watch(new.target ? new benchrest(...values) : benchrest(...values), record, runs);
    },
  };
  let outcome;
  try {
    outcome = await Promise.race([
      ended(trait.program ?? runFlow(trait), context, runs),
      crashed.then(() => 'crashes'),
      wait(hangs ? HANGS_MS : PATIENCE_MS, 'hangs', { ref: false }),
    ]);
  } catch {
    outcome = 'throws';
  }
  target.close();
  const requests = trait.isUnordered ? target.requests.sort() : target.requests;
  return JSON.parse(
    target.withoutPort(JSON.stringify({ outcome, requests, ...record, progress: [...record.progress] })),
  );
}

/** A trait with a flow is a program that runs it once. */
const runFlow =
  ({ flow, options = () => ({ ...ONE }) }) =>
  ({ url, log, benchrest }) =>
    void benchrest(flow(url, log), options());

/** A program is over when all its runs have ended; a listener of one may have started the next. */
async function ended(program, context, runs) {
  await program(context);
  for (const run of runs) await run;
  // what a listener throws may be thrown again at the end of the run
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  return 'ends';
}

function watch(run, { errors, progress, errorCounts, figures }, runs) {
  run.on('error', (error, phase, ...more) =>
    errors.push(`${error instanceof Error ? 'Error' : typeof error}, ${[phase, ...more].join()}`),
  );
  run.on('progress', (...values) => progress.add(values.map((value) => typeof value).join()));
  runs.push(
    new Promise((resolve) =>
      run.on('end', (stats, errorCount) => {
        errorCounts.push(errorCount);
        figures.push(...figuresOf(stats));
        setImmediate(resolve); // after the listeners of the program
      }),
    ),
  );
  return run;
}

/** The names and types of the figures; counts as they are, as only times differ from run to run. @returns {string[]} */
function figuresOf(value, path = 'stats') {
  if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function')
    return [`${path}: ${path.endsWith('.count') ? value : typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => figuresOf(inner, `${path}.${name}`));
}

/** What JSON has no notation for, as text. */
function plain(value) {
  if (value === undefined) return 'undefined';
  return Buffer.isBuffer(value) ? `Buffer ${value.toString('latin1')}` : value;
}
