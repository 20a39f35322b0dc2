import { classOf, nameOf } from './classes.js';
import { iteration } from './collections.js';
import { binary, truth } from './operators.js';
import { assign } from './patterns.js';
import { Fn, isStructure, object, Scope, Sym, unknown } from './values.js';

/** @import { Completion, Jump } from './branches.js' */
/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/**
 * The effects of statements, by their types.
 * @type {Record<string, (run: Interpreter, node: Node, scope: Scope) => Completion>}
 */
export const STATEMENTS = {
  ExpressionStatement: (run, { expression }, scope) => (void run.value(expression, scope), null),
  VariableDeclaration(run, { declarations, kind }, scope) {
    for (const { id, init } of declarations) {
      if (!init && kind === 'var') continue;
      let holder = scope;
      while (kind === 'var' && !holder.isFunction && holder.parent) holder = holder.parent;
      assign(run, id, run.value(init, scope), { scope: holder, declares: true });
    }
    return null;
  },
  ExportNamedDeclaration: (run, { declaration }, scope) => (declaration ? run.statement(declaration, scope) : null),
  ExportDefaultDeclaration(run, { declaration }, scope) {
    const isFunction = /^Function/.test(declaration.type);
    scope.values.default = isFunction ? new Fn(declaration, scope) : run.value(declaration, scope);
    return null;
  },
  ClassDeclaration: (run, node, scope) => ((scope.values[node.id.name] = classOf(run, node, scope)), null),
  TSEnumDeclaration(run, { id, members }, scope) {
    const made = object();
    const own = new Scope(scope);
    scope.values[id.name] = made;
    let next = 0;
    for (const { id: name, initializer } of members) {
      const key = nameOf(name);
      const value = initializer ? run.value(initializer, own) : next;
      own.values[key] = made[key] = value;
      if (typeof value === 'number') {
        made[value] = key;
        next = value + 1;
      }
    }
    return null;
  },
  BlockStatement: (run, { body }, scope) => run.statements(body, new Scope(scope)),
  ReturnStatement: (run, { argument }, scope) => ({ kind: 'return', value: run.value(argument, scope) }),
  ThrowStatement: () => ({ kind: 'throw' }),
  BreakStatement: (_, { label }) => ({ kind: jump('break', label) }),
  ContinueStatement: (_, { label }) => ({ kind: jump('continue', label) }),
  LabeledStatement: (run, { label, body }, scope) =>
    run.branches.labelled(label.name, () => run.statement(body, scope)),
  IfStatement(run, { test, consequent, alternate }, scope) {
    const value = run.condition(test, scope);
    const never = value ? alternate : consequent;
    if (!(value instanceof Sym) && never) run.host.skip(never);
    return run.branches.branch(
      value,
      () => run.statement(consequent, scope),
      () => (alternate ? run.statement(alternate, scope) : null),
    );
  },
  TryStatement(run, { block, handler, finalizer }, scope) {
    const handle = () => {
      const own = new Scope(scope);
      if (handler.param) assign(run, handler.param, unknown(handler.param), { scope: own, declares: true });
      return run.statement(handler.body, own);
    };
    return run.branches.attempt(
      () => run.statement(block, scope),
      handler && handle,
      finalizer && (() => run.statement(finalizer, scope)),
    );
  },
  ForStatement(run, node, outer) {
    let scope = new Scope(outer);
    if (node.init) /Declaration/.test(node.init.type) ? run.statement(node.init, scope) : run.value(node.init, scope);
    let isFirst = true;
    return run.branches.loop(
      node,
      () => {
        // Each pass has variables of its own, which its functions keep.
        if (!isFirst) scope = Object.assign(new Scope(outer), { values: object({ ...scope.values }) });
        if (!isFirst && node.update) run.value(node.update, scope);
        isFirst = false;
        return node.test ? truth(run.condition(node.test, scope), run.host) : true;
      },
      () => run.statement(node.body, new Scope(scope)),
    );
  },
  WhileStatement: (run, node, scope) =>
    run.branches.loop(
      node,
      () => truth(run.value(node.test, scope), run.host),
      () => run.statement(node.body, scope),
    ),
  DoWhileStatement(run, node, scope) {
    let isFirst = true;
    return run.branches.loop(
      node,
      () => (isFirst ? !(isFirst = false) : truth(run.value(node.test, scope), run.host)),
      () => run.statement(node.body, scope),
    );
  },
  ForOfStatement: (run, node, scope) => each(run, node, scope, run.value(node.right, scope)),
  ForInStatement(run, node, scope) {
    const given = run.value(node.right, scope);
    return each(run, node, scope, isStructure(given) ? Object.keys(given) : given);
  },
  SwitchStatement(run, node, outer) {
    const scope = new Scope(outer);
    const given = run.value(node.discriminant, scope);
    const tests = node.cases.map((/** @type {Node} */ { test }) =>
      test ? binary('===', given, run.value(test, scope), node.discriminant) : true,
    );
    const otherwise = node.cases.findIndex((/** @type {Node} */ { test }) => test === null);
    /** @type {(at: number) => Completion} */
    const runFrom = (at) => {
      for (const { consequent } of at < 0 ? [] : node.cases.slice(at)) {
        const completion = run.statements(consequent, scope);
        if (completion) return completion;
      }
      return null;
    };
    /** @type {(at: number) => Completion} */
    const from = (at) => {
      if (at >= tests.length) return runFrom(otherwise);
      if (at === otherwise) return from(at + 1);
      return run.branches.branch(
        tests[at],
        () => runFrom(at),
        () => from(at + 1),
      );
    };
    return run.branches.breakable(() => from(0));
  },
};

/** @type {(kind: 'break' | 'continue', label: Node) => Jump} */
function jump(kind, label) {
  return label ? `${kind} ${label.name}` : kind;
}

/** @type {(run: Interpreter, node: Node, scope: Scope, list: Value) => Completion} */
function each(run, node, scope, list) {
  const all = iteration(run, list);
  /** @type {{ item: Value } | null} */
  let found = null;
  return run.branches.loop(
    node,
    () => (all ? (found = all.next()) !== null : undefined),
    () => {
      const own = new Scope(scope);
      const isDeclared = node.left.type === 'VariableDeclaration';
      const target = isDeclared ? node.left.declarations[0].id : node.left;
      assign(run, target, found ? found.item : unknown(node.right), { scope: own, declares: isDeclared });
      return run.statement(node.body, own);
    },
  );
}
