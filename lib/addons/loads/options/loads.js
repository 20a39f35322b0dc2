import { listOf, typeName } from '../../../core/text/format-value.js';
import { nearest } from '../../../core/ground/problems.js';
import { readMs, writeMs } from '../../../core/ground/units.js';
import { isRecord } from '../../../core/flow/record.js';
import { lengthOf } from '../../../core/schedule/index.js';
import { hasArrivalRate, mostUsers } from '../../../core/schedule/stages.js';
import { RUN_OPTIONS } from '../../../core/run/options/index.js';
import { BY_SEARCH } from '../../../core/run/options/layers.js';
import { LOAD, LOAD_OPTIONS } from '../../../core/run/options/load.js';
import { refuseOption } from '../../../core/run/options/names.js';
import {
  LONGEST_WITH_PRECISION_MS,
  checkConflicts,
  isSet,
  readPerUser,
} from '../../../core/run/options/read-options.js';
import { readOption, refusalOf } from '../../../core/run/options/row.js';

/** @import { RunOptions } from '../../../core/contracts/run-options.js' */
/** @import { RawScenario } from '../../../core/flow/types.js' */
/** @import { Problems } from '../../../core/ground/types.js' */
/** @import { SideLoad } from '../../../core/contracts/schedule.js' */
/** @import { LoadOptions } from '../../../core/run/types.js' */

/**
 * @typedef {object} Draft a load that is being read
 * @property {string} name
 * @property {string} where `flow.scenarios.buy`
 * @property {LoadOptions} options
 * @property {unknown} [startAfter] as given
 *
 * @typedef {object} Start of a load
 * @property {number} from ms after the start of the run, or after the end of another load
 * @property {Draft} [after] that load: it ends with its last iteration, so its end is not planned
 * @property {Draft} [follows] the load after which it starts
 */

/** The load that scenarios without one of their own share. */
export const SHARED_LOAD = 'main';
const ROWS = LOAD.filter(({ name }) => LOAD_OPTIONS.includes(name));
/** Virtual users of a load without a limit, in a run without one. @type {number} */
const USERS = ROWS.find(({ name }) => name === 'limit')?.commandDefault;

/**
 * Reads the loads of a flow in which scenarios have loads of their own: one for each, and before them the load of the
 * run, if other scenarios share it. All run side by side.
 * @type {(scenarios: RawScenario[], run: { options: Record<string, any>, given: Record<string, any>, origins:
 *   Record<string, string> }, problems: Problems) => Partial<RunOptions>} options of the run that replace those of a
 *   single load
 */
export function readLoads(scenarios, { options, given, origins }, problems) {
  const earlierProblems = problems.list.length;
  if (Object.values(origins).includes(BY_SEARCH)) {
    problems.add('flow.scenarios', 'have loads of their own, but a search sets one load: remove load from them');
    return {};
  }
  const own = scenarios.filter(({ load }) => load !== undefined);
  const isShared = own.length < scenarios.length;
  readPerUser(options, 'runOptions', problems);
  refuseForLoads(given, isShared, problems);
  const drafts = [
    ...(isShared ? [sharedLoad(options)] : []),
    ...own.map((scenario, i) => draftOf(scenario, { ...options, seed: seedOfLoad(options.seed, i) }, problems)),
  ];
  checkNames(scenarios, isShared, problems);
  const starts = new StartFinder(drafts, scenarios, { ...options, problems }).all();
  const loads =
    problems.list.length > earlierProblems
      ? []
      : withEnds(drafts, starts, { ...options, duration: endOf(options) }, problems);
  if (isSet('expectedInterval', given)) refuseCorrection(drafts, problems);
  if (options.precision !== undefined) refuseChanges(own, isShared ? options : {}, problems);
  const limit = drafts.reduce((sum, draft) => sum + draft.options.limit, 0);
  // The loads have their own; the duration of the run ends all of them.
  const ofLoads = [...LOAD_OPTIONS, 'iterationsOfLane'].filter((name) => name !== 'duration');
  const cleared = Object.fromEntries(ofLoads.map((name) => [name, undefined]));
  if (options.trace) return { ...cleared, limit: drafts.length, loads: drafts.map(oneIteration) };
  return { ...cleared, limit, loads };
}

