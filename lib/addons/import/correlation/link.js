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
 * @property {Map<string, Source[]>} received by {@link keyOf}: while steps are linked, those of the steps before
 * @property {Map<Source, boolean>} repeated known results of {@link wasSentBefore}
 * @property {Map<string, number>} restarts indexes of the steps with which collections began anew
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
    restarts: new Map(),
    variables: new Map(),
    indexes: new Map(steps.map((step, i) => [step, i])),
  };
  for (const step of steps) {
    for (const leaf of step.leaves) linkLeaf(leaf, step, traffic);
    // An operation that is not sent captures nothing.
    const sources =
      step.disabled === undefined ? [...sourcesOf(step, wanted), ...sourcesOfRedirects(step, wanted)] : [];
    for (const source of sources) receive(source, traffic);
  }
  return traffic;
}

/** Values that are not rare are those of one session. @type {(text: string, step: Step) => string} */
function keyOf(text, { exchange: { session = '' } }) {
  return isRare(text) ? text : `${session} ${text}`;
}

/** @type {(text: string, step: Step, traffic: Traffic) => Source[]} sources of the responses so far */
export function sourcesWith(text, step, { received }) {
  return received.get(keyOf(text, step)) ?? [];
}

/**
 * Keeps a source. A second document of a collection with the same id shows that the server has begun anew.
 * @type {(source: Source, traffic: Traffic) => void}
 */
function receive(source, traffic) {
  const known = sourcesWith(source.value, source.step, traffic);
  if (known.some((one) => isSameCreation(one, source))) beginAnew(source, source.step, traffic);
  if (known.length === 0) traffic.received.set(keyOf(source.value, source.step), [source]);
  else if (known.length < MOST_SOURCES) known.push(source);
}

/** @type {(first: Source, second: Source) => boolean} */
function isSameCreation({ step, capture }, { step: other, capture: again, value, key }) {
  return (
    step !== other &&
    step.label === other.label &&
    isOfSuite(other) &&
    other.exchange.request.method === 'POST' &&
    JSON.stringify(capture) === JSON.stringify(again) &&
    other.leaves.every(({ name, text }) => text !== value || plainName(name) !== plainName(key))
  );
}

/** Suites make an application for each test, or empty its store. @type {(step: Step) => boolean} */
export function isOfSuite({ exchange }) {
  return exchange.session !== undefined;
}

/**
 * From this step on, short ids of the collection are new ones.
 * @type {(source: Source, step: Step, traffic: Traffic) => void}
 */
function beginAnew(source, step, { restarts, indexes }) {
  restarts.set(collectionKeyOf(source), /** @type {number} */ (indexes.get(step)));
}

/** @type {(source: Source) => string} */
function collectionKeyOf({ step, entity }) {
  return `${step.exchange.session} ${singular(plainName(entity))}`;
}

/** The step with which the collection of a source began. @type {(source: Source, traffic: Traffic) => number} */
function beginOf(source, { restarts }) {
  return restarts.get(collectionKeyOf(source)) ?? 0;
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
    if (!found || isOfOtherState(found.source, leaf, step, traffic)) continue;
    const variable = traffic.variables.get(found.source) ?? newVariable(found);
    traffic.variables.set(found.source, variable);
    variable.uses.push({ step, leaf });
    leaf.replace({ from: candidate.from, to: candidate.to, by: variable });
  }
}

/**
 * Reports whether a response contradicts what is known of a document: it is not there, although no request deleted it,
 * or it is there after that. Then the suite has emptied the collection.
 * @type {(source: Source, leaf: Leaf, step: Step, traffic: Traffic) => boolean}
 */
function isOfOtherState(source, leaf, step, traffic) {
  const { steps, indexes } = traffic;
  const status = statusOf(step);
  if (!isOfSuite(step) || leaf.place !== 'path' || isRare(leaf.text) || (status >= 400 && status !== 404)) return false;
  const before = steps.slice(indexes.get(source.step), indexes.get(step)).filter((one) => isSameSession(one, step));
  const isDeleted = before.some((one) => deletes(one, step));
  const isOther = status === 404 ? !isDeleted && hasSameCredentials(step, source.step) : isDeleted;
  if (isOther) beginAnew(source, step, traffic);
  return isOther;
}

