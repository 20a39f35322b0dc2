import { Code, draftOf, pathInFlow, rowsInFlow, titleOf } from '../draft.js';
import { addExpected, expectedOf, timeIn } from './checks.js';
import { BINARY, GLOBALS, hasType } from './builtins.js';
import { Interpreter } from './interpreter.js';
import { moduleOf, newJar, pauseOf } from './modules.js';
import { functionOf, Renderer, Untranslated } from './render.js';
import { writeRequest } from './requests.js';
import { lineOf, shownInLine, shownLines } from './shown-source.js';
import { sourceOf } from './sources.js';
import { LocalModules } from './local-modules.js';
import { namesOf, Nodes, requestSites } from './sites.js';
import { Fn, isStructure, Native, object, Scope, Sym, sym, Thrown, unknown } from './values.js';

/** @typedef {any} Node */
/** @typedef {any} Value */
/** @import { ImportOptions, OperationDraft } from '../import.js' */
/** @import { Given } from './requests.js' */
/** @import { Guard } from './interpreter.js' */

/** Operations of a flow. */
const MOST_OPERATIONS = 1000;
/** Responses with these statuses would end the iteration. */
const ERRORS = [400, 401, 403, 404, 409, 422, 429, 500, 503];

/** A script of k6, followed function by function: its requests become operations. */
export class Script {
  /** @type {{ what: string, why: string }[]} */
  skipped = [];
  /** @type {Set<string>} */
  notes = new Set();
  /** @type {string[]} */
  metrics = [];
  /** Defaults of requests: of the options, and of the scenario. @type {Record<string, any>} */
  defaults = {};
  /** The jar of the virtual user. @type {Value} */
  jar;
  /** What the variables of the environment are. @type {Record<string, Value>} */
  environment = object();
  /** @type {OperationDraft[]} */
  #operations = [];
  /** Lines of the script to be written above the next operation. @type {string[]} */
  #pending = [];
  /** @type {string[]} */
  #groups = [];
  /** Nodes that are operations or comments of the phase, and those of all phases. */
  #shown = new Nodes();
  #all = new Nodes();
  /** The conditions of each operation. @type {WeakMap<OperationDraft, Guard[]>} */
  #guardsOf = new WeakMap();
  /**
   * The parts of pauses that are code, by their operations.
   * @type {WeakMap<Record<string, any>, { texts: string[], needs: Set<string> }>}
   */
  #pauses = new WeakMap();
  /** Think time in front of the first operation. @type {{ pause: any, node: Node }[]} */
  #early = [];
  #options;

