import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/**
 * The door, as add-ons of other packages see it: what rows must have, and the types of rows and of `bench-rest/addon`.
 *
 * @typedef {import('typescript').Type} Type
 * @typedef {import('typescript').Symbol} Member
 */

const ROWS = fileURLToPath(new URL('../lib/core/addon.d.ts', import.meta.url));
const MODULE = fileURLToPath(new URL('../lib/addon.js', import.meta.url));
/** The kinds whose rows lib/core/run/same-names.js loads at once. */
const LOADED = ['options', 'protocols', 'bodies', 'checks', 'readers'];
/** How deep rows are checked. */
const DEPTH = 3;

/** @type {[flag: number, type: string][]} */
const PLAIN = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.NumberLike, 'number'],
];

const program = ts.createProgram([ROWS, MODULE], {
  allowJs: true,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  types: ['node'],
});
const checker = program.getTypeChecker();

/** The kinds of rows, with the type of each. @type {() => [kind: string, row: Type][]} */
function kinds() {
  const all = exportsOf(ROWS).flatMap((one) => checker.getDeclaredTypeOfSymbol(one).getProperties());
  return all.flatMap((kind) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(kind));
    if (!checker.isArrayType(type) || kind.name === 'needs') return [];
    return [[kind.name, elementOf(type)]];
  });
}

/** @type {(path: string) => Member[]} */
function exportsOf(path) {
  const source = /** @type {import('typescript').SourceFile} */ (program.getSourceFile(path));
  return checker.getExportsOfModule(/** @type {Member} */ (checker.getSymbolAtLocation(source)));
}

/** @type {(type: Type) => Type} */
function elementOf(type) {
  return checker.getTypeArguments(/** @type {import('typescript').TypeReference} */ (type))[0];
}

/** The module of what rows must have. @type {() => string} */
export function rowsModule() {
  const rows = Object.fromEntries(kinds().map(([kind, row]) => [kind, shapeOf(row, DEPTH, LOADED.includes(kind))]));
  return `// @ts-nocheck: npm run generate writes this module of what the rows of add-ons must have, of lib/core/addon.d.ts
export const ROWS = ${JSON.stringify(rows)};
export const KINDS_OF_ROWS = Object.keys(ROWS);
`;
}

/**
 * What a value must be: `typeof`, `any` value, a list of one shape, or an object with its required members; of `*`, all
 * members, and of `load()`, what it returns.
 * @type {(type: Type, depth: number, loads?: boolean) => any}
 */
function shapeOf(type, depth, loads = false) {
  const { flags } = type;
  const [, plain] = PLAIN.find(([flag]) => flags & flag) ?? [];
  if (plain) return plain;
  if (type.isUnion()) {
    const [shape, ...others] = new Set(type.types.map((one) => String(shapeOf(one, 0))));
    return others.length === 0 ? shape : 'any';
  }
  if (checker.isArrayType(type)) return [shapeOf(elementOf(type), depth, loads)];
  if (type.getCallSignatures().length > 0) return 'function';
  if (!(flags & ts.TypeFlags.Object) && !type.isIntersection()) return 'any';
  const all = type.getStringIndexType();
  const isDeep = depth > 0 && all !== undefined && (all.flags & ts.TypeFlags.Object) !== 0;
  if (isDeep) return { '*': shapeOf(all, depth - 1) };
  if (depth === 0 || all) return 'object';
  const required = type.getProperties().filter((one) => !(one.flags & ts.SymbolFlags.Optional));
  return Object.fromEntries(
    required.map((one) => {
      const own = checker.getTypeOfSymbol(one);
      if (loads && one.name === 'load') return ['load()', shapeOf(own.getCallSignatures()[0].getReturnType(), depth)];
      return [one.name, shapeOf(own, depth - 1)];
    }),
  );
}

/** The types of the door, by name. @type {() => string} */
export function doorTypes() {
  const rows = kinds().flatMap(([kind, row]) => {
    const load = LOADED.includes(kind) ? row.getProperty('load') : undefined;
    const loaded = load && checker.getTypeOfSymbol(load).getCallSignatures()[0].getReturnType();
    return [...membersOf(kind, row), ...(loaded ? membersOf(`${kind} load()`, elementIn(loaded)) : [])];
  });
  const functions = exportsOf(MODULE).flatMap((one) => {
    const type = checker.getTypeOfSymbol(one);
    if (!(one.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Alias))) return [];
    const parameters = type.getCallSignatures().flatMap((signature) => signature.parameters);
    const facts = parameters.map((parameter) => checker.getTypeOfSymbol(parameter)).filter(isOwnObject);
    return [[one.name, textOf(type)], ...facts.flatMap((fact) => membersOf(`${one.name}()`, fact))];
  });
  return JSON.stringify(Object.fromEntries([...functions, ...rows]), null, 2);
}

/** Reports whether a type is an object whose members are declared here. @type {(type: Type) => boolean} */
function isOwnObject(type) {
  const [declaration] = (type.aliasSymbol ?? type.symbol)?.declarations ?? [];
  return declaration !== undefined && !declaration.getSourceFile().fileName.includes('node_modules');
}

/** @type {(type: Type) => Type} */
function elementIn(type) {
  return checker.isArrayType(type) ? elementOf(type) : type;
}

/** @type {(name: string, type: Type) => [name: string, type: string][]} */
function membersOf(name, type) {
  if (!(type.flags & ts.TypeFlags.Object) && !type.isIntersection()) return [[name, textOf(type)]];
  return type
    .getProperties()
    .map((one) => [`${name}.${one.name}${one.flags & ts.SymbolFlags.Optional ? '?' : ''}`, declaredText(one)]);
}

/** As it is declared: a change of a type that it names is none of the door. @type {(member: Member) => string} */
function declaredText(member) {
  const node = /** @type {any} */ (member.declarations?.[0]);
  const type = node?.type ?? node?.typeExpression?.type;
  return (type?.getText() ?? textOf(checker.getTypeOfSymbol(member)))
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ');
}

/** @type {(type: Type) => string} */
function textOf(type) {
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
}
