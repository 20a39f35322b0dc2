import { randomInt } from 'node:crypto';

import { readVariables } from '../../flow/arguments.js';
import { isRecord, isTooDeep } from '../../flow/record.js';
import { readTls } from '../../flow/tls.js';
import { counted } from '../../ground/decimal.js';
import { makeError } from '../../ground/errors.js';
import { createProblems } from '../../ground/problems.js';
import { writeMs } from '../../ground/units.js';
import { proxySettings } from '../../http/proxy.js';
import { FEWEST_POINTS, LEAST_MS, figureOfRun, hasSeries, statisticOf } from '../../measure/threshold-figures.js';
import { ANY_NAMES, readThresholds } from '../../measure/thresholds.js';
import { SCHEDULES, scheduleFor, unreadBy } from '../../schedule/index.js';
import { hasArrivalRate, hasUserStages, mostUsers } from '../../schedule/stages.js';
import { MAX_DEPTH } from '../../text/parse-json.js';
import { HAS_SEVERAL, severalLoads } from '../loads.js';
import { lacksCapability, missingTransport, transportNamed } from '../../transport/index.js';
import { thresholdTexts } from './checks.js';
import { tlsOption } from './connections.js';
import { ENDS, RUN_OPTIONS, rowOf, rowsWith } from './index.js';
import { resolveLayers } from './layers.js';
import { LOAD_OPTIONS, RANDOM_SEED, perUser } from './load.js';
import { tooFewFiles } from './machine.js';
import { refuseUnlessOwn } from './names.js';
import { readOption, refusalOf } from './row.js';
import { Stride } from './shard.js';

/** @import { PrecisionGoal } from '../../contracts/run.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { ScheduleEntry } from '../../contracts/schedule.js' */
/** @import { RawScenario } from '../../flow/types.js' */
/** @import { Problem, Problems } from '../../ground/types.js' */
/** @import { LoadsModule } from '../types.js' */
/** @import { Resolved } from './layers.js' */
/** @import { Layer, RunOption } from './types.js' */

/**
 * Reads run options (those with problems are left out), and collects their problems, so that they can be reported
 * together with those of the flow. Layers are weakest first; `env` has proxies; `misplaced` lists options that are
 * written elsewhere, if one is missing; `scenarios` of the flow may have loads of their own. `resolved` are the options
 * as given.
 * @throws {Error} E_NO_LIMIT with all problems, below the words of bench-rest 1
 * @type {(layers: Layer[], env?: NodeJS.ProcessEnv, flow?: { misplaced?: () => Problem[], scenarios?: RawScenario[] })
 *   => { options: RunOptions, problems: Problems, resolved: Resolved }}
 */
export function inspectRunOptions(layers, env = process.env, { misplaced = () => [], scenarios = [] } = {}) {
  const problems = createProblems('E_RUN_OPTIONS');
  const resolved = resolveLayers(layers);
  const { options: given, origins, adapted } = resolved;
  checkConflicts(given, problems, { where: 'runOptions', loads: scenarios.map(({ load }) => load) });
  refusePrecisionOfShard(
    given,
    layers.filter(({ name }) => name === origins.shard),
    problems,
  );
  const options = readEach(given, problems);
  // Checks and limits count the virtual users by `limit`, which stages of virtual users replace.
  if (hasUserStages(options)) options.limit = mostUsers(/** @type {any} */ (options));
  if (options.strict) for (const { path, reason } of problems.own) problems.add(path, reason);
  Object.assign(
    options,
    readTls(withTls(options), (key, reason) => problems.add(`runOptions.${tlsOption(key)}`, reason)),
  );
  options.variables = readVariables(options.envFiles ?? [], (reason) => problems.add('runOptions.envFiles', reason));
  checkCapabilities(options, problems);
  if (options.seed === RANDOM_SEED) options.seed = drawSeed(options, problems);
  const hasLoads = scenarios.some(({ load, startAfter }) => (load ?? startAfter) !== undefined);
  if (hasLoads) Object.assign(options, readLoads(scenarios, { options, given, origins }, problems));
  else readPerUser(options, 'runOptions', problems);
  checkShard(options, problems);
  checkOpenFiles(options, problems);
  checkWorkers(options, { isAuto: given.workers === 'auto', isAdapted: adapted.includes('workers'), problems });
  // The operations that thresholds name are checked when the flow is compiled.
  readThresholds(thresholdTexts(options.thresholds), problems, ANY_NAMES);
  Object.assign(options, withPrecision(options, problems));
  const isLimited = hasLoads || (given.limit && ENDS.some((name) => given[name]));
  if (!isLimited) refuseWithoutLimit(problems, misplaced());
  if (problems.list.length === 0) options.proxies = proxySettings(options, env);
  return { options: /** @type {RunOptions} */ (options), problems, resolved };
}

