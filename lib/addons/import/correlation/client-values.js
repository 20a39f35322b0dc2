import { isSecretName } from '../../../core/text/mask.js';
import { token } from '../tokens.js';
import { isIdName, plainName, singular } from './evidence.js';
import { isOfSuite, isSameSession, newVariable, sourcesWith, statusOf } from './link.js';

/** @import { Occurrence, Traffic } from './link.js' */
/** @import { Leaf } from './leaf.js' */
/** @import { Step, Variable } from './types.js' */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Header fields that name a request: clients send some again. */
const REQUEST_ID = /^(?:x-)?req(?:uest)?-?id$/i;
const ONE_REQUEST_WORDS = 'request|correlation|trace|transaction|idempotency';
/** Plain names of values that clients make anew for each request. */
const ONE_REQUEST = new RegExp(`^x?(?:${ONE_REQUEST_WORDS}|req|message)(?:id|key)$|nonce$`);
/** Plain names of header fields with such values, of any vendor: `x-ms-client-request-id`. */
const ONE_REQUEST_FIELD = new RegExp(`(?:${ONE_REQUEST_WORDS})(?:id|key)$`);
/** A time in a request is the client's own if it is less than this away from the start of the request. */
const NOW_MS = 10 * 60 * 1000;
const SIGN_UP = /\/(?:sign-?up|register|registration|users?|accounts?|members?|customers?)\/?$/i;
const USER_NAMES = 'email|mail|user|username|login|handle|nickname';
const IDENTITY = new RegExp(`^(?:${USER_NAMES}|loginname|account)$`);
/** Plain names of values that a service has once. */
const NAMES = new RegExp(`^(?:${USER_NAMES}|name|title|slug|code|sku|key|isbn|label)$`);
const EMAIL = /^[^@\s]+(?=@[^@\s]+$)/;
/** The end of a path that is no name of a document in the collection before it. */
const NO_NAME = /^(?:me|self|mine|current|default|latest|all|v\d+)$/i;

/** Replaces names of what the client creates, random UUIDs and times. @type {(traffic: Traffic) => void} */
export function replaceClientValues(traffic) {
  const names = namesTaken(traffic.steps);
  for (const step of traffic.steps) {
    replaceCreated(step, traffic);
    replaceSignUp(step, traffic, names);
  }
  replaceUuids(traffic);
  for (const step of traffic.steps) for (const leaf of step.leaves) replaceTime(leaf, step);
}

/** @type {(step: Step, from: number, to: number) => boolean} */
function hasStatus(step, from, to) {
  const status = statusOf(step);
  return status >= from && status <= to;
}

/** Replaces the name of a document made by PUT: users would share it. @type {(step: Step, traffic: Traffic) => void} */
function replaceCreated(step, { steps }) {
  const own = steps.filter((one) => isSameSession(one, step));
  if (!isCreated(step, own)) return;
  const { path } = step;
  const at = pathLeaves(step).length - 1;
  const { name, text, isReplaced } = pathLeaves(step)[at];
  if (isReplaced || UUID.test(text) || !isNameOfDocument(text, name)) return;
  const prefix = path.slice(0, path.lastIndexOf('/') + 1);
  const idNames = [singular(plainName(name)), `${singular(plainName(name))}id`];
  for (const other of own.slice(own.indexOf(step))) {
    const segment = other.path.startsWith(prefix) ? pathLeaves(other)[at] : undefined;
    const named = other.leaves.filter((leaf) => {
      const plain = plainName(leaf.name);
      return leaf.place !== 'path' && (idNames.includes(plain) || (other.path === path && isIdName(plain)));
    });
    for (const leaf of [segment, ...named]) if (leaf?.text === text) addIndex(leaf);
  }
  step.comments.push(
    'Each iteration has a document of its own: the client chose this name, so it gets the number of the iteration.',
  );
}

/**
 * Reports whether a PUT creates the document of its path: nothing was there before, and the service says so, or a later
 * request deletes the document. A PUT without a body sets a mark, such as `PUT /posts/5/like`.
 * @type {(step: Step, steps: Step[]) => boolean}
 */
function isCreated(step, steps) {
  const { method, body } = step.exchange.request;
  if (method !== 'PUT' || body.length === 0 || !hasStatus(step, 200, 299)) return false;
  const same = steps.filter((one) => one.path === step.path);
  const isNew = same
    .slice(0, same.indexOf(step))
    .every((one) => !['PUT', 'POST', 'DELETE'].includes(one.exchange.request.method) && !hasStatus(one, 200, 299));
  return isNew && (hasStatus(step, 201, 201) || same.some(({ exchange }) => exchange.request.method === 'DELETE'));
}

/**
 * Reports whether a text names one of several documents: it is after a plural (`/docs/report-a`), or has a digit.
 * @type {(text: string, collection: string) => boolean}
 */
function isNameOfDocument(text, collection) {
  if (text === '' || NO_NAME.test(text) || !/^[a-z][a-z_.-]*$/i.test(collection)) return false;
  return singular(collection) !== collection || /\d/.test(text);
}