  /**
   * @param {ImportOptions} options
   */
  constructor(options) {
    this.#options = options;
    this.renderer = new Renderer();
    this.renderer.keepsSecrets = options.keepSecrets === true;
    this.renderer.notes = this.notes;
    this.run = new Interpreter({
      leave: (node, why) => this.leave(node, why),
      leaveCall: (node, why) => {
        if (this.renderer.phase !== 'init' && !this.#shown.hasAbout(node)) this.leave(node, why);
      },
      skip: (node) => this.#all.add(node),
      unset: (value, fallback) => this.#unset(value, fallback),
    });
    this.modules = new LocalModules(
      options.folder,
      (text) => this.notes.add(text),
      (program) => this.#followModule(program),
    );
    Object.assign(this.run.global.values, this.#globals());
    this.scope = new Scope(this.run.global, true);
    const exported = object();
    this.scope.values.exports = exported;
    this.scope.values.module = object({ exports: exported });
  }

  /** @type {() => Record<string, Value>} */
  #globals() {
    const now = (/** @type {Node} */ node) =>
      this.leaf({ word: 'now', code: 'Date.now()', token: 'timestampMs', node });
    const date = new Native('Date', (args, node) =>
      args.length === 0 ? this.leaf({ word: 'date', code: 'new Date()', node }) : unknown(node),
    );
    date.members.now = new Native('Date.now', (_, node) => now(node));
    const promise = new Native('Promise', (_, node) => unknown(node));
    for (const name of ['all', 'resolve', 'allSettled']) promise.members[name] = new Native(name, ([value]) => value);
    return {
      Math: object({
        .../** @type {any} */ (GLOBALS).Math,
        random: new Native('Math.random', (_, node) => this.random(node)),
      }),
      Date: date,
      Promise: promise,
      console: object(
        Object.fromEntries(
          ['log', 'info', 'warn', 'error', 'debug', 'table', 'time', 'timeEnd'].map((name) => [
            name,
            new Native(name, () => undefined),
          ]),
        ),
      ),
      crypto: moduleOf('k6/crypto', this) ?? object(),
      __ENV: sym('environment', { of: this }),
      __VU: sym('vu'),
      __ITER: sym('iter'),
      open: new Native('open', ([given], node) => {
        if (typeof given !== 'string') return unknown(node);
        const path = withoutScheme(given);
        return sym('file', { path, rows: rowsInFlow(path, this.#options), node });
      }),
      require: new Native(
        'require',
        ([name], node) =>
          (typeof name === 'string' && (moduleOf(name, this) ?? this.modules.load(name, node))) ||
          unknown(node, unread(name)),
      ),
    };
  }

  /** A value that changes with each call. @type {(fields: Record<string, any>) => any} */
  leaf(fields) {
    return sym('leaf', { ...fields, phase: this.renderer.phase });
  }

  /** @type {(node: Node) => any} */
  random(node) {
    return this.leaf({ word: 'random', code: 'Math.random()', node });
  }

  /** Runs the statements of the script itself. @type {(program: Node) => void} */
  start(program) {
    Object.assign(this.scope.values, this.#exportsOf(program, this.scope));
  }

  /** @type {(program: Node) => Value} what a module exports */
  #followModule(program) {
    const scope = new Scope(this.run.global, true);
    const exports = object();
    scope.values.exports = exports;
    scope.values.module = object({ exports });
    const own = this.#exportsOf(program, scope);
    const { exports: common } = scope.values.module;
    return object({ default: common, ...(isStructure(common) && common), ...own });
  }

  /** Runs the statements of a module. @type {(program: Node, scope: Scope) => Value} what it exports */
  #exportsOf({ body }, scope) {
    for (const node of body) if (node.type === 'ImportDeclaration') this.#import(node, scope);
    this.run.catches(
      () =>
        void this.run.statements(
          body.filter((/** @type {Node} */ { type }) => type !== 'ImportDeclaration'),
          scope,
        ),
    );
    const all = object();
    for (const node of body)
      if (node.type === 'ExportAllDeclaration') {
        const { default: _, ...others } = this.#members(node) ?? {};
        Object.assign(all, node.exported ? { [node.exported.name]: this.#members(node) } : others);
      } else if (node.type === 'ExportDefaultDeclaration') all.default = scope.values.default;
      else if (node.type === 'ExportNamedDeclaration') this.#exportNames(node, scope, all);
    return all;
  }

  /** @type {(node: Node, scope: Scope, all: Value) => void} */
  #exportNames(node, scope, all) {
    const { source, specifiers, declaration } = node;
    const from = source ? this.#members(node) : scope.values;
    for (const { local, exported } of specifiers)
      all[exported.name ?? exported.value] =
        from?.[local.name ?? local.value] ?? (source && unknown(node, unread(source.value)));
    for (const name of declaration ? namesOf(node, declaration) : []) all[name] = scope.values[name];
  }

  /** @type {(node: Node) => Value} */
  #members(node) {
    const { value } = node.source;
    return moduleOf(value, this) ?? this.modules.load(value, node);
  }

  /** @type {(node: Node, scope: Scope) => void} */
  #import(node, scope) {
    const members = this.#members(node);
    for (const one of node.specifiers) {
      const name = one.type === 'ImportDefaultSpecifier' ? 'default' : (one.imported?.name ?? one.imported?.value);
      const value = members && (one.type === 'ImportNamespaceSpecifier' ? members : members[name]);
      scope.values[one.local.name] =
        value === undefined && !(members && name in members) ? unknown(one, unread(node.source.value)) : value;
    }
  }

  /** A function or a value that the script exports. @type {(name: string) => Value} */
  exported(name) {
    const { exports: own, module } = this.scope.values;
    const all = isStructure(module?.exports) ? module.exports : own;
    return all[name] ?? this.scope.values[name];
  }

  /**
   * Follows a function as the operations of a phase.
   * @type {(phase: string, fn: Value, args: Value[]) => { operations: OperationDraft[], value: Value, rest: string[] }}
   */
  follow(phase, fn, args) {
    this.#operations = [];
    this.jar = newJar(this);
    this.#shown = new Nodes();
    this.#early = [];
    this.#groups = [];
    this.run.guards = [];
    this.renderer.phase = phase;
    const isMain = phase === 'main';
    Object.assign(this.run.global.values, { __VU: isMain ? sym('vu') : 0, __ITER: isMain ? sym('iter') : 0 });
    /** @type {Value} */
    let value;
    const act = () => void this.run.catches(() => void (value = this.run.call(fn, args, fn.node)));
    if (isMain) this.run.isolated(this.scope, (name) => this.notes.add(keptNote(name)), act);
    else act();
    const last = this.#operations.at(-1);
    const sent = this.#sentUnder([]);
    if (sent && this.#early.length > 0) sent.comments.push('In k6 this think time comes before the first request.');
    for (const { pause, node } of this.#early) this.#pauseAfter(sent, pause, node);
    const rest = this.#pending;
    if (last && rest.length > 0) last.comments.push('After it, the script has:', ...rest);
    this.#pending = [];
    this.renderer.phase = 'init';
    return { operations: this.#operations, value, rest: last ? [] : rest };
  }

  /** A statement that the flow does not have. @type {(node: Node, why: string) => void} */
  leave(node, why) {
    const what = `${lineOf(node)}: ${shownInLine(node)}`;
    if (!this.skipped.some((one) => one.what === what)) this.skipped.push({ what, why });
    this.#pending.push(`L${lineOf(node).slice(1)}: ${why}:`, ...shownLines(node));
    this.#show(node);
  }

  /** @type {(node: Node) => void} */
  #show(node) {
    this.#shown.add(node);
    this.#all.add(node);
  }

  /**
   * Leaves the requests that may be sent, and are neither operations nor comments. Returns their lines.
   * @type {(programs: Node[], roots: string[]) => string[]}
   */
  leaveLost(programs, roots) {
    for (const site of requestSites(programs, roots))
      if (!this.#all.has(site)) this.leave(site, 'this request is not reached as the script is followed');
    return this.#pending.splice(0);
  }

  /** @type {(value: any, fallback: Value) => void} */
  #unset(value, fallback) {
    const name = environmentNameOf(value);
    if (name === undefined) return;
    if (fallback === undefined) this.notes.add(`The flow is that of a script without __ENV.${name}.`);
    else
      this.notes.add(
        `__ENV.${name} has its default in the flow${typeof fallback === 'string' || typeof fallback === 'number' ? `: change it there, or set #{env.${name}} in its place` : ''}.`,
      );
  }

  /** Ends the iteration, as fail() and throw do. @returns {never} */
  end() {
    throw new Thrown();
  }

  /** @type {(name: string) => void} */
  metric(name) {
    this.metrics.push(name);
  }

  /** @type {(name: Value, fn: Value, node: Node) => Value} */
  group(name, fn, node) {
    const isNamed = typeof name === 'string' && name !== '';
    if (isNamed) this.#groups.push(name);
    const value = this.run.call(fn, [], node);
    if (isNamed) this.#groups.pop();
    return value;
  }

  /** @type {(seconds: Value, node: Node) => void} */
  sleep(seconds, node) {
    const pause = pauseOf(seconds);
    const draft = this.#sentUnder(this.run.guards);
    if (pause === 0) return;
    const others = this.run.guards.filter((one) => !draft || !this.#guardsOf.get(draft)?.includes(one));
    if (pause === undefined || others.length > 0) {
      const isWritten = draft && this.#pauseByCode(draft, seconds, others);
      if (!isWritten) this.leave(node, `${pause === undefined ? 'how long' : 'whether'} it waits is not known`);
    } else if (draft) this.#pauseAfter(draft, pause, node);
    else this.#early.push({ pause, node });
    if (draft && draft !== this.#lastSent())
      draft.comments.push('In k6 its think time comes after the next request, which has a condition.');
  }

  /**
   * The last operation that is sent whenever these conditions hold.
   * @type {(guards: Guard[]) => OperationDraft | undefined}
   */
  #sentUnder(guards) {
    return this.#operations.findLast(
      (one) => one.disabled === undefined && this.#guardsOf.get(one)?.every((own) => guards.includes(own)),
    );
  }

  /** Whether a response of the phase may have set a cookie. */
  get hasSent() {
    return this.#lastSent() !== undefined;
  }

  /** The last operation that is no comment. @type {() => OperationDraft | undefined} */
  #lastSent() {
    return this.#operations.findLast(({ disabled }) => disabled === undefined);
  }

  /** @type {(draft: OperationDraft | undefined, pause: any, node: Node) => void} */
  #pauseAfter(draft, pause, node) {
    if (draft === undefined) this.leave(node, 'no request of the flow comes before or after it');
    else if (!(draft.operation.pause instanceof Code)) addPause(draft.operation, pause);
    else if (Array.isArray(pause) || !this.#pauseByCode(draft, milliseconds(pause) / 1000, []))
      this.leave(node, 'the pause before it is one of code');
  }

  /**
   * Adds think time of code to that of an operation; false: it cannot be written.
   * @type {(draft: OperationDraft, seconds: Value, guards: Guard[]) => boolean}
   */
  #pauseByCode({ operation }, seconds, guards) {
    const before = operation.pause;
    if (Array.isArray(before) || hasType(seconds, 'unknown')) return false;
    const known = before === undefined ? [] : [String(before instanceof Code ? '' : milliseconds(before))];
    const { texts, needs } = this.#pauses.get(operation) ?? { texts: known, needs: new Set() };
    const ms =
      typeof seconds === 'number' ? seconds * 1000 : sym('binary', { operator: '*', left: seconds, right: 1000 });
    try {
      const condition = this.#conditionOf(guards, needs);
      const text = this.renderer.code(ms, needs);
      texts.push(condition === '' ? text : `(${condition}) ? ${text} : 0`);
      const sum = texts.length === 1 ? texts[0] : texts.map((one) => `(${one})`).join(' + ');
      operation.pause = functionOf(sum, needs);
      this.#pauses.set(operation, { texts, needs });
      return true;
    } catch (error) {
      if (!(error instanceof Untranslated)) throw error;
      return false;
    } finally {
      this.renderer.conditions = 0;
    }
  }

  /** @type {(given: Given, node: Node) => Value} */
  request(given, node) {
    return this.#add(node, given.url, given.method, (draft) =>
      writeRequest(given, draft, {
        renderer: this.renderer,
        options: this.#options,
        defaults: this.defaults,
        jar: this.jar,
      }),
    );
  }

  /** @type {(items: Value, node: Node, itemOf: (item: Value) => Given | undefined) => Value} */
  batch(items, node, itemOf) {
    if (!isStructure(items)) {
      this.leave(node, 'which requests it sends is not known');
      return unknown(node, 'the requests of its batch are not known');
    }
    this.notes.add('Requests of http.batch are sent one after the other.');
    const responses = Object.entries(items).map(([key, item]) => {
      const given = itemOf(item);
      if (given === undefined) this.leave(node, 'which requests it sends is not known');
      return [key, given ? this.request(given, node) : unknown(node)];
    });
    return Array.isArray(items) ? responses.map(([, one]) => one) : object(Object.fromEntries(responses));
  }

  /** @type {(given: Record<string, any>, node: Node) => Value} */
  grpcCall({ files, include, target, method, message, params }, node) {
    const response = this.#add(node, method, 'gRPC', ({ operation }) => {
      const { renderer } = this;
      if (target === undefined) throw new Untranslated(method, 'its client has no address');
      const name = renderer.text(method).replace(/^\//, '');
      const { metadata, timeout, tags } = isStructure(params) ? params : object();
      const protos = files.map((/** @type {string} */ one) =>
        pathInFlow(
          withoutScheme([...include, '.'][0] === '.' || include.length === 0 ? one : `${include[0]}/${one}`),
          this.#options,
        ),
      );
      Object.assign(operation, {
        grpc: name,
        target: renderer.text(target),
        ...(protos.length > 0 && { proto: protos.length === 1 ? protos[0] : protos }),
        ...(isStructure(tags) && typeof tags.name === 'string' && { name: tags.name }),
        message: renderer.json(message ?? object()),
        ...(isStructure(metadata) && {
          metadata: Object.fromEntries(Object.entries(metadata).map(([key, one]) => [key, renderer.text(one)])),
        }),
        ...(typeof timeout === 'string' && { timeout }),
      });
    });
    /** @type {any} */ (response).isGrpc = true;
    return response;
  }

