import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

import { TOOLS } from '../lib/addons/mcp/tools.js';
import { CAPTURES } from '../lib/core/flow/captures/index.js';
import { CHECKS } from '../lib/core/flow/checks/index.js';
import { COMPARISONS } from '../lib/core/flow/comparisons.js';
import { DEFINITION } from '../lib/core/flow/data/open-feeders.js';
import { FEEDERS } from '../lib/core/flow/data/index.js';
import { ORDERS } from '../lib/core/flow/data/orders.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { TOKENS } from '../lib/core/flow/tokens/index.js';
import { END_REASONS } from '../lib/core/ground/end-reasons.js';
import { ERRORS, KINDS } from '../lib/core/ground/errors.js';
import { ascendingExitCodes, exitCodeRows } from '../lib/core/ground/exit-codes.js';
import { PACKAGE_VERSION } from '../lib/core/ground/package.js';
import { PHASES } from '../lib/core/ground/phases.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { SOURCES } from '../lib/addons/import/sources.js';
import { LOSSES } from '../lib/core/measure/load-generators.js';
import { FIGURES, ROW_FIGURES, scopeOf } from '../lib/core/measure/figures.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { LOG_COLUMNS } from '../lib/addons/log/log-format.js';
import { isMarked, markedRows } from './experimental.js';
import { peersTable } from './peers-table.js';
import { commandFlags, loadProfiles, otherNames, runOptions, spellings, subcommandFlags } from './option-tables.js';
import { distTagOf } from './release-notes.js';
import { stabilityTables } from './stability.js';
import { schemaAt } from './surface.js';
import { cell as sentence, code, escaped, list, typeText, withDefaultOf as withDefault } from './text.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What people install: the tag of npm that the version of package.json is released with. */
const INSTALLED = /\bbench-rest@(?:next|latest)\b/g;
const BLOCK = /(<!-- generated: ([\w-]+) -->\n)[^]*?(<!-- \/generated -->)/g;

/**
 * The tables in documents, between `<!-- generated: NAME -->` and `<!-- /generated -->`, made from their owners
 * in lib/.
 *
 * @type {Record<string, () => string | Promise<string>>}
 */
