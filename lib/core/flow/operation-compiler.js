import { createRequire } from 'node:module';

import { offered } from '../ground/addons.js';
import { makeError } from '../ground/errors.js';
import { createProblems, nearest } from '../ground/problems.js';
import { LIKELY_PAUSE, findLikelySeconds } from '../ground/units.js';
import { anyText } from '../text/format-value.js';
import { hasWrittenSecret, isSecretName, readsEnvironment } from '../text/mask.js';
import { withArguments } from './arguments.js';
import { compileCaptures } from './captures/index.js';
import { checksOf } from './checks/property.js';
import { controlOf } from './control.js';
import { checkOperation, hasNoUrl } from './operation.js';
import { METHOD_OF, PROPERTIES } from './properties.js';
import { protocolOf } from './protocols/index.js';
import { READERS } from './readers.js';
import { compileRequest, methodAndUrl, nameOf, stepName } from './request.js';
import { mostOf, needsOf, resolveHooks, rulesOfRequest } from './rules.js';
import { settleOperation } from './settle-operation.js';
import { compileTemplate, compileWholeValue, markTokens, sourcesIn, wordsIn } from './template.js';
import { Placeholder } from './placeholder.js';
import { ValueList, withPlaceholders } from './values.js';

/** @import { CompilerContext, Sequence, PlacedOperation, CompiledRequest, Place, RequestInput } from './types.js' */
/** @import { FaultsOf, Template } from './types.js' */
/** @import { Operation, Rules, Scope, Step } from '../contracts/step.js' */
/** @import { Offered, Problems } from '../ground/types.js' */
/** @import { Names } from './names.js' */

/**
 * @typedef {Pick<Step, 'name' | 'request' | 'bodyCost' | 'closesConnection' | 'options' | 'renderOptions' | 'checks' |
 *   'captures' | 'needs'>} OwnParts of a step, which its protocol decides
 */

const requireHere = createRequire(import.meta.url);

/** Most flows have no hooks. @type {() => typeof import('./hook-options.js')} */
const loadHookOptions = () => requireHere('./hook-options.js');

/** @type {() => never} */
const hasNoHooks = () => {
  throw new Error('an operation without hooks has no options for them');
};
export const NO_HOOKS = { options: hasNoHooks, renderOptions: hasNoHooks };

/** @type {(placed: PlacedOperation, opIndex: number, sequence: Sequence, context: CompilerContext) => Step[]} */
export function compileOperation(placed, opIndex, sequence, context) {
  const { problems, siblings, run } = context;
  const shared = siblings?.stepOf(placed, opIndex, sequence);
  if (shared) return [shared];
  const problemsBefore = problems.list.length + problems.own.length;
  const compiler = new OperationCompiler(placed, opIndex, sequence, context);
  const steps = compiler.protocol.compile(compiler);
  compiler.values.close();
  const { timeout, method } = /** @type {Record<string, any>} */ (compiler.valid);
  const questions = {
    timeout: findLikelySeconds(timeout),
    // A number is documented as ms, and short ones are usual.
    pause:
      typeof placed.operation.pause === 'string' ? findLikelySeconds(placed.operation.pause, LIKELY_PAUSE) : undefined,
    method: likelyMethod(method),
  };
  for (const [name, question] of Object.entries(questions))
    if (question !== undefined) run.notice(`${compiler.where}.${name}: ${question}`, name);
  // Siblings of an operation with problems are compiled, so that theirs are reported, too.
  if (problems.list.length + problems.own.length === problemsBefore) siblings?.add(placed.operation, steps);
  return steps;
}

/** Finds a misspelled method; any other token is one. @type {(method: unknown) => string | undefined} */
function likelyMethod(method) {
  const methods = Object.values(METHOD_OF);
  if (typeof method !== 'string' || methods.includes(method.toUpperCase())) return undefined;
  const near = nearest(method, methods);
  return near ? `${method} is sent as it is; did you mean ${near}?` : undefined;
}

/**
 * One operation, checked and joined with what the flow and the run define for all. Its protocol makes the steps from
 * its parts. The operation takes four forms in turn: written, with arguments replaced, `given` (with placeholders for
 * functions, as hooks get it), and `valid` (without what was refused, as it is compiled).
 */
