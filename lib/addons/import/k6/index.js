import { counted } from '../../../core/ground/decimal.js';
import { readMs } from '../../../core/ground/units.js';
import { draftOf, newDraft } from '../draft.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';
import { hiddenInScript } from '../secret-texts.js';
import { replaceSecrets } from '../secrets.js';
import { settle } from '../tokens.js';
import { isChanged, readObject, withoutComments } from './literal.js';

/** @import { DraftScenario, FlowDraft, ImportOptions, OperationDraft, Supported } from '../import.js' */

/** @type {Supported[]} */
export const supported = [
  { part: '`vus`, `duration`, `iterations`, `stages`', becomes: '`runOptions`, and the command that is printed' },
  {
    part: '`scenarios`: constant-vus, ramping-vus, constant-arrival-rate, ramping-arrival-rate, shared-iterations, per-vu-iterations',
    becomes: '`runOptions`; of several `scenarios` with a `load` and `startAfter`',
  },
  {
    part: '`thresholds` of http_req_duration, http_req_failed, http_reqs (also of a status), checks, iterations',
    becomes: '`thresholds`',
  },
  { part: '`insecureSkipTLSVerify`, `noConnectionReuse`, `userAgent`, `hosts`', becomes: '`runOptions`, `headers`' },
  { part: 'the requests of the script', becomes: 'comments: code is not translated by guesses' },
];

