import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { typeName } from '../text/format-value.js';
import { MAX_DEPTH } from '../text/max-depth.js';
import { isTooDeep } from './nesting.js';
import { METHOD_KEYS } from './operation.js';
import { isRecord } from './record.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Phase, RawFlow } from './types.js'
 */

/** @type {Phase[]} */
export const PHASES = ['before', 'beforeMain', 'main', 'afterMain', 'after'];

const operationsSchema = { $ref: '#/$defs/operations' };
const hooksSchema = { $ref: '#/$defs/hooks' };

/**
 * The keys of a flow with phases: a phrase for the schema and documents, and JSON Schema.
 * @type {Record<string, { about: string, schema: Record<string, unknown>, default?: unknown }>}
 */
export const FLOW_PROPERTIES = {
  before: { about: 'operations that run once, first', schema: operationsSchema, default: [] },
  beforeMain: {
    about: 'operations at the start of every iteration, before main',
    schema: operationsSchema,
    default: [],
  },
  main: { about: 'operations of every iteration; their time is measured', schema: operationsSchema },
  afterMain: {
    about: 'operations at the end of every iteration, even after an error',
    schema: operationsSchema,
    default: [],
  },
  after: { about: 'operations that run once, last', schema: operationsSchema, default: [] },
  baseUrl: { about: 'base URL of relative URLs', schema: { type: 'string' } },
  headers: { about: 'default headers of every operation', schema: { $ref: '#/$defs/fields' }, default: {} },
  beforeEach: { about: 'hooks that run before every operation', schema: hooksSchema, default: [] },
  afterEach: { about: 'hooks that run after every operation', schema: hooksSchema, default: [] },
  runOptions: { about: 'run options; the command line wins over them', schema: { $ref: '#/$defs/runOptions' } },
  thresholds: {
    about: "conditions for the run to pass, such as { p99: '<200ms' }",
    schema: { $ref: '#/$defs/thresholds' },
  },
  $schema: { about: 'URL or path of flow.schema.json, for editors', schema: { type: 'string' } },
};
/** keys that a message lists */
const MAX_KEYS = 10;
const FLOW_KEYS = Object.keys(FLOW_PROPERTIES);

/**
 * Resolves the shortcuts: a URL, one operation, an array of them, or an object of phases.
 *
 * @param {unknown} raw as the user wrote it; not modified
 * @param {Problems} problems
 * @returns {RawFlow}
 * @throws {Error} E_NO_MAIN, or E_FLOW if it is nested too deeply
 */
export function normalize(raw, problems) {
  if (isTooDeep(raw)) {
    problems.add('flow', `nested deeper than ${MAX_DEPTH} levels`);
    problems.throwIfAny();
  }
  const flow = asPhases(raw);
  if (!Array.isArray(flow.main)) throw makeError('E_NO_MAIN', { cure: mainRemedy(flow) });
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

/** @type {(flow: Record<string, any>) => string} */
function mainRemedy({ main, ...others }) {
  if (main !== undefined) return `main is ${typeName(main)}: write main: [{ get: 'http://localhost:8000/' }]`;
  const keys = Object.keys(others);
  const near = keys.find((key) => nearest(key, ['main']));
  if (near) return `rename ${near} to main`;
  const found = keys.length > 0 ? `its keys are ${keys.slice(0, MAX_KEYS).join(', ')}: ` : '';
  return `${found}write { main: [{ get: 'http://localhost:8000/' }] }`;
}

/**
 * Expands a URL, an operation or an array of operations to an object of phases.
 *
 * @param {unknown} raw
 * @returns {Record<string, any>}
 */
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
  problems.add(path, `expected an array, got ${typeName(value)}`);
  return [];
}

/** @type {(value: unknown, path: string, problems: Problems) => Record<string, unknown>} */
function object(value, path, problems) {
  if (value === undefined || value === null) return {};
  if (isPlain(value) && isRecord(value)) return value;
  problems.add(path, `expected an object, got ${typeName(value)}`);
  return {};
}

/** @type {(value: unknown, path: string, problems: Problems) => string | undefined} */
function text(value, path, problems) {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  problems.add(path, `expected a URL, got ${typeName(value)}`);
  return undefined;
}

/** @type {(value: unknown) => value is Record<string, any>} */
function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