/** Lists the segments of the path of a request. @type {(step: Step) => Leaf[]} */
function pathLeaves({ leaves }) {
  return leaves.filter(({ place }) => place === 'path');
}

/**
 * `7` becomes `#{INDEX}`, `me@host` `me+#{INDEX}@host`, and `lamp` `lamp-#{INDEX}`; `mark` is before the token.
 * @type {(leaf: Leaf, mark?: string) => void}
 */
function addIndex(leaf, mark = '') {
  if (leaf.isReplaced) return;
  const end = leaf.text.length;
  const [user] = EMAIL.exec(leaf.text) ?? [];
  const own = mark + token('INDEX');
  if (/^\d+$/.test(leaf.text)) leaf.replace({ from: 0, to: end, by: own });
  else if (user !== undefined) leaf.replace({ from: user.length, to: user.length + 1, by: `+${own}@` });
  else leaf.replace({ from: end, to: end, by: `-${own}` });
}

/** How many documents have got the same name, by name and text. @typedef {Map<string, number>} NameCounts */

/**
 * A second user with the same name would be refused: so each has a name of its own, also one that another application
 * has signed up, or the same one after it had begun anew.
 * @type {(step: Step, traffic: Traffic, names: { isTaken: (step: Step, leaf: Leaf) => boolean, counts: NameCounts }) =>
 *   void}
 */
function replaceSignUp(step, { steps }, { isTaken, counts }) {
  const signsUp = isSignUp(step);
  const identities = bodyLeaves(step).filter(
    (leaf) =>
      !leaf.isReplaced &&
      ((signsUp && leaf.text.length > 1 && IDENTITY.test(plainName(leaf.name))) || isTaken(step, leaf)),
  );
  const own = steps.slice(steps.indexOf(step)).filter((one) => isSameSession(one, step));
  for (const { name, text } of identities) {
    const count = counts.get(`${name} ${text}`) ?? 0;
    counts.set(`${name} ${text}`, count + 1);
    const end = own.findIndex((one, i) => i > 0 && isSuccessLike(one, step) && hasLeaf(one, name, text));
    for (const { leaves } of own.slice(0, end < 0 ? undefined : end))
      for (const leaf of leaves)
        if (leaf.text === text && (isIdentity(leaf) || leaf.name === name))
          addIndex(leaf, count === 0 ? '' : `${count + 1}-`);
  }
  if (identities.length > 0) step.comments.push(signsUp ? SIGNS_UP : NAMES_ITS_OWN);
}

const SECOND_RUN = 'a second run against the same data needs other names.';
const SIGNS_UP = `Each iteration signs up a user of its own; ${SECOND_RUN}`;
const NAMES_ITS_OWN = `The server refuses a second one of this name, so it gets the number of the iteration; ${SECOND_RUN}`;

/** @type {(one: Step, step: Step) => boolean} */
function isSuccessLike(one, step) {
  return isSamePlace(one, step) && hasStatus(one, 200, 399);
}

/** @type {(one: Step, other: Step) => boolean} */
function isSamePlace(one, other) {
  return one.path === other.path && one.exchange.request.method === other.exchange.request.method;
}

/** @type {(step: Step, name: string, text: string) => boolean} */
function hasLeaf(step, name, text) {
  return bodyLeaves(step).some((leaf) => leaf.name === name && leaf.text === text);
}

/**
 * Finds the names that a suite saw refused because they were taken (409), so that no two documents of a flow share one.
 * @type {(steps: Step[]) => { isTaken: (step: Step, leaf: Leaf) => boolean, counts: NameCounts }}
 */
function namesTaken(steps) {
  /** @type {Set<string>} */
  const taken = new Set();
  const refused = steps.filter((step) => isOfSuite(step) && step.exchange.request.method === 'POST');
  for (const [i, step] of refused.entries()) {
    if (!hasStatus(step, 409, 409)) continue;
    const first = refused.slice(0, i).findLast((one) => isSameSession(one, step) && isSuccessLike(one, step));
    for (const { name, text } of first ? bodyLeaves(step) : [])
      if (NAMES.test(plainName(name)) && hasLeaf(/** @type {Step} */ (first), name, text))
        taken.add(`${step.path} ${name}`);
  }
  return {
    counts: new Map(),
    isTaken: (step, { name }) =>
      step.exchange.request.method === 'POST' && hasStatus(step, 200, 399) && taken.has(`${step.path} ${name}`),
  };
}

/** Reports whether a request creates a user with a password. @type {(step: Step) => boolean} */
export function isSignUp(step) {
  if (step.exchange.request.method !== 'POST' || !SIGN_UP.test(step.path) || !hasStatus(step, 200, 399)) return false;
  return bodyLeaves(step).some(({ name }) => isPasswordName(name));
}

/** @type {(name: string) => boolean} */
export function isPasswordName(name) {
  return isSecretName(name) && /pass|pwd/i.test(name);
}

/** Lists the values in the body of a request. @type {(step: Step) => Leaf[]} */
export function bodyLeaves({ leaves }) {
  return leaves.filter(({ place }) => ['json', 'form', 'part'].includes(place));
}