/** Reports whether a request has deleted the document of a path. @type {(one: Step, step: Step) => boolean} */
function deletes({ exchange, path }, step) {
  const { method } = exchange.request;
  const isEnd = method === 'DELETE' && `${step.path}/`.startsWith(`${path}/`);
  return Number(exchange.response?.status) < 400 && (isEnd || (method === 'POST' && path.startsWith(`${step.path}/`)));
}

/** @type {(step: Step, other: Step) => boolean} */
function hasSameCredentials({ exchange: { request } }, { exchange: other }) {
  return ['authorization', 'cookie'].every((name) => fieldOf(request, name) === fieldOf(other.request, name));
}

/** @type {(step: Pick<Step, 'exchange' | 'hops'>) => number} */
export function statusOf(step) {
  return last(step).response?.status ?? 0;
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
  const received = sourcesWith(candidate.text, step, traffic);
  const isCertain = isRare(candidate.text);
  const isNew = (/** @type {Source} */ source) =>
    isCertain
      ? indexOf(source, traffic) < firstSent(source, traffic)
      : namesAgree(candidate, source) &&
        indexOf(source, traffic) >= beginOf(source, traffic) &&
        !wasSentBefore(source, traffic);
  const suitable = received.filter((source) => hasEnded(source.hop ?? last(source.step), step) && isNew(source));
  const own = suitable.filter((source) => isSameSession(source.step, step));
  const nearest = own.length > 0 ? own : suitable;
  const source = nearest.find((one) => traffic.variables.has(one)) ?? clearest(nearest);
  return source ? { source, isCertain } : null;
}

/** @type {(one: Step, other: Step) => boolean} */
export function isSameSession({ exchange: one }, { exchange: other }) {
  return one.session === other.session;
}

/**
 * The step of its session that sends the value first: responses from there on may only repeat it.
 * @type {(source: Source, traffic: Traffic) => number}
 */
function firstSent({ value, step }, { sent, steps }) {
  return sent.get(value)?.find(({ at }) => isSameSession(steps[at], step))?.at ?? Infinity;
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

/**
 * Reports whether the value was sent under an agreeing name, other than for a document that was not there yet.
 * @type {(source: Source, traffic: Traffic) => boolean}
 */
function wasSentBefore(source, traffic) {
  const known = traffic.repeated.get(source);
  if (known !== undefined) return known;
  const limit = indexOf(source, traffic);
  const isBefore = (/** @type {number} */ at) => {
    const step = traffic.steps[at];
    return at >= beginOf(source, traffic) && at <= limit && isSameSession(step, source.step) && statusOf(step) !== 404;
  };
  const isRepeated = (traffic.sent.get(source.value) ?? []).some(
    ({ at, candidate }) => isBefore(at) && namesAgree(candidate, source),
  );
  traffic.repeated.set(source, isRepeated);
  return isRepeated;
}

/** Lets hooks send current ETags for earlier ones, and leaves out those of a cache. @type {(steps: Step[]) => void} */
export function linkEtags(steps) {
  /** The ETag that the last response of each URL had. @type {Map<string, { step: Step, etag: string }>} */
  const known = new Map();
  for (const step of steps) {
    const { request, session } = step.exchange;
    const key = (/** @type {string} */ url) => `${session} ${url}`;
    const saved = known.get(key(request.url));
    for (const [name, value] of request.headers.filter(([one]) => /^if-(?:none-)?match$/i.test(one))) {
      if (saved && value.includes(saved.etag)) {
        addHook(step, 'beforeHooks', 'useEtag');
        addHook(saved.step, 'afterHooks', 'saveEtag');
      } else if (!isOfCache(request.method, value)) step.added.headers = { ...step.added.headers, [name]: value };
    }
    const { response } = last(step);
    const etag = response ? fieldOf(response, 'etag') : '';
    if (!response || etag === '' || response.status < 200 || response.status > 299) continue;
    known.set(key(request.url), { step, etag });
    const location = fieldOf(response, 'location');
    if (request.method === 'POST' && URL.canParse(location, request.url))
      known.set(key(new URL(location, request.url).href), { step, etag });
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