/** `--debug` runs one iteration of each load, in turn. @type {(draft: Draft, at: number) => SideLoad} */
function oneIteration({ name }, at) {
  return { name, from: 0, ...(at > 0 && { after: at - 1, follows: at - 1 }), hasEnd: true, limit: 1, iterations: 1 };
}

/** @type {(options: Record<string, any>) => Draft} */
function sharedLoad(options) {
  const own = LOAD_OPTIONS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  const { seed, iterationsOfLane } = options;
  return {
    name: SHARED_LOAD,
    where: 'runOptions',
    options: {
      limit: USERS,
      ...Object.fromEntries(own),
      seed,
      ...(iterationsOfLane !== undefined && { iterationsOfLane }),
    },
  };
}

/**
 * Reads the load of a scenario.
 * @type {(scenario: RawScenario, run: Record<string, any>, problems: Problems) => Draft} run: options, with the seed of
 *   the load
 */
function draftOf({ name, where, load, startAfter }, { limit = USERS, seed, shard }, problems) {
  const draft = { name, where, startAfter, options: /** @type {LoadOptions} */ ({ limit, seed }) };
  if (!isRecord(load)) {
    problems.add(`${where}.load`, `expected a load such as { rate: 100, duration: '30s' }, got ${typeName(load)}`);
    return draft;
  }
  const given = /** @type {Record<string, any>} */ (load);
  for (const key of Object.keys(given)) {
    const path = `${where}.load.${key}`;
    if (LOAD_OPTIONS.includes(key)) continue;
    if (key === 'startAfter') problems.add(path, 'is a property of the scenario: write it beside load');
    else if (RUN_OPTIONS.some((row) => row.name === key))
      problems.add(path, 'is an option of the whole run: use runOptions');
    else refuseOption(key, LOAD_OPTIONS, { path, problems });
  }
  checkConflicts(given, problems, { where: `${where}.load`, loads: [] });
  for (const row of ROWS) {
    if (given[row.name] === undefined || given[row.name] === null) continue;
    const value = readOption(row, given[row.name]);
    if (row.check(value)) Object.assign(draft.options, { [row.name]: value });
    else problems.add(`${where}.load.${row.name}`, refusalOf(row, given[row.name]));
  }
  readPerUser(draft.options, `${where}.load`, problems, shard);
  draft.options.limit = mostUsers(draft.options);
  return draft;
}

/**
 * Refuses options of the run that no load reads, as each has its own.
 * @type {(given: Record<string, any>, isShared: boolean, problems: Problems) => void}
 */
function refuseForLoads(given, isShared, problems) {
  // The layer of --debug sets some of them.
  if (isShared || given.trace) return;
  // The others are defaults of all loads, or end the run.
  const unread = LOAD_OPTIONS.filter((name) => !['limit', 'duration'].includes(name) && isSet(name, given));
  for (const name of unread)
    problems.add(
      `runOptions.${name}`,
      'has no effect: every scenario of this flow has a load of its own; set it there, or remove the load of a scenario, which then shares that of the run',
    );
}

/** Returns the seed of a load; the shared load has that of the run. @type {(seed: number, at: number) => number} */
export function seedOfLoad(seed, at) {
  return seed + at + 1;
}

/**
 * Refuses a name that two loads would have, and a start of a scenario without a load.
 * @type {(scenarios: RawScenario[], isShared: boolean, problems: Problems) => void}
 */
function checkNames(scenarios, isShared, problems) {
  const taken = scenarios.find(({ name, load }) => name === SHARED_LOAD && load !== undefined);
  if (isShared && taken)
    problems.add(
      taken.where,
      `has the name of the load that scenarios without one share: results could not tell them apart`,
    );
  for (const { where, load, startAfter } of scenarios) {
    if (startAfter !== undefined && load === undefined)
      problems.add(`${where}.startAfter`, "needs a load of its own, such as load: { rate: 10, duration: '30s' }");
  }
}

/**
 * Finds the start of each load. That of a load after another one is known from the start and the length of the other
 * one, so starts are found recursively.
 */
class StartFinder {
  #drafts;
  #scenarios;
  #maxRequestsPerUser;
  #problems;
  /** @type {Map<Draft, Start>} */
  #known = new Map();

