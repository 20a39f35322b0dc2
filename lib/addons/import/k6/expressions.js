import { memberOf, methodOf } from './builtins.js';
import { classOf } from './classes.js';
import { itemsOf } from './collections.js';
import { CHANGES } from './lists.js';
import { choice } from './memory.js';
import { binary, isUnset, truth, unary } from './operators.js';
import { assign, changeSymbol, lose } from './patterns.js';
import { template } from './texts.js';
import { textOf } from './urls.js';
import { accessor, Fn, isPrimitive, isStructure, Native, object, OTHERS, Scope, Sym, sym, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/** Functions of JavaScript that are not followed, and send nothing. */
const HARMLESS =
  /^(?:Weak\w+|URL|URLSearchParams|RegExp|Intl|\w*Error|Symbol|BigInt|Buffer|Text(?:En|De)coder|\w+Array|DataView|ArrayBuffer|atob|btoa|escape|unescape|isFinite|structuredClone|performance|Reflect|Proxy|globalThis|clear\w+)$/;

/**
 * The values of expressions, by their types.
 * @type {Record<string, (run: Interpreter, node: Node, scope: Scope) => Value>}
 */
export const EXPRESSIONS = {
  Literal: (_, { value, regex, bigint }) =>
    regex ? sym('regexp', { source: regex.pattern, flags: regex.flags }) : bigint ? Number(bigint) : value,
  TemplateLiteral: (run, node, scope) =>
    template(
      node.quasis.flatMap((/** @type {Node} */ { value }, /** @type {number} */ i) => [
        value.cooked,
        ...(node.expressions[i] ? [textOf(run, run.value(node.expressions[i], scope), node)] : []),
      ]),
      node,
    ),
  TaggedTemplateExpression: (run, node, scope) =>
    // http.url`…` only names the request.
    node.tag.property?.name === 'url'
      ? run.value(node.quasi, scope)
      : run.unfollowed(run.value(node.tag, scope), [run.value(node.quasi, scope)], node),
  Identifier: lookup,
  ArrayExpression: (run, { elements }, scope) => listOf(run, elements, scope),
  ObjectExpression(run, { properties }, scope) {
    const made = object();
    const own = new Scope(scope, true);
    own.values.this = made;
    for (const one of properties) {
      if (one.type === 'SpreadElement') {
        const more = run.value(one.argument, scope);
        run.memory.readsWhole([more]);
        if (isStructure(more)) for (const key of Object.keys(more)) made[key] = run.memberOf(more, key, one);
        else if (more !== undefined && more !== null) made[OTHERS] = unknown(one);
        continue;
      }
      const key = run.keyOf(one, scope);
      const value = run.value(one.value, one.value.type === 'FunctionExpression' ? own : scope);
      if (!isPrimitive(key)) made[OTHERS] = unknown(one);
      else made[key] = one.kind === 'init' ? value : accessor({ [one.kind]: value }, one, made[key]);
    }
    return made;
  },
  ThisExpression: (run, node, scope) => lookup(run, { ...node, name: 'this' }, scope),
  Super: (run, node, scope) => lookup(run, { ...node, name: 'super' }, scope),
  ClassDeclaration: classOf,
  ClassExpression: classOf,
  ArrowFunctionExpression: (_, node, scope) => new Fn(node, scope),
  FunctionExpression: (_, node, scope) => new Fn(node, scope),
  ChainExpression: (run, { expression }, scope) => run.value(expression, scope),
  AwaitExpression: (run, { argument }, scope) => run.value(argument, scope),
  ParenthesizedExpression: (run, { expression }, scope) => run.value(expression, scope),
  SequenceExpression: (run, { expressions }, scope) =>
    expressions.map((/** @type {Node} */ one) => run.value(one, scope)).at(-1),
  UnaryExpression(run, node, scope) {
    const { operator, argument } = node;
    if (operator === 'delete') return deleted(run, argument, scope);
    return unary(operator, run.value(argument, scope), node, run.host);
  },
  BinaryExpression(run, node, scope) {
    const sides = [node.left, node.right].map((one) => run.value(one, scope));
    const [left, right] = node.operator === '+' ? sides.map((one) => textOf(run, one, node, 'valueOf')) : sides;
    return binary(node.operator, left, right, node);
  },
  LogicalExpression(run, node, scope) {
    const left = run.value(node.left, scope);
    const right = () => run.value(node.right, scope);
    if (isUnset(left) && node.operator !== '&&') {
      const value = right();
      run.host.unset(left, value);
      return value;
    }
    const known =
      node.operator === '??'
        ? left instanceof Sym
          ? undefined
          : left !== null && left !== undefined
        : truth(left, run.host);
    if (known !== undefined) return known === (node.operator !== '&&') ? left : right();
    // `res.json('id') || 7`: what is missing ends the iteration.
    /** @type {Value} */
    let value;
    const test =
      node.operator === '||' || node.operator === '??'
        ? sym('unary', { operator: '!', argument: left, node: node.left })
        : left;
    run.branches.perhaps(test, () => void (value = right()));
    return sym('logical', { operator: node.operator, left, right: value, node });
  },
  ConditionalExpression(run, node, scope) {
    const test = run.condition(node.test, scope);
    /** @type {Value[]} */
    const sides = [];
    const known = truth(test, run.host);
    if (known !== undefined) return run.value(known ? node.consequent : node.alternate, scope);
    run.branches.branch(
      test,
      () => ((sides[0] = run.value(node.consequent, scope)), null),
      () => ((sides[1] = run.value(node.alternate, scope)), null),
    );
    return choice(test, sides[0], sides[1]);
  },
  AssignmentExpression(run, node, scope) {
    const { operator, left, right } = node;
    const isLogical = /^(?:\|\||\?\?|&&)=$/.test(operator);
    const type = isLogical ? 'LogicalExpression' : 'BinaryExpression';
    const before = isLogical ? run.value(left, scope) : undefined;
    const value = run.value(operator === '=' ? right : { ...node, type, operator: operator.slice(0, -1) }, scope);
    // it assigns only what it computes
    if (!isLogical || value !== before) assign(run, left, value, { scope, declares: false });
    return value;
  },
  UpdateExpression(run, node, scope) {
    const before = run.value(node.argument, scope);
    const after = binary(node.operator === '++' ? '+' : '-', before, 1, node);
    assign(run, node.argument, after, { scope, declares: false });
    return node.prefix ? after : before;
  },
  MemberExpression: (run, node, scope) => run.memberOf(run.value(node.object, scope), run.keyOf(node, scope), node),
  CallExpression(run, node, scope) {
    const target = node.callee.type === 'ChainExpression' ? node.callee.expression : node.callee;
    if (target.type !== 'MemberExpression')
      return run.call(run.value(node.callee, scope), listOf(run, node.arguments, scope), node);
    const self = run.value(target.object, scope);
    const name = run.keyOf(target, scope);
    const args = listOf(run, node.arguments, scope);
    const own = self instanceof Sym || isPrimitive(self) ? undefined : memberOf(self, name, node);
    if (own instanceof Fn || own instanceof Native) return run.call(own, args, node);
    run.memory.readsWhole([self, ...args]);
    if (self instanceof Sym && CHANGES.has(name))
      changeSymbol(run, self, OTHERS, undefined, { place: target.object, scope });
    return methodOf(run, self, name, args, node);
  },
  NewExpression(run, node, scope) {
    const made = run.value(node.callee, scope);
    const args = listOf(run, node.arguments, scope);
    return made instanceof Native ? made.call(args, node, run) : run.unfollowed(made, args, node);
  },
};

/** @type {(run: Interpreter, node: Node, scope: Scope) => Value} */
function lookup(run, node, scope) {
  const holder = scope.holderOf(node.name);
  if (holder) run.memory.reads(holder.values, node.name);
  return holder
    ? holder.values[node.name]
    : node.name === 'undefined'
      ? undefined
      : Object.assign(unknown(node, `${node.name} is not known`), { isHarmless: HARMLESS.test(node.name) });
}

/** @type {(run: Interpreter, argument: Node, scope: Scope) => boolean} */
function deleted(run, argument, scope) {
  const target = argument.expression ?? argument;
  if (target.type !== 'MemberExpression') return true;
  const holder = run.value(target.object, scope);
  const key = run.keyOf(target, scope);
  if (holder instanceof Sym) lose(run, target.object, scope);
  else if (!isStructure(holder)) return true;
  else if (isPrimitive(key)) run.memory.remove(holder, key);
  else run.memory.changeOne(holder, target);
  return true;
}

/** The values of arguments, or of elements. @type {(run: Interpreter, nodes: Node[], scope: Scope) => Value[]} */
function listOf(run, nodes, scope) {
  return nodes.flatMap((one) => {
    if (one?.type !== 'SpreadElement') return [run.value(one, scope)];
    return itemsOf(run, run.value(one.argument, scope)) ?? [unknown(one)];
  });
}
