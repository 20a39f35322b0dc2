import { isOfSuite, statusOf } from './link.js';
import { fieldOf } from './sources.js';

/** @import { Step, Variable } from './types.js' */

/** The highest id of a column of 32 bits: no run gets there. */
const NO_ID = '2147483647';

/**
 * Fits the requests of a suite to the one server of a run. The suite may have made its application, or emptied its
 * store, for each test: what it did not find there, another iteration may have created, and what it found, another one
 * may have deleted. Returns a sentence for each request that has several statuses for this reason.
 * @type {(steps: Step[]) => string[]}
 */
export function shareState(steps) {
  const own = steps.filter(isOfSuite);
  for (const step of own) replaceMissing(step, own);
  return acceptAll(own);
}

/**
 * Replaces a short id that a suite did not find, if others create such ids.
 * @type {(step: Step, steps: Step[]) => void}
 */
function replaceMissing(step, steps) {
  const segments = step.path.split('/');
  const at = segments.findLastIndex((one) => /^\d+$/.test(one));
  if (statusOf(step) !== 404 || at < 0) return;
  const leaf = step.leaves.findLast(({ place, text }) => place === 'path' && text === segments[at]);
  const collection = outlineOf(segments.slice(0, at));
  const isCreated = steps.some(
    (one) =>
      one.exchange.request.method === 'POST' &&
      statusOf(one) < 400 &&
      outlineOf(one.path.replace(/\/$/, '').split('/')) === collection,
  );
  if (!leaf || leaf.isReplaced || !isCreated) return;
  step.comments.push(`The recording has the id ${leaf.text} here, which other iterations may create.`);
  leaf.replace({ from: 0, to: leaf.text.length, by: NO_ID });
}

/** @type {(segments: string[]) => string} */
function outlineOf(segments) {
  return segments.map((one) => (/\d/.test(one) ? '*' : one)).join('/');
}

/**
 * Lets a request have each status that it may have in a run: if it is the same for all iterations, those of the
 * recording; and 404 if the flow deletes a document that it has not created.
 * @type {(steps: Step[]) => string[]}
 */
function acceptAll(steps) {
  const all = steps
    .filter(({ disabled }) => disabled === undefined)
    .map((step) => ({ step, request: sharedRequest(step) }));
  /** @type {Map<string, Set<number>>} */
  const statuses = new Map();
  for (const { step, request } of all)
    if (request !== null) statuses.set(request, (statuses.get(request) ?? new Set()).add(statusOf(step)));
  const created = new Set(
    steps
      .flatMap((step) => step.captures)
      .filter(isOfCreation)
      .flatMap(({ uses }) => uses.map(({ step }) => step)),
  );
  const deleted = new Set(steps.filter((step) => isDelete(step) && !created.has(step)).map(({ path }) => path));
  const notes = new Set();
  for (const { step, request } of all) {
    const known = new Set([statusOf(step), ...(request === null ? [] : (statuses.get(request) ?? []))]);
    if (deleted.has(step.path) && !created.has(step)) known.add(404);
    if (known.size < 2 || known.has(0)) continue;
    const list = [...known].sort((a, b) => a - b);
    step.added.expect = { status: list };
    step.comments.push(`The status depends on what other requests have done: ${list.join(' or ')}.`);
    notes.add(`${step.label}: its status depends on other requests, so ${list.join(' and ')} are expected`);
  }
  return [...notes];
}

/**
 * Describes a request that is the same in all iterations; null: it has values of its own.
 * @type {(step: Step) => string | null}
 */
function sharedRequest(step) {
  const request = JSON.stringify(step.operation());
  return /#\{(?!env\.)/.test(request) || fieldOf(step.exchange.request, 'cookie') !== '' ? null : request;
}

/** @type {(variable: Variable) => boolean} */
function isOfCreation({ source: { step } }) {
  return !['GET', 'HEAD'].includes(step.exchange.request.method);
}

/** @type {(step: Step) => boolean} */
function isDelete(step) {
  return step.exchange.request.method === 'DELETE' && statusOf(step) < 400 && /\d/.test(step.path);
}