  /**
   * @param {Draft[]} drafts
   * @param {RawScenario[]} scenarios
   * @param {{ maxRequestsPerUser?: number, problems: Problems }} context
   */
  constructor(drafts, scenarios, { maxRequestsPerUser, problems }) {
    this.#drafts = drafts;
    this.#scenarios = scenarios;
    this.#maxRequestsPerUser = maxRequestsPerUser;
    this.#problems = problems;
  }

  /** @type {() => Map<Draft, Start>} */
  all() {
    for (const draft of this.#drafts) this.#startOf(draft, []);
    return this.#known;
  }

  /** `waiting`: the loads that start after this one. @type {(draft: Draft, waiting: Draft[]) => Start} */
  #startOf(draft, waiting) {
    const known = this.#known.get(draft);
    if (known !== undefined) return known;
    const start = waiting.includes(draft) ? this.#refuseCircle(draft, waiting) : this.#read(draft, waiting);
    this.#known.set(draft, start);
    return start;
  }

  /** @type {(draft: Draft, waiting: Draft[]) => Start} */
  #read(draft, waiting) {
    const { where, startAfter } = draft;
    if (startAfter === undefined) return AT_ONCE;
    const path = `${where}.startAfter`;
    const other = this.#drafts.find(({ name }) => name === loadOf(startAfter, this.#scenarios));
    if (other !== undefined) return this.#startAfter(other, path, [...waiting, draft]);
    const from = readMs(/** @type {any} */ (startAfter));
    if (from >= 0) return { from };
    this.#problems.add(path, unknownStart(startAfter, this.#scenarios));
    return AT_ONCE;
  }

  /** @type {(other: Draft, path: string, waiting: Draft[]) => Start} */
  #startAfter(other, path, waiting) {
    const start = this.#startOf(other, waiting);
    if (endsByCount({ ...other.options, maxRequestsPerUser: this.#maxRequestsPerUser }))
      return { from: 0, after: other, follows: other };
    const length = lengthOf(other.options);
    if (length < Infinity) return { ...start, from: start.from + length, follows: other };
    this.#problems.add(path, `${other.name} has no end: give it a duration or iterations, or write a time such as 30s`);
    return AT_ONCE;
  }

  /** @type {(draft: Draft, waiting: Draft[]) => Start} */
  #refuseCircle(draft, waiting) {
    const names = [...waiting.slice(waiting.indexOf(draft)), draft].map(({ name }) => name);
    this.#problems.add(`${draft.where}.startAfter`, `goes in a circle: ${names.join(' starts after ')}`);
    return AT_ONCE;
  }
}

/** @type {Start} */
const AT_ONCE = { from: 0 };

/** Returns the load that runs a scenario. @type {(name: unknown, scenarios: RawScenario[]) => string | undefined} */
function loadOf(name, scenarios) {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario !== undefined) return scenario.load === undefined ? SHARED_LOAD : scenario.name;
  return name === SHARED_LOAD ? SHARED_LOAD : undefined;
}

/** @type {(given: unknown, scenarios: RawScenario[]) => string} */
function unknownStart(given, scenarios) {
  const names = scenarios.map(({ name }) => name);
  if (typeof given !== 'string')
    return `expected a time such as '30s', or the name of a scenario, got ${typeName(given)}`;
  const near = nearest(given, names);
  const cure = near ? `did you mean ${near}?` : `the scenarios are ${listOf(names, names.length)}`;
  return `${JSON.stringify(given)} is neither a time such as '30s' nor the name of a scenario: ${cure}`;
}

/**
 * A closed load ends with its last iteration, and it is not known when.
 * @type {(options: LoadOptions & { maxRequestsPerUser?: number }) => boolean}
 */
function endsByCount({ rate, stages, iterations, maxRequestsPerUser }) {
  return (iterations ?? maxRequestsPerUser) !== undefined && !hasArrivalRate({ rate, stages });
}

/**
 * Plans the ends of the loads, and refuses those that do not fit to each other.
 *
 * The start of a load (`from`) counts from that of the run, or from the end of another load, which is not known: such a
 * load starts later than `from`. It is compared with the ends as if it started then, which refuses none that fits.
 * @type {(drafts: Draft[], starts: Map<Draft, Start>, run: RunEnd, problems: Problems) => SideLoad[]}
 */