export const TABLES = {
  'run-options': runOptions,
  'load-profiles': loadProfiles,
  'other-names': otherNames,
  spellings,
  stability: stabilityTables,
  checks: () =>
    list(Object.entries(markedRows('checks', byName(CHECKS))).map(([name, { about }]) => [code(name), escaped(about)])),
  comparisons: () => list(COMPARISONS.map(({ name, about }) => [code(name), escaped(about)])),
  captures: () => list(CAPTURES.map(({ name, about }) => [code(name), escaped(about)])),
  'command-flags': commandFlags,
  'subcommand-flags': subcommandFlags,
  hooks: () => list(HOOKS.map(({ name, about }) => [code(name), escaped(about)])),
  operations: () =>
    list(
      Object.entries(markedRows('operations', PROPERTIES)).map(([name, { type, default: value, about }]) => [
        `${code(name)} (${typeText(type)})`,
        withDefault(about, value),
      ]),
    ),
  tokens: () => list(TOKENS.map(({ name, usage, about }) => [code(`#{${usage ?? name}}`), escaped(about)])),
  'feeder-properties': () =>
    list(
      Object.entries(DEFINITION).map(([name, { about, default: value }]) => [code(name), withDefault(about, value)]),
    ),
  feeders: () =>
    list(
      FEEDERS.filter(({ extensions }) => extensions.length > 0).map(({ extensions, about }) => [
        extensions.map(code).join(', '),
        escaped(about),
      ]),
    ),
  orders: () => list(ORDERS.map(({ name, about }) => [code(name), escaped(about)])),
  figures: figureScopes,
  'result-keys': () => stableKeys(schemaAt('result')),
  'comparison-keys': () => stableKeys(schemaAt('comparison')),
  'request-log': () => list(LOG_COLUMNS.map(({ name, about }) => [code(name), escaped(about)])),
  'import-sources': importTables,
  peers: () => peersTable(JSON.parse(readFileSync(join(ROOT, 'docs/numbers.json'), 'utf8'))),
  'mcp-tools': () => list(TOOLS.map(({ name, about }) => [code(name), escaped(about)])),
  reports: () =>
    list(
      REPORTERS.map(({ name, about, extension }) => [
        extension ? `${code(name)} (${code(`.${extension.replace(/^\./, '')}`)})` : code(name),
        escaped(about),
      ]),
    ),
  action: () => {
    const { inputs, outputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
    const rows = (/** @type {Record<string, { description: string }>} */ all) =>
      Object.entries(all).map(([name, { description }]) => [code(name), escaped(description)]);
    return `${list(rows(inputs))}\n${list(rows(outputs))}`;
  },
  'end-reasons': () => list(Object.entries(END_REASONS).map(([name, { about }]) => [code(name), escaped(about)])),
  losses: () => list(Object.entries(LOSSES).map(([name, about]) => [code(name), escaped(about)])),
  'exit-code-groups': () =>
    list(ascendingExitCodes().map(({ code: number, about }) => [String(number), escaped(about)])),
  'exit-codes': () => list(exitCodeRows().map(({ code: number, about }) => [String(number), escaped(about)])),
  kinds: () => list(Object.entries(KINDS).map(([name, { about, remedy }]) => [code(name), `${about}. ${remedy}`])),
  errors: errorCodes,
};

/** The codes of each kind; those that no failure of a run has come first. */
function errorCodes() {
  const rows = Object.entries(ERRORS).map(([name, { kind = 'before or after the run' }]) => ({ name, kind }));
  const kinds = new Set(rows.map(({ kind }) => kind));
  return list(
    [...kinds].map((kind) => [
      kind,
      rows
        .filter((row) => row.kind === kind)
        .map(({ name }) => code(name))
        .join(' '),
    ]),
  );
}

/** @type {<R extends { name: string }>(rows: R[]) => Record<string, R>} */
function byName(rows) {
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

/** The stable keys of a document, those within one in braces. @type {(schema: any) => string} */
function stableKeys({ properties }) {
  const lines = Object.entries(properties).flatMap(([key, schema]) => (isMarked(schema) ? [] : [keyText(key, schema)]));
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}

/** @type {(key: string, schema: any) => string} */
function keyText(key, { properties, items, additionalProperties }) {
  const within = Object.entries(properties ?? items?.properties ?? {}).filter(([, one]) => !isMarked(one));
  const text = within.map(([name, one]) => keyText(name, one)).join(', ');
  const braces = text && (items ? `: [{ ${text} }]` : `: { ${text} }`);
  return `${key}${braces || (typeof additionalProperties === 'object' ? ': { NAME }' : '')}`;
}

/** What stable figures cover, beside what most do: those that cover the same are one row. */
function figureScopes() {
  /** @type {Map<string, string[]>} */
  const names = new Map();
  for (const figure of [...FIGURES, ...ROW_FIGURES]) {
    if ('isExperimental' in figure) continue;
    const { counts, phases, time } = scopeOf(figure);
    const { per = '' } = /** @type {{ per?: string }} */ (figure);
    const facts = [counts, phasesText(phases), time].filter((fact) => !USUAL.includes(fact));
    const covers = [facts.join('; '), per && `per ${per.includes('.') ? code(per) : per}`].filter(Boolean).join(' ');
    names.set(covers, [...(names.get(covers) ?? []), code(figure.path)]);
  }
  return list([...names].map(([covers, paths]) => [paths.join(' '), covers]));
}

/** Phases and time of most figures. */
const USUAL = ['beforeMain to afterMain', 'measured'];

/** @type {(phases: readonly string[]) => string} */
function phasesText(phases) {
  if (phases.length === PHASES.length) return 'all';
  return phases.length > 1 ? `${phases[0]} to ${phases.at(-1)}`.replace('before to after', 'before, after') : phases[0];
}

/** A table for each kind of source that can be imported: its parts, and what each becomes in the flow. */
async function importTables() {
  const sections = SOURCES.map(async ({ name, about, load }) => {
    const { supported } = await load();
    /** @type {Map<string, string[]>} */
    const rows = new Map();
    for (const { part, becomes } of supported) {
      // The command names what it leaves out.
      if (becomes === null) continue;
      const text = cellOf(becomes);
      // "The same" is what the row before it becomes.
      const key = text.startsWith('the same') ? `${text}\n${[...rows.keys()].at(-1)}` : text;
      rows.set(key, [...(rows.get(key) ?? []), cellOf(part)]);
    }
    return `## ${name}\n\n${sentence(about)}.\n\n${list([...rows].map(([becomes, parts]) => [parts.join('; '), becomes.split('\n')[0]]))}`;
  });
  return (await Promise.all(sections)).join('\n');
}

/** Flags and names that stand alone are code. @type {(text: string) => string} */
function cellOf(text) {
  if (text.includes('`') || !/^-/.test(text)) return escaped(text);
  return text
    .split(', ')
    .map((flag) => code(flag))
    .join(', ');
}

/**
 * Every document, with its generated tables.
 *
 * @returns {Promise<{ path: string, text: string }[]>} path from the root; the text as it should be
 */
export async function documents() {
  const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const paths = ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];
  return Promise.all(
    paths.map(async (path) => {
      const text = readFileSync(join(ROOT, path), 'utf8').replace(
        INSTALLED,
        `bench-rest@${distTagOf(PACKAGE_VERSION)}`,
      );
      return { path, text: text.search(BLOCK) < 0 ? text : await filled(path, text) };
    }),
  );
}

/** @type {(path: string, text: string) => Promise<string>} */
async function filled(path, text) {
  const options = await resolveConfig(join(ROOT, path));
  const names = [...text.matchAll(BLOCK)].map(([, , name]) => name);
  const tables = new Map(
    await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await TABLES[name]()]))),
  );
  return format(
    text.replace(BLOCK, (_, open, name, close) => `${open}\n${tables.get(name)}\n${close}`),
    { ...options, parser: 'markdown' },
  );
}
