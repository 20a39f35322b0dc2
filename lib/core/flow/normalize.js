import { offered } from '../ground/addons.js';
import { makeError } from '../ground/errors.js';
import { PHASES, PHASE_ROWS } from '../ground/phases.js';
import { nearest } from '../ground/problems.js';
import { typeName } from '../text/format-value.js';
import { MAX_DEPTH } from '../text/parse-json.js';
import { misspelledUrlKey } from './operation.js';
import { METHOD_KEYS } from './properties.js';
import { protocolOfUrl } from './protocols/index.js';
import { isEmpty, isObject, isRecord, isTooDeep } from './record.js';
import { readScenarios } from './scenarios.js';
import { checkTokens, checkVariables } from './tokens/index.js';

/** @import { Problems } from '../ground/types.js' */
/** @import { Dialect } from './source/types.js' */
/** @import { RawFlow } from './types.js' */

/** @type {Dialect[] | null} */
let dialects = null;

/** Documents of other tools; a program may join an add-on until they are read. @type {() => Dialect[]} */
const offeredDialects = () => (dialects ??= offered('dialects'));

/**
 * The first phase of reading a flow: its shortcuts are expanded to a `RawFlow`, which has all phases, and the types of
 * its keys are checked. The operations in it stay as the user wrote them: `operation-compiler.js` checks them.
 */

const hooks = { type: '(HookName | Hook)[]', schema: { $ref: '#/$defs/hooks' }, default: [] };

/**
 * @typedef {object} FlowProperty
 * @property {string} about a phrase
 * @property {string} type in TypeScript
 * @property {Record<string, unknown> | null} schema JSON Schema; null if JSON cannot express it
 * @property {unknown} [default]
 * @property {boolean} [isRequired]
 */

/** @type {(row: typeof PHASE_ROWS[0]) => FlowProperty} */
const phaseProperty = ({ name, about }) => ({
  about,
  type: 'Operations',
  schema: { $ref: '#/$defs/operations' },
  ...(name === 'main' ? { isRequired: true } : { default: [] }),
});

/** The keys of a flow with phases: type, schema and documents come from them. @type {Record<string, FlowProperty>} */
export const FLOW_PROPERTIES = {
  ...Object.fromEntries(PHASE_ROWS.map((row) => [row.name, phaseProperty(row)])),
  scenarios: {
    about: 'scenarios by their names, in place of main; each iteration runs one of them: in turn, or by weight',
    type: 'Record<string, Scenario>',
    schema: { $ref: '#/$defs/scenarios' },
  },
  baseUrl: { about: 'base URL of relative URLs', type: 'string', schema: { type: 'string' } },
  socketPath: {
    about: 'Unix domain socket that every operation without one of its own connects to',
    type: 'string',
    schema: { type: 'string' },
  },
  headers: {
    about: 'default headers of every operation',
    type: 'Record<string, Computed<FieldValue>>',
    schema: { $ref: '#/$defs/fields' },
    default: {},
  },
  beforeHooks: { about: 'hooks that run before every operation', ...hooks },
  afterHooks: { about: 'hooks that run after every operation', ...hooks },
  tokens: {
    about: 'tokens of the flow, each a function that returns its value for a request: #{name}',
    type: 'Record<string, (scope: Scope) => TokenValue | Promise<TokenValue>>',
    schema: { type: 'object', maxProperties: 0 },
    default: {},
  },
  vars: {
    about:
      'variables of the run at its start: captures and hooks set others and replace them, tokens read them: #{name}',
    type: 'Record<string, any>',
    schema: { type: 'object' },
    default: {},
  },
  data: {
    about: 'feeders: rows of files, of which each iteration gets one, as #{name.column}',
    type: 'Record<string, FeederDefinition>',
    schema: { type: 'object', additionalProperties: { $ref: '#/$defs/feeder' } },
    default: {},
  },
  beforeUser: {
    about: 'a function that begins each virtual user, before its first iteration: it opens what the user needs',
    type: 'FunctionStep',
    schema: null,
  },
  afterUser: {
    about: 'a function that ends each virtual user, after its last iteration: it closes what beforeUser opened',
    type: 'FunctionStep',
    schema: null,
  },
  iterCtx: {
    about: 'initial iterCtx: each iteration gets a copy of it',
    type: 'Record<string, any>',
    schema: { type: 'object' },
    default: {},
  },
  runOptions: {
    about: 'run options; the command line wins over them',
    type: 'GivenRunOptions',
    schema: { $ref: '#/$defs/runOptions' },
  },
  thresholds: {
    about: "conditions for the run to pass, such as { p99: '<200ms' }",
    type: 'Thresholds',
    schema: { $ref: '#/$defs/thresholds' },
  },
  section: {
    about: 'a function that gets the result and returns a section of the report: text, { title, text, rows } or rows',
    type: 'SectionFunction',
    schema: null,
  },
  $schema: { about: 'URL or path of flow.schema.json, for editors', type: 'string', schema: { type: 'string' } },
};
/** Keys that a message lists. */
const MAX_KEYS = 10;
const FLOW_KEYS = Object.keys(FLOW_PROPERTIES);