/** @type {LoadsModule['readLoads']} */
function readLoads(scenarios, run, problems) {
  if (HAS_SEVERAL) return severalLoads().readLoads(scenarios, run, problems);
  problems.add('flow.scenarios', 'have loads of their own, and no add-on runs several: remove load and startAfter');
  return {};
}

const NAMES = new Set(RUN_OPTIONS.map(({ name }) => name));

/** @type {(given: Record<string, any>, problems: Problems) => Record<string, any>} */
function readEach(given, problems) {
  /** @type {Record<string, any>} */
  const options = {};
  for (const row of RUN_OPTIONS) {
    if (given[row.name] === undefined) continue;
    const reason = readInto(options, row, given[row.name]);
    if (reason) problems.add(`runOptions.${row.name}`, reason);
  }
  for (const key of Object.keys(given)) {
    if (!NAMES.has(key)) refuseUnlessOwn(key, [...NAMES], { path: `runOptions.${key}`, problems });
  }
  return options;
}

/**
 * Refuses a run without a limit. Unknown names, also those that are ignored elsewhere, may tell what is missing.
 * @type {(problems: Problems, hints: Problem[]) => never}
 */
function refuseWithoutLimit({ list, own }, hints) {
  const lines = [...list, ...own, ...hints].map(({ path, reason }) => `\n${path}: ${reason}`);
  throw Object.assign(makeError('E_NO_LIMIT', { problems: lines.join('') }), { problems: list });
}

/**
 * @type {(options: Record<string, any>, row: RunOption, given: unknown) => string | undefined} why the value is refused
 */
function readInto(options, row, given) {
  // Without a schema it is no data: an application may have lists of any length.
  if (row.schema !== null && isTooDeep(given)) return `nested deeper than ${MAX_DEPTH} levels`;
  const value = readOption(row, given);
  if (!row.check(value)) return refusalOf(row, given);
  options[row.name] = value;
  return undefined;
}

/** Collects options of TLS by property names. @type {(options: Record<string, any>) => Record<string, any>} */
function withTls(options) {
  return { ...options, minVersion: options.tlsMin, maxVersion: options.tlsMax };
}

/** The longest run with a precision, ms, unless an option says otherwise. */
export const LONGEST_WITH_PRECISION_MS = 600_000;

/**
 * Reads the precision that a run shall reach, and the time that it has for that.
 * @type {(options: Record<string, any>, problems: Problems) => Pick<RunOptions, 'precision' | 'duration'>}
 */
function withPrecision(options, problems) {
  const { precision, duration = Infinity, maxDuration = LONGEST_WITH_PRECISION_MS } = options;
  if (precision === undefined) return {};
  refuseShortPrecision(options, problems);
  return { precision: readPrecision(precision, problems), duration: Math.min(duration, maxDuration) };
}

/** Refuses a precision that needs a longer run. @type {(options: Record<string, any>, problems: Problems) => void} */
function refuseShortPrecision({ duration, maxDuration, iterations, rate, seriesInterval = 0 }, problems) {
  const neededMs = Math.max(LEAST_MS, FEWEST_POINTS * seriesInterval);
  const points = neededMs > LEAST_MS ? `, ${FEWEST_POINTS} points of the series` : '';
  /** @type {[name: string, ms: number | undefined, of: string][]} */
  const ends = [
    ['duration', duration, ''],
    ['maxDuration', maxDuration, ''],
    ['iterations', rate && (1000 * iterations) / rate, ' at its rate'],
  ];
  for (const [name, ms, of] of ends)
    if (ms !== undefined && ms < neededMs)
      problems.add(
        `runOptions.${name}`,
        `ends after ${writeMs(Math.round(ms))}${of}, and the interval of a precision needs ${writeMs(neededMs)} of measured iterations${points}: use a longer one, or leave out precision`,
        [name, 'precision'],
      );
}

