import { counted } from '../../../core/ground/decimal.js';
import { readMs } from '../../../core/ground/units.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';

/**
 * @typedef {object} K6Options
 * @property {Record<string, any>} runOptions
 * @property {Record<string, string>} headers
 * @property {string[]} notes
 * @property {Record<string, any>} defaults of requests
 * @property {string} command the load as flags
 * @property {K6Scenario[]} scenarios empty unless there are several; then they have the loads, not `runOptions`
 *
 * @typedef {object} K6Scenario
 * @property {string} name
 * @property {string} code the name of its function
 * @property {{ load: Record<string, any>, startAfter?: string }} settings
 */

/**
 * Translates the options of a k6 script; `hasUsers`: it has their number, although it is not known.
 * @type {(given: Record<string, any>, hasUsers: boolean) => K6Options}
 */
export function runOptionsOf(given, hasUsers) {
  /** @type {string[]} */
  const notes = [];
  const scenarios = scenariosOf(given, notes);
  const load = scenarios.length > 1 ? {} : withUsers(loadOf(given, scenarios), hasUsers);
  const hosts = membersOf(given.hosts).filter(([name, to]) => !name.includes('*') && typeof to === 'string');
  const runOptions = {
    ...load,
    ...(given.insecureSkipTLSVerify === true && { insecure: true }),
    ...(given.noConnectionReuse === true && { keepAlive: false }),
    // `api.test::10.0.0.1:8080`: any port of a name leads to this address; `api.test::10.0.0.1:` keeps the port.
    ...(hosts.length > 0 && {
      connectTo: hosts.map(
        ([name, to]) => `${name}::${String(to).replace(/:(\d+)$/, '')}:${/:(\d+)$/.exec(String(to))?.[1] ?? ''}`,
      ),
    }),
  };
  const headers = typeof given.userAgent === 'string' ? { 'User-Agent': given.userAgent } : {};
  const unused = [
    ...unusedIn(given, isRecord(given.scenarios) ? OPTIONS_READ : [...OPTIONS_READ, 'rps']),
    ...membersOf(given.scenarios).flatMap(unusedInScenario),
  ];
  const stages = [given, ...membersOf(given.scenarios).map(([, one]) => one)].flatMap((one) => itemsOf(one?.stages));
  const unknown = stages.filter((one) => !isStage(one)).length;
  if (unknown > 0)
    notes.push(
      `The load lacks ${counted(unknown, 'stage')}, whose duration or target is not known: complete \`stages\`.`,
    );
  if (unused.length > 0) notes.push(`These options have no equivalent: ${unused.join(', ')}.`);
  return {
    runOptions,
    headers: /** @type {Record<string, string>} */ (headers),
    notes,
    defaults: typeof given.maxRedirects === 'number' ? { maxRedirects: given.maxRedirects } : {},
    command: commandOf(load),
    scenarios: scenarios.length > 1 ? scenarios : [],
  };
}

/** k6 has one virtual user by default. @type {(load: Record<string, any>, hasUsers: boolean) => Record<string, any>} */
function withUsers(load, hasUsers) {
  const { limit, rate, iterations, duration } = load;
  const isOfOne = !hasUsers && limit === undefined && rate === undefined && (iterations > 1 || duration !== undefined);
  return isOfOne ? { limit: 1, ...load } : load;
}

/** `1m30s`, or a number of milliseconds. */
const TIME = /^(?:[\d.]+|(?:[\d.]+(?:ms|s|m|h|d))+)$/;
/** Options that are read; rps only beside no scenarios, which have rates of their own. */
const OPTIONS_READ = [
  ...['vus', 'duration', 'iterations', 'stages', 'scenarios', 'thresholds', 'insecureSkipTLSVerify'],
  ...['noConnectionReuse', 'userAgent', 'hosts', 'maxRedirects'],
];
const SCENARIO_READ = [
  ...['executor', 'exec', 'startTime', 'vus', 'duration', 'iterations', 'stages', 'rate', 'timeUnit'],
  ...['startRate', 'startVUs', 'maxVUs', 'preAllocatedVUs', 'env', 'tags'],
];

/** @type {(given: Record<string, any>, read: string[]) => string[]} */
function unusedIn(given, read) {
  return Object.keys(given).filter((name) => !read.includes(name));
}

/** @type {(entry: [name: string, scenario: any]) => string[]} */
function unusedInScenario([name, scenario]) {
  return isRecord(scenario) ? unusedIn(scenario, SCENARIO_READ).map((key) => `${key} of ${name}`) : [];
}

/**
 * Returns the load of the whole run, as run options: that of the only scenario, or of the options themselves.
 * @type {(given: Record<string, any>, scenarios: K6Scenario[]) => Record<string, any>}
 */
function loadOf(given, scenarios) {
  if (scenarios.length > 0) return scenarios[0].settings.load;
  return isRecord(given.scenarios)
    ? {}
    : { ...withKnownStages(plainLoad(given)), ...(given.rps > 0 && { rate: given.rps }) };
}

/** Drops the list of stages if none of them is known. @type {(load: Record<string, any>) => Record<string, any>} */
function withKnownStages({ stages, ...load }) {
  return stages?.length > 0 ? { stages, ...load } : load;
}

