import { isReserved } from '../variables.js';
import { isRare, namesAgree, plainName, singular } from './evidence.js';
import { fieldOf, last, sourcesOf } from './sources.js';

/** @import { Exchange } from '../exchange.js' */
/** @import { Candidate, Leaf } from './leaf.js' */
/** @import { Source, Step, Variable } from './types.js' */

/** @typedef {{ at: number, candidate: Candidate, leaf: Leaf }} Occurrence a text in a request; at: index of the step */

/**
 * @typedef {object} Traffic
 * @property {Step[]} steps
 * @property {Map<string, Occurrence[]>} sent by their texts
 * @property {Map<string, Source[]>} received by their values: while steps are linked, those of the steps before
 * @property {Map<Source, boolean>} repeated known results of {@link wasSentBefore}
 * @property {Map<Source, Variable>} variables
 * @property {Map<Step, number>} indexes
 */

/** Replaces values that earlier responses have; unless rare, names must agree. @type {(steps: Step[]) => Traffic} */
export function linkSteps(steps) {
  const sent = occurrencesIn(steps);
  const wanted = new Set(sent.keys());
  /** @type {Traffic} */
  const traffic = {
    steps,
    sent,
    received: new Map(),
    repeated: new Map(),
    variables: new Map(),
    indexes: new Map(steps.map((step, i) => [step, i])),
  };
  for (const step of steps) {
    for (const leaf of step.leaves) linkLeaf(leaf, step, traffic);
    // An operation that is not sent captures nothing.
    const sources =
      step.disabled === undefined ? [...sourcesOf(step, wanted), ...sourcesOfRedirects(step, wanted)] : [];
    for (const source of sources) {
      const known = traffic.received.get(source.value);
      if (!known) traffic.received.set(source.value, [source]);
      else if (known.length < MOST_SOURCES) known.push(source);
    }
  }
  return traffic;
}

/** Places of one value in all responses: the first ones. */
const MOST_SOURCES = 100;

/** Lists all texts of requests, in the order of the steps. @type {(steps: Step[]) => Map<string, Occurrence[]>} */
function occurrencesIn(steps) {
  /** @type {Map<string, Occurrence[]>} */
  const all = new Map();
  for (const [at, { leaves }] of steps.entries()) {
    for (const leaf of leaves) {
      for (const candidate of leaf.candidates) {
        const known = all.get(candidate.text);
        if (known) known.push({ at, candidate, leaf });
        else all.set(candidate.text, [{ at, candidate, leaf }]);
      }
    }
  }
  return all;
}

/** @type {(step: Step, wanted: Set<string>) => Source[]} */
function sourcesOfRedirects(step, wanted) {
  return step.hops.slice(0, -1).flatMap((hop) => {
    const alone = { ...step, exchange: hop, hops: [hop] };
    return sourcesOf(alone, wanted).map((source) => ({ ...source, step, hop, rank: source.rank + HOP_RANK }));
  });
}

/** Above all other ranks: a capture from a followed redirect needs a step of its own. */
const HOP_RANK = 10;

/** Replaces what earlier responses have. @type {(leaf: Leaf, step: Step, traffic: Traffic) => void} */
function linkLeaf(leaf, step, traffic) {
  for (const candidate of leaf.candidates) {
    if (!leaf.isFree(candidate) || candidate.text === '') continue;
    const found = sourceFor(candidate, step, traffic);
    if (!found) continue;
    const variable = traffic.variables.get(found.source) ?? newVariable(found);
    traffic.variables.set(found.source, variable);
    variable.uses.push({ step, leaf });
    leaf.replace({ from: candidate.from, to: candidate.to, by: variable });
  }
}

/** @type {(found: { source: Source, isCertain: boolean }) => Variable} */
export function newVariable({ source, isCertain }) {
  return { name: '', type: source.type, source, isCertain, uses: [] };
}

/**
 * Finds the response that a value of a request is from: one that is captured already, or else the clearest place.
 * @type {(candidate: Candidate, step: Step, traffic: Traffic) => { source: Source, isCertain: boolean } | null}
 */
function sourceFor(candidate, step, traffic) {
  const received = traffic.received.get(candidate.text);
  if (!received) return null;
  const isCertain = isRare(candidate.text);
  // The responses from this step on may only repeat what the client sent.
  const firstSent = traffic.sent.get(candidate.text)?.[0].at ?? Infinity;
  const isNew = (/** @type {Source} */ source) =>
    isCertain ? indexOf(source, traffic) < firstSent : namesAgree(candidate, source) && !wasSentBefore(source, traffic);
  const suitable = received.filter((source) => hasEnded(source.hop ?? last(source.step), step) && isNew(source));
  const source = suitable.find((one) => traffic.variables.has(one)) ?? clearest(suitable);
  return source ? { source, isCertain } : null;
}

/**
 * Reports whether an exchange was over when a step began: requests that overlapped do not depend on each other. Without
 * times (NaN) the order of the recording is all that is known.
 * @type {(exchange: Exchange, step: Step) => boolean}
 */