const OPTIONS =
  /(?:^(?:export\s+)?(?:const|let|var)\s+options|(?:module\.)?exports\.options)\s*(?::[^={};\n]+)?=\s*(?=[{<])/m;
/** A request, an item of `http.batch`, and what other protocols and the browser do. */
const REQUEST =
  /\b(?:http\.(?:get|post|put|patch|del|head|options|request|asyncRequest|batch)|ws\.connect|new WebSocket|\w+\.(?:invoke|goto))\s*\(|^\s*\[\s*['"](?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)['"]\s*,/g;
const ORIGIN = '["\'`](https?:\\/\\/[^"\'`/$\\s]+)';
/** Where a script has the address of its server: in a request, in a constant with such a name, or elsewhere. */
const ADDRESSES = [
  new RegExp(`\\bhttp\\.\\w+\\(\\s*(?:["']\\w+["'],\\s*)?${ORIGIN}`),
  new RegExp(
    `\\b\\w*(?:url|host|base|origin|target|endpoint|server)\\w*\\s*[:=]\\s*(?:__ENV\\.\\w+\\s*(?:\\|\\||\\?\\?)\\s*)?${ORIGIN}`,
    'i',
  ),
  new RegExp(ORIGIN),
];
/** Modules have URLs, too. */
const MODULES =
  /^[ \t]*(?:(?:import|export)\b[\w\s{},*$]*?\bfrom\s*|import\s*)["'][^"']+["']|\brequire\(\s*["'][^"']+["']/gm;
/** Requests of the script that are listed. */
const MOST_LISTED = 50;

/**
 * Reads the options of a k6 script: the flow has its load and its thresholds, and a first operation to be replaced. The
 * requests of the script are listed in comments: its code is neither run nor translated.
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const script = withoutComments(text);
  const found = OPTIONS.exec(script);
  const literal = found ? readObject(script, found.index + found[0].length) : { value: {}, unread: [], defaults: [] };
  const given = typeof literal.value === 'object' && literal.value !== null ? literal.value : {};
  const { runOptions, thresholds, headers, notes, command, scenarios } = runOptionsOf(given);
  const requests = requestsIn(text);
  const code = text.replace(MODULES, '');
  const origin = ADDRESSES.map((pattern) => pattern.exec(code)?.[1]).find((one) => one !== undefined);
  const baseUrl = options.baseUrl ?? origin ?? 'http://localhost:3000';
  const draft = newDraft({
    baseUrl,
    comments: [
      'Made from the options of a k6 script by bench-rest import. Its code is not translated: write its requests as operations.',
    ],
    properties: {
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(runOptions).length > 0 && { runOptions }),
      ...(Object.keys(thresholds).length > 0 && { thresholds }),
    },
    dialectNotes: [
      ...(scenarios.length > 0 || command === '' ? [] : [`The load of the script is: bench-rest ${command} <flow>`]),
      ...notes,
      ...remarksOn(script, found === null ? null : literal.value),
      ...literal.unread.map((one) => `${one} is an expression: its value is not known.`),
      ...literal.defaults.map((one) => `${one} has its value without that variable of the environment.`),
    ],
    skipped: requests.map(({ what }) => ({ what, why: 'code is not translated' })),
  });
  if (scenarios.length === 0) draft.phases.main.push(placeholderFor('the script', requests));
  else draft.scenarios = Object.fromEntries(scenarios.map((one) => [one.name, scenarioDraft(one, requests)]));
  return replaceSecrets(settle(draft), options);
}

/** @type {(of: string, requests: K6Request[]) => OperationDraft} */
function placeholderFor(of, requests) {
  const comments = [`Replace this operation by the requests of ${of}:`, ...requests.map(({ what }) => what)];
  return draftOf({ get: '/' }, comments);
}

/** @type {(scenario: K6Scenario, requests: K6Request[]) => DraftScenario} */
function scenarioDraft({ code, settings: { load, ...others } }, requests) {
  const own = requests.filter((one) => one.code === code);
  return {
    ...(Object.keys(load).length > 0 && { load }),
    ...others,
    main: [placeholderFor(`the function ${code}`, own)],
  };
}

/**
 * Says what may be wrong with the value of the options: null if the script has none, undefined if they are no object.
 * @type {(script: string, value: unknown) => string[]}
 */
function remarksOn(script, value) {
  if (value === null) return ['The script has no options in the form: export const options = { … }'];
  if (value === undefined) return ['The options of the script are no complete object, and are not known.'];
  return isChanged(script, 'options')
    ? ['The script may change its options after they are set: compare the load with that of a run of k6.']
    : [];
}

/** The beginning of a function of the script. */
const FUNCTION =
  /^(?:export\s+)?(?:default\s+(?:async\s+)?(?:function\b|\()|(?:async\s+)?function\s+(\w+)|const\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\())/;

/** @typedef {{ what: string, code: string }} K6Request `line 12: http.get('/')`, and the name of its function */

/** Lists the requests, each with the function before it. @type {(text: string) => K6Request[]} */
function requestsIn(text) {
  let code = '';
  return text
    .split('\n')
    .flatMap((line, i) => {
      const start = FUNCTION.exec(line);
      if (start) code = start[1] ?? start[2] ?? 'default';
      const isRequest = line.search(REQUEST) >= 0 && !/^\s*(?:\/\/|\*)/.test(line);
      return isRequest ? [{ what: `line ${i + 1}: ${hiddenInScript(line.trim()).slice(0, 120)}`, code }] : [];
    })
    .slice(0, MOST_LISTED);
}

/**
 * @typedef {object} K6Options
 * @property {Record<string, any>} runOptions
 * @property {Record<string, string>} thresholds
 * @property {Record<string, string>} headers
 * @property {string[]} notes
 * @property {string} command the load as flags
 * @property {K6Scenario[]} scenarios empty unless there are several; then they have the loads, not `runOptions`
 *
 * @typedef {object} K6Scenario
 * @property {string} name
 * @property {string} code the name of its function
 * @property {{ load: Record<string, any>, startAfter?: string }} settings
 */

/** Translates the options of a k6 script. @type {(given: Record<string, any>) => K6Options} */
function runOptionsOf(given) {
  /** @type {string[]} */
  const notes = [];
  const scenarios = scenariosOf(given, notes);
  const load = scenarios.length > 1 ? {} : loadOf(given, scenarios);
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
    thresholds: thresholdsOf(given.thresholds, scenarios, notes),
    headers: /** @type {Record<string, string>} */ (headers),
    notes,
    command: commandOf(load),
    scenarios: scenarios.length > 1 ? scenarios : [],
  };
}

/** `1m30s`, or a number of milliseconds. */
const TIME = /^(?:[\d.]+|(?:[\d.]+(?:ms|s|m|h|d))+)$/;
/** Options that are read; rps only beside no scenarios, which have rates of their own. */
const OPTIONS_READ = [
  ...['vus', 'duration', 'iterations', 'stages', 'scenarios', 'thresholds', 'insecureSkipTLSVerify'],
  ...['noConnectionReuse', 'userAgent', 'hosts'],
];
const SCENARIO_READ = [
  ...['executor', 'exec', 'startTime', 'vus', 'duration', 'iterations', 'stages', 'rate', 'timeUnit'],
  ...['startRate', 'startVUs', 'maxVUs', 'preAllocatedVUs'],
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

/**
 * Translates the load of options without scenarios, or of constant virtual users.
 * @type {(given: Record<string, any>) => Record<string, any>}
 */
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

/**
 * A time of several units, `1m30s`, becomes seconds; one without a unit is in milliseconds, and 0 becomes the shortest
 * one that a stage can have.
 * @type {(given: string | number) => string}
 */
function timeOf(given) {
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

/**
 * The value before the first stage is a stage of its own; a run begins with one virtual user.
 * @type {(stages: any, start: number, unit: string) => string[]}
 */
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

/** @type {(given: unknown, scenarios: K6Scenario[], notes: string[]) => Record<string, string>} */
function thresholdsOf(given, scenarios, notes) {
  /** @type {Record<string, string>} */
  const thresholds = {};
  for (const [metric, conditions] of membersOf(given))
    for (const one of [conditions].flat()) {
      const text = isRecord(one) ? String(one.threshold) : String(one);
      const [, base = metric, scenario] = METRIC_OF_SCENARIO.exec(metric) ?? [];
      if (isRecord(one) && one.abortOnFail === true)
        notes.push(`The threshold ${metric}: ${text} ends a run of k6: add --abort-on-fail.`);
      const found = thresholdOf(base, text);
      const isWhole = scenario === undefined || scenarios.length < 2;
      if (found && isWhole) thresholds[found[0]] = found[1];
      else if (found && scenarios.some(({ name }) => name === scenario))
        thresholds[`${scenario} ${found[0]}`] = found[1];
      else notes.push(`The threshold ${metric}: ${text} has no equivalent.`);
    }
  return thresholds;
}

/** `http_req_duration{scenario:visits}` */
const METRIC_OF_SCENARIO = /^(\w+)\{\s*scenario:\s*([^{}]+?)\s*\}$/;

/** @type {Record<string, string>} */
const AGGREGATES = { avg: 'mean', med: 'p50', max: 'max', min: 'min' };

/** Figures by metric and aggregate, and whether their limit is a share. @type {[RegExp, string, boolean][]} */
const FIGURES = [
  [/^http_req_failed rate$/, 'errors', true],
  [/^checks rate$/, 'checks', true],
  [/^http_reqs rate$/, 'requests.rate', false],
  [/^iterations rate$/, 'iterations.rate', false],
  [/^http_reqs\{\s*status:\s*(\d{3})\s*\} count$/, 'status.$1', false],
];

/** @type {(metric: string, text: string) => [string, string] | undefined} */
function thresholdOf(metric, text) {
  const [, aggregate, percentile, given, limit] =
    /^\s*(p\(\s*([\d.]+)\s*\)|\w+)\s*(<=?|>=?|===?)\s*([\d.]+)\s*$/.exec(text) ?? [];
  // A share or a number that is 0 is at most that, and all of them are at least that.
  const sign = given?.startsWith('=') ? { 0: '<=', 1: '>=' }[Number(limit)] : given;
  if (aggregate === undefined || sign === undefined) return undefined;
  if (metric === 'http_req_duration' || metric === 'iteration_duration') {
    const name = percentile === undefined ? member(AGGREGATES, aggregate) : `p${percentile}`;
    return name === undefined ? undefined : [name, `${sign}${limit}ms`];
  }
  const key = `${metric} ${aggregate}`;
  const [pattern, figure, isShare] = FIGURES.find(([one]) => one.test(key)) ?? [];
  if (pattern === undefined || figure === undefined) return undefined;
  return [key.replace(pattern, figure), `${sign}${isShare ? `${Math.round(Number(limit) * 1e6) / 1e4}%` : limit}`];
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