/** @type {(given: Record<string, any>, notes: string[]) => K6Scenario[]} */
function scenariosOf({ scenarios }, notes) {
  return membersOf(scenarios).flatMap(([name, one]) => {
    if (!isRecord(one)) return [];
    const executor = member(EXECUTORS, one.executor);
    if (!executor) {
      notes.push(`The executor ${one.executor} of ${name} has no equivalent.`);
      return [];
    }
    const isLater = typeof one.startTime === 'string' && parseFloat(one.startTime) > 0;
    const settings = { load: withKnownStages(executor(one)), ...(isLater && { startAfter: timeOf(one.startTime) }) };
    return [{ name, code: String(one.exec ?? 'default'), settings }];
  });
}

/** Translates load without scenarios, or constant users. @type {(given: Record<string, any>) => Record<string, any>} */
function plainLoad({ vus, duration, iterations, stages }) {
  if (itemsOf(stages).length > 0) return { stages: stagesOf(stages, Number(vus ?? 1), 'c') };
  return {
    ...(vus > 0 && { limit: Number(vus) }),
    ...(iterations > 0 && { iterations: Number(iterations) }),
    ...(isTime(duration) && { duration: timeOf(duration) }),
    ...(duration === undefined && iterations === undefined && { iterations: Number(vus ?? 1) }),
  };
}

/** By the name in k6. @type {Record<string, (scenario: Record<string, any>) => Record<string, any>>} */
const EXECUTORS = {
  'constant-vus': plainLoad,
  'shared-iterations': ({ vus = 1, iterations = 1 }) => ({ limit: vus, iterations }),
  'per-vu-iterations': ({ vus = 1, iterations = 1 }) => ({ limit: vus, iterations: vus * iterations }),
  'ramping-vus': ({ startVUs = 1, stages }) => ({ stages: stagesOf(stages, startVUs, 'c') }),
  'constant-arrival-rate': ({ rate, timeUnit, duration, maxVUs, preAllocatedVUs }) => ({
    ...(rate > 0 && { rate: ratePerSecond(rate, timeUnit) }),
    ...(isTime(duration) && { duration: timeOf(duration) }),
    ...mostUsers(maxVUs ?? preAllocatedVUs),
  }),
  'ramping-arrival-rate': ({ startRate = 0, timeUnit, stages, maxVUs, preAllocatedVUs }) => ({
    stages: stagesOf(
      itemsOf(stages)
        .filter(isRecord)
        .map((one) => ({ ...one, target: ratePerSecond(one.target, timeUnit) })),
      ratePerSecond(startRate, timeUnit),
      '',
    ),
    ...mostUsers(maxVUs ?? preAllocatedVUs),
  }),
};

/** Writes `1m30s` in seconds, no unit as ms, 0 as the shortest stage. @type {(given: string | number) => string} */
export function timeOf(given) {
  if (/^[\d.]+$/.test(String(given))) return Number(given) > 0 ? `${given}ms` : '1ms';
  const parts = String(given).match(/\d+(?:\.\d+)?(?:ms|s|m|h|d)/g) ?? [];
  const ms = parts.reduce(
    (sum, part) => sum + (part.endsWith('d') ? 24 * readMs(`${parseFloat(part)}h`) : readMs(part)),
    0,
  );
  if (ms === 0) return '1ms';
  return parts.length < 2 && !String(given).endsWith('d') ? String(given) : `${ms / 1000}s`;
}

/** @type {(count: unknown) => { limit?: number }} */
function mostUsers(count) {
  return typeof count === 'number' && count > 0 ? { limit: count } : {};
}

/** @type {(rate: number, unit?: string) => number} */
function ratePerSecond(rate, unit = '1s') {
  const [, number = '1', name = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(unit) ?? [];
  const seconds = Number(number) * /** @type {Record<string, number>} */ ({ ms: 0.001, s: 1, m: 60, h: 3600 })[name];
  const perSecond = rate / seconds;
  return Number(perSecond < 1 ? perSecond.toPrecision(3) : perSecond.toFixed(3));
}

/** Adds `start` as a stage; runs begin with 1 user. @type {(stages: any, start: number, unit: string) => string[]} */
function stagesOf(stages, start, unit) {
  const all = itemsOf(stages).filter(isStage);
  return [
    ...(start > (unit === 'c' ? 1 : 0) ? [`1ms:${start}${unit}`] : []),
    ...all.map(({ duration, target }) => `${timeOf(duration)}:${target}${unit}`),
  ];
}

/** @type {(given: unknown) => boolean} */
function isTime(given) {
  return typeof given === 'number' || (typeof given === 'string' && TIME.test(given));
}

/** @type {(one: unknown) => boolean} */
function isStage(one) {
  return isRecord(one) && isTime(one.duration) && one.target >= 0;
}

/** Writes a load as flags of the command. @type {(load: Record<string, any>) => string} */
function commandOf({ limit, duration, iterations, rate, stages = [] }) {
  return [
    limit === undefined ? '' : `-c ${limit}`,
    duration === undefined ? '' : `-t ${duration}`,
    iterations === undefined ? '' : `-n ${iterations}`,
    rate === undefined ? '' : `-r ${rate}`,
    ...stages.map((/** @type {string} */ stage) => `--stage ${stage}`),
  ]
    .filter(Boolean)
    .join(' ');
}
