/** Finds the variable of each name in a syntax tree of acorn, whose nodes get a `parent`, and their `role` there. */

/**
 * @typedef {object} Scope
 * @property {Scope | null} parent
 * @property {any} node
 * @property {boolean} isFunction it has the variables that `var` declares in it
 * @property {Map<string, Variable>} variables
 */

/**
 * @typedef {object} Variable
 * @property {string} name
 * @property {Scope | null} scope null: a global variable
 * @property {any} init the expression, class, function or import that it has first; null: nothing
 * @property {number} declarations
 * @property {any[]} references the identifiers that name it, where it is not declared
 */

/** What a parameter, a part of a value or a global variable has first. */
const UNKNOWN = { type: 'Unknown' };
export const FUNCTION = /Function/;
const BLOCK = /^(?:BlockStatement|For\w*Statement|SwitchStatement|CatchClause|StaticBlock|Class\w+)$/;
const LINKS = ['parent', 'role', 'variable'];

/** The scopes of a module. Each identifier of a variable has it as its `variable`. */
export class Scopes {
  /** @type {any[]} */
  functions = [];
  /** @type {any[]} */
  references = [];
  /** @type {Map<string, Variable>} */
  #globals = new Map();

  /** @param {any} tree */
  constructor(tree) {
    /** @type {Scope} */
    this.root = { parent: null, node: tree, isFunction: true, variables: new Map() };
    /** @type {[any, Scope][]} */
    const found = [];
    this.#read(tree, this.root, found);
    for (const [node, scope] of found) {
      node.variable = lookUp(scope, node.name) ?? this.global(node.name);
      node.variable.references.push(node);
      this.references.push(node);
    }
  }

  /** Returns the variable that no scope declares. @type {(name: string) => Variable} */
  global(name) {
    const known = this.#globals.get(name);
    const variable = known ?? { name, scope: null, init: UNKNOWN, declarations: 0, references: [] };
    this.#globals.set(name, variable);
    return variable;
  }

  /** @type {(node: any, scope: Scope, found: [any, Scope][]) => void} */
  #read(node, scope, found) {
    if (node.type === 'Identifier' && !isName(node)) {
      const at = placeOf(node);
      if (isDeclaration(at)) declare(node, at, scope);
      else found.push([node, scope]);
    }
    if (FUNCTION.test(node.type)) this.functions.push(node);
    const inner = innerScope(node, scope);
    for (const role of Object.keys(node).filter((key) => !LINKS.includes(key)))
      for (const child of [node[role]].flat())
        if (child?.type) this.#read(Object.assign(child, { parent: node, role }), inner, found);
  }
}

/** @type {(scope: Scope | null, name: string) => Variable | null} */
function lookUp(scope, name) {
  for (let one = scope; one !== null; one = one.parent) {
    const variable = one.variables.get(name);
    if (variable) return variable;
  }
  return null;
}

/** @type {(node: any, scope: Scope) => Scope} */
function innerScope(node, scope) {
  const isFunction = FUNCTION.test(node.type) || node.type === 'StaticBlock';
  const isBody = node.type === 'BlockStatement' && FUNCTION.test(node.parent.type);
  if (isBody || !(isFunction || BLOCK.test(node.type))) return scope;
  return { parent: scope, node, isFunction, variables: new Map() };
}

/** Finds the place of a node, or of the pattern it is part of. @type {(node: any) => { parent: any, role: string }} */
export function placeOf(node) {
  const { parent, role } = node;
  const isPart =
    /^(?:ArrayPattern|ObjectPattern|RestElement)$/.test(parent.type) ||
    (parent.type === 'AssignmentPattern' && role === 'left') ||
    (parent.type === 'Property' && role === 'value' && parent.parent.type === 'ObjectPattern');
  return isPart ? placeOf(parent) : { parent, role };
}

/** @type {(at: { parent: any, role: string }) => boolean} */
function isDeclaration({ parent: { type }, role }) {
  return (
    (role === 'id' && (type === 'VariableDeclarator' || /^(?:Function|Class)/.test(type))) ||
    (role === 'params' && FUNCTION.test(type)) ||
    (role === 'param' && type === 'CatchClause') ||
    (role === 'local' && /^Import/.test(type))
  );
}

/** @type {(node: any, at: { parent: any, role: string }, scope: Scope) => void} */
function declare(node, { parent, role }, scope) {
  const { name } = node;
  // The name of a declaration is one of the scope around it, that of a function expression one of its own.
  let place = role === 'id' && /^(?:Function|Class)Declaration$/.test(parent.type) ? (scope.parent ?? scope) : scope;
  if (parent.type === 'VariableDeclarator' && parent.parent.kind === 'var')
    while (!place.isFunction && place.parent !== null) place = place.parent;
  const init = initOf(node, parent, role);
  const variable = place.variables.get(name) ?? { name, scope: place, init, declarations: 0, references: [] };
  variable.declarations++;
  place.variables.set(name, variable);
  node.variable = variable;
}

/** @type {(node: any, parent: any, role: string) => any} */
function initOf(node, parent, role) {
  if (/^Import/.test(parent.type)) return parent;
  if (role !== 'id' || node.parent !== parent) return UNKNOWN;
  return parent.type === 'VariableDeclarator' ? parent.init : parent;
}

/** Names of members, properties, labels and of other modules are no variables. @type {(node: any) => boolean} */
function isName({ parent, role }) {
  const { type, computed } = parent;
  if (role === 'label' || type === 'MetaProperty' || role === 'imported' || role === 'exported') return true;
  if (type === 'ExportSpecifier') return parent.parent.source !== null;
  return !computed && (role === 'key' || (role === 'property' && type === 'MemberExpression'));
}
