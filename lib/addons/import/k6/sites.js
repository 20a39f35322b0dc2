import { namesIn, nodesBelow } from '../scripts/evaluate.js';

/** @typedef {any} Node */

/** Parts of the script. */
export class Nodes {
  /** @type {Set<Node>} */
  #all = new Set();

  /** @type {(node: Node) => void} */
  add(node) {
    this.#all.add(node);
  }

  /** Reports whether a node is one of them, or in one. @type {(node: Node) => boolean} */
  has(node) {
    return this.#all.has(node) || [...this.#all].some((one) => isIn(node, one));
  }

  /** Reports whether a node is one of them, is in one, or has one in it. @type {(node: Node) => boolean} */
  hasAbout(node) {
    return this.#all.has(node) || [...this.#all].some((one) => isIn(node, one) || isIn(one, node));
  }
}

/** @type {(node: Node, whole: Node) => boolean} */
function isIn({ start, end, loc }, whole) {
  return start >= whole.start && end <= whole.end && loc.source === whole.loc.source;
}

const METHODS = /^(?:get|post|put|patch|del|head|options|request|asyncRequest|batch)$/;

/**
 * Lists the calls of k6/http in the functions with these names, in what they use, and in the statements of the script.
 * A name stands for all that have it: a request too many is no loss.
 * @type {(programs: Node[], roots: string[]) => Node[]}
 */
export function requestSites(programs, roots) {
  /** Declarations by their names. @type {Map<string, Node[]>} */
  const named = new Map();
  /** @type {Node[]} */
  const open = [];
  for (const node of programs.flatMap(({ body }) => body)) {
    const declared = node.type.startsWith('Export') && node.declaration ? node.declaration : node;
    const names = namesOf(node, declared);
    if (names.length === 0 && !/^Export|^Import/.test(node.type)) open.push(declared);
    for (const name of names) named.set(name, [...(named.get(name) ?? []), declared]);
  }
  open.push(...roots.flatMap((name) => named.get(name) ?? []));
  const isHttp = httpNames(programs);
  /** @type {Set<Node>} */
  const sites = new Set();
  const seen = new Set(open);
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'CallExpression' && isHttp(node.callee)) sites.add(node);
    const used = node.type === 'Identifier' ? (named.get(node.name) ?? []) : [];
    for (const one of [...nodesBelow(node), ...used])
      if (!seen.has(one)) {
        seen.add(one);
        open.push(one);
      }
  }
  return [...sites].sort((a, b) => a.start - b.start);
}

/** The names that a statement of the script declares. @type {(node: Node, declared: Node) => string[]} */
export function namesOf(node, declared) {
  const own = node.type === 'ExportDefaultDeclaration' ? ['default'] : [];
  if (declared.type === 'VariableDeclaration')
    return [...own, ...declared.declarations.flatMap((/** @type {Node} */ { id }) => namesIn(id))];
  if (node.type === 'ExportNamedDeclaration' && !node.declaration)
    return node.specifiers.map((/** @type {Node} */ { exported }) => exported.name ?? exported.value);
  if (node.type === 'ImportDeclaration') return node.specifiers.map((/** @type {Node} */ { local }) => local.name);
  return declared.id ? [...own, declared.id.name] : own;
}

/** Finds which callees are functions of k6/http. @type {(programs: Node[]) => (callee: Node) => boolean} */
function httpNames(programs) {
  const wholes = new Set();
  const single = new Set();
  for (const { type, source, specifiers = [], declarations = [] } of programs.flatMap(({ body }) => body)) {
    const isImport = type === 'ImportDeclaration' && source.value === 'k6/http';
    for (const { imported, local } of isImport ? specifiers : [])
      if ((imported?.name ?? 'default') === 'default') wholes.add(local.name);
      else if (METHODS.test(imported.name)) single.add(local.name);
    for (const { id, init } of declarations) if (isRequired(init)) wholes.add(id.name);
  }
  return ({ type, name, object, property }) =>
    type === 'MemberExpression'
      ? wholes.has(object.name) && METHODS.test(property.name ?? property.value)
      : type === 'Identifier' && single.has(name);
}

/** @type {(init: Node | null) => boolean} */
function isRequired(init) {
  return init?.callee?.name === 'require' && init.arguments[0]?.value === 'k6/http';
}