  /**
   * Adds an operation; one that no flow can have is a comment.
   * @type {(node: Node, url: Value, method: Value, write: (draft: OperationDraft) => void) => Value}
   */
  #add(node, url, method, write) {
    const draft = draftOf({}, this.#pending);
    this.#pending = [];
    if (this.#operations.length >= MOST_OPERATIONS || this.renderer.phase === 'init') {
      this.leave(
        node,
        this.renderer.phase === 'init'
          ? 'k6 sends no requests outside of functions'
          : 'a flow of more operations is not written',
      );
      return unknown(node);
    }
    this.renderer.draft = draft;
    try {
      const when = this.#when();
      this.renderer.conditions = this.run.guards.length;
      write(draft);
      if (when) draft.operation.when = when;
      if (this.#groups.length > 0) draft.operation.group = this.#groups.join(' / ');
    } catch (error) {
      if (!(error instanceof Untranslated)) throw error;
      this.#disable(draft, node, { url, method }, error);
    }
    this.#all.add(node);
    if (draft.disabled !== undefined) this.#show(node);
    this.renderer.draft = null;
    this.renderer.conditionsOf.set(draft, this.run.guards.length);
    this.#guardsOf.set(draft, [...this.run.guards]);
    this.renderer.conditions = 0;
    this.#operations.push(draft);
    return sym('response', { draft, node });
  }

  /** @type {(draft: OperationDraft, node: Node, given: { url: Value, method: Value }, error: Untranslated) => void} */
  #disable(draft, node, { url, method }, error) {
    const cause = error.node?.loc ? `: ${lineOf(error.node)}: ${shownInLine(error.node)}` : '';
    draft.disabled = `${error.message}${cause}`;
    draft.operation = {
      [typeof method === 'string' && /^[A-Z]+$/.test(method) ? method.toLowerCase() : 'url']: this.#shownUrl(url),
    };
    draft.comments.push(`L${lineOf(node).slice(1)}:`, ...shownLines(node));
    this.skipped.push({ what: `${lineOf(node)}: ${shownInLine(node)}`, why: draft.disabled });
  }