function hasEnded(exchange, step) {
  return !(exchange.endedAt > step.exchange.startedAt);
}

/** @type {(of: { step: Step }, traffic: Traffic) => number} */
function indexOf({ step }, { indexes }) {
  return /** @type {number} */ (indexes.get(step));
}

/** The clearest place, and of equal ones the first. @type {(sources: Source[]) => Source | undefined} */
function clearest(sources) {
  return sources.reduce(
    (/** @type {Source | undefined} */ best, one) => (best && best.rank <= one.rank ? best : one),
    undefined,
  );
}

/** Reports whether the value was sent under an agreeing name. @type {(source: Source, traffic: Traffic) => boolean} */
function wasSentBefore(source, traffic) {
  const known = traffic.repeated.get(source);
  if (known !== undefined) return known;
  const limit = indexOf(source, traffic);
  const isRepeated = (traffic.sent.get(source.value) ?? []).some(
    ({ at, candidate }) => at <= limit && namesAgree(candidate, source),
  );
  traffic.repeated.set(source, isRepeated);
  return isRepeated;
}

/** Lets hooks send current ETags for earlier ones, and leaves out those of a cache. @type {(steps: Step[]) => void} */
export function linkEtags(steps) {
  /** The ETag that the last response of each URL had. @type {Map<string, { step: Step, etag: string }>} */
  const known = new Map();
  for (const step of steps) {
    const { request } = step.exchange;
    const saved = known.get(request.url);
    for (const [name, value] of request.headers.filter(([one]) => /^if-(?:none-)?match$/i.test(one))) {
      if (saved && value.includes(saved.etag)) {
        addHook(step, 'beforeHooks', 'useEtag');
        addHook(saved.step, 'afterHooks', 'saveEtag');
      } else if (!isOfCache(request.method, value)) step.added.headers = { ...step.added.headers, [name]: value };
    }
    const { response } = last(step);
    const etag = response ? fieldOf(response, 'etag') : '';
    if (!response || etag === '' || response.status < 200 || response.status > 299) continue;
    known.set(request.url, { step, etag });
    const location = fieldOf(response, 'location');
    if (request.method === 'POST' && URL.canParse(location, request.url))
      known.set(new URL(location, request.url).href, { step, etag });
  }
}

/** Reports whether a condition is that of a browser's cache. @type {(method: string, value: string) => boolean} */
function isOfCache(method, value) {
  return (method === 'GET' || method === 'HEAD') && value !== '*';
}

/** @type {(step: Step, key: 'beforeHooks' | 'afterHooks', hook: string) => void} */
function addHook({ added }, key, hook) {
  if (!added[key]?.includes(hook)) added[key] = [...(added[key] ?? []), hook];
}

/** Names that say nothing without what they belong to. */
const BARE = new Set([
  ...['id', 'uuid', 'guid', 'uid', 'oid', 'pk', 'key', 'slug', 'no', 'number', 'code', 'ref', 'href', 'url'],
  ...['self', 'location'],
  ...['version', 'revision', 'rev', 'name', 'value', 'link', ''],
]);
const LONGEST = 40;

/** Names `$.id` of `POST /items` itemId; a name is free again after its last use. @type {(traffic: Traffic) => void} */
export function nameVariables(traffic) {
  const ordered = [...traffic.variables.values()].sort(
    (a, b) => indexOf(a.source, traffic) - indexOf(b.source, traffic),
  );
  /** The index of the last request that has the value of a name. @type {Map<string, number>} */
  const until = new Map();
  for (const variable of ordered) {
    const { source } = variable;
    const base = nameOf(source);
    const at = indexOf(source, traffic);
    variable.name = base;
    for (let i = 2; (until.get(variable.name) ?? -1) > at || isCapturedHere(variable); i++)
      variable.name = `${base}${i}`;
    until.set(variable.name, Math.max(...variable.uses.map((use) => indexOf(use, traffic))));
    source.step.captures.push(variable);
  }
}

/** @type {(variable: Variable) => boolean} */
function isCapturedHere({ name, source }) {
  return source.step.captures.some((one) => one.name === name);
}

/** @type {(source: Source) => string} */
function nameOf({ key, entity, isPathPart }) {
  const words = wordsOf(isPathPart ? `${singular(key)} id` : key);
  const isBare = !isPathPart && BARE.has(plainName(key)) && plainName(singular(entity)) !== plainName(key);
  const all = isBare ? [...wordsOf(singular(entity)), ...words] : words;
  const name = all
    .map((word, i) => (i === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1).toLowerCase()))
    .join('')
    .slice(0, LONGEST);
  if (!/^[a-z]/i.test(name)) return 'value';
  return isReserved(name) ? `${name}Value` : name;
}

/** `X-orderId` is order, Id. @type {(text: string) => string[]} */
function wordsOf(text) {
  return text
    .replace(/^x-/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean);
}
