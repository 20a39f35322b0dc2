import { isIdName, plainName, singular } from './evidence.js';
import { newVariable } from './link.js';

/** @import { Occurrence, Traffic } from './link.js' */
/** @import { Leaf } from './leaf.js' */
/** @import { Step } from './types.js' */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Header fields that name a request. */
const REQUEST_ID = /^(?:x-)?req(?:uest)?-?id$/i;
/** A time that the client made is that of its request. */
const NOW_MS = 10 * 60 * 1000;
const SIGN_UP = /\/(?:sign-?up|register|registration|users?|accounts?|members?|customers?)\/?$/i;
const IDENTITY = /^(?:email|mail|user|username|login|loginname|handle|nickname|account)$/;
const PASSWORD = /pass(?:word|wd|phrase)?|pwd/i;

/**
 * Replaces the values that the client made, where it is evident how: names of documents and users that it creates,
 * random UUIDs, and times.
 * @type {(traffic: Traffic) => void}
 */
export function replaceClientValues(traffic) {
  for (const step of traffic.steps) {
    replaceCreated(step, traffic);
    replaceSignUp(step, traffic);
  }
  replaceUuids(traffic);
  for (const step of traffic.steps) for (const leaf of step.leaves) replaceTime(leaf, step);
}

/** @type {(step: Step) => string} */
const pathOf = ({ exchange }) => new URL(exchange.request.url).pathname;

/** @type {(step: Step, from: number, to: number) => boolean} */
function hasStatus({ hops }, from, to) {
  const status = hops.at(-1)?.response?.status ?? 0;
  return status >= from && status <= to;
}

/**
 * A document that the client creates with PUT, and names itself: virtual users would change or delete each other's.
 * @type {(step: Step, traffic: Traffic) => void}
 */
function replaceCreated(step, { steps }) {
  const path = pathOf(step);
  if (step.exchange.request.method !== 'PUT' || !hasStatus(step, 200, 299)) return;
  const same = steps.filter((one) => pathOf(one) === path);
  const isDeleted = same.some(({ exchange }) => exchange.request.method === 'DELETE');
  const isFirst = same.find((one) => ['PUT', 'POST', 'DELETE'].includes(one.exchange.request.method)) === step;
  const leaves = step.leaves.filter(({ place }) => place === 'path');
  const leaf = leaves.at(-1);
  if (!leaf || leaf.isReplaced || leaf.text === '' || UUID.test(leaf.text) || !isFirst) return;
  if (!hasStatus(step, 201, 201) && !isDeleted) return;
  const prefix = path.slice(0, path.lastIndexOf('/') + 1);
  const names = new Set([singular(plainName(leaf.name)), `${singular(plainName(leaf.name))}id`]);
  for (const other of steps.slice(steps.indexOf(step))) {
    other.leaves.forEach((one, i) => {
      const isSegment = one.place === 'path' && i === leaves.length - 1 && pathOf(other).startsWith(prefix);
      const isNamed = one.place !== 'path' && names.has(plainName(one.name));
      if ((isSegment || isNamed) && one.text === leaf.text) addIndex(one);
    });
  }
  step.comments.push(
    'Each iteration has a document of its own: the client chose this name, so it gets the number of the iteration.',
  );
}

/** @type {(leaf: Leaf) => void} */
function addIndex(leaf) {
  if (leaf.isReplaced) return;
  const end = leaf.text.length;
  if (/^\d+$/.test(leaf.text)) leaf.replace({ from: 0, to: end, by: '#{INDEX}' });
  else if (leaf.text.includes('@'))
    leaf.replace({ from: leaf.text.indexOf('@'), to: leaf.text.indexOf('@') + 1, by: '+#{INDEX}@' });
  else leaf.replace({ from: end, to: end, by: '-#{INDEX}' });
}

/** A second user with the same name would be refused. @type {(step: Step, traffic: Traffic) => void} */
function replaceSignUp(step, { steps }) {
  if (!isSignUp(step)) return;
  const identities = bodyLeaves(step).filter(
    (leaf) => IDENTITY.test(plainName(leaf.name)) && !leaf.isReplaced && leaf.text.length > 1,
  );
  for (const { text } of identities) {
    for (const { leaves } of steps.slice(steps.indexOf(step)))
      for (const leaf of leaves) if (leaf.text === text && !leaf.isReplaced && isIdentity(leaf)) addIndex(leaf);
  }
  if (identities.length > 0)
    step.comments.push(
      'Each iteration signs up a user of its own; a second run against the same data needs other names.',
    );
}