function withEnds(drafts, starts, run, problems) {
  const startOf = (/** @type {Draft} */ draft) => /** @type {Start} */ (starts.get(draft));
  const positionOf = (/** @type {Draft | undefined} */ one) => (one === undefined ? undefined : drafts.indexOf(one));
  const loads = drafts.map((draft) => {
    const { from, after, follows } = startOf(draft);
    const { duration: ownDuration } = draft.options;
    const positions = { after: positionOf(after), follows: positionOf(follows) };
    return { ...draft.options, name: draft.name, from, ...positions, ownDuration, hasEnd: false };
  });
  const { duration: end } = run;
  const ended = drafts.filter((_, at) => endsItself(loads[at], run));
  if (ended.length === 0 && !hasOtherEnd(run))
    problems.add(
      'runOptions',
      'no load has an end: give one of them a duration or iterations, or end the run with duration (-t 30s)',
    );
  const { lastPlanned } = lastEnds(loads, run);
  if (!hasOtherEnd(run)) refuseLast(drafts, ended, starts, problems);
  for (const draft of drafts) {
    const last = ended.includes(draft) ? end : Math.min(end, lastPlanned);
    refuseTooLate(draft, startOf(draft).from, { last, end }, problems);
  }
  return loadsUntil(loads, run);
}

/**
 * @typedef {object} RunEnd what ends a run with several loads
 * @property {number} duration ms
 * @property {boolean} [forever]
 * @property {number} [maxRequests]
 * @property {number} [maxRequestsPerUser]
 */

/** @type {(run: RunEnd) => boolean} */
function hasOtherEnd({ duration, forever = false, maxRequests }) {
  return duration < Infinity || forever || maxRequests !== undefined;
}

/**
 * Plans loads again, when it is known what ends them first: the rows that they use once, or the requests of their
 * virtual users, are a number of iterations.
 * @type {(loads: SideLoad[], options: RunOptions) => SideLoad[]}
 */
export function planAgain(loads, options) {
  /** @type {(load: SideLoad) => Pick<SideLoad, 'from' | 'after'>} */
  const startOf = ({ from, follows }) => {
    if (follows === undefined) return { from };
    const other = loads[follows];
    if (endsByCount(other)) return { from: 0, after: follows };
    const start = startOf(other);
    return { ...start, from: start.from + ownLength(other) };
  };
  const started = loads.map((load) => ({ ...load, after: undefined, ...startOf(load) }));
  return loadsUntil(started, { ...options, duration: endOf(options) });
}

/**
 * Adds the ends of loads: one without an end goes on until the others have ended, and the duration of the run ends all
 * of them.
 * @type {(loads: SideLoad[], run: RunEnd) => SideLoad[]}
 */
function loadsUntil(loads, run) {
  const { lastKnown } = lastEnds(loads, run);
  return loads.map(({ after, follows, ownDuration, duration: _duration, ...load }) => {
    const isEnded = endsItself({ ...load, ownDuration }, run);
    const stop = isEnded ? run.duration : Math.min(run.duration, lastKnown);
    const duration = Math.min(ownDuration ?? Infinity, stop - load.from);
    return {
      ...load,
      ...(after !== undefined && { after }),
      ...(follows !== undefined && { follows }),
      ...(ownDuration !== undefined && { ownDuration }),
      hasEnd: isEnded || stop < Infinity,
      ...(duration < Infinity && load.stages === undefined && { duration }),
    };
  });
}

/** @type {(load: Omit<SideLoad, 'hasEnd'>) => number} ms; Infinity: it has no end of its own that is known */
function ownLength({ ownDuration, ...load }) {
  return lengthOf({ ...load, duration: ownDuration });
}

/** @type {(load: Omit<SideLoad, 'hasEnd'>, run: RunEnd) => boolean} */
function endsItself(load, run) {
  return ownLength(load) < Infinity || isCounted(load, run);
}

/** @type {(load: Pick<SideLoad, 'iterations'>, run: RunEnd) => boolean} */
function isCounted({ iterations }, { maxRequestsPerUser }) {
  return (iterations ?? maxRequestsPerUser) !== undefined;
}

/**
 * Returns when the loads with an end have ended, ms after the start of the run: as planned, and if it is known. By a
 * number of iterations one may end later: then no time ends the other loads, but the run, once all have ended.
 * @type {(loads: SideLoad[], run: RunEnd) => { lastPlanned: number, lastKnown: number }}
 */
