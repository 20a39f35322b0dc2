import { isRecord, member, membersOf } from '../read-document.js';

/**
 * What the operations of the flow have, by which thresholds select them: how many have each name, and each group.
 * `requests`: how many an iteration has, by scenario, and without a name of the whole flow.
 * @typedef {{ names: Map<string, number>, groups: Map<string, number>, tags: Set<string>, scenarios: string[],
 *   requests: Map<string, number>, hasChecks: boolean, hasPauses: boolean }} Selectable
 */

/** @type {(given: unknown, known: Selectable, notes: string[]) => Record<string, string>} */
export function thresholdsOf(given, known, notes) {
  /** @type {Record<string, string>} */
  const thresholds = {};
  const hasIterations = membersOf(given).some(([metric]) => metric === 'iteration_duration');
  for (const [metric, conditions] of membersOf(given))
    for (const one of [conditions].flat()) {
      const text = isRecord(one) ? String(one.threshold) : String(one);
      const isAborting = isRecord(one) && one.abortOnFail === true;
      const plain = ofAnyResponse(metric);
      const found = selected(plain, text, known);
      const remark = typeof found === 'string' ? undefined : counted(plain, found, known, hasIterations);
      const remarks = [remark, plain === metric ? undefined : 'expected_response has no equivalent'].filter(Boolean);
      if (typeof found !== 'string' && remarks.length > 0)
        notes.push(`The threshold ${metric}: ${text} is ${found[0]} here: ${remarks.join(', and ')}.`);
      if (typeof found === 'string') notes.push(`The threshold ${metric}: ${text} ${found}.`);
      else if (thresholds[found[0]] !== undefined && thresholds[found[0]] !== found[1])
        notes.push(`The threshold ${metric}: ${text} is left out, as there is another one for ${found[0]}.`);
      else thresholds[found[0]] = found[1];
      if (isAborting) notes.push(`The threshold ${metric}: ${text} ends a run of k6: add --abort-on-fail.`);
    }
  return thresholds;
}

/** A metric without the tag that no figure of a flow has. @type {(metric: string) => string} */
function ofAnyResponse(metric) {
  const [, base, selector] = /^(\w+)\{(.*)\}$/.exec(metric) ?? [];
  if (base === undefined) return metric;
  const all = tagsIn(selector);
  const tags = all.filter((one) => !/^expected_response\s*:\s*true$/.test(one));
  if (tags.length === all.length) return metric;
  return tags.length === 0 ? base : `${base}{${tags.join(',')}}`;
}

