import { parse } from 'acorn';

import { hiddenInScript } from '../secret-texts.js';
import { token } from '../tokens.js';
import { addCapture } from '../variables.js';
import { addCheck, checksIn } from './checks.js';
import { dottedName, evaluate, memberOf, namesIn, nodesBelow } from './evaluate.js';

/** @import { Node } from 'acorn' */
/** @import { Variables } from '../variables.js' */
/** @import { Scope, Value } from './evaluate.js' */

/**
 * @typedef {object} Script
 * @property {string} text
 * @property {boolean} isAfter it runs after the response
 * @property {boolean} [isInherited] it is that of a folder or a collection, and so of several requests
 * @property {boolean} [isReported] its other statements are written elsewhere
 */

/**
 * The translated scripts of a request: checks, captures, and comments with all other statements.
 * @typedef {{ expect: Record<string, any>, capture: Record<string, any>, comments: string[] }} ScriptParts
 */

/** Lines of other statements that are listed beside those that set a variable. */
const MOST_LINES = 20;
const LONGEST_LINE = 500;
/** Functions that set a variable, in Postman, Insomnia and JetBrains. */
const SET =
  /^(?:pm\.(?:environment|collectionVariables|globals|variables|baseEnvironment|localVars)\.set|postman\.set(?:Environment|Global)Variable|client\.global\.set|request\.variables\.set)$/;
/** Functions whose callbacks are tests, and those that only print. */
const TEST = /^(?:pm|client)\.test$/;
const PRINTS = /^(?:console\.\w+|client\.log)$/;

/**
 * Reads the scripts of a request: checks and captures that have an equivalent, and constants, which become variables.
 * Nothing is executed. `method` is that of the request: HEAD has a response without a body.
 * @type {(scripts: Script[], variables: Variables, method?: unknown) => ScriptParts}
 */
export function readScripts(scripts, variables, method) {
  const reader = new ScriptReader(variables, method === 'HEAD');
  for (const script of scripts) reader.read(script);
  const { expect, capture } = reader;
  return { expect, capture, comments: reader.comments() };
}

/** Translates the statements of the scripts of one request. */
class ScriptReader {
  /** @type {Record<string, any>} */
  expect = {};
  /** @type {Record<string, any>} */
  capture = {};
  #variables;
  #isHead;
  #script = /** @type {Script} */ ({ text: '', isAfter: false });
  /** Known values by the names of their variables. @type {Scope} */
  #scope = new Map();
  /** @type {{ line: string, sets: boolean }[]} */
  #left = [];

  /**
   * @param {Variables} variables
   * @param {boolean} isHead
   */
  constructor(variables, isHead) {
    this.#variables = variables;
    this.#isHead = isHead;
  }

  /** @type {(script: Script) => void} */
  read(script) {
    this.#script = script;
    this.#scope = new Map();
    const program = parsed(script.text);
    if (program) for (const one of program.body) this.#statement(one, false);
    else for (const line of script.text.split('\n')) this.#leaveLine(line);
  }

  /** Lists the statements without an equivalent: all that set a variable, and the first ones of the others. */
  comments() {
    let others = 0;
    const shown = this.#left.filter(({ sets }) => sets || ++others <= MOST_LINES);
    const lines = hiddenInScript(shown.map(({ line }) => line).join('\n')).split('\n');
    if (others > MOST_LINES) lines.push(`… and ${others - MOST_LINES} more lines, which set no variable.`);
    const title = 'Scripts of the request that are left out:';
    if (shown.length === 0) return [];
    return lines.length === 1 ? [`${title} ${lines[0]}`] : [title, ...lines];
  }