function lastEnds(loads, run) {
  const ended = loads.filter((load) => endsItself(load, run));
  if (ended.length === 0 || run.forever) return { lastPlanned: Infinity, lastKnown: Infinity };
  const ends = ended.map((load) => (load.after === undefined ? load.from + ownLength(load) : Infinity));
  const lastPlanned = Math.max(...ends);
  return { lastPlanned, lastKnown: ended.some((load) => isCounted(load, run)) ? Infinity : lastPlanned };
}

/**
 * Refuses a load that starts when no load runs any more (`last`), and stages that go on after the end of the run.
 * @type {(draft: Draft, from: number, ends: { last: number, end: number }, problems: Problems) => void}
 */
function refuseTooLate({ where, options }, from, { last, end }, problems) {
  if (from >= last) problems.add(`${where}.startAfter`, tooLate(from, last, end));
  const ownEnd = from + lengthOf(options);
  if (options.stages !== undefined && ownEnd > end)
    problems.add(
      `${where}.load.stages`,
      `end after ${writeMs(ownEnd)}, but the run ends after ${writeMs(end)}: shorten them, or remove the duration of the run`,
    );
}

/** @type {(from: number, last: number, end: number) => string} */
function tooLate(from, last, end) {
  const [begins, ends] = [from, last].map((ms) => writeMs(Math.round(ms)));
  return last === end
    ? `begins after ${begins}, but the run ends after ${ends}: start it earlier, or let the run last longer`
    : `begins after ${begins}, but all loads with an end have ended after ${ends}, and the run with them: give this load an end, such as duration: 30s`;
}

/**
 * Refuses loads without an end that begin when all others have ended.
 * @type {(drafts: Draft[], ended: Draft[], starts: Map<Draft, Start>, problems: Problems) => void}
 */
function refuseLast(drafts, ended, starts, problems) {
  for (const draft of drafts) {
    const after = starts.get(draft)?.after;
    if (after === undefined || ended.includes(draft) || !ended.every((one) => isBefore(one, draft, starts))) continue;
    problems.add(
      `${draft.where}.startAfter`,
      `begins when ${after.name} has ended, and the run ends then: give this load an end, such as duration: 30s`,
    );
  }
}

/** The end of the run, ms. @type {(options: Record<string, any>) => number} */
function endOf({ duration = Infinity, precision, maxDuration = LONGEST_WITH_PRECISION_MS }) {
  return precision === undefined ? duration : Math.min(duration, maxDuration);
}

/** Refuses to correct times of open loads. @type {(drafts: Draft[], problems: Problems) => void} */
function refuseCorrection(drafts, problems) {
  const open = drafts.find(({ options }) => hasArrivalRate(options));
  if (open === undefined) return;
  problems.add(
    'runOptions.expectedInterval',
    `${open.name} has an arrival rate, so its response times include the wait for a virtual user: nothing is left to correct. Remove it, or the rate`,
  );
}

/**
 * Refuses loads that begin or end while others run: the interval of a precision is that of a service under one load.
 * @type {(scenarios: RawScenario[], shared: Record<string, any>, problems: Problems) => void} shared: options of the
 *   run, if scenarios share its load
 */
function refuseChanges(scenarios, shared, problems) {
  const changing = scenarios.flatMap(({ where, load, startAfter }) => [
    ...(startAfter === undefined ? [] : [`${where}.startAfter`]),
    ...CHANGES.flatMap((name) => (isRecord(load) && load[name] !== undefined ? [`${where}.load.${name}`] : [])),
  ]);
  // Stages and a ramp are refused for any run with a precision.
  if (shared.iterations !== undefined) changing.push('runOptions.iterations');
  for (const path of changing)
    problems.add(
      path,
      'changes the load while the run goes on, and the interval of a precision is that of a service under one load: remove it, or precision',
    );
}

/** Options with which a load is not the same during the whole run. */
const CHANGES = ['stages', 'iterations', 'duration', 'rampUp'];

/**
 * Reports whether a load has ended when another one starts.
 * @type {(one: Draft, other: Draft, starts: Map<Draft, Start>) => boolean}
 */
function isBefore(one, other, starts) {
  const after = starts.get(other)?.after;
  return after !== undefined && (after === one || isBefore(one, after, starts));
}