  /** Shows a URL, with the expressions that are not known. @type {(url: Value) => string} */
  #shownUrl(url) {
    if (typeof url === 'string') return url;
    const parts =
      url instanceof Sym && /** @type {any} */ (url).type === 'template' ? /** @type {any} */ (url).parts : [url];
    return parts
      .map((/** @type {Value} */ one) =>
        typeof one === 'string' ? one : `\${${one?.node ? shownInLine(one.node) : '…'}}`,
      )
      .join('');
  }

  /** The condition of the next operation. @throws {Untranslated} @type {() => Code | undefined} */
  #when() {
    /** @type {Set<string>} */
    const needs = new Set();
    const condition = this.#conditionOf(this.run.guards, needs);
    return condition === '' ? undefined : functionOf(condition, needs);
  }

  /** Writes that all of these hold. @throws {Untranslated} @type {(guards: Guard[], needs: Set<string>) => string} */
  #conditionOf(guards, needs) {
    // A condition reads what may be missing.
    this.renderer.conditions = this.run.guards.length + 1;
    const tests = guards.map(({ test }) => {
      const text = this.renderer.code(test, needs);
      this.#keepErrors(test);
      return guards.length > 1 && /** @type {any} */ (test)?.type !== 'unary' ? `(${text})` : text;
    });
    return [...new Set(tests)].join(' && ');
  }

  /** A request whose errors lead to others does not end the iteration. @type {(test: any) => void} */
  #keepErrors(test) {
    const isNot = test.type === 'unary' && test.operator === '!';
    const { type, operator, left, right } = isNot ? test.argument : test;
    const draft =
      type === 'binary' && left?.type === 'member' && left.key === 'status' ? left.object?.draft : undefined;
    if (!draft || typeof right !== 'number' || left.object.isGrpc || draft.operation.expect?.status !== undefined)
      return;
    if (ERRORS.some((status) => Boolean(BINARY[operator]?.(status, right)) !== isNot))
      draft.operation.afterHooks = ['ignoreStatus'];
  }

  /** @type {(subject: Value, sets: Value, node: Node) => Value} */
  check(subject, sets, node) {
    if (!isStructure(sets)) {
      this.leave(node, 'which checks it has is not known');
      return unknown(node);
    }
    let isFailed = false;
    for (const [name, test] of Object.entries(sets)) {
      const value = test instanceof Fn || test instanceof Native ? this.run.call(test, [subject], node) : test;
      this.#checked(name, this.#comparable(value, subject), { subject, node: test instanceof Fn ? test.node : node });
      isFailed ||= this.run.truth(value) === false;
    }
    // What fails a check of the flow ends the iteration.
    return !isFailed;
  }

  /** Writes the value that a response is compared with as a token. @type {(value: any, subject: any) => Value} */
  #comparable(value, subject) {
    const { type, left, right } = value ?? {};
    if (type === 'logical')
      return sym(type, { ...value, left: this.#comparable(left, subject), right: this.#comparable(right, subject) });
    if (type !== 'binary' || !(left instanceof Sym && right instanceof Sym)) return value;
    const isOfSubject = [left, right].map((one) => sourceOf(one)?.draft === subject?.draft);
    if (subject?.draft === undefined || isOfSubject[0] === isOfSubject[1]) return value;
    try {
      const token = this.renderer.json(isOfSubject[0] ? right : left);
      return sym(type, { ...value, ...(isOfSubject[0] ? { right: token } : { left: token }) });
    } catch (error) {
      if (!(error instanceof Untranslated)) throw error;
      return value;
    }
  }

  /**
   * Adds a check to its operation.
   * @type {(name: string, value: Value, place: { subject: any, node: Node }) => void}
   */
  #checked(name, value, place) {
    const time = timeIn(value);
    if (time) {
      const threshold = `'${titleOf(time.draft.operation)} p95<${time.most}ms'`;
      return this.#leaveCheck(place, name, `a slow response would end the iteration: add the threshold ${threshold}`);
    }
    const expected = expectedOf(value);
    if (expected === null) return undefined;
    if (!expected && !hasType(value, 'response') && !hasType(value, 'unknown'))
      return this.#leaveCheck(place, name, 'this check is of no response');
    const isWritten = expected?.every(
      ({ draft }) =>
        draft.disabled === undefined && this.run.guards.length <= (this.renderer.conditionsOf.get(draft) ?? 0),
    );
    if (!isWritten)
      return this.#leaveCheck(place, name, 'this check has no equivalent: the flow goes on as if it passed');
    for (const { draft, part } of expected ?? []) {
      const { operation } = draft;
      const own = [operation.expect ?? {}].flat();
      if (own.some((one) => addExpected(one, part))) operation.expect = own.length === 1 ? own[0] : own;
      else operation.expect = [...own, { name, ...part }];
    }
    return undefined;
  }

  /** @type {(place: { subject: any, node: Node }, name: string, why: string) => void} */
  #leaveCheck({ subject, node }, name, why) {
    const text = `${lineOf(node)}: '${name}': ${shownInLine(node)}`;
    const isUnknown = subject instanceof Sym && /** @type {any} */ (subject).type === 'unknown';
    const own = subject?.draft ?? sourceOf(subject)?.draft ?? this.#operations.at(-1);
    const isLeftOut = isUnknown || own?.disabled !== undefined;
    ((isUnknown ? undefined : own?.comments) ?? this.#pending).push(
      `Check of ${lineOf(node)}, '${name}': ${shownInLine(node)}${isLeftOut ? '' : `: ${why}`}`,
    );
    if (!isLeftOut) this.skipped.push({ what: text, why });
  }
}