/**
 * Resolves the shortcuts: a URL, one operation, an array of them, or an object of phases. The flow of the user is not
 * modified.
 * @throws {Error} E_NO_MAIN, or E_FLOW if it is nested too deeply
 * @type {(raw: unknown, problems: Problems) => RawFlow}
 */
export function normalize(raw, problems) {
  if (isTooDeep(raw)) {
    problems.add('flow', `nested deeper than ${MAX_DEPTH} levels`);
    problems.throwIfAny();
  }
  const flow = withoutEmpty(asPhases(raw));
  const scenarios = readScenarios(flow.scenarios, operations, problems);
  if (flow.scenarios !== undefined && flow.main !== undefined)
    problems.add('flow.main', 'is beside scenarios: make it a scenario, or remove one of them');
  if (!Array.isArray(flow.main) && flow.scenarios === undefined)
    throw makeError('E_NO_MAIN', {
      missing: flow.main === undefined ? ', missing flow.main?' : '',
      cure: rawRemedy(raw) ?? mainRemedy(flow),
    });
  for (const key of Object.keys(flow)) {
    if (!FLOW_KEYS.includes(key)) checkUnknown(key, flow[key], problems);
  }
  return {
    phases: /** @type {RawFlow['phases']} */ (
      Object.fromEntries(PHASES.map((phase) => [phase, operations(flow[phase], `flow.${phase}`, problems)]))
    ),
    scenarios,
    baseUrl: text(flow.baseUrl, { path: 'flow.baseUrl', expected: 'a URL', problems }),
    socketPath: text(flow.socketPath, { path: 'flow.socketPath', expected: 'a path', problems }),
    ...normalizeAround(flow, problems),
    tokens: checkTokens(object(flow.tokens, 'flow.tokens', problems, '{ id: () => 7 }'), problems),
    vars: checkVariables(object(flow.vars, 'flow.vars', problems, "{ item: 'book' }"), flow.tokens, problems),
    data: feeders(flow.data, problems),
    iterCtx: object(flow.iterCtx, 'flow.iterCtx', problems, '{ seen: [] }'),
    runOptions: {
      ...(flow.thresholds !== undefined && { thresholds: flow.thresholds }),
      ...object(flow.runOptions, 'flow.runOptions', problems, "{ duration: '10s', limit: 20 }"),
    },
    section: sectionFunction(flow.section, problems),
    user: {
      begin: userFunction(flow.beforeUser, 'flow.beforeUser', problems),
      end: userFunction(flow.afterUser, 'flow.afterUser', problems),
    },
  };
}

/**
 * Reads what all operations of a flow have in common.
 * @type {(flow: Record<string, unknown>, problems: Problems) => Pick<RawFlow, 'headers' | 'computedHeaders' |
 *   'beforeHooks' | 'afterHooks'>}
 */
export function normalizeAround({ headers, beforeHooks, afterHooks }, problems) {
  return {
    ...splitHeaders(object(headers, 'flow.headers', problems, "{ accept: 'text/html' }")),
    beforeHooks: list(beforeHooks, 'flow.beforeHooks', problems),
    afterHooks: list(afterHooks, 'flow.afterHooks', problems),
  };
}

/**
 * Copies a flow without the properties that stand for nothing, as in `before: isLocal && [...]`. Those of a class may
 * be inherited.
 * @type {(flow: Record<string, any>) => Record<string, any>}
 */
function withoutEmpty(flow) {
  const keys = new Set([...Object.keys(flow), ...FLOW_KEYS]);
  const isNothing = (/** @type {string} */ key) => FLOW_KEYS.includes(key) && key !== 'main' && isEmpty(flow[key]);
  return Object.fromEntries([...keys].filter((key) => !isNothing(key)).map((key) => [key, flow[key]]));
}