/** Reports whether a request creates a user with a password. @type {(step: Step) => boolean} */
export function isSignUp(step) {
  if (step.exchange.request.method !== 'POST' || !SIGN_UP.test(pathOf(step)) || !hasStatus(step, 200, 399))
    return false;
  return bodyLeaves(step).some(({ name }) => PASSWORD.test(name));
}

/** Lists the values in the body of a request. @type {(step: Step) => Leaf[]} */
export function bodyLeaves({ leaves }) {
  return leaves.filter(({ place }) => ['json', 'form', 'part'].includes(place));
}

/** @type {(leaf: Leaf) => boolean} */
function isIdentity({ place, name }) {
  return place === 'path' || IDENTITY.test(plainName(name)) || isIdName(plainName(name));
}

/**
 * A UUID of one request is random in each iteration. One of several requests is, too, if the response of the first one
 * repeats it: the others get it from there. One that only names requests is another one for each.
 * @type {(traffic: Traffic) => void}
 */
function replaceUuids(traffic) {
  for (const [text, all] of traffic.sent) {
    const open = UUID.test(text) ? all.filter(({ leaf, candidate }) => leaf.isFree(candidate)) : [];
    const [first] = open;
    if (!first) continue;
    const token = tokenFor(text, first, traffic);
    const own = open.filter(({ at }) => at === first.at);
    const later = open.filter(({ at }) => at !== first.at);
    const echo = traffic.received.get(text)?.find(({ step, hop }) => step === traffic.steps[first.at] && !hop);
    if (later.length > 0 && open.every(({ leaf }) => leaf.place === 'field' && REQUEST_ID.test(leaf.name))) {
      for (const { leaf, candidate } of open)
        leaf.replace({ from: candidate.from, to: candidate.to, by: '#{uuid.request}' });
      continue;
    }
    if (later.length > 0 && !echo) {
      traffic.steps[first.at].comments.push(
        `Every iteration sends the same UUID here and in ${later.length} later places: no response repeats it.`,
      );
      continue;
    }
    for (const { leaf, candidate } of own) leaf.replace({ from: candidate.from, to: candidate.to, by: token });
    if (!echo || later.length === 0) continue;
    const variable = newVariable({ source: echo, isCertain: true });
    traffic.variables.set(echo, variable);
    for (const { leaf, candidate, at } of later) {
      leaf.replace({ from: candidate.from, to: candidate.to, by: variable });
      variable.uses.push({ step: traffic.steps[at], leaf });
    }
  }
}

/** A second UUID of an operation is renamed. @type {(text: string, first: Occurrence, traffic: Traffic) => string} */
function tokenFor(text, { at }, { sent }) {
  const others = [...sent].filter(([other, all]) => UUID.test(other) && all[0].at === at).map(([other]) => other);
  const i = others.indexOf(text);
  return i <= 0 ? '#{uuid}' : `#{uuid.${String.fromCharCode(97 + Math.min(i, 25))}}`;
}

/** @type {(leaf: Leaf, step: Step) => void} */
function replaceTime(leaf, { exchange }) {
  const { text } = leaf;
  const now = exchange.startedAt;
  if (leaf.isReplaced || Number.isNaN(now)) return;
  const [time, token] = timeIn(text);
  if (token && Math.abs(time - now) < NOW_MS) leaf.replace({ from: 0, to: text.length, by: token });
}

/** @type {(text: string) => [time: number, token: string | null]} */
function timeIn(text) {
  if (/^1[5-9]\d{11}$/.test(text)) return [Number(text), '#{timestampMs}'];
  if (/^1[5-9]\d{8}$/.test(text)) return [Number(text) * 1000, '#{timestamp}'];
  if (ISO_TIME.test(text)) return [Date.parse(text), '#{isoTimestamp}'];
  return [NaN, null];
}