/** @type {(name: string) => string} */
function unread(name) {
  return `the module ${name} is not read`;
}

/** @type {(name: string) => string} */
function keptNote(name) {
  return `The variable ${name} of the script keeps its value from one iteration to the next: here each iteration starts anew.`;
}

/** @type {(value: any) => string | undefined} */
function environmentNameOf(value) {
  if (!(value instanceof Sym)) return undefined;
  const { type, name, args, argument, object: whole, value: inner } = /** @type {any} */ (value);
  return type === 'env' ? name : environmentNameOf(args?.[0] ?? argument ?? whole ?? inner);
}

/** Adds think time. @type {(operation: Record<string, any>, pause: any) => void} */
function addPause(operation, pause) {
  const known = operation.pause;
  if (known === undefined) operation.pause = pause;
  else {
    const [a, b] = [known, pause].map((one) => (Array.isArray(one) ? one : [one, one]).map(milliseconds));
    const sum = a.map((one, i) => one + b[i]);
    const texts = sum.map((ms) => (ms % 1000 === 0 ? `${ms / 1000}s` : ms));
    operation.pause = sum[0] === sum[1] ? texts[0] : texts;
  }
}

/** @type {(time: string | number) => number} */
function milliseconds(time) {
  return typeof time === 'number' ? time : Number(time.slice(0, -1)) * 1000;
}

/** @type {(path: string) => string} */
function withoutScheme(path) {
  return path.replace(/^file:\/\//, '');
}
