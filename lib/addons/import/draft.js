import { isAbsolute, relative, resolve, sep } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { PHASES } from '../../core/ground/phases.js';
import { convertible } from '../../core/text/convertible.js';

/** @import { DraftPhases, DraftScenario, FlowDraft, OperationDraft } from './import.js' */

/** Region and service of AWS credentials, if the source names none. */
export const AWS_DEFAULTS = { region: 'us-east-1', service: 'execute-api' };

/** Code of a flow, which only a module can have. It is never that of a source: the importer writes it. */
export class Code {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** Creates a draft without operations. @type {(parts?: Partial<FlowDraft>) => FlowDraft} */
export function newDraft(parts = {}) {
  return {
    comments: [],
    phases: { before: [], beforeMain: [], main: [], afterMain: [], after: [] },
    environment: [],
    skipped: [],
    dialectNotes: [],
    ...parts,
  };
}

/**
 * Creates the draft of an operation. `disabled` is why it will be written commented out.
 * @type {(operation: Record<string, any>, comments?: string[], disabled?: string) => OperationDraft}
 */
export function draftOf(operation, comments = [], disabled) {
  return { operation, comments, ...(disabled !== undefined && { disabled }) };
}

/**
 * Returns the number of requests that were read.
 * @throws {Error} E_FLOW_FILE if there are none
 * @type {(draft: FlowDraft, source: { path: string, cure: string }) => number}
 */
export function countRequests(draft, source) {
  const count = operationsOf(draft).length;
  if (count === 0) throw makeError('E_FLOW_FILE', { ...source, reason: 'has no requests' });
  return count;
}

/** Lists the operations of all phases and scenarios. @type {(draft: FlowDraft) => OperationDraft[]} */
export function operationsOf({ phases, scenarios = {} }) {
  const all = [phases, ...Object.values(scenarios)].flatMap((one) => phasesIn(one, { needsMain: false }));
  return all.flatMap(([, drafts]) => drafts);
}

/**
 * Copies a draft with each of its operations changed.
 * @type {(draft: FlowDraft, translate: (draft: OperationDraft) => OperationDraft) => FlowDraft}
 */
export function mapOperations(draft, translate) {
  /** @type {<P extends Partial<DraftPhases>>(phases: P) => P} */
  const mapped = (phases) => ({
    ...phases,
    ...Object.fromEntries(
      phasesIn(phases, { needsMain: false }).map(([name, drafts]) => [name, drafts.map(translate)]),
    ),
  });
  const { phases, scenarios } = draft;
  return {
    ...draft,
    phases: mapped(phases),
    ...(scenarios && {
      scenarios: Object.fromEntries(Object.entries(scenarios).map(([name, one]) => [name, mapped(one)])),
    }),
  };
}

/**
 * Moves operations in front of those that use what they capture: people send the requests of a collection in any order.
 * If two need each other's values, no order has both: the one that comes first is commented out.
 * @type {(drafts: OperationDraft[]) => OperationDraft[]}
 */
export function capturesFirst(drafts) {
  /** @type {Map<string, OperationDraft>} */
  const capturing = new Map();
  for (const draft of drafts)
    for (const name of Object.keys(draft.operation.capture ?? {})) if (!capturing.has(name)) capturing.set(name, draft);
  /** @type {Set<OperationDraft>} */
  const sorted = new Set();
  /** Those in `open` that wait for the ones above them, and the sorted ones. @type {Set<OperationDraft>} */
  const visited = new Set();
  const open = drafts.toReversed();
  for (let draft = open.at(-1); draft; draft = open.at(-1)) {
    if (visited.has(draft)) {
      open.pop();
      sorted.add(draft);
      continue;
    }
    visited.add(draft);
    for (const name of namesIn(draft.operation).reverse()) {
      const first = capturing.get(name);
      if (first && !visited.has(first)) open.push(first);
    }
  }
  /** Names that the operations so far have captured. @type {Set<string>} */
  const known = new Set();
  return [...sorted].map((draft) => {
    const lacking = namesIn(draft.operation).find((name) => capturing.has(name) && !known.has(name));
    if (lacking !== undefined) return disabledFor(draft, lacking, /** @type {any} */ (capturing.get(lacking)));
    if (draft.disabled === undefined) for (const name of Object.keys(draft.operation.capture ?? {})) known.add(name);
    return draft;
  });
}

/** @type {(operation: Record<string, any>) => string[]} */
function namesIn(operation) {
  return [...JSON.stringify(operation).matchAll(/#\{(\w+)/g)].map(([, name]) => name);
}

/** @type {(draft: OperationDraft, name: string, from: OperationDraft) => OperationDraft} */
function disabledFor(draft, name, from) {
  const source = from === draft ? 'its own response' : `the response of ${titleOf(from.operation)}`;
  return { disabled: `its value ${name} is in ${source}, which is not there before it`, ...draft };
}

/** Returns data without comments or operations commented out. @type {(draft: FlowDraft) => Record<string, any>} */
export function flowOf({ baseUrl, properties = {}, phases, scenarios }) {
  /** @type {(given: Partial<DraftPhases>, options: { needsMain: boolean }) => Record<string, unknown>} */
  const written = (given, options) => {
    const sent = PHASES.map((name) => [name, (given[name] ?? []).filter((one) => one.disabled === undefined)]);
    const rows = phasesIn(Object.fromEntries(sent), options);
    return Object.fromEntries(rows.map(([name, drafts]) => [name, drafts.map(({ operation }) => operation)]));
  };
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...properties,
    ...written(phases, { needsMain: scenarios === undefined }),
    ...(scenarios && {
      scenarios: Object.fromEntries(
        Object.entries(scenarios).map(([name, given]) => [
          name,
          { ...Object.fromEntries(settingsOf(given)), ...written(given, { needsMain: true }) },
        ]),
      ),
    }),
  };
}

/**
 * Lists the phases that have operations; also an empty main if the flow or the scenario needs one to be valid.
 * @type {(phases: Partial<DraftPhases>, options: { needsMain: boolean }) => [name: string, OperationDraft[]][]}
 */
export function phasesIn(phases, { needsMain }) {
  /** @type {[string, OperationDraft[]][]} */
  const all = PHASES.map((name) => [name, phases[name] ?? []]);
  return all.filter(([name, drafts]) => drafts.length > 0 || (needsMain && name === 'main'));
}

/** Lists the properties of a scenario that are no phases. @type {(scenario: DraftScenario) => [string, unknown][]} */
export function settingsOf(scenario) {
  return Object.entries(scenario).filter(([name]) => !PHASES.some((phase) => phase === name));
}

/** The properties of an operation that hold its URL and set its method. */
export const METHOD_KEYS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
/** The properties of an operation that hold its URL. */
export const URL_KEYS = [...METHOD_KEYS, 'url', 'uri', 'ws'];
const METHODS = METHOD_KEYS.map((key) => key.toUpperCase());

/**
 * Writes method and URL as a person does: `{ get: '/items' }`, or `{ method: 'PURGE', url: '/items' }`.
 * @type {(method: string, url: string) => Record<string, string>}
 */
export function requestOf(method, url) {
  return METHODS.includes(method) ? { [method.toLowerCase()]: url } : { method, url };
}

/**
 * Adds a header field: those of one name, in any case, become a list.
 * @type {(fields: Record<string, any>, name: string, value: string) => Record<string, any>}
 */
export function withField(fields, name, value) {
  const known = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
  if (known === undefined) return { ...fields, [name]: value };
  return { ...fields, [known]: [fields[known], value].flat() };
}

/** Names an operation for messages: `GET /items`. @type {(operation: Record<string, any>) => string} */
export function titleOf(operation) {
  if (typeof operation.name === 'string') return operation.name;
  if (typeof operation.grpc === 'string') return `grpc ${operation.grpc.replace(/^grpcs?:\/\/[^/]*\//i, '')}`;
  const key = URL_KEYS.find((name) => operation[name] !== undefined) ?? 'url';
  const method = key === 'url' || key === 'uri' ? (operation.method ?? 'GET') : key.toUpperCase();
  const [, path] = splitOrigin(String(operation[key] ?? ''));
  return `${method} ${path.replace(/\?.*$/s, '')}`;
}

/** `https://me@host:80`, `http://#{env.HOST}`, or a token that may have all of it: `#{base}` of `#{base}/items`. */
const ORIGIN = /^(?:(https?|wss?):\/\/(?:#\{[^}]*\}|[^/?#])*|#\{[^}]*\}(?=$|[/?]))/i;

/**
 * Splits a URL, which may have tokens, into its origin, with the user in front of the host, or none, and the rest.
 * @type {(url: string) => [origin: string, rest: string]}
 */
export function splitOrigin(url) {
  const [origin = ''] = ORIGIN.exec(url) ?? [];
  return [origin, url.slice(origin.length)];
}

/**
 * Makes URLs relative to the base URL, or else to the most frequent origin, which becomes the base URL unless `baseUrl`
 * replaces it. URLs of other origins stay whole.
 * @type {(draft: FlowDraft, baseUrl?: string) => FlowDraft}
 */
export function relativeToBase(given, baseUrl) {
  const vars = /** @type {Record<string, unknown>} */ (given.properties?.vars ?? {});
  const draft = mapUrls(given, (url) => withFilledOrigin(url, vars));
  // URLs lose this origin: the one that they were written with, also if `baseUrl` replaces it.
  const common = draft.baseUrl === undefined ? mostFrequentOrigin(draft) : originAlone(draft.baseUrl);
  const base = baseUrl ?? draft.baseUrl ?? common;
  if (base === undefined) return draft;
  // A run resolves `/a` against the origin: the path of the base URL would be lost.
  const [start, path] = splitOrigin(base);
  const prefix = start === '' ? '' : path.replace(/\/*(?:[?#].*)?$/s, '');
  const relative = mapUrls(draft, (url) => {
    const [origin, rest] = splitOrigin(url);
    if (origin === common) return prefix + absolutePath(rest);
    return origin === '' && rest.startsWith('/') ? prefix + rest : url;
  });
  return { ...relative, baseUrl: knownBase(prefix === '' ? base : start, vars) };
}

/** Copies a draft with changed URLs. @type {(draft: FlowDraft, change: (url: string) => string) => FlowDraft} */
export function mapUrls(draft, change) {
  return mapOperations(draft, (one) => {
    const key = urlKeyOf(one.operation);
    return key === undefined ? one : { ...one, operation: { ...one.operation, [key]: change(one.operation[key]) } };
  });
}

/** @type {(operation: Record<string, any>) => string | undefined} */
function urlKeyOf(operation) {
  return URL_KEYS.find((name) => typeof operation[name] === 'string');
}

/**
 * Fills the variables of an origin if one is behind the start of the host, as it may be a path: `#{host}#{prefix}/a`.
 * @type {(url: string, vars: Record<string, unknown>) => string}
 */
function withFilledOrigin(url, vars) {
  const [origin, rest] = splitOrigin(url);
  return /[^/]#\{/.test(origin) ? filled(origin, vars) + rest : url;
}

/** Skips values with a sign that could make a token. @type {(text: string, vars: Record<string, unknown>) => string} */
function filled(text, vars) {
  return text.replace(/#\{(\w+)\}/g, (token, name) =>
    Object.hasOwn(vars, name) && !/[#{}<>]/.test(String(vars[name])) ? String(vars[name]) : token,
  );
}

/** @type {(draft: FlowDraft) => string | undefined} */
function mostFrequentOrigin(draft) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { operation } of operationsOf(draft)) {
    const key = urlKeyOf(operation);
    const [origin] = splitOrigin(key === undefined ? '' : operation[key]);
    if (/^(http|#)/i.test(origin)) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const [[most] = []] = [...counts].sort(([, a], [, b]) => b - a);
  return most;
}

/**
 * Fills the variables of a base URL: a run needs it before it has variables. If that is not possible, the base URL is
 * read from the environment.
 * @type {(base: string, vars: Record<string, unknown>) => string}
 */
function knownBase(base, vars) {
  const known = filled(base, vars);
  return /^(?:(?:https?|wss?):\/\/|unix:|#\{(?:env|args)\.)./i.test(known) && !/#\{(?!env\.|args\.)/.test(known)
    ? known
    : '#{env.BASE_URL}';
}

/** Returns the origin of a base URL; undefined if it has a path. @type {(baseUrl: string) => string | undefined} */
function originAlone(baseUrl) {
  const [origin, path] = splitOrigin(baseUrl);
  return origin !== '' && /^\/?$/.test(path) ? origin : undefined;
}

/** A path that begins with // would be a host. @type {(rest: string) => string} */
function absolutePath(rest) {
  if (rest.startsWith('//')) return `/.${rest}`;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Writes the path of a file as the flow has it: relative to its folder.
 * @type {(path: string, folders: { folder: string, flowFolder?: string }) => string}
 */
export function pathInFlow(path, { folder, flowFolder = folder }) {
  if (isAbsolute(path)) return path;
  return relative(flowFolder, resolve(folder, path)).split(sep).join('/');
}

/**
 * Writes the path of rows: a feeder reads those outside of the folder of the flow by their absolute path alone.
 * @type {typeof pathInFlow}
 */
export function rowsInFlow(path, folders) {
  const written = pathInFlow(path, folders);
  return /^\.\.(?:\/|$)/.test(written) ? resolve(folders.folder, path) : written;
}

/** Reports whether a text has no control characters but white space and Escape. @type {(text: string) => boolean} */
export function isPlainText(text) {
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
}

/** Writes the step of a JSONPath to a member: `.id`, `['order-id']`. @type {(name: string) => string} */
export function memberStep(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replace(/['\\]/g, '\\$&')}']`;
}

/** `[0]`, `['a.b']`, `[?(@.id == '7')]`: a selector, whose dots are no steps. */
const BRACKETS = /(\[(?:[^[\]"']|"[^"]*"|'[^']*'|\[[^\]]*\])*\])/;

/** Writes `items.0.id` as `$.items[0].id` of RFC 9535, `[(@.length-1)]` as `[-1]`. @type {(path: string) => string} */
export function jsonPathOf(path) {
  return path
    .replace(/^(?!\$)/, '$.')
    .split(BRACKETS)
    .map((part, i, parts) => {
      // Every second part is a selector in brackets.
      if (i % 2 === 1) return part.replace(/^\[\(\s*@\.length\s*-\s*(\d+)\s*\)\]$/, '[-$1]');
      const steps = part.replace(/(?<!\.)\.(\d+)(?![\w-])/g, '[$1]');
      return i < parts.length - 1 ? steps.replace(/(?<!\.)\.$/, '') : steps;
    })
    .join('');
}

/**
 * Copies a value with each of its texts changed, keys included unless `changeKey` leaves them.
 * @type {<T>(value: T, change: (text: string) => string, changeKey?: (text: string) => string) => T}
 */
export function mapTexts(value, change, changeKey = change) {
  /** @type {(given: any) => any} */
  const mapped = (given) => {
    if (typeof given === 'string') return change(given);
    if (Array.isArray(given)) return given.map(mapped);
    if (typeof given !== 'object' || given === null || given instanceof Uint8Array || given instanceof Code)
      return given;
    return Object.fromEntries(Object.entries(given).map(([key, one]) => [changeKey(key), mapped(one)]));
  };
  return convertible(mapped(value));
}