/** @type {(leaf: Leaf) => boolean} */
function isIdentity({ place, name }) {
  return place === 'path' || IDENTITY.test(plainName(name)) || isIdName(plainName(name));
}

/** Replaces the UUIDs that the client made: random ones. @type {(traffic: Traffic) => void} */
function replaceUuids(traffic) {
  /** How many random UUIDs a step has. @type {Map<Step, number>} */
  const counts = new Map();
  for (const [text, all] of traffic.sent) {
    const open = UUID.test(text) ? all.filter(({ leaf, candidate }) => leaf.isFree(candidate)) : [];
    if (open.length > 0) replaceUuid(text, open, { traffic, counts });
  }
}

/**
 * A UUID that names requests, as X-Request-Id, is another one for each of them. Any other one is random where it is
 * sent first; later requests get it from the response that repeats it, and without such a response it stays. `open`
 * are the places that no token replaces yet.
 * @type {(text: string, open: Occurrence[], context: { traffic: Traffic, counts: Map<Step, number> }) => void}
 */
function replaceUuid(text, open, { traffic, counts }) {
  const { steps, variables } = traffic;
  const step = steps[open[0].at];
  // In the order of the steps: those of the first one, then the others.
  const own = open.filter(({ at }) => steps[at] === step);
  const later = open.slice(own.length);
  const isSentAgain = later.length > 0;
  const namesRequests = open.every(({ leaf }) => leaf.place === 'field' && REQUEST_ID.test(leaf.name));
  const echo = sourcesWith(text, step, traffic).find((source) => source.step === step && !source.hop);
  if (isSentAgain && namesRequests) {
    replaceEach(open, token('uuid.request'));
    return;
  }
  if (!own.every(({ leaf }) => isMadeByClient(leaf, step, steps))) return;
  if (isSentAgain && !echo) {
    step.comments.push(
      `Every iteration sends the same UUID here and in ${later.length} later places: no response repeats it.`,
    );
    return;
  }
  replaceEach(own, nextUuid(step, counts));
  if (!isSentAgain || !echo) return;
  const variable = newVariable({ source: echo, isCertain: true });
  variables.set(echo, variable);
  replaceEach(later, variable);
  variable.uses.push(...later.map(({ at, leaf }) => ({ step: steps[at], leaf })));
}

/**
 * Reports whether the client made a UUID of a request, so that another one does as well. A body names the document that
 * it creates. A path names one that existed before, unless the request creates it: a random one would not be found, and
 * as a tenant or a key in a field it would be refused.
 * @type {(leaf: Leaf, step: Step, steps: Step[]) => boolean}
 */
function isMadeByClient(leaf, step, steps) {
  const { place, name } = leaf;
  if (isSecretName(name)) return false;
  if (place === 'path') return leaf === pathLeaves(step).at(-1) && isCreated(step, steps);
  const isOfBody = place !== 'query' && place !== 'field' && place !== 'cookie';
  if (isOfBody && !createsNothing(step)) return true;
  return ONE_REQUEST.test(plainName(name)) || (place === 'field' && ONE_REQUEST_FIELD.test(plainName(name)));
}

/** Reports whether it is a read or a DELETE, or a query of GraphQL. @type {(step: Step) => boolean} */
function createsNothing({ exchange, leaves }) {
  const isQuery = (/** @type {Leaf} */ { place, name, text }) =>
    place === 'json' && name === 'query' && /^\s*(?:query\b|\{)/.test(text);
  return ['GET', 'HEAD', 'DELETE'].includes(exchange.request.method) || leaves.some(isQuery);
}

/** @type {(occurrences: Occurrence[], by: string | Variable) => void} */
function replaceEach(occurrences, by) {
  for (const { leaf, candidate } of occurrences) leaf.replace({ from: candidate.from, to: candidate.to, by });
}

/** Returns a token: each UUID of an operation has its own. @type {(step: Step, counts: Map<Step, number>) => string} */
function nextUuid(step, counts) {
  const count = (counts.get(step) ?? 0) + 1;
  counts.set(step, count);
  return token(count === 1 ? 'uuid' : `uuid.${count > 26 ? count : String.fromCharCode(96 + count)}`);
}

/** @type {(leaf: Leaf, step: Step) => void} */
function replaceTime(leaf, { exchange }) {
  const { text } = leaf;
  const now = exchange.startedAt;
  if (leaf.isReplaced || Number.isNaN(now)) return;
  const [time, by] = timeIn(text);
  if (by && Math.abs(time - now) < NOW_MS) leaf.replace({ from: 0, to: text.length, by });
}

/** Numbers are times of 2017 to 2033, in ms or in s. @type {(text: string) => [time: number, token: string | null]} */
function timeIn(text) {
  if (/^1[5-9]\d{11}$/.test(text)) return [Number(text), token('timestampMs')];
  if (/^1[5-9]\d{8}$/.test(text)) return [Number(text) * 1000, token('timestamp')];
  if (ISO_TIME.test(text)) return [Date.parse(text), token('isoTimestamp')];
  return [NaN, null];
}