/** @type {(selector: string) => string[]} */
function tagsIn(selector) {
  return selector
    .split(/,(?=\s*\w+\s*:)/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/**
 * k6 counts requests, and these figures iterations: takes the one that counts requests, if there is one. Returns how a
 * figure differs; undefined: not at all.
 * @type {(metric: string, found: [string, string], known: Selectable, hasIterations: boolean) => string | undefined}
 */
function counted(metric, found, { requests, hasPauses }, hasIterations) {
  const { base, tag, scenario } = partsOf(metric);
  if (base === 'iteration_duration' && hasPauses) return 'without the pauses, which k6 counts';
  if (tag !== 'scenario') return undefined;
  const isOfRun = !found[0].includes(' ');
  const hasSeveral = (requests.get(isOfRun ? '' : scenario) ?? 0) > 1;
  if (base === 'http_req_duration' && isOfRun && (hasSeveral || hasIterations)) {
    found[0] = `ttfb.${found[0]}`;
    return 'of all requests, as in k6, but only until the first byte of the response';
  }
  return hasSeveral && found[1] !== '<=0%' ? member(OF_ITERATIONS, base) : undefined;
}

/** @type {(metric: string) => { base: string, tag: string, scenario: string }} */
function partsOf(metric) {
  const [, base = '', tag = 'scenario', scenario = ''] =
    /^(\w+)(?:\{\s*(\w+)\s*:\s*([^,}]*?)\s*\})?$/.exec(metric) ?? [];
  return { base, tag, scenario };
}

/** How figures of iterations differ from metrics of requests. @type {Record<string, string>} */
const OF_ITERATIONS = {
  http_req_duration: 'of iterations, with all their requests, and not of single requests as in k6',
  http_req_failed: 'the share of iterations with an error, and not of requests as in k6',
};

/** @type {(metric: string, text: string, known: Selectable) => [string, string] | string} */
function selected(metric, text, known) {
  const [, base = metric, selector = ''] = /^(\w+)\{(.*)\}$/.exec(metric) ?? [];
  const isOfStatus = /^http_reqs\{\s*status:/.test(metric);
  const found = thresholdOf(isOfStatus ? metric : base, text);
  if (!found) return 'has no equivalent';
  if (/^checks\b/.test(found[0]) && !known.hasChecks) return 'is left out, as the flow has no check';
  const tags = tagsIn(selector);
  if (isOfStatus || (tags.length === 0 && base !== 'group_duration')) return found;
  if (tags.length !== 1) return 'has no equivalent';
  const [, tag, value] = /^(\w+)\s*:\s*(.*)$/.exec(tags[0]) ?? [];
  const name = SELECTORS[tag] ? SELECTORS[tag](value, base, known) : ofTag(tag, value, base, known);
  return typeof name === 'string' ? named(name, found) : name.why;
}

/** @typedef {string | { why: string }} Selected what stands in front of a figure */

/** @type {(name: string, found: [string, string]) => [string, string] | string} */
function named(name, [figure, limit]) {
  // Only the whole run has the times of single steps.
  const isOfRun = /^(?:ttfb|connect|tls)\./.test(figure);
  return name !== '' && isOfRun ? 'has no equivalent' : [`${name} ${figure}`.trim(), limit];
}

/** By the name of a tag. @type {Record<string, (value: string, base: string, known: Selectable) => Selected>} */
const SELECTORS = {
  scenario(value, _, { scenarios }) {
    if (scenarios.length < 2) return '';
    return scenarios.includes(value) ? value : { why: 'is of no scenario of the flow' };
  },
  name: (value, _, { names }) => (names.has(value) ? value : { why: 'is of no operation of the flow' }),
  url: (value, base, known) => SELECTORS.name(value, base, known),
  group(value, base, { groups }) {
    const group = value.replace(/^::/, '').split('::').join(' / ');
    const count = groups.get(group) ?? 0;
    if (count === 0) return { why: 'is of no group of the flow' };
    if (count === 1 || base === 'group_duration') return group;
    return { why: `has no equivalent: a threshold of the group ${group} is of all its requests together` };
  },
};

/** @type {(tag: string, value: string, base: string, known: Selectable) => Selected} */
function ofTag(tag, value, base, { tags }) {
  if (base === 'checks') return { why: 'has no equivalent: a threshold selects the checks of an operation' };
  return tags.has(`${tag}:${value}`) ? `${tag}:${value}` : { why: 'is of no tag of the flow' };
}

/** @type {Record<string, string>} */
const AGGREGATES = { avg: 'mean', med: 'p50', max: 'max', min: 'min' };
/** Metrics of times, and what stands in front of a figure. @type {Record<string, string>} */
const TIMES = {
  http_req_duration: '',
  iteration_duration: '',
  group_duration: '',
  http_req_waiting: 'ttfb.',
  http_req_connecting: 'connect.',
  http_req_tls_handshaking: 'tls.',
};

/** Figures by metric and aggregate, and whether their limit is a share. @type {[RegExp, string, boolean][]} */
const FIGURES = [
  [/^http_req_failed rate$/, 'errors', true],
  [/^checks rate$/, 'checks', true],
  [/^http_reqs rate$/, 'requests.rate', false],
  [/^http_reqs count$/, 'requests.sent', false],
  [/^iterations rate$/, 'iterations.rate', false],
  [/^iterations count$/, 'iterations.started', false],
  [/^dropped_iterations count$/, 'dropped', false],
  [/^http_reqs\{\s*status:\s*(\d{3})\s*\} count$/, 'status.$1', false],
];

/** @type {(metric: string, text: string) => [string, string] | undefined} */
function thresholdOf(metric, text) {
  const [, aggregate, percentile, given, limit] =
    /^\s*(p\(\s*([\d.]+)\s*\)|\w+)\s*(<=?|>=?|===?)\s*([\d.]+)\s*$/.exec(text) ?? [];
  // A share or a number that is 0 is at most that, and all of them are at least that.
  const sign = given?.startsWith('=') ? { 0: '<=', 1: '>=' }[Number(limit)] : given;
  if (aggregate === undefined || sign === undefined) return undefined;
  const before = member(TIMES, metric);
  if (before !== undefined) {
    const name = percentile === undefined ? member(AGGREGATES, aggregate) : `p${percentile}`;
    return name === undefined ? undefined : [before + name, `${sign}${limit}ms`];
  }
  const key = `${metric} ${aggregate}`;
  const [pattern, figure, isShare] = FIGURES.find(([one]) => one.test(key)) ?? [];
  if (pattern === undefined || figure === undefined) return undefined;
  return [key.replace(pattern, figure), `${sign}${isShare ? `${Math.round(Number(limit) * 1e6) / 1e4}%` : limit}`];
}
