import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { CAPACITY_HEAD } from '../lib/addons/capacity/head.js';
import { COMPARISON_HEAD } from '../lib/addons/compare/measure/head.js';
import { HISTORY_HEAD } from '../lib/addons/history/measure/history.js';
import { RUN_HEAD, SCHEMA_VERSION, inOrderOfKeys } from '../lib/core/measure/document.js';
import { MARK } from './experimental.js';

/**
 * The JSON Schemas of the documents, made of their types: a member is a key, its comment the description. Types of
 * lib/core/contracts/quantities.d.ts have units and bounds, by the tags of their comments.
 *
 * @typedef {Record<string, any>} Schema
 * @typedef {import('typescript').TypeNode} TypeNode
 * @typedef {Map<import('typescript').Symbol, TypeNode>} Parameters of generic types, with what they stand for
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {{ path: string, type: string, file: string, head: { $schema: string } }[]} */
const DOCUMENTS = [
  { path: 'result.schema.json', type: 'Result', file: 'lib/core/contracts/stats.d.ts', head: RUN_HEAD },
  {
    path: 'comparison.schema.json',
    type: 'Comparison',
    file: 'lib/addons/compare/comparison.d.ts',
    head: COMPARISON_HEAD,
  },
  { path: 'capacity.schema.json', type: 'Capacity', file: 'lib/addons/capacity/capacity.d.ts', head: CAPACITY_HEAD },
  { path: 'history.schema.json', type: 'History', file: 'lib/addons/history/history.d.ts', head: HISTORY_HEAD },
];
const NEWER =
  'Readers ignore keys that they do not know; the schema version is raised when a key goes, or changes its meaning, type, unit or nullability.';

/** Tags of comments with a number, and those with a text. */
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'maxItems'];
const TEXTS = ['pattern'];

/** Returns the schemas, as files. @type {() => { path: string, text: string }[]} */
export function documentSchemas() {
  // Add-ons add members to the types of documents.
  const declared = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(ROOT, 'lib', name));
  const program = ts.createProgram(declared, {
    allowJs: true,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    resolveJsonModule: true,
    strict: true,
    types: [],
  });
  return DOCUMENTS.map(({ path, type, file, head }) => {
    const source = /** @type {import('typescript').SourceFile} */ (program.getSourceFile(join(ROOT, file)));
    const statement = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === type);
    const schema = new SchemaWriter(program.getTypeChecker()).document(/** @type {any} */ (statement), head);
    return { path, text: JSON.stringify(schema, null, 2) };
  });
}

class SchemaWriter {
  #checker;
  /** Types with a name of their own, by it. @type {Record<string, Schema>} */
  #definitions = {};

  /** @param {import('typescript').TypeChecker} checker */
  constructor(checker) {
    this.#checker = checker;
  }

