import { moduleOf } from './modules.js';
import { namesOf } from './sites.js';
import { isStructure, object, Scope, unknown } from './values.js';

/** @import { Script } from './script.js' */
/** @import { Node, Value } from './values.js' */

/** Runs a module that the script imports. @type {(script: Script, program: Node) => Value} what it exports */
export function membersOfModule(script, program) {
  const scope = new Scope(script.run.global, true);
  const exports = object();
  scope.values.exports = exports;
  scope.values.module = object({ exports });
  const own = exportsOf(script, program, scope);
  const { exports: common } = scope.values.module;
  return object({ default: common, ...(isStructure(common) && common), ...own });
}

/** Runs the statements of a module. @type {(script: Script, program: Node, scope: Scope) => Value} what it exports */
export function exportsOf(script, { body }, scope) {
  for (const node of body) if (node.type === 'ImportDeclaration') importNames(script, node, scope);
  script.run.branches.catches(() => script.run.statements(body, scope));
  const all = object();
  for (const node of body)
    if (node.type === 'ExportAllDeclaration') {
      const { default: _, ...others } = membersOf(script, node) ?? {};
      Object.assign(all, node.exported ? { [node.exported.name]: membersOf(script, node) } : others);
    } else if (node.type === 'ExportDefaultDeclaration') all.default = scope.values.default;
    else if (node.type === 'ExportNamedDeclaration') exportNames(script, node, scope, all);
  return all;
}

/** @type {(script: Script, node: Node, scope: Scope, all: Value) => void} */
function exportNames(script, node, scope, all) {
  const { source, specifiers, declaration } = node;
  const from = source ? membersOf(script, node) : scope.values;
  for (const { local, exported } of specifiers)
    all[exported.name ?? exported.value] =
      from?.[local.name ?? local.value] ?? (source && unknown(node, unread(source.value)));
  for (const name of declaration ? namesOf(node, declaration) : []) all[name] = scope.values[name];
}

/** @type {(script: Script, node: Node) => Value} */
function membersOf(script, node) {
  const { value } = node.source;
  return moduleOf(value, script) ?? script.modules.load(value, node);
}

/** @type {(script: Script, node: Node, scope: Scope) => void} */
function importNames(script, node, scope) {
  const members = membersOf(script, node);
  for (const one of node.specifiers) {
    const name = one.type === 'ImportDefaultSpecifier' ? 'default' : (one.imported?.name ?? one.imported?.value);
    const value = members && (one.type === 'ImportNamespaceSpecifier' ? members : members[name]);
    scope.values[one.local.name] =
      value === undefined && !(members && name in members) ? unknown(one, unread(node.source.value)) : value;
  }
}

/** @type {(name: string) => string} */
export function unread(name) {
  return `the module ${name} is not read`;
}