/** `p95±3%`, or for keyboards without ±: `p95+-3%`, `p95+/-3%`. */
const PRECISION = /^\s*(.*?)\s*(?:±|\+\/?-)\s*(\d+(?:\.\d+)?)\s*%\s*$/;
const NO_PRECISION = "expected a figure and how exact it shall be, such as 'p95±3%' or 'p95+-3%'";
const NO_RANGE = 'expected a precision above 0 % and below 100 %';
const NO_SERIES =
  'has no interval: use a percentile below p100 or mean of the response time, iterations.rate, iterations.completedRate, bytes.receivedRate or errors, as in p95±3%';

/** @type {(given: string[], problems: Problems) => PrecisionGoal[]} */
function readPrecision(given, problems) {
  return given.flatMap((text, i) => {
    const [, name, share] = PRECISION.exec(text) ?? [];
    const found = name === undefined ? null : figureOfRun(name);
    const bound = Number(share) / 100;
    if (found && hasSeries(found.figure) && bound > 0 && bound < 1) {
      const { figure } = found;
      return [{ expression: `${statisticOf(figure)}±${Number(share)}%`, figure, unit: found.unit || 'ratio', bound }];
    }
    const isRange = bound > 0 && bound < 1;
    const expected = name && !isRange ? NO_RANGE : NO_PRECISION;
    const reason = name && isRange ? `${name} ${NO_SERIES}` : `${expected}, got ${JSON.stringify(text)}`;
    problems.add(`runOptions.precision[${i}]`, reason, ['precision']);
    return [];
  });
}

const EXCLUDING = rowsWith('excludes');
const NEEDY = rowsWith('needs');
const NEEDING_CAPABILITY = rowsWith('needsCapability');

/** Six digits are easily typed again. */
const MAX_RANDOM_SEED = 1e6;

/**
 * Reports options that cannot be combined; `where` is the place of the object that has them, `loads` are those of
 * scenarios, as given.
 * @type {(given: Record<string, any>, problems: Problems, context: { where: string, loads: unknown[] }) => void}
 */
export function checkConflicts(given, problems, { where, loads }) {
  const schedule = scheduleFor(given);
  const { chosenBy } = schedule;
  for (const name of unreadIn(schedule, loads).filter((other) => isSet(other, given))) {
    if (chosenBy === null) {
      const rates = ratesOf(name);
      problems.add(`${where}.${name}`, `needs an arrival rate: set ${rates.join(' or ')}`, rates);
    } else exclude(chosenBy, name, problems, where);
  }
  checkNeeds(given, problems, where);
  for (const { name, excludes = [] } of EXCLUDING) {
    const others = typeof excludes === 'function' ? excludes(given) : excludes;
    for (const other of given[name] ? others.filter((one) => given[one] !== undefined) : [])
      exclude(name, other, problems, where);
  }
}

/** @type {(given: Record<string, any>, problems: Problems, where: string) => void} */
function checkNeeds(given, problems, where) {
  for (const { name, needs = [] } of NEEDY) {
    if (isSet(name, given) && !needs.some((other) => given[other]))
      problems.add(
        `${where}.${name}`,
        `has no effect without ${needs.join(' or ')}: set ${needs.length > 1 ? 'one of them, too' : 'both'}`,
        needs,
      );
  }
}

/** @type {(schedule: ScheduleEntry, loads: unknown[]) => string[]} options that neither the run nor its loads read */
function unreadIn(schedule, loads) {
  const read = loads.flatMap((load) => (isRecord(load) ? scheduleFor(load).options : []));
  return unreadBy(schedule).filter((name) => LOAD_OPTIONS.includes(name) || !read.includes(name));
}

/**
 * Refuses a precision because a shard alone cannot know how exact the whole run is.
 * @type {(given: Record<string, any>, layersOfShard: Layer[], problems: Problems) => void}
 */
function refusePrecisionOfShard(given, layersOfShard, problems) {
  const isAlone = given.shard !== undefined && !layersOfShard.some(({ joinsShards }) => joinsShards);
  if (given.precision && isAlone) exclude('precision', 'shard', problems, 'runOptions');
}

/** Reports whether an option is not its default. @type {(name: string, given: Record<string, any>) => boolean} */
export function isSet(name, given) {
  return given[name] !== undefined && given[name] !== rowOf(name).default;
}

/** Lists the options that choose a schedule with an option. @type {(name: string) => string[]} */
function ratesOf(name) {
  const able = SCHEDULES.filter(({ options }) => options.includes(name));
  return [...new Set(able.flatMap(({ chosenBy }) => chosenBy ?? []))].sort();
}

/** @type {(one: string, other: string, problems: Problems, where: string) => void} */
function exclude(one, other, problems, where) {
  problems.add(where, `${one} and ${other} cannot be combined: use one of them`, [one, other]);
}

