import { basename } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { baselineOf } from './measure/compare.js';
import { readRegressionLimits, refuseUntested } from './measure/compared-figures.js';
import { thresholdsOfSides, totalsOf } from './measure/compared-sides.js';
import { inTime, noiseOf, whyUntested } from './measure/comparison-method.js';
import { historyRun, trendOf } from '../history/measure/history.js';
import { reasonsOf } from '../../core/measure/outcome.js';
import { refuseSameRun } from '../saved/received-stats.js';
import { comparedProfiles } from '../server/profile/compare.js';
import { differencesOf, differencesTo, failedSides, objectionsTo } from './report/objections.js';
import { settingOf } from '../history/report/entry.js';
import { readResult, resultsIn } from '../saved/read-result.js';

/** @import { Note, Stats } from '../../core/contracts/stats.js' */
/** @import { Noise } from './measure/comparison-method.js' */
/** @import { Result } from '../../core/report/types.js' */
/** @import { NoiseOptions } from './requests.js' */

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
 *   => void) => { differences: (run: NonNullable<Result['run']>) => Note[], addTo: <S extends Stats>(stats: S,
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
    addTo: (stats, warnings, run) => {
      const compared = baselineOf(stats, base, {
        from: basename(baseline),
        limits,
        warnings: [...warnings, ...warningsOfBaseline(base, { ...stats, ...(run && { run }) })],
        ...known,
      });
      const profiles = comparedProfiles([base], [stats]);
      return { ...stats, baseline: { ...compared, ...(profiles.length > 0 && { profiles }) } };
    },
  };
}

/**
 * Lists what speaks against the baseline when the run has ended: its failures, and differences from the run other than
 * those of flow and load, which are named before the run.
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
  const differences = differencesOf([base], [/** @type {Result} */ (result)]).filter(
    ({ path }) => !NAMED.includes(path),
  );
  const warnings = failed.map(({ text }) => ({ code: 'failed', message: text }));
  return [...warnings, ...objectionsTo({ ...checked, sides: [[base], []] }, differences)];
}

/** Paths of the differences that are named before the run. */
const NAMED = ['run.flow.sha256', 'run.loads'];

/**
 * Reads the noise, by which runs of an unchanged service differ by chance, from the flags of a comparison.
 * @throws {Error} E_USAGE, E_FILE_NOT_FOUND, E_RESULT
 * @type {(options: NoiseOptions, bases: Result[], cwd: string, onNotice?: (text: string) => void) => KnownNoise}
 */
export function readNoise(options, bases, cwd, onNotice) {
  return knownNoise(readHistory(options, cwd, onNotice), bases);
}

/**
 * Reads what {@link knownNoise} needs, which may be before the results of the base exist.
 * @throws {Error} E_USAGE, E_FILE_NOT_FOUND, E_RESULT
 * @type {(options: NoiseOptions, cwd: string, onNotice?: (text: string) => void) => Parameters<typeof knownNoise>[0]}
 */
export function readHistory({ noise, history: folder }, cwd, onNotice) {
  const names = folder === undefined ? [] : resultsIn(folder, cwd);
  return { noise, history: names.map((path) => readResult(path, cwd, onNotice)), names };
}

/**
 * Finds the noise that flags name, or else that of a history: how its runs differ between two changes of their level,
 * as the service may have changed. Results that are not of the flow, the load, the options and the machine of the base
 * are left out, and named.
 * @throws {Error} E_USAGE, E_RESULT
 * @type {(known: { noise: string[], history: Result[], names: string[] }, bases: Result[]) => KnownNoise}
 */
export function knownNoise({ noise, history, names }, bases) {
  refuseUncomparable(history, names);
  const all = history.map((result, i) => ({ result, file: names[i], other: otherSetting(result, bases) }));
  const own = all.filter(({ other }) => other === null).map(({ result }) => result);
  const leftOut = [...new Set(all.map(({ other }) => other))].filter((other) => other !== null);
  const failed = all.filter(({ result }) => reasonsOf(result).length > 0);
  const suspect = all.filter(({ result }) => result.validity.status !== 'valid');
  return {
    noise: noiseOf(noise, trendOf(inTime(own).map(historyRun)).noise),
    history: own.length,
    warnings: [
      ...leftOut.flatMap((name) =>
        warningOf(
          CODES[name] ?? 'historyOfOtherOptions',
          `left out, because of another ${name}`,
          all.filter(({ other }) => other === name),
        ),
      ),
      ...warningOf('historyFailed', 'of runs that failed', failed),
      ...warningOf('historySuspect', 'of figures that are ranges', suspect),
    ],
  };
}

const MOST_NAMED = 3;

/** @type {(code: string, what: string, results: { file: string }[]) => Note[]} empty without results */
function warningOf(code, what, results) {
  const files = results.map(({ file }) => file);
  const rest = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  const message = `results of the history are ${what}: ${files.slice(0, MOST_NAMED).join(', ')}${rest}`;
  return files.length > 0 ? [{ code, message }] : [];
}

/** Codes of results that are left out, by what differs; anything else is an option. @type {Record<string, string>} */
const CODES = {
  flow: 'historyOfOtherFlow',
  'content of the flow': 'historyOfOtherFlow',
  load: 'historyOfOtherLoad',
  pacing: 'historyOfOtherLoad',
  machine: 'historyOfOtherMachine',
};

/** What differs between the sides of a comparison, too. */
const OF_THE_SERVICE = ['target', 'proxy', 'option baseUrl', 'option start'];

/**
 * What distinguishes a result of a history from each run of the base; null if it shows the noise of one of them, or if
 * a run does not name its flow.
 * @type {(result: Result, bases: Result[]) => string | null}
 */
function otherSetting(result, bases) {
  if (!result.run || bases.length === 0 || bases.some(({ run }) => !run)) return null;
  const one = settingOf(result);
  const differing = bases.map(settingOf).map((other) => {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.filter((name) => one[name] !== other[name] && !OF_THE_SERVICE.includes(name));
  });
  if (differing.some(({ length }) => length === 0)) return null;
  const [all] = differing;
  return all.find((name) => differing.every((names) => names.includes(name))) ?? differing.flat().sort()[0];
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
