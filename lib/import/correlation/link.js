import { isRare, namesAgree } from './evidence.js';
import { last, sourcesOf } from './sources.js';

/** @import { Exchange } from '../../contracts/exchange.js' */
/** @import { Candidate, Leaf } from './leaf.js' */
/** @import { Source, Step, Variable } from './types.js' */

/**
 * @typedef {object} Occurrence a text in a request
 * @property {number} at index of the step
 * @property {Candidate} candidate
 * @property {Leaf} leaf
 *
 * @typedef {object} Traffic
 * @property {Step[]} steps
 * @property {Map<string, Occurrence[]>} sent by their texts
 * @property {Map<string, Source[]>} received those of the steps before, by their values
 * @property {Map<Source, boolean>} repeated whether a request had it before
 * @property {Map<Source, Variable>} variables
 * @property {Map<Step, number>} indexes
 */

/** Finds the values of requests that earlier responses have: tokens replace them. @type {(steps: Step[]) => Traffic} */
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
      if (known && known.length < MOST_SOURCES) known.push(source);
      else if (known) continue;
      else traffic.received.set(source.value, [source]);
    }
  }
  return traffic;
}

/** Places of one value in all responses: the first ones. */
const MOST_SOURCES = 100;

/** @type {(steps: Step[]) => Map<string, Occurrence[]>} */
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

/** Any other place is better. */
const HOP_RANK = 10;

/** @type {(leaf: Leaf, step: Step, traffic: Traffic) => void} */
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

/** @type {(candidate: Candidate, step: Step, traffic: Traffic) => { source: Source, isCertain: boolean } | null} */
function sourceFor(candidate, step, traffic) {
  const all = traffic.received.get(candidate.text)?.filter(({ step: from, hop }) => hasEnded(hop ?? last(from), step));
  if (!all || all.length === 0) return null;
  const used = all.filter((source) => traffic.variables.has(source));
  if (isRare(candidate.text)) {
    // The client sent it first: the response repeats it.
    const first = traffic.sent.get(candidate.text)?.[0].at ?? Infinity;
    const own = all.filter((source) => indexOf(source, traffic) < first);
    const known = own.find((source) => used.includes(source));
    const source = known ?? clearest(own);
    return source ? { source, isCertain: true } : null;
  }
  const agreeing = all.filter((source) => namesAgree(candidate, source) && !wasSentBefore(source, traffic));
  const source = agreeing.find((one) => used.includes(one)) ?? clearest(agreeing);
  return source ? { source, isCertain: false } : null;
}

/** Requests that overlapped do not depend on each other. @type {(exchange: Exchange, step: Step) => boolean} */
function hasEnded(exchange, step) {
  return !(exchange.endedAt > step.exchange.startedAt);
}

/** @type {(source: Source, traffic: Traffic) => number} */
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
 * Reports whether a request had it in a place of this name, up to that of the response.
 * @type {(source: Source, traffic: Traffic) => boolean}
 */
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