export class OperationCompiler {
  #context;
  #placed;
  /** The operation as the flow has it: its name in results has `#{args.name}`, so that runs can be compared. */
  #written;
  /** The default fields of the run and the flow. @type {Record<string, unknown>} */
  #defaults;
  /** The run defaults, which all operations share. */
  run;
  phase;
  opIndex;
  scenario;
  names;
  opened;
  protocol;
  /** With placeholders in place of functions, and with the user's own properties. @type {Operation} */
  given;
  /** The same without the user's own properties and those that were refused. @type {Operation} */
  valid;
  /** The functions that return its values. */
  values;
  beforeHooks;
  afterHooks;
  /**
   * A before-hook of HTTP is a function, which may set the URL; built-in hooks, which have an `entry`, do not. Other
   * code may set it before the phase begins.
   */
  hooksMaySetUrl;
  /** Its place, which also collects its problems. @type {Place} */
  place;
  /** Header fields that a function returns for each request. @type {Placeholder | null} */
  moreHeaders;
  /** The other header fields, those of the run too, with marks for tokens. @type {Record<string, unknown>} */
  headers;

  /**
   * @param {PlacedOperation} placed @param {number} opIndex @param {Sequence} sequence @param {CompilerContext} context
   */
  constructor(placed, opIndex, sequence, context) {
    const { run, around, flow, constants, problems, live } = context;
    const { where } = placed;
    this.#context = context;
    this.#placed = placed;
    this.run = run;
    this.opIndex = opIndex;
    ({ phase: this.phase, scenario: this.scenario, names: this.names, opened: this.opened } = sequence);

    const { known, own } = splitOwn(settled(placed.operation, where, problems));
    this.#written = known;
    const operation = withArguments(known, constants, { path: where, problems });
    this.values = new ValueList(where);
    this.given = { ...withPlaceholders(operation, this.values), ...own };
    const { urlKey, key } = protocolOf(operation);
    // The hooks of the flow are around those of the operation
    const hooksIn = (/** @type {'beforeHooks' | 'afterHooks'} */ key) =>
      resolveHooks(operation[key], `${where}.${key}`, problems);
    this.beforeHooks = [...around.beforeHooks, ...hooksIn('beforeHooks')];
    this.hooksMaySetUrl =
      urlKey === null &&
      (this.beforeHooks.some(({ entry }) => entry === undefined) ||
        (hasNoUrl(operation) && live?.awaitsUrl(this.phase) === true));
    this.valid = withoutBroken(this.given, problems, { where, hooksMaySetUrl: this.hooksMaySetUrl });
    // Without its own property, which was refused, it is any request.
    this.protocol = protocolOf(this.valid);
    this.place = this.#placeOf(where, problems, { isNew: key !== null });

    this.moreHeaders = this.valid.headers instanceof Placeholder ? this.valid.headers : null;
    const ownHeaders = this.#ownHeaders(this.valid);
    const computed = this.values.addHeaders(flow.computedHeaders, [run.headers, ownHeaders]);
    this.#defaults = { ...availableHere(run.headers, this.names), ...computed };
    this.headers = markValues({ ...this.#defaults, ...ownHeaders }, (text, name) =>
      this.place.mark(text, `headers.${name}`),
    );
    // Last, so that their problems follow those of other properties
    this.afterHooks = [...hooksIn('afterHooks'), ...around.afterHooks];
  }

  get where() {
    return this.place.where;
  }

  get problems() {
    return this.#context.problems;
  }

  /** The parts of a response that the after-hooks read. */
  get needs() {
    return needsOf(this.afterHooks);
  }

  /** Returns the header fields as hooks get them, with tokens as they are written. */
  get givenHeaders() {
    return { ...this.#defaults, ...this.#ownHeaders(this.given) };
  }

  /** Compiles its request; that of a hook's changes is compiled from them. @type {() => CompiledRequest} */
  compileRequest() {
    const { run, place, valid, headers, moreHeaders } = this;
    const { user, password, cookies } = run;
    const runFields = secretsAmong(this.#defaults, this.#ownHeaders(valid));
    const knownCookies = cookies && availableHere(cookies, this.names);
    /** @type {RequestInput} */
    const input = { run, place, headers, moreHeaders, user, password, cookies: knownCookies, runFields };
    return compileRequest(valid, input);
  }

  /** @type {(request: CompiledRequest, rules: Rules) => Pick<Step, 'options' | 'renderOptions'>} */
  hookOptions(request, rules) {
    const hasHooks = this.beforeHooks.length + this.afterHooks.length > 0;
    return hasHooks ? loadHookOptions().hookOptions(this, request, rules) : NO_HOOKS;
  }

  /** Names a step that does a part of the operation. @type {(what: string) => string} */
  nameOf(what) {
    return stepName(what, methodAndUrl(this.#written).url);
  }

  /** @type {() => Step} */
  requestStep() {
    const { valid, place, afterHooks } = this;
    const request = this.compileRequest();
    const { checks, reads, acceptsStatus } = checksOf(valid, { ...place, folder: this.run.folder });
    const { captures, reads: captured } = compileCaptures(valid, place);
    // With problems, which end the run, rendering could fail.
    const constant = request.isConstant && this.problems.list.length === 0 ? request.render({}) : null;
    const faults = faultsOf(this, constant);
    const [reader = null] = READERS.flatMap(({ compile }) => compile(valid, place) ?? []);
    const rules = { ...rulesOfRequest(valid, request, this.headers), keepsRequest: afterHooks.length > 0 };
    const name = valid.name ?? request.name ?? undefined;
    return this.stepOf(request, rules, {
      name: nameOf({ ...this.#written, name }, { hasOrigin: this.#placed.hasOrigin }),
      request: constant,
      bodyCost: request.bodyCost,
      closesConnection: request.closesConnection,
      ...this.hookOptions(request, rules),
      checks,
      acceptsStatus,
      captures,
      reader,
      ...faults,
      // A fault is found in the body, unless a reader reads that as it arrives.
      needs:
        faults.fault === null || reader !== null
          ? mostOf([this.needs, rules.retry === null ? 'status' : 'head', ...reads, ...captured])
          : 'body',
    });
  }

  /** @type {(request: CompiledRequest, rules: Rules, own: OwnParts & Partial<Step>) => Step} */
  stepOf(request, rules, own) {
    const { valid, place, phase, opIndex, scenario, values, beforeHooks, afterHooks, protocol } = this;
    return {
      where: place.where,
      origin: request.origin,
      route: request.route,
      proxy: request.proxy,
      version: request.version,
      phase,
      opIndex,
      scenario,
      choice: this.#placed.choice,
      ...controlOf(valid, { names: this.names, where: place.where, complain: place.complain }),
      call: null,
      render: request.render,
      values: values.list,
      beforeHooks,
      afterHooks,
      acceptsStatus: null,
      variables: [...values.variables],
      fault: null,
      isImplied: false,
      held: null,
      userPart: null,
      reader: null,
      protocol,
      ...rules,
      ...own,
    };
  }

  /** Replaces the tokens of a text whose problems have been reported. @type {(text: string) => Template} */
  template(text) {
    return compileTemplate(this.#markQuietly(text));
  }

  /** Within JSON, a token alone is a value. @type {(text: string) => string | ((scope: Scope) => unknown)} */
  jsonValue(text) {
    return compileWholeValue(this.#markQuietly(JSON.stringify(text), 'json')) ?? this.template(text);
  }

  /** @type {(text: string, place?: 'json') => string} */
  #markQuietly(text, place) {
    const { names, values } = this;
    return markTokens(text, { problems: createProblems('E_FLOW'), path: '', names, values, place });
  }

  /** @type {(operation: Operation) => Record<string, unknown>} */
  #ownHeaders({ headers = {} }) {
    return this.moreHeaders === null ? headers : {};
  }

  /** @type {(where: string, problems: Problems, options: { isNew: boolean }) => Place} */
  #placeOf(where, problems, { isNew }) {
    const { names, values, hooksMaySetUrl } = this;
    const context = { problems, names, values, isNew, hooksMayReplace: hooksMaySetUrl };
    return {
      where,
      hooksMaySetUrl,
      mark: (text, key, place) => markTokens(text, { ...context, path: `${where}.${key}`, place }),
      complain: (key, reason) => problems.add(`${where}.${key}`, reason),
      refuse(key, reason) {
        throw makeError('E_REQUEST_FIELD', { place: `${where}.${key}`, reason });
      },
      sourceOf: (marked) => sourceOf(marked, values),
      notice: this.run.notice,
    };
  }
}

/** @type {Offered<FaultsOf>[]} */
const FAULTS = offered('faults');

/** @type {FaultsOf} */
function faultsOf(parts, constant) {
  const all = FAULTS.map(({ load }) => load()(parts, constant));
  return all.find(({ fault, faultOfSent }) => fault !== null || faultOfSent !== undefined) ?? { fault: null };
}

/** @type {(written: Operation, where: string, problems: Problems) => Operation} */
function settled(written, where, problems) {
  return settleOperation(written, (key, remark) =>
    problems.ignore(`${where}.${key}`, `has no effect: ${remark}`, remark),
  );
}

/** Hooks get the user's own properties. @type {(operation: Operation) => { known: Operation, own: Operation }} */
function splitOwn(operation) {
  const own = Object.entries(operation).filter(([key]) => !Object.hasOwn(PROPERTIES, key));
  if (own.length === 0) return { known: operation, own: {} };
  const known = Object.entries(operation).filter(([key]) => Object.hasOwn(PROPERTIES, key));
  return { known: Object.fromEntries(known), own: Object.fromEntries(own) };
}

/**
 * Reports invalid properties and returns the operation without them, so the rest can still be checked.
 * @type {(operation: Operation, problems: Problems, context: { where: string, hooksMaySetUrl: boolean }) => Operation}
 */
function withoutBroken(operation, problems, { where, hooksMaySetUrl }) {
  const before = problems.list.length;
  const broken = checkOperation(operation, where, problems, { hooksMaySetUrl });
  const entries = Object.entries(operation).filter(([key]) => !broken.has(key) && Object.hasOwn(PROPERTIES, key));
  const valid = Object.fromEntries(entries);
  if (problems.list.length === before) return valid;
  return methodAndUrl(valid).url === '' ? { ...valid, url: NOWHERE } : valid;
}

/** Stands for a URL that was refused, so that compiling the rest does not report it again. */
const NOWHERE = 'http://localhost/';

/**
 * Removes default fields, or cookies, with tokens that have no value at this place of the flow, but at another one: an
 * earlier request has no captured token yet.
 * @type {<T>(fields: Record<string, T>, names: Names) => Record<string, T>}
 */
function availableHere(fields, names) {
  const hasForeignTokens = (/** @type {unknown} */ value) =>
    typeof value === 'string' && wordsIn(value).some((word) => names.isElsewhere(word));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !hasForeignTokens(value)));
}

/** @type {(defaults: Record<string, unknown>, own: Record<string, unknown>) => string[]} */
function secretsAmong(defaults, own) {
  const owned = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const isSecret = (/** @type {unknown} */ value) =>
    hasWrittenSecret(anyText(value)) || readsEnvironment(anyText(value));
  return Object.entries(defaults).flatMap(([name, value]) =>
    (isSecretName(name) || [value].flat().some(isSecret)) && !owned.has(name.toLowerCase()) ? [name] : [],
  );
}

/** @type {(marked: string, values: ValueList) => ReturnType<Place['sourceOf']>} */
function sourceOf(marked, { list }) {
  const sources = sourcesIn(marked);
  if (sources.includes('variable')) return 'variable';
  return sources.some((source) => typeof source === 'number' && list[source].isFromCode) ? 'code' : 'text';
}

/**
 * @type {(values: Record<string, unknown>, mark: (text: string, name: string) => string) => Record<string, unknown>}
 */
function markValues(values, mark) {
  /** @type {(value: unknown, name: string) => unknown} */
  const one = (value, name) => {
    if (Array.isArray(value)) return value.map((item) => one(item, name));
    return typeof value === 'string' ? mark(value, name) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value, name)]));
}