  /** @type {(declaration: import('typescript').InterfaceDeclaration, head: { $schema: string }) => Schema} */
  document(declaration, head) {
    const { properties, ...keys } = this.#object(this.#checker.getTypeAtLocation(declaration), new Map());
    const first = Object.fromEntries(Object.entries(head).map(([key, value]) => [key, { const: value }]));
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: head.$schema,
      title: `${tagsOf(declaration).title}, schema version ${SCHEMA_VERSION}`,
      description: `${textOf(declaration)} ${NEWER}`,
      ...('experimental' in tagsOf(declaration) && { $comment: MARK }),
      ...keys,
      properties: { ...(head === RUN_HEAD ? inOrderOfKeys : Object)({ ...properties, ...first }) },
      $defs: Object.fromEntries(Object.entries(this.#definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  /** @type {(node: TypeNode, parameters: Parameters) => Schema} */
  #of(node, parameters) {
    if (ts.isParenthesizedTypeNode(node)) return this.#of(node.type, parameters);
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#of(node.elementType, parameters) };
    if (ts.isIntersectionTypeNode(node)) return allOf(node.types.map((one) => this.#of(one, parameters)));
    if (ts.isUnionTypeNode(node))
      return anyOf(
        node.types.map((one) => this.#of(one, parameters)),
        this.#definitions,
      );
    if (ts.isIndexedAccessTypeNode(node)) return this.#member(node, parameters);
    if (ts.isTypeReferenceNode(node)) return this.#named(node, parameters);
    const { flags } = this.#checker.getTypeAtLocation(node);
    if (flags & ts.TypeFlags.Unknown) return {};
    const [, type] = PRIMITIVES.find(([flag]) => flags & flag) ?? [];
    if (type !== undefined) return { type };
    if (ts.isLiteralTypeNode(node)) return { const: literalOf(this.#checker.getTypeAtLocation(node)) };
    return this.#object(this.#checker.getTypeAtLocation(node), parameters);
  }

  /** A type by its name: an alias, an interface, a parameter, or one of TypeScript. @type {(node: import('typescript').TypeReferenceNode, parameters: Parameters) => Schema} */
  #named(node, parameters) {
    const { typeName: name, typeArguments: given = [] } = node;
    const found = /** @type {import('typescript').Symbol} */ (this.#checker.getSymbolAtLocation(name));
    const symbol = found.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(found) : found;
    const known = parameters.get(symbol);
    if (known) return this.#of(known, parameters);
    if (symbol.name === 'Record') return this.#record(/** @type {any} */ (given), parameters);
    const [declaration] = /** @type {any[]} */ (symbol.declarations);
    if (declaration.getSourceFile().hasNoDefaultLib)
      return this.#object(this.#checker.getTypeAtLocation(node), parameters);
    const own = (declaration.typeParameters ?? []).map((/** @type {any} */ one, /** @type {number} */ i) => [
      one.symbol,
      given[i] ?? one.default,
    ]);
    const { definition, ...tags } = tagsOf(declaration);
    const write = () =>
      described(this.#declared(declaration, new Map([...parameters, ...own])), textOf(declaration), tags);
    if (definition === undefined) return write();
    this.#definitions[definition] ??= write();
    return { $ref: `#/$defs/${definition}` };
  }

  /** @type {(declaration: any, parameters: Parameters) => Schema} */
  #declared(declaration, parameters) {
    const node = declaration.type ?? declaration.typeExpression?.type;
    if (node && !ts.isInterfaceDeclaration(declaration)) return this.#of(node, parameters);
    return this.#object(this.#checker.getTypeAtLocation(declaration), parameters);
  }

  /** @type {(given: [TypeNode, TypeNode], parameters: Parameters) => Schema} */
  #record([keys, value], parameters) {
    const of = this.#of(value, parameters);
    const name = this.#of(keys, parameters);
    if (name.enum) return objectOf(name.enum.map((/** @type {string} */ key) => [key, of, true]));
    const { type: _, ...named } = name;
    const isAny = Object.keys(of).length === 0;
    return {
      type: 'object',
      ...(Object.keys(named).length > 0 && { propertyNames: named }),
      ...(!isAny && { additionalProperties: of }),
    };
  }

  /** `Stats['iterations']`, `typeof PHASES[number]`, or the keys of a table. @type {(node: import('typescript').IndexedAccessTypeNode, parameters: Parameters) => Schema} */
  #member({ objectType, indexType }, parameters) {
    const type = this.#checker.getTypeAtLocation(objectType);
    // The order of a union is not that of its table.
    if (this.#checker.isTupleType(type))
      return { enum: this.#checker.getTypeArguments(/** @type {any} */ (type)).map(literalOf) };
    const name = String(literalOf(this.#checker.getTypeAtLocation(indexType)));
    return this.#property(/** @type {any} */ (this.#checker.getPropertyOfType(type, name)), parameters);
  }

  /** @type {(type: import('typescript').Type, parameters: Parameters) => Schema} */
  #object(type, parameters) {
    const rows = this.#checker.getPropertiesOfType(type).map((symbol) => {
      const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional);
      return /** @type {const} */ ([symbol.name, this.#property(symbol, parameters), !isOptional]);
    });
    return objectOf(rows);
  }

  /** @type {(symbol: import('typescript').Symbol, parameters: Parameters) => Schema} */
  #property({ name, declarations = [] }, parameters) {
    const declaration = /** @type {any} */ (
      declarations.find((one) => /** @type {any} */ (one).type ?? /** @type {any} */ (one).typeExpression)
    );
    if (!declaration) throw new Error(`${name}: write its type as a member of an interface`);
    const node = declaration.type ?? declaration.typeExpression.type;
    return described(this.#of(node, parameters), textOf(declaration), tagsOf(declaration));
  }
}

/** @type {[import('typescript').TypeFlags, string][]} */
const PRIMITIVES = [
  [ts.TypeFlags.String, 'string'],
  [ts.TypeFlags.Number, 'number'],
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.Undefined, 'undefined'],
  [ts.TypeFlags.Boolean, 'boolean'],
];

/** @type {(rows: (readonly [key: string, of: Schema, isRequired: boolean])[]) => Schema} */
function objectOf(rows) {
  const required = rows.filter(([, , isRequired]) => isRequired).map(([key]) => key);
  return { type: 'object', required, properties: Object.fromEntries(rows) };
}

/** Merges objects: a key is required if one of them requires it. @type {(all: Schema[]) => Schema} */
function allOf(all) {
  return {
    type: 'object',
    required: [...new Set(all.flatMap(({ required }) => required))],
    properties: Object.assign({}, ...all.map(({ properties }) => properties).reverse()),
  };
}

/** @type {(all: Schema[], definitions: Record<string, Schema>) => Schema} */
function anyOf(all, definitions) {
  const given = all.filter(({ type }) => type !== 'undefined');
  const values = given.map((one) => valuesOf(one.$ref ? definitions[one.$ref.split('/').at(-1)] : one));
  if (values.every((some) => some.length > 0)) return given.length === 1 ? given[0] : { enum: values.flat() };
  const types = given.filter((one) => Object.keys(one).join() === 'type').map(({ type }) => type);
  const others = given.filter((one) => Object.keys(one).join() !== 'type');
  const [first] = others;
  if (others.length === 1 && first.type && types.join() === 'null') return { ...first, type: [first.type, 'null'] };
  const rest = types.length === 0 ? [] : [{ type: types.length === 1 ? types[0] : types }];
  const alternatives = [...others, ...rest];
  return alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives };
}

/** The values of a schema that lists them. @type {(schema: Schema) => unknown[]} */
function valuesOf({ enum: values = [], const: value }) {
  return value === undefined ? values : [value];
}

/** @type {(schema: Schema, text: string, tags: Record<string, string>) => Schema} */
function described({ description, ...schema }, text, tags) {
  const all = { ...schema };
  for (const name of NUMBERS) if (tags[name] !== undefined) all[name] = Number(tags[name]);
  for (const name of TEXTS) if (tags[name] !== undefined) all[name] = tags[name];
  if (tags.values !== undefined) return { enum: JSON.parse(tags.values) };
  if (tags.integer !== undefined) all.type = 'integer';
  if (tags.propertyNames !== undefined) all.propertyNames = { $ref: `#/$defs/${tags.propertyNames}` };
  if (tags.experimental !== undefined) all.$comment = MARK;
  const texts = [description, text].filter(Boolean);
  return texts.length === 0 ? all : { ...all, description: texts.join('; ') };
}

/** The comment before a declaration, on one line. @type {(declaration: any) => string} */
function textOf(declaration) {
  return (ts.getTextOfJSDocComment(commentOf(declaration).comment) ?? '').replace(/\s+/g, ' ');
}

/** @type {(declaration: any) => any} */
function commentOf({ jsDoc = [], parent }) {
  return (ts.isJSDoc(parent) ? parent : jsDoc.at(-1)) ?? {};
}

/** @type {(declaration: any) => Record<string, string>} */
function tagsOf(declaration) {
  const { tags = [] } = commentOf(declaration);
  return Object.fromEntries(
    tags.map((/** @type {any} */ { tagName, comment }) => [tagName.text, ts.getTextOfJSDocComment(comment) ?? '']),
  );
}

/** @type {(type: any) => string | number | boolean} */
function literalOf(type) {
  return type.value ?? type.intrinsicName === 'true';
}
