import { basename } from 'node:path';

import { makeError } from '../../ground/errors.js';
import { baselineOf, differencesTo } from '../../measure/compare.js';
import { readRegressionLimits, refuseUntested } from '../../measure/compared-figures.js';
import { thresholdsOfSides, totalsOf } from '../../measure/compared-sides.js';
import { historyNotes, noiseOf, whyUntested } from '../../measure/comparison-method.js';
import { refuseSameRun } from '../../measure/received-stats.js';
import { differencesOf } from '../../report/comparison/differences.js';
import { failedSides, objectionsTo } from '../../report/comparison/objections.js';
import { readResult, resultsIn } from './read-result.js';

/** @import { Note, Stats } from '../../contracts/stats.js' */
/** @import { Noise } from '../../measure/comparison-method.js' */
/** @import { Result } from '../../report/types.js' */
/** @import { NoiseOptions } from '../types.js' */

/**
 * @typedef {object} KnownNoise
 * @property {Noise} noise
 * @property {number} history how many earlier results show it
 * @property {Note[]} warnings why these may not show the noise of the sides
 */

/**
 * Reads the saved result that a run is compared with. `differences` tell why the two may not be comparable; `onNotice`
 * receives that the file is of another version.
 * @throws {Error} E_FILE_NOT_FOUND, E_RESULT, E_USAGE
 * @type {(request: { baseline: string, maxRegression: string[] } & NoiseOptions, cwd: string, onNotice: (text: string)
 *   => void) => { differences: (run: { hash: string, shape: string }) => Note[], addTo: <S extends Stats>(stats: S,
 *   warnings: Note[], run?: Result['run']) => S }}
 */
export function openBaseline({ baseline, maxRegression, ...options }, cwd, onNotice) {
  const limits = maxRegression.flatMap(readRegressionLimits);
  const base = readResult(baseline, cwd, onNotice);
  refuseUncomparable([base], [baseline]);
  const { warnings: doubts, ...known } = readNoise(options, [base], cwd, onNotice);
  refuseUntested(limits, (figure) => whyUntested(figure, known));
  return {
    differences: (run) => [...differencesTo(base, run), ...doubts],
    addTo: (stats, warnings, run) => ({
      ...stats,
      baseline: baselineOf(stats, base, {
        from: basename(baseline),
        limits,
        warnings: [...warnings, ...warningsOfBaseline(base, { ...stats, ...(run && { run }) })],
        ...known,
      }),
    }),
  };
}

/**
 * Lists the differences beside flow and load, and the failures.
 * @type {(base: Result, result: Stats & Pick<Result, 'run'>) => Note[]}
 */
export function warningsOfBaseline(base, result) {
  const checked = {
    names: /** @type {[string, string]} */ (['the baseline', 'this run']),
    sides: [[base], [/** @type {Result} */ (result)]],
    totals: [totalsOf([base]), totalsOf([result])],
    thresholds: thresholdsOfSides([base], [result]),
  };
  const failed = failedSides(checked).filter(({ side }) => side === 'base');
  const differences = differencesOf(base, /** @type {Result} */ (result)).filter(({ path }) => !NAMED.includes(path));
  const warnings = failed.map(({ text }) => ({ code: 'failed', message: text }));
  return [...warnings, ...objectionsTo({ ...checked, sides: [[base], []] }, differences)];
}

/** Differences that are named before the run. */
const NAMED = ['run.flow.sha256', 'run.loads'];

/**
 * Reads the noise, by which runs of an unchanged service differ by chance, from the flags of a comparison.
 * @throws {Error} E_USAGE, E_FILE_NOT_FOUND, E_RESULT
 * @type {(options: NoiseOptions, bases: Result[], cwd: string, onNotice?: (text: string) => void) => KnownNoise}
 */
export function readNoise({ noise, history: folder }, bases, cwd, onNotice) {
  const paths = folder === undefined ? [] : resultsIn(folder, cwd);
  const history = paths.map((path) => readResult(path, cwd, onNotice));
  return knownNoise({ noise, history, names: paths }, bases);
}

/**
 * @throws {Error} E_USAGE, E_RESULT
 * @type {(known: { noise: string[], history: Result[], names: string[] }, bases: Result[]) => KnownNoise}
 */
export function knownNoise({ noise, history, names }, bases) {
  refuseUncomparable(history, names);
  return {
    noise: noiseOf({ noise, history }),
    history: history.length,
    warnings: historyNotes(history, { names, base: bases[0] }),
  };
}

/**
 * Refuses results of the same run, and those whose counts contradict each other.
 * @throws {Error} E_RESULT
 * @type {(results: Result[], names: string[]) => void}
 */
export function refuseUncomparable(results, names) {
  refuseSameRun(results, names);
  const at = results.findIndex(({ validity }) => validity.status === 'invalid');
  if (at < 0) return;
  const [{ message: reason } = { message: 'its counts contradict each other' }] = results[at].validity.reasons;
  throw makeError('E_RESULT', { path: names[at], reason: `is invalid: ${reason}`, cure: 'leave it out' });
}