  /** Translates a statement; `isGuarded`: it is under a condition. @type {(node: any, isGuarded: boolean) => void} */
  #statement(node, isGuarded) {
    const { type, declarations } = node;
    const expression = type === 'ReturnStatement' ? node.argument : node.expression;
    if (/^(?:Block|If|Try)Statement$/.test(type)) this.#statementsIn(node, isGuarded);
    else if (type === 'VariableDeclaration') {
      const known = declarations.map((/** @type {any} */ one) => this.#declare(one.id, this.#value(one.init)));
      if (!known.every(Boolean)) this.#leave(node);
    } else if (!/^(?:Empty|Break)/.test(type) && !(expression && this.#expression(expression, isGuarded)))
      this.#leave(node);
  }

  /** @type {(node: any, isGuarded: boolean) => void} */
  #statementsIn({ body, block, consequent, handler, alternate, finalizer }, isGuarded) {
    const outer = new Map(this.#scope);
    for (const one of body ?? [consequent ?? block]) this.#statement(one, isGuarded || consequent !== undefined);
    this.#leaveScope(body ?? [], outer);
    const other = alternate ?? handler?.body;
    if (other) this.#alternate(other);
    if (finalizer) this.#statement(finalizer, isGuarded);
  }

  /** Variables of a block hide others only in it. @type {(body: any[], outer: Scope) => void} */
  #leaveScope(body, outer) {
    for (const { type, kind, declarations } of body) {
      if (type !== 'VariableDeclaration' || kind === 'var') continue;
      for (const name of declarations.flatMap((/** @type {any} */ one) => namesIn(one.id))) {
        const value = outer.get(name);
        if (value) this.#scope.set(name, value);
        else this.#scope.delete(name);
      }
    }
  }

  /** What runs in the other case replaces no translation. @type {(node: any) => void} */
  #alternate(node) {
    const known = { expect: this.expect, capture: this.capture };
    this.expect = {};
    this.capture = {};
    this.#statement(node, true);
    this.expect = { ...this.expect, ...known.expect };
    this.capture = { ...this.capture, ...known.capture };
  }

  /** @type {(node: any) => Value | undefined} */
  #value(node) {
    return node ? evaluate(node, this.#scope, this.#script.isAfter) : undefined;
  }

  /**
   * Keeps the value of a variable of the script, or of those that a pattern takes from it; false: it is not known.
   * @type {(pattern: any, value: Value | undefined) => boolean}
   */
  #declare(pattern, value) {
    if (pattern.type === 'Identifier') {
      if (value) this.#scope.set(pattern.name, value);
      else this.#scope.delete(pattern.name);
      return value !== undefined;
    }
    if (pattern.type === 'AssignmentPattern') return this.#declare(pattern.left, value);
    /** @type {[any, string | number][]} */
    const parts =
      pattern.type === 'ArrayPattern'
        ? pattern.elements.map((/** @type {any} */ one, /** @type {number} */ i) => [one, i])
        : (pattern.properties ?? []).map((/** @type {any} */ one) => [one.value, one.key?.name ?? one.key?.value]);
    const known = parts.filter(([one]) => one).map(([one, key]) => this.#declare(one, value && memberOf(value, key)));
    return known.length > 0 && known.every(Boolean);
  }

  /** False: the expression has no equivalent. @type {(node: any, isGuarded: boolean) => boolean} */
  #expression(node, isGuarded) {
    if (node.type === 'AwaitExpression') return this.#expression(node.argument, isGuarded);
    if (node.type === 'ChainExpression') return this.#expression(node.expression, isGuarded);
    if (node.type === 'LogicalExpression') return this.#expression(node.right, true);
    if (node.type === 'Literal') return true;
    if (node.type === 'AssignmentExpression') return this.#assignment(node, isGuarded);
    const isCall = node.type === 'CallExpression';
    const name = dottedName(isCall ? node.callee : node);
    if (isCall && PRINTS.test(name)) return true;
    if (isCall && TEST.test(name)) return this.#test(node.arguments[1], isGuarded);
    if (isCall && SET.test(name)) return this.#set(node.arguments, isGuarded);
    // What is only expected of some responses is no check of all.
    return !isGuarded && addCheck(this.expect, name, node, (one) => this.#value(one));
  }

