import { rowsInFlow } from '../draft.js';
import { GLOBALS } from './builtins.js';
import { exportsOf, membersOfModule, unread } from './exports.js';
import { Interpreter } from './interpreter.js';
import { newJar } from './jars.js';
import { LocalModules } from './local-modules.js';
import { moduleOf } from './modules.js';
import { pauseAfter } from './pauses.js';
import { Phase } from './phase.js';
import { Renderer } from './render.js';
import { lineOf, shownInLine, shownLines } from './shown-source.js';
import { Nodes, requestSites } from './sites.js';
import { pathWithoutScheme } from './texts.js';
import { isStructure, Native, object, Scope, Sym, sym, Thrown, unknown } from './values.js';

/** @import { ImportOptions, OperationDraft } from '../import.js' */
/** @import { Node, Value } from './values.js' */

const CONSOLE = ['log', 'info', 'warn', 'error', 'debug', 'table', 'time', 'timeEnd'];

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
  /** Lines of the script to be written above the next operation. @type {string[]} */
  pending = [];
  /** The phase that is followed, or the last one. */
  phase = new Phase();
  /** Nodes that are operations or comments of any phase. */
  all = new Nodes();

  /** @param {ImportOptions} options */
  constructor(options) {
    this.options = options;
    this.renderer = new Renderer();
    this.renderer.keepsSecrets = options.keepSecrets === true;
    this.renderer.notes = this.notes;
    this.run = new Interpreter({
      leave: (node, why) => this.leave(node, why),
      leaveCall: (node, why) => {
        if (this.renderer.phase !== 'init' && !this.phase.shown.hasAbout(node)) this.leave(node, why);
      },
      skip: (node) => this.all.add(node),
      unset: (value, fallback) => this.#unset(value, fallback),
    });
    this.modules = new LocalModules(
      options.folder,
      (text) => this.notes.add(text),
      (program) => membersOfModule(this, program),
    );
    Object.assign(this.run.global.values, globalsOf(this));
    this.scope = new Scope(this.run.global, true);
    const exported = object();
    this.scope.values.exports = exported;
    this.scope.values.module = object({ exports: exported });
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
    Object.assign(this.scope.values, exportsOf(this, program, this.scope));
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
    this.phase = new Phase();
    this.jar = newJar(this);
    this.run.branches.guards = [];
    this.renderer.phase = phase;
    const isMain = phase === 'main';
    Object.assign(this.run.global.values, { __VU: isMain ? sym('vu') : 0, __ITER: isMain ? sym('iter') : 0 });
    /** @type {Value} */
    let value;
    const act = () => void this.run.branches.catches(() => void (value = this.run.call(fn, args, fn.node)));
    if (isMain) this.run.memory.isolated(this.scope, (name) => this.notes.add(keptNote(name)), act);
    else act();
    const last = this.phase.operations.at(-1);
    const sent = this.phase.sentUnder([]);
    if (sent && this.phase.early.length > 0)
      sent.comments.push('In k6 this think time comes before the first request.');
    for (const { pause, node } of this.phase.early) pauseAfter(this, sent, pause, node);
    const rest = this.pending;
    if (last && rest.length > 0) last.comments.push('After it, the script has:', ...rest);
    this.pending = [];
    this.renderer.phase = 'init';
    return { operations: this.phase.operations, value, rest: last ? [] : rest };
  }

  /** A statement that the flow does not have. @type {(node: Node, why: string) => void} */
  leave(node, why) {
    const what = `${lineOf(node)}: ${shownInLine(node)}`;
    if (!this.skipped.some((one) => one.what === what)) this.skipped.push({ what, why });
    this.pending.push(`L${lineOf(node).slice(1)}: ${why}:`, ...shownLines(node));
    this.show(node);
  }

  /** This node is an operation, or a comment. @type {(node: Node) => void} */
  show(node) {
    this.phase.shown.add(node);
    this.all.add(node);
  }

  /**
   * Leaves the requests that may be sent, and are neither operations nor comments. Returns their lines.
   * @type {(programs: Node[], roots: string[]) => string[]}
   */
  leaveLost(programs, roots) {
    for (const site of requestSites(programs, roots))
      if (!this.all.has(site)) this.leave(site, 'this request is not reached as the script is followed');
    return this.pending.splice(0);
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

  /** @type {(name: Value, fn: Value, node: Node) => Value} */
  group(name, fn, node) {
    const isNamed = typeof name === 'string' && name !== '';
    if (isNamed) this.phase.groups.push(name);
    try {
      return this.run.call(fn, [], node);
    } finally {
      if (isNamed) this.phase.groups.pop();
    }
  }
}

/** The names that a k6 script has without an import. @type {(script: Script) => Record<string, Value>} */
function globalsOf(script) {
  const now = (/** @type {Node} */ node) =>
    script.leaf({ word: 'now', code: 'Date.now()', token: 'timestampMs', node });
  const date = new Native('Date', (args, node) =>
    args.length === 0 ? script.leaf({ word: 'date', code: 'new Date()', node }) : unknown(node),
  );
  date.members.now = new Native('Date.now', (_, node) => now(node));
  const promise = new Native('Promise', (_, node) => unknown(node));
  for (const name of ['all', 'resolve', 'allSettled']) promise.members[name] = new Native(name, ([value]) => value);
  return {
    Math: object({
      .../** @type {any} */ (GLOBALS).Math,
      random: new Native('Math.random', (_, node) => script.random(node)),
    }),
    Date: date,
    Promise: promise,
    console: object(Object.fromEntries(CONSOLE.map((name) => [name, new Native(name, () => undefined)]))),
    crypto: moduleOf('k6/crypto', script) ?? object(),
    __ENV: sym('environment', { of: script }),
    __VU: sym('vu'),
    __ITER: sym('iter'),
    open: new Native('open', ([given], node) => {
      if (typeof given !== 'string') return unknown(node);
      const path = pathWithoutScheme(given);
      return sym('file', { path, rows: rowsInFlow(path, script.options), node });
    }),
    require: new Native(
      'require',
      ([name], node) =>
        (typeof name === 'string' && (moduleOf(name, script) ?? script.modules.load(name, node))) ||
        unknown(node, unread(name)),
    ),
  };
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
