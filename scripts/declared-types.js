import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { ENTRIES } from './entries.js';

/**
 * The types that programs can name, with their members as they are declared: `ResponseEvent.status`. They are found from
 * the entries of the package, through what these refer to. Types that tables generate, and the result, have areas of
 * their own.
 *
 * @typedef {import('typescript').Node} Node
 * @typedef {Map<string, [member: string, type: string][]>} Declared the members of each type; `''` is the type itself
 */

const ROOT = new URL('../', import.meta.url);
/** Files with types that are written by hand. */
const FILES = [
  'lib/core/contracts/flows.d.ts',
  'lib/core/contracts/hooks.d.ts',
  'lib/core/contracts/run.d.ts',
  'lib/core/run/run.js',
  ...ENTRIES.map(({ source }) => source),
];
/** What the type of a member begins with that has the tag `@experimental`. */
const EXPERIMENTAL = 'experimental';
/** Methods of a run that programs call; the others are for the command. */
const METHODS = ['stop', 'abort', 'snapshot', 'show', 'then', 'catch', 'finally'];
const NAMED = /\b[A-Z]\w+/g;

/** @returns {Record<string, string>} */
export function publicTypes() {
  /** @type {Declared} */
  const all = new Map();
  const roots = new Set(FILES.flatMap((path) => declare(path, all)));
  // a set also visits what is added meanwhile
  for (const name of roots) {
    const [, module = ''] = /^(\S+ )/.exec(name) ?? [];
    for (const [, type] of all.get(name) ?? [])
      for (const [found] of type.matchAll(NAMED))
        for (const one of [module + found, found].filter((key) => all.has(key)).slice(0, 1)) roots.add(one);
  }
  const rows = [...roots].flatMap((name) =>
    (all.get(name) ?? []).map(([member, type]) => [member === '' ? name : `${name}.${member}`, type]),
  );
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds the types of a file, and returns those that the entries export. @type {(path: string, all: Declared) => string[]} */
function declare(path, all) {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const entry = ENTRIES.find(({ source }) => source === path);
  const isEntry = entry !== undefined;
  /** Two modules may have types of one name. @type {(name: string) => string} */
  const keyOf = (name) => (entry && entry.name !== 'bench-rest' ? `${entry.name} ${name}` : name);
  /** @type {string[]} */
  const exported = [];
  for (const statement of file.statements) {
    if (isEntry && ts.isFunctionDeclaration(statement) && isExported(statement)) {
      const name = keyOf(`${statement.name?.text}()`);
      all.set(name, [['', withFact(signatureOf(statement), isExperimental(statement))]]);
      exported.push(name);
    } else for (const [name, members] of declarationOf(statement)) all.set(name, members);
  }
  for (const { typedef, name } of typedefsOf(file)) {
    const [, imported] = /^import\('[^']+'\)\.(\w+)$/.exec(plain(typedef.typeExpression)) ?? [];
    if (isEntry) exported.push(imported ?? keyOf(name));
    if (!imported) {
      const isOpen = [...(typedef.parent.tags ?? [])].some(({ tagName }) => tagName.text === EXPERIMENTAL);
      all.set(
        keyOf(name),
        membersOf(typedef.typeExpression).map(([member, type]) => [member, withFact(type, isOpen)]),
      );
    }
  }
  return exported;
}

/** @type {(statement: any) => [name: string, members: [string, string][]][]} */
function declarationOf(statement) {
  const name = statement.name?.text;
  const isOpen = isExperimental(statement);
  if (ts.isInterfaceDeclaration(statement)) return [[name, statement.members.map((one) => memberOf(one, isOpen))]];
  if (ts.isTypeAliasDeclaration(statement)) return [[name, [['', withFact(plain(statement.type), isOpen)]]]];
  return ts.isClassDeclaration(statement) ? [[name, statement.members.flatMap(methodOf)]] : [];
}

/** @type {(file: import('typescript').SourceFile) => { typedef: any, name: string }[]} */
function typedefsOf(file) {
  const holders = [...file.statements, file.endOfFileToken];
  return holders
    .flatMap((one) => /** @type {any} */ (one).jsDoc ?? [])
    .flatMap(({ tags = [] }) => [...tags])
    .filter((tag) => ts.isJSDocTypedefTag(tag))
    .map((typedef) => ({ typedef, name: typedef.name?.getText() ?? '' }));
}

/** @type {(expression: any) => [string, string][]} */
function membersOf(expression) {
  if (!ts.isJSDocTypeLiteral(expression)) return [['', plain(expression)]];
  return (expression.jsDocPropertyTags ?? []).map((tag) => [
    `${tag.name.getText()}${tag.isBracketed ? '?' : ''}`,
    plain(tag.typeExpression),
  ]);
}

/** @type {(member: any, isOpen: boolean) => [string, string]} */
function memberOf(member, isOpen) {
  const optional = member.questionToken ? '?' : '';
  const type = withFact(plain(member.type ?? member), isOpen || isExperimental(member));
  return [`${member.name?.getText() ?? ''}${optional}`, type];
}

/** @type {(member: any) => [string, string][]} */
function methodOf(member) {
  const name = member.name?.getText();
  return ts.isMethodDeclaration(member) && METHODS.includes(name) ? [[`${name}()`, signatureOf(member)]] : [];
}

/** @type {(declaration: any) => string} */
function signatureOf(declaration) {
  const type = ts.getJSDocType(declaration);
  if (type) return plain(type);
  const parameters = declaration.parameters.map((/** @type {any} */ one) => {
    const [tag] = ts.getJSDocParameterTags(one);
    return `${tag?.name.getText() ?? ''}${tag?.isBracketed ? '?' : ''}: ${plain(tag?.typeExpression)}`;
  });
  return `(${parameters.join(', ')}) => ${plain(ts.getJSDocReturnType(declaration))}`;
}

/** @type {(declaration: any) => boolean} */
function isExported({ modifiers = [] }) {
  return modifiers.some((/** @type {any} */ one) => one.kind === ts.SyntaxKind.ExportKeyword);
}

/** Reports whether its comment has the tag `@experimental`. @type {(declaration: any) => boolean} */
function isExperimental(declaration) {
  return ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === EXPERIMENTAL);
}

/** @type {(type: string, isOpen: boolean) => string} */
function withFact(type, isOpen) {
  return isOpen ? `${EXPERIMENTAL}; ${type}` : type;
}

/** On one line, without comments and the braces of JSDoc. @type {(node?: Node) => string} */
function plain(node) {
  if (!node) return '';
  const text = node
    .getText()
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\* ?/gm, ' ');
  const [, inner = text] = /^\{([^]*)\}$/.exec(ts.isJSDocTypeExpression(node) ? text : '') ?? [];
  return inner.replace(/\s+/g, ' ').trim();
}
