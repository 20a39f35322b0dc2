import { makeError } from '../errors.js';
import { kindOf } from '../show.js';
import { DEEPEST, isTooDeep } from './nesting.js';
import { METHOD_KEYS, isRecord } from './operation.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Phase, RawFlow } from './types.js'
 */

/** @type {Phase[]} */
export const PHASES = ['before', 'beforeMain', 'main', 'afterMain', 'after'];
const FLOW_KEYS = [...PHASES, 'baseUrl', 'headers', 'beforeEach', 'afterEach', 'runOptions', 'thresholds', '$schema'];

/**
 * Resolves the shortcuts: a URL, one operation, an array of them, or an object of phases.
 *
 * @param {unknown} raw what the user gave; it is not changed
 * @param {Problems} problems
 * @returns {RawFlow}
 * @throws {Error} E_NO_MAIN, and E_FLOW where it is nested too deep to be looked at
 */
export function normalize(raw, problems) {
  if (isTooDeep(raw)) {
    problems.add('flow', `nested deeper than ${DEEPEST} levels`);
    problems.throwIfAny();
  }
  const flow = asPhases(raw);
  if (!Array.isArray(flow.main)) throw makeError('E_NO_MAIN');
  for (const key of Object.keys(flow)) {
    if (!FLOW_KEYS.includes(key)) problems.unknown(`flow.${key}`, 'key of a flow', key, FLOW_KEYS);
  }
  return {
    phases: /** @type {RawFlow['phases']} */ (
      Object.fromEntries(PHASES.map((phase) => [phase, operations(flow[phase], `flow.${phase}`, problems)]))
    ),
    baseUrl: text(flow.baseUrl, 'flow.baseUrl', problems),
    headers: object(flow.headers, 'flow.headers', problems),
    beforeEach: list(flow.beforeEach, 'flow.beforeEach', problems),
    afterEach: list(flow.afterEach, 'flow.afterEach', problems),
    runOptions: {
      ...(flow.thresholds !== undefined && { thresholds: flow.thresholds }),
      ...object(flow.runOptions, 'flow.runOptions', problems),
    },
  };
}

/** @type {(raw: unknown) => Record<string, any>} */
export function asPhases(raw) {
  if (typeof raw === 'string') return { main: [raw] };
  if (Array.isArray(raw)) return { main: raw };
  if (typeof raw !== 'object' || raw === null) return {};
  const isOperation = !PHASES.some((phase) => phase in raw) && METHOD_KEYS.some((key) => key in raw);
  return isOperation ? { main: [raw] } : raw;
}

/** @type {(value: unknown, path: string, problems: Problems) => any[]} */
function operations(value, path, problems) {
  return list(value, path, problems).map((operation, i) => {
    if (typeof operation === 'string') return { get: operation };
    if (isPlain(operation)) return operation;
    problems.add(`${path}[${i}]`, "expected an operation such as { get: 'http://localhost:8000/' }");
    return null;
  });
}

/** @type {(value: unknown, path: string, problems: Problems) => any[]} */
function list(value, path, problems) {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  problems.add(path, `expected an array, got ${kindOf(value)}`);
  return [];
}

/** @type {(value: unknown, path: string, problems: Problems) => Record<string, unknown>} */
function object(value, path, problems) {
  if (value === undefined || value === null) return {};
  if (isPlain(value) && isRecord(value)) return value;
  problems.add(path, `expected an object, got ${kindOf(value)}`);
  return {};
}

/** @type {(value: unknown, path: string, problems: Problems) => string | undefined} */
function text(value, path, problems) {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  problems.add(path, `expected a URL, got ${kindOf(value)}`);
  return undefined;
}

/** @type {(value: unknown) => value is Record<string, any>} */
function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