/**
 * Separates the functions among the default headers: run options have none, as they are sent to workers.
 * @type {(headers: Record<string, unknown>) => Pick<RawFlow, 'headers' | 'computedHeaders'>}
 */
function splitHeaders(headers) {
  const isComputed = (/** @type {[string, unknown]} */ [, value]) => typeof value === 'function';
  const entries = Object.entries(headers);
  return {
    headers: Object.fromEntries(entries.filter((entry) => !isComputed(entry))),
    computedHeaders: /** @type {RawFlow['computedHeaders']} */ (Object.fromEntries(entries.filter(isComputed))),
  };
}

/** Names that other tools have for our keys. @type {Record<string, string>} */
const OTHER_NAMES = {
  ...Object.fromEntries(['setup', 'setUp', 'beforeAll'].map((name) => [name, 'before'])),
  ...Object.fromEntries(['teardown', 'tearDown', 'afterAll'].map((name) => [name, 'after'])),
  ...Object.fromEntries(['steps', 'operations', 'actions', 'requests'].map((name) => [name, 'main'])),
  preHooks: 'beforeHooks',
  postHooks: 'afterHooks',
  beforeEach: 'beforeHooks',
  afterEach: 'afterHooks',
};

/**
 * Refuses a key that was probably meant as one of ours. What 1.2.4 did not read, and looks like data, is the user's
 * own.
 * @type {(key: string, value: unknown, problems: Problems) => void}
 */
function checkUnknown(key, value, problems) {
  const path = `flow.${key}`;
  const isList = Array.isArray(value) || typeof value === 'function';
  if (isList && Object.hasOwn(OTHER_NAMES, key)) problems.add(path, `is ${OTHER_NAMES[key]} here`);
  else problems.refuseUnlessOwn(path, 'key of a flow', key, FLOW_KEYS);
}

/** Tells the remedy for a value that a program passed instead of a flow. @type {(raw: any) => string | undefined} */
function rawRemedy(raw) {
  if (typeof raw === 'function')
    return 'the flow is a function: pass what it returns, or the path of a file that exports it';
  if (typeof raw?.then === 'function') return 'the flow is a promise: await it';
  if (typeof raw === 'object' && raw !== null) return undefined;
  return `the flow is ${typeof raw === 'string' ? JSON.stringify(raw) : typeName(raw)}: pass a URL, an array of operations, or { main: [...] }`;
}

/** @type {(flow: Record<string, any>) => string} */
function mainRemedy({ main, ...others }) {
  if (main !== undefined) return `flow.main is ${typeName(main)}: write main: [{ get: 'http://localhost:8000/' }]`;
  const keys = Object.keys(others);
  for (const key of keys) {
    const near = FLOW_KEYS.includes(key) ? undefined : nearest(key, ['main', 'scenarios']);
    if (near) return `rename ${key} to ${near}`;
  }
  const misspelled = PHASES.some((phase) => phase in others) ? undefined : misspelledUrlKey(others);
  if (misspelled) return `it has the key ${misspelled.key}: did you mean ${misspelled.near}?`;
  const dialect = offeredDialects().find(({ recognizes }) => recognizes(others));
  if (dialect) return `it is ${dialect.about.split(':')[0]}: pass the path of its file`;
  const found = keys.length > 0 ? `its keys are ${keys.slice(0, MAX_KEYS).join(', ')}: ` : '';
  return `${found}write { main: [{ get: 'http://localhost:8000/' }] }`;
}

/** Expands a URL, an operation or a list to an object of phases. @type {(raw: unknown) => Record<string, any>} */
export function asPhases(raw) {
  if (isUrl(raw)) return { main: [raw] };
  if (Array.isArray(raw)) return { main: raw };
  if (typeof raw !== 'object' || raw === null) return {};
  const flow = /** @type {Record<string, unknown>} */ (raw);
  const hasRequest = [...METHOD_KEYS, 'oneOf'].some((key) => key in flow);
  // Hooks alone may set the URL of an operation; beside scenarios, they are those of the flow.
  const hasHooks = 'beforeHooks' in flow && flow.scenarios === undefined;
  const isOperation = !PHASES.some((phase) => flow[phase]) && (hasRequest || hasHooks);
  return isOperation ? { main: [raw] } : raw;
}

/** @type {(value: unknown) => boolean} */
function isUrl(value) {
  return typeof value === 'string' || value instanceof URL;
}

