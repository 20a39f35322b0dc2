import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { capacitySchema } from '../lib/addons/capacity/capacity-schema.js';
import { comparisonSchema } from '../lib/addons/compare/measure/comparison-schema.js';
import { historySchema } from '../lib/addons/history/measure/history.js';
import { marked } from '../lib/core/ground/addons.js';
import { resultSchema } from '../lib/core/measure/result-schema.js';
import { experimental } from '../lib/core/measure/schema-parts.js';

/**
 * Which names are experimental: those that are gone without the add-ons that say so, and keys of documents whose type
 * has the tag `@experimental`.
 */
const LIB = fileURLToPath(new URL('../lib', import.meta.url));

/** @type {Record<string, string[]> | undefined} */
let core;

/** Reports whether a name is there through experimental add-ons alone. @type {(area: string, name: string) => boolean} */
export function isOfExperimentalAddon(area, name) {
  core ??= namesOfCore();
  return core[area] !== undefined && !core[area].includes(name);
}

/** @returns {Record<string, string[]>} */
function namesOfCore() {
  const script = fileURLToPath(new URL('core-surface.js', import.meta.url));
  if (process.argv[1] === script) throw new Error('core-surface.js must not ask for its own names');
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 2 ** 24 }));
}

/**
 * Rows by name, with the mark of options in the texts of those that experimental add-ons add.
 * @type {<R>(area: string, rows: Record<string, R>) => Record<string, R>}
 */
export function markedRows(area, rows) {
  const all = Object.entries(rows).map(([name, row]) => [name, marked([row], isOfExperimentalAddon(area, name))[0]]);
  return Object.fromEntries(all);
}

/** @type {(schema: any) => boolean} */
export function isMarked(schema) {
  return schema.$comment === experimental({}).$comment;
}

/** The schemas of the documents, with a mark at what is experimental. */
export function markedSchemas() {
  made ??= {
    result: withMarks(resultSchema(), 'core/report/types.d.ts', 'Result'),
    comparison: withMarks(comparisonSchema(), 'addons/compare/comparison.d.ts', 'Comparison'),
    capacity: experimental(capacitySchema()),
    history: experimental(historySchema()),
  };
  return made;
}

/** @type {Record<'result' | 'comparison' | 'capacity' | 'history', any> | undefined} */
let made;

/**
 * A schema in which the keys are marked that are experimental in this type.
 * @type {(schema: any, path: string, type: string) => any}
 */
function withMarks(schema, path, type) {
  const definitions = Object.entries(schema.$defs ?? {}).map(([key, one]) => {
    const name = `${key[0].toUpperCase()}${key.slice(1)}Summary`;
    return [key, markedBy(one, typeIn('core/contracts/summaries.d.ts', name))];
  });
  return { ...markedBy(schema, typeIn(path, type)), $defs: Object.fromEntries(definitions) };
}

/** @type {(path: string, name: string) => ts.Type | undefined} */
function typeIn(path, name) {
  const { checker, program } = types();
  const found = program.getSourceFile(join(LIB, path))?.statements.find((one) => isType(one) && one.name.text === name);
  return found && checker.getTypeAtLocation(found);
}

/** @type {(statement: ts.Statement) => statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration} */
function isType(statement) {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

/** @type {(schema: any, type?: ts.Type) => any} */
function markedBy(schema, type) {
  if (type === undefined || schema === null || typeof schema !== 'object') return schema;
  const { checker } = types();
  const own = checker.getNonNullableType(type);
  const copy = { ...schema };
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, one]) => {
        const member = checker.getPropertyOfType(own, key);
        if (member?.getJsDocTags(checker).some((tag) => tag.name === 'experimental')) return [key, experimental(one)];
        return [key, markedBy(one, member && checker.getTypeOfSymbol(member))];
      }),
    );
  if (schema.items) copy.items = markedBy(schema.items, own.getNumberIndexType());
  return copy;
}

/** @type {{ program: ts.Program, checker: ts.TypeChecker } | undefined} */
let read;

/** The types of documents; those of add-ons add members to them. */
function types() {
  if (read) return read;
  const names = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  const program = ts.createProgram(
    names.map((name) => join(LIB, name)),
    { lib: ['lib.es2023.d.ts'], module: ts.ModuleKind.NodeNext, strict: true, types: [] },
  );
  read = { program, checker: program.getTypeChecker() };
  return read;
}
