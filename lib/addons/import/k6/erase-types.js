import { nodesBelow } from '../scripts/evaluate.js';

/** @typedef {any} Node */

/** An expression with its type. */
const TYPED = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$/;
/** Nodes that run, or that become nodes that run. */
const ACTS =
  /^TS(?:EnumDeclaration|EnumMember|ModuleDeclaration|ModuleBlock|ParameterProperty|ExportAssignment|Import.*)$/;

/**
 * Makes the tree of a script of TypeScript that of JavaScript, but for enumerations and namespaces. Imports that only
 * types use are left out, as compilers do.
 * @type {(program: Node) => Node}
 */
export function eraseTypes(program) {
  const erased = withoutTypes(program);
  const used = new Set();
  const open = erased.body.filter((/** @type {Node} */ { type }) => type !== 'ImportDeclaration');
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier') used.add(node.name);
    open.push(...nodesBelow(node));
  }
  erased.body = erased.body.filter(
    (/** @type {Node} */ { type, specifiers }) =>
      type !== 'ImportDeclaration' ||
      specifiers.length === 0 ||
      specifiers.some((/** @type {Node} */ { local }) => used.has(local.name)),
  );
  return erased;
}

/** @type {(node: Node) => Node} */
function withoutTypes(node) {
  if (TYPED.test(node.type)) return withoutTypes(node.expression);
  for (const [key, value] of Object.entries(node))
    if (Array.isArray(value))
      node[key] = value.filter((one) => !isType(one)).map((one) => (one?.type ? withoutTypes(one) : one));
    else if (typeof value?.type === 'string') node[key] = isType(value) ? null : withoutTypes(value);
  if (node.kind === 'constructor') setProperties(node.value);
  return node;
}

/** @type {(node: Node) => boolean} */
function isType(node) {
  if (typeof node?.type !== 'string') return false;
  const { type, declare, abstract, importKind, exportKind, name, typeAnnotation } = node;
  if (declare || importKind === 'type' || exportKind === 'type') return true;
  if (type === 'ImportDeclaration' && node.specifiers.length > 0) return node.specifiers.every(isType);
  if (type.startsWith('TS')) return !TYPED.test(type) && !ACTS.test(type);
  return (abstract && type === 'PropertyDefinition') || (name === 'this' && typeAnnotation !== undefined);
}

/** `constructor(private base: string)` sets `this.base`, after `super()`. @type {(fn: Node) => void} */
function setProperties({ params, body }) {
  const own = params.filter((/** @type {Node} */ { type }) => type === 'TSParameterProperty');
  const isSuper = body.body[0]?.expression?.callee?.type === 'Super';
  const statements = own.map((/** @type {Node} */ { parameter }) => {
    const { start, end, loc } = parameter;
    const place = { start, end, loc };
    const right = parameter.left ?? parameter;
    const object = { ...place, type: 'ThisExpression' };
    const left = { ...place, type: 'MemberExpression', computed: false, object, property: right };
    const expression = { ...place, type: 'AssignmentExpression', operator: '=', left, right };
    return { ...place, type: 'ExpressionStatement', expression };
  });
  body.body.splice(isSuper ? 1 : 0, 0, ...statements);
  for (const one of own) params[params.indexOf(one)] = one.parameter;
}