/** @type {(value: unknown, path: string, problems: Problems) => any[]} */
function operations(value, path, problems) {
  return list(value, path, problems).map((operation, i) => {
    if (isUrl(operation)) return protocolOfUrl(operation).fromUrl(operation);
    if (typeof operation === 'function') return functionEntry(operation, `${path}[${i}]`, problems);
    if (operation instanceof Promise) {
      problems.add(
        `${path}[${i}]`,
        "is a promise: write an operation, or a function such as ({ request }) => request('/')",
      );
      return null;
    }
    if (isObject(operation)) return withAlternatives(operation, `${path}[${i}]`, problems);
    problems.add(`${path}[${i}]`, "expected an operation such as { get: 'http://localhost:8000/' }");
    return null;
  });
}

/**
 * Refuses functions that could not be awaited: a generator would only be created, and nothing would pass a callback.
 * @type {(step: Function, path: string, problems: Problems) => FunctionEntry | null}
 */
function functionEntry(step, path, problems) {
  if (/Generator/.test(Object.prototype.toString.call(step)))
    problems.add(path, 'is a generator function: write an async function without *, and await instead of yield');
  else if (step.length > 1)
    problems.add(
      path,
      'is a function with a second parameter, which nothing passes: return a promise instead of calling back; only hooks get next',
    );
  else return new FunctionEntry(/** @type {any} */ (step));
  return null;
}

/** @type {(entry: Record<string, any>, path: string, problems: Problems) => Record<string, any>} */
function withAlternatives(entry, path, problems) {
  return Array.isArray(entry.oneOf) ? { ...entry, oneOf: operations(entry.oneOf, `${path}.oneOf`, problems) } : entry;
}

/** @type {(value: unknown, path: string, problems: Problems) => any[]} */
function list(value, path, problems) {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  problems.add(path, `expected an array, got ${typeName(value)}: write it in [ ]`);
  return [];
}

/** @type {(value: unknown, path: string, problems: Problems, example: string) => Record<string, unknown>} */
function object(value, path, problems, example) {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  problems.add(path, `expected an object such as ${example}, got ${typeName(value)}`);
  return {};
}

/** A file alone is likely that of the feeder. @type {(data: unknown) => string} */
function exampleOfFeeder(data) {
  return `{ users: '${typeof data === 'string' && /^[\w./-]{1,60}$/.test(data) ? data : 'users.csv'}' }`;
}

/**
 * Reads the feeders. Data of the user's own, which names no file and has no rows, are ignored.
 * @type {(data: unknown, problems: Problems) => Record<string, unknown>}
 */
function feeders(data, problems) {
  const isOwn = data !== undefined && !isLikeRows(data) && !(isObject(data) && Object.values(data).some(isLikeFeeder));
  if (!isOwn || (isObject(data) && Object.keys(data).length === 0))
    return object(data, 'flow.data', problems, exampleOfFeeder(data));
  problems.ignore('flow.data', 'has no feeder', "it has no feeder, such as { users: 'users.csv' }");
  return {};
}

/** @type {(value: unknown) => boolean} */
function isLikeFeeder(value) {
  return isLikeRows(value) || (isObject(value) && Object.values(value).some(isLikeRows));
}

/** Reports whether a value may be rows: a file, an argument, or objects. @type {(value: unknown) => boolean} */
function isLikeRows(value) {
  return Array.isArray(value) ? value.some(isObject) : typeof value === 'string' && /\.\w+$|#[{<]/.test(value);
}

/** @type {(value: unknown, at: { path: string, expected: string, problems: Problems }) => string | undefined} */
function text(value, { path, expected, problems }) {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  problems.add(path, `expected ${expected}, got ${typeName(value)}`);
  return undefined;
}

/** @type {(value: unknown, problems: Problems) => RawFlow['section']} */
function sectionFunction(value, problems) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'function') return /** @type {(result: any) => unknown} */ (value);
  problems.add('flow.section', `expected a function, got ${typeName(value)}`);
  return null;
}

/** @type {(value: unknown, path: string, problems: Problems) => FunctionEntry | null} */
function userFunction(value, path, problems) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'function') return functionEntry(value, path, problems);
  problems.add(path, `expected a function such as async ({ vuCtx }) => …, got ${typeName(value)}`);
  return null;
}

/** An entry of a phase that is a function: a step that makes its requests itself. */
export class FunctionEntry {
  /** @param {(scope: any) => unknown} call */
  constructor(call) {
    this.call = call;
  }
}