  /** `tests["is ok"] = responseCode.code === 200` is a check. @type {(node: any, isGuarded: boolean) => boolean} */
  #assignment({ left, right, operator }, isGuarded) {
    if (dottedName(left).startsWith('tests.'))
      return !isGuarded && checksIn(this.expect, right, (one) => this.#value(one));
    const isFirst = left.type === 'Identifier' && !(isGuarded && this.#scope.has(left.name));
    return operator === '=' && isFirst && this.#declare(left, this.#value(right));
  }

  /** @type {(callback: any, isGuarded: boolean) => boolean} */
  #test(callback, isGuarded) {
    if (!/Function/.test(callback?.type)) return false;
    if (callback.body.type === 'BlockStatement') this.#statement(callback.body, isGuarded);
    else if (!this.#expression(callback.body, isGuarded)) return false;
    return true;
  }

  /** @type {(given: any[], isGuarded: boolean) => boolean} */
  #set([nameNode, valueNode], isGuarded) {
    const name = this.#value(nameNode)?.text;
    const value = this.#value(valueNode);
    // A script of all requests captures from some responses only.
    const isOfSome = isGuarded && this.#script.isInherited === true;
    if (name === undefined || value === undefined || isOfSome) return false;
    if (this.#isHead && [value, ...(value.parts ?? [])].some(({ source }) => typeof source === 'string')) return false;
    if (value.source !== undefined) {
      this.capture[this.#variables.capture(name)] = value.source;
      return true;
    }
    if (value.parts?.some(({ source }) => source !== undefined)) {
      const texts = value.parts.map(({ source, text = '' }) =>
        source === undefined ? this.#variables.text(text) : token(addCapture(this.capture, name, source)),
      );
      this.#variables.derive(name, texts.join(''));
      return true;
    }
    // Nothing is set in the other case.
    if (isGuarded && value.text !== '') return false;
    return value.text !== undefined && this.#variables.setConstant(name, value.text);
  }

  /** Lists a statement; of a longer one its lines, and whole each statement in it that sets a variable. */
  #leave(/** @type {any} */ node) {
    for (const name of changedIn(node)) this.#scope.delete(name);
    if (this.#script.isReported) return;
    const sets = statementsThatSet(node);
    if (sets.includes(node)) {
      this.#left.push({ line: this.#source(node).replace(/\s+/g, ' '), sets: true });
      return;
    }
    for (const line of this.#source(node).split('\n')) this.#leaveLine(line, false);
    for (const one of sets) this.#left.push({ line: this.#source(one).replace(/\s+/g, ' '), sets: true });
  }

  /** @type {(line: string, sets?: boolean) => void} */
  #leaveLine(line, sets = /\bset\w*\s*\(/i.test(line)) {
    const text = line.trim();
    if (text !== '' && !/^(?:\/\/|[}\])\s;]*$)/.test(text) && !this.#script.isReported)
      this.#left.push({ line: text.slice(0, LONGEST_LINE), sets });
  }

  /** @type {(node: any) => string} */
  #source({ start, end }) {
    return this.#script.text.slice(start, end);
  }
}

/** Undefined: it is no JavaScript. @type {(text: string) => { body: Node[] } | undefined} */
function parsed(text) {
  try {
    return parse(text, {
      ecmaVersion: 'latest',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
  } catch {
    return undefined;
  }
}

/** Methods that change what they belong to. */
const CHANGES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;

/** Lists the variables that a statement may change. @type {(node: any) => string[]} */
function changedIn(node) {
  const { type, left, argument, operator, callee } = node;
  const isMethod = type === 'CallExpression' && CHANGES.test(callee.property?.name);
  const changed =
    (/^(?:AssignmentExpression|For(?:Of|In)Statement)$/.test(type) && left) ||
    ((type === 'UpdateExpression' || operator === 'delete') && argument) ||
    (isMethod && callee.object);
  return [...(changed ? namesIn(changed) : []), ...nodesBelow(node).flatMap(changedIn)];
}

/** Lists the innermost statements that call a function which sets a variable. @type {(node: any) => any[]} */
function statementsThatSet(node) {
  const below = nodesBelow(node).flatMap(statementsThatSet);
  const isSet = node.type === 'CallExpression' && SET.test(dottedName(node.callee));
  if (!/Statement$|Declaration$/.test(node.type)) return isSet ? [node, ...below] : below;
  // A call stands for the statement around it, unless it is in a function or a block.
  return node.type === 'ExpressionStatement' && below.includes(node.expression) ? [node] : below;
}
