import { PHASES } from '../../../core/ground/phases.js';
import { isSecretName } from '../../../core/text/mask.js';
import { LOGS_IN } from '../login.js';
import { jsonIn } from '../read-document.js';
import { hasToken } from '../tokens.js';
import { bodyLeaves, isPasswordName, isSignUp } from './client-values.js';
import { fieldOf, last } from './sources.js';
import { cookiesSetBy } from './steps.js';

/** @import { DraftPhases } from '../import.js' */
/** @import { Leaf } from './leaf.js' */
/** @import { Step } from './types.js' */

/** @typedef {{ phase: 'before' | 'beforeMain' | 'main' | 'afterMain', step: Step }} PlacedStep */

const LOGIN = /\/(?:log-?in|sign-?in|auth(?:enticate|orize)?|sessions?|tokens?|oauth2?)(?:\/|$|\.)/i;
const LOGOUT = /\/(?:log-?out|sign-?out|logoff)(?:\/|$|\.)/i;
/** Requests in front of a login that belong to it: a page with its form, a redirect. */
const MOST_BEFORE_LOGIN = 5;

/**
 * Decides in which phase each operation is: a login at the start is not measured, and runs once if only a token comes
 * from it; a logout at the end runs after every iteration. Reads that the login does not need come after it.
 * @type {(steps: Step[]) => PlacedStep[]}
 */
export function placeSteps(steps) {
  const at = loginAtStart(steps);
  // Undefined if there is none; the prefix is empty then, and nothing is moved.
  const login = steps[at];
  const prefix = steps.slice(0, at + 1).filter((step) => step === login || belongsTo(step, login));
  const rest = steps.filter((step) => !prefix.includes(step));
  const logout = rest.length > 1 && isLogout(rest[rest.length - 1]) ? rest[rest.length - 1] : null;
  const first = prefix.length > 0 && isOnce(prefix, rest.some(isLogout)) ? 'before' : 'beforeMain';
  const moved = at + 1 - prefix.length;
  if (login) login.comments.push(first === 'before' && !hasCaptures(prefix) ? ONCE_FOR_NOTHING : REASONS[first]);
  if (moved > 0)
    login.comments.push(`In the recording, ${moved === 1 ? 'a request' : `${moved} requests`} of main came before it.`);
  /** @type {(step: Step) => PlacedStep['phase']} */
  const phaseOf = (step) => {
    if (prefix.includes(step)) return first;
    return step === logout ? 'afterMain' : 'main';
  };
  return [...prefix, ...rest].map((step) => ({ step, phase: phaseOf(step) }));
}

/** The page with the form, and what sets a cookie or value for it. @type {(step: Step, login: Step) => boolean} */
function belongsTo(step, login) {
  if (!isRead(step)) return true;
  const { hops, captures } = step;
  const response = hops.at(-1)?.response;
  if (/html/i.test(response ? fieldOf(response, 'content-type') : '')) return true;
  if (step.path === login.path) return true;
  return setsCookies(hops) || captures.some(({ uses }) => uses.some((use) => use.step === login));
}

/** @type {(hops: Step['hops']) => boolean} */
function setsCookies(hops) {
  return hops.some(({ response }) => cookiesSetBy(response).length > 0);
}

/** @type {(steps: Step[]) => boolean} */
function hasCaptures(steps) {
  return steps.some(({ captures }) => captures.length > 0);
}

const REASONS = {
  before: 'Logs in once for the whole run: only a token comes from it. In beforeMain, each iteration would log in.',
  beforeMain: LOGS_IN,
};
const ONCE_FOR_NOTHING = 'Logs in once for the whole run: no later request has a value from it.';

/** The index of the login, or else of a sign-up, which others follow; or -1. @type {(steps: Step[]) => number} */
function loginAtStart(steps) {
  const login = steps.findIndex((step) => isLogin(step) && !isSignUp(step));
  return [login, steps.findIndex(isLogin)].find((at) => isAtStart(steps, at)) ?? -1;
}

/** @type {(steps: Step[], at: number) => boolean} */
function isAtStart(steps, at) {
  const isEarly = at >= 0 && at <= MOST_BEFORE_LOGIN && at < steps.length - 1;
  return isEarly && isBelow400(steps[at]) && steps.slice(0, at).every((step) => isRead(step) || isSignUp(step));
}

/** @type {(step: Step) => boolean} */
function isRead({ exchange }) {
  return ['GET', 'HEAD'].includes(exchange.request.method);
}

/** @type {(step: Step) => boolean} */
function isBelow400({ hops }) {
  return (hops.at(-1)?.response?.status ?? 0) < 400;
}

/** @type {(step: Step) => boolean} */
function isLogin(step) {
  const { exchange, path, captures, hops } = step;
  if (exchange.request.method !== 'POST' || exchange.messages) return false;
  if (bodyLeaves(step).some(({ name }) => isPasswordName(name) || /client_?secret/i.test(name))) return true;
  const isAnswered = captures.some(({ source }) => isSecretName(source.key)) || setsCookies(hops);
  return LOGIN.test(path) && isAnswered;
}

/** @type {(step: Step) => boolean} */
function isLogout({ exchange, path }) {
  return LOGOUT.test(path) || (exchange.request.method === 'DELETE' && /\/sessions?(?:\/|$)/i.test(path));
}

/**
 * Reports whether a login can run in `before`, where it has no INDEX, and no cookies or ETags reach the iterations.
 * @type {(prefix: Step[], hasLogout: boolean) => boolean}
 */
function isOnce(prefix, hasLogout) {
  const hasOwnValues = prefix.some((step) => hasToken(JSON.stringify(step.operation()), 'INDEX'));
  const hasEtags = prefix.some(({ added }) => added.beforeHooks || added.afterHooks);
  // Cookies of a response that is not in the recording are not known.
  const isAnswered = prefix.every(({ hops }) => hops.at(-1)?.response);
  return (
    isAnswered &&
    !prefix.some((step) => setsCookies(step.hops) || isConsumed(step, prefix)) &&
    !hasOwnValues &&
    !hasEtags &&
    !hasLogout
  );
}

/**
 * Reports whether a later request sends a credential of a login, and gets a new one: a refresh token is valid once.
 * @type {(step: Step, prefix: Step[]) => boolean}
 */
function isConsumed({ captures }, prefix) {
  return captures.some(({ uses }) => uses.some(({ step, leaf }) => !prefix.includes(step) && replaces(step, leaf)));
}

/** @type {(step: Step, leaf: Leaf) => boolean} */
function replaces(step, { place, name }) {
  if (IN_BODY.includes(place) && isSecretName(name)) return true;
  const { response } = last(step);
  const answer = !isRead(step) && response !== null ? jsonIn(response.body.toString('utf8')) : undefined;
  return hasCredential(answer, 3);
}

const IN_BODY = ['json', 'form', 'part', 'text'];

/** @type {(value: any, levels: number) => boolean} levels of objects that are searched */
function hasCredential(value, levels) {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return Object.entries(value).some(
    ([name, one]) => (typeof one === 'string' && isSecretName(name)) || hasCredential(one, levels - 1),
  );
}

/** @type {<T>(placed: { phase: keyof DraftPhases, one: T }[]) => Record<keyof DraftPhases, T[]>} */
export function byPhase(placed) {
  const entries = PHASES.map((name) => [name, placed.filter(({ phase }) => phase === name).map(({ one }) => one)]);
  return /** @type {any} */ (Object.fromEntries(entries));
}