/** Reports what the client does not support. @type {(options: Record<string, any>, problems: Problems) => void} */
function checkCapabilities(options, problems) {
  const client = transportNamed(options.httpClient);
  const missing = missingTransport(client);
  if (missing) problems.add('runOptions.httpClient', missing);
  for (const { name, needsCapability } of NEEDING_CAPABILITY) {
    const reason = needsCapability?.(options[name]) ? lacksCapability(client, name) : undefined;
    if (reason !== undefined) problems.add(`runOptions.${name}`, reason);
  }
}

/**
 * Of workers that a machine offers, a single one is left out: the thread of the run sends the requests itself, which
 * saves half of the CPU of its start.
 * @type {(options: Record<string, any>, context: { isAuto: boolean, isAdapted: boolean, problems: Problems }) => void}
 */
function checkWorkers(options, { isAuto, isAdapted, problems }) {
  const { limit, workers, shard } = options;
  if (workers === undefined || limit === undefined) return;
  const own = new Stride(shard).countOf(limit);
  if (isAuto || isAdapted) options.workers = Math.min(workers, own);
  if (isAdapted && options.workers === 1) delete options.workers;
  const users = hasUserStages(options) ? `stages with up to ${limit}` : `limit ${limit}`;
  if (options.workers > own) {
    problems.add(
      'runOptions.workers',
      `${workers} workers need at least as many virtual users, got ${shard ? `${own} of ` : ''}${users}`,
      ['limit'],
    );
  }
}

/**
 * Replaces `10 per user` by their number: each virtual user is done after its own.
 * @type {(options: Record<string, any>, where: string, problems: Problems, shard?: RunOptions['shard']) => void}
 */
export function readPerUser(options, where, problems, shard = options.shard) {
  const each = perUser(options.iterations);
  if (each === 0) return;
  const { limit = 1, stages } = options;
  options.iterations = each * limit;
  options.iterationsOfLane = each;
  const path = `${where}.iterations`;
  if (hasArrivalRate(options))
    problems.add(path, 'per user: virtual users of an arrival rate take what is due; write a number of all iterations');
  else if (stages !== undefined)
    problems.add(path, 'per user: the number of virtual users changes in stages; write a number of all iterations');
  if (shard !== undefined && limit % shard.of !== 0)
    problems.add(path, `per user: ${limit} virtual users cannot be divided evenly by ${shard.of} shards`);
}

/** @type {(options: Record<string, any>, problems: Problems) => number} */
function drawSeed({ shard }, problems) {
  if (shard !== undefined)
    problems.add('runOptions.seed', 'is random, but all shards of a run need the same one: use a number');
  return randomInt(MAX_RANDOM_SEED);
}

/** @type {(options: Record<string, any>, problems: Problems) => void} */
function checkOpenFiles(options, problems) {
  const { connections, keepGoing } = options;
  const shortage = keepGoing ? null : tooFewFiles(options);
  if (shortage)
    problems.add(
      `runOptions.${connections === undefined ? usersOption(options) : 'connections'}`,
      `${shortage}, use fewer of them, or run nevertheless with --keep-going`,
    );
}

/** Names the option that has the number of virtual users. @type {(options: Record<string, any>) => string} */
function usersOption(options) {
  return hasUserStages(options) ? 'stages' : 'limit';
}

/** Refuses a shard that has nothing to do. @type {(options: Record<string, any>, problems: Problems) => void} */
function checkShard({ shard, loads, ...plain }, problems) {
  if (shard === undefined) return;
  for (const load of /** @type {Record<string, any>[]} */ (loads ?? [plain])) {
    const { name, limit, iterations } = load;
    const counts = [
      { count: limit, what: 'virtual user', flag: hasUserStages(load) ? '--stage' : '-c', option: usersOption(load) },
      { count: iterations, what: 'iteration', flag: '-n', option: 'iterations' },
    ];
    // A number that is not given is undefined, which is not less.
    for (const { count, what, flag, option } of counts.filter((one) => one.count < shard.of)) {
      const [part, cure] =
        name === undefined
          ? ['', `${flag} is of all of them, raise it to ${shard.of} or more`]
          : [` of ${name}`, `raise its ${option} to ${shard.of} or more`];
      const lack = `${counted(count, what)}${part} cannot be divided by ${shard.of} shards`;
      problems.add('runOptions.shard', `${lack}: ${cure}`);
    }
  }
}
