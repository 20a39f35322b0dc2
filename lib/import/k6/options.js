import { isRecord, itemsOf, membersOf } from '../read-document.js';

/**
 * @typedef {object} K6Options
 * @property {Record<string, any>} runOptions
 * @property {Record<string, string>} thresholds
 * @property {Record<string, string>} headers
 * @property {string[]} notes
 * @property {string} command the same as flags
 */

/** Translates the options of a k6 script. @type {(given: Record<string, any>) => K6Options} */
export function runOptionsOf(given) {
  /** @type {string[]} */
  const notes = [];
  const load = loadOf(given, notes);
  const hosts = membersOf(given.hosts).filter(([name, to]) => !name.includes('*') && typeof to === 'string');
  const runOptions = {
    ...load,
    ...(given.insecureSkipTLSVerify === true && { insecure: true }),
    ...(given.noConnectionReuse === true && { keepAlive: false }),
    ...(hosts.length > 0 && {
      connectTo: hosts.map(
        ([name, to]) => `${name}::${String(to).replace(/:(\d+)$/, '')}:${/:(\d+)$/.exec(String(to))?.[1] ?? ''}`,
      ),
    }),
  };
  const headers = typeof given.userAgent === 'string' ? { 'User-Agent': given.userAgent } : {};
  return {
    runOptions,
    thresholds: thresholdsOf(given.thresholds, notes),
    headers: /** @type {Record<string, string>} */ (headers),
    notes,
    command: commandOf(load),
  };
}

/** @type {(given: Record<string, any>, notes: string[]) => Record<string, any>} */
function loadOf(given, notes) {
  const scenarios = membersOf(given.scenarios).filter(([, one]) => isRecord(one));
  if (scenarios.length === 0) return { ...plainLoad(given), ...(given.rps > 0 && { rate: given.rps }) };
  const [[name, first], ...others] = scenarios;
  for (const [other, { executor }] of others)
    notes.push(`The scenario ${other} (${executor}) is left out: the load is that of ${name}.`);
  const executor = EXECUTORS[first.executor];
  if (executor) return executor(first);
  notes.push(`The executor ${first.executor} of ${name} has no equivalent.`);
  return {};
}

/** @type {(given: Record<string, any>) => Record<string, any>} */
function plainLoad({ vus, duration, iterations, stages }) {
  if (itemsOf(stages).length > 0) return { stages: stagesOf(stages, Number(vus ?? 1), 'c') };
  return {
    ...(vus > 0 && { limit: vus }),
    ...(iterations > 0 && { iterations }),
    ...(typeof duration === 'string' && { duration }),
    ...(duration === undefined && iterations === undefined && { iterations: Number(vus ?? 1) }),
  };
}

/** @type {Record<string, (scenario: Record<string, any>) => Record<string, any>>} */
const EXECUTORS = {
  'constant-vus': plainLoad,
  'shared-iterations': ({ vus = 1, iterations = 1 }) => ({ limit: vus, iterations }),
  'per-vu-iterations': ({ vus = 1, iterations = 1 }) => ({ limit: vus, iterations: vus * iterations }),
  'ramping-vus': ({ startVUs = 1, stages }) => ({ stages: stagesOf(stages, startVUs, 'c') }),
  'constant-arrival-rate': ({ rate, timeUnit, duration, maxVUs, preAllocatedVUs }) => ({
    rate: perSecond(rate, timeUnit),
    ...(typeof duration === 'string' && { duration }),
    ...mostUsers(maxVUs ?? preAllocatedVUs),
  }),
  'ramping-arrival-rate': ({ startRate = 0, timeUnit, stages, maxVUs, preAllocatedVUs }) => ({
    stages: stagesOf(
      itemsOf(stages).map((one) => ({ ...one, target: perSecond(one.target, timeUnit) })),
      perSecond(startRate, timeUnit),
      '',
    ),
    ...mostUsers(maxVUs ?? preAllocatedVUs),
  }),
};

/** @type {(count: unknown) => { limit?: number }} */
function mostUsers(count) {
  return typeof count === 'number' && count > 0 ? { limit: count } : {};
}

/** @type {(rate: number, unit?: string) => number} */
function perSecond(rate, unit = '1s') {
  const [, number = '1', name = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(unit) ?? [];
  const seconds = Number(number) * /** @type {Record<string, number>} */ ({ ms: 0.001, s: 1, m: 60, h: 3600 })[name];
  return Math.round((Number(rate) / seconds) * 1000) / 1000;
}

/**
 * The value before the first stage is a stage of its own; a run begins with one virtual user.
 * @type {(stages: any, start: number, unit: string) => string[]}
 */
function stagesOf(stages, start, unit) {
  const all = itemsOf(stages).filter((one) => isRecord(one) && typeof one.duration === 'string' && one.target >= 0);
  return [
    ...(start > (unit === 'c' ? 1 : 0) ? [`1ms:${start}${unit}`] : []),
    ...all.map(({ duration, target }) => `${duration}:${target}${unit}`),
  ];
}

/** @type {(given: unknown, notes: string[]) => Record<string, string>} */
function thresholdsOf(given, notes) {
  /** @type {Record<string, string>} */
  const thresholds = {};
  for (const [metric, conditions] of membersOf(given))
    for (const one of [conditions].flat()) {
      const text = isRecord(one) ? String(one.threshold) : String(one);
      const found = thresholdOf(metric, text);
      if (found) thresholds[found[0]] = found[1];
      else notes.push(`The threshold ${metric}: ${text} has no equivalent.`);
    }
  return thresholds;
}

/** @type {Record<string, string>} */
const AGGREGATES = { avg: 'mean', med: 'p50', max: 'max', min: 'min' };

/** @type {(metric: string, text: string) => [string, string] | undefined} */
function thresholdOf(metric, text) {
  const [, aggregate, percentile, sign, limit] =
    /^\s*(p\(\s*([\d.]+)\s*\)|\w+)\s*(<=?|>=?)\s*([\d.]+)\s*$/.exec(text) ?? [];
  if (aggregate === undefined) return undefined;
  if (metric === 'http_req_duration' || metric === 'iteration_duration') {
    const name = percentile === undefined ? AGGREGATES[aggregate] : `p${percentile}`;
    return name === undefined ? undefined : [name, `${sign}${limit}ms`];
  }
  if (metric === 'http_req_failed' && aggregate === 'rate')
    return ['errors', `${sign}${Math.round(Number(limit) * 1e6) / 1e4}%`];
  if (metric === 'http_reqs' && aggregate === 'rate') return ['requests.rate', `${sign}${limit}`];
  if (metric === 'iterations' && aggregate === 'rate') return ['iterations.rate', `${sign}${limit}`];
  return undefined;
}

/** @type {(load: Record<string, any>) => string} */
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
