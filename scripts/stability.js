import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { OWN_KEYS } from '../lib/cli/config.js';
import { LISTINGS } from '../lib/cli/list-text.js';
import { createProgram } from '../lib/cli/options.js';
import { FLOW_PROPERTIES } from '../lib/flow/normalize.js';
import { PROPERTIES } from '../lib/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../lib/flow/scenarios.js';
import { TOKENS } from '../lib/flow/tokens/index.js';
import { ERRORS, KINDS } from '../lib/ground/errors.js';
import { EXIT_CODES } from '../lib/ground/exit-codes.js';
import { HOOKS } from '../lib/hooks/index.js';
import { COMPARISON_FORMATS } from '../lib/report/comparison/formats.js';
import { REPORTERS } from '../lib/report/formats/index.js';
import { RUN_OPTIONS } from '../lib/run/options/index.js';
import { NO_RUN } from './option-tables.js';
import { cell, code } from './text.js';

const ROOT = new URL('../', import.meta.url);
/** What is stable, by area and name, with its type: it is generated once, and only grows. */
export const RECORD = 'docs/reference/stability.json';
/** Names that may change in a minor version. */
const EXPERIMENTAL =
  /^(?:pacing|trace|log|logRate|agentsReplaceLost|(?:run|ab|k8s) --(?:pacing|log|log-rate|agents-replace-lost)\b.*|k8s --.*)$/;

/** @typedef {Record<string, string>} Names by name, the type, or the value that stands for it */

/**
 * The areas of the public surface. Names of an area come from their owner in lib/.
 * @type {Record<string, { about: string, names: () => Names | Promise<Names> }>}
 */
const AREAS = {
  commands: { about: 'commands and their flags', names: flags },
  'run options': { about: 'options of programs, flows and the command', names: () => types(RUN_OPTIONS) },
  configuration: { about: 'keys of the configuration file', names: configuration },
  flows: { about: 'keys of a flow', names: () => typesOf(FLOW_PROPERTIES) },
  scenarios: { about: 'keys of a scenario', names: () => typesOf(SCENARIO_PROPERTIES) },
  operations: { about: 'properties of an operation', names: () => typesOf(PROPERTIES) },
  tokens: {
    about: 'tokens of texts in flows',
    names: () => named(TOKENS.map(({ name, usage = name }) => `#{${usage}}`)),
  },
  hooks: { about: 'hooks by name', names: () => named(HOOKS.map(({ name }) => name)) },
  formats: {
    about: 'formats of results and comparisons, with their extension',
    names: () => ({ ...extensions('result', REPORTERS), ...extensions('comparison', COMPARISON_FORMATS) }),
  },
  lists: { about: 'lists of bench-rest list', names: () => named(Object.keys(LISTINGS)) },
  'exit codes': {
    about: 'exit codes, by the reason in results',
    names: () => Object.fromEntries(Object.entries(EXIT_CODES).map(([name, row]) => [name, String(row.code)])),
  },
  'error kinds': { about: 'kinds by which failures of a run are counted', names: () => named(Object.keys(KINDS)) },
  'error codes': {
    about: 'codes of errors, with the kind by which they are counted',
    names: () => Object.fromEntries(Object.entries(ERRORS).map(([name, { kind = '' }]) => [name, kind])),
  },
  events: { about: 'events of a run', names: events },
  exports: { about: 'what the modules of the package export', names: exported },
};

/** @returns {Promise<Record<string, Names>>} the surface as it is, by area */
async function surface() {
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, { names }]) => /** @type {const} */ ([area, await names()])),
  );
  return Object.fromEntries(areas);
}

/**
 * The record with what is new.
 * @returns {Promise<{ text: string, broken: string[] }>} text: of the file; broken: entries that are gone, or have
 *   another type
 */
export async function stability() {
  const [now, recorded] = [await surface(), read()];
  const broken = brokenBy(now, recorded);
  const areas = Object.entries(now).map(([area, names]) => {
    const stable = Object.entries(names).filter(([name]) => !EXPERIMENTAL.test(name));
    const all = Object.entries({ ...Object.fromEntries(stable), ...recorded[area] });
    return [area, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))];
  });
  return { text: `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`, broken };
}

/**
 * @param {Record<string, Names>} now
 * @param {Record<string, Names>} recorded
 * @returns {string[]} a sentence for each entry that users could miss
 */
export function brokenBy(now, recorded) {
  return Object.entries(recorded).flatMap(([area, names]) =>
    Object.entries(names).flatMap(([name, type]) => {
      const own = now[area]?.[name];
      if (own === type) return [];
      const change = own === undefined ? 'is gone' : `is ${own || 'nothing'}, and was ${type || 'nothing'}`;
      return [`${area}: ${name} ${change}: a breaking change: 3.0. ${RECORD} has what is stable`];
    }),
  );
}

/** @returns {Record<string, Names>} */
function read() {
  const file = fileURLToPath(new URL(RECORD, ROOT));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** The names of every area, as sections of the page. @returns {Promise<string>} */
export async function stabilityTables() {
  const now = await surface();
  const sections = Object.entries(now).map(([area, names]) => {
    const all = Object.keys(names);
    const stable = all.filter((name) => !EXPERIMENTAL.test(name));
    const open = all.filter((name) => EXPERIMENTAL.test(name));
    const note = open.length > 0 ? `\n\nExperimental: ${open.map(code).join(', ')}` : '';
    return `### ${cell(area)}\n\n${cell(AREAS[area].about)}: ${stable.map(code).join(', ')}${note}\n`;
  });
  return sections.join('\n');
}

/** @type {(rows: { name: string, type: string }[]) => Names} */
function types(rows) {
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

/** @type {(properties: Record<string, { type: string }>) => Names} */
function typesOf(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type]));
}

/** @type {(names: string[]) => Names} */
function named(names) {
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** @type {(what: string, rows: { name: string, extension: string }[]) => Names} */
function extensions(what, rows) {
  return Object.fromEntries(rows.map(({ name, extension }) => [`${what} ${name}`, extension]));
}

/** @returns {Names} */
function flags() {
  const program = createProgram(NO_RUN);
  const commands = [program, ...program.commands].map((command) => {
    const name = command === program ? 'run' : command.name();
    const own = command.options.filter(({ hidden }) => !hidden);
    return [[name, ''], ...own.map(({ long, short, flags: text }) => [`${name} ${long ?? short}`, text])];
  });
  return Object.fromEntries(commands.flat());
}

/** @returns {Names} */
function configuration() {
  const rows = RUN_OPTIONS.filter(({ name, flag }) => flag || name === 'headers');
  return { ...types(rows), ...named(OWN_KEYS) };
}

/** The events that the types of programs have. @returns {Names} */
function events() {
  const source = readFileSync(new URL('lib/contracts/run.d.ts', ROOT), 'utf8');
  const [, body = ''] = /interface RunEvents \{\n([^]*?)\n\}/.exec(source) ?? [];
  const rows = body.matchAll(/^  (\w+): (\[[^]*?\]);$/gm);
  return Object.fromEntries([...rows].map(([, name, type]) => [name, type.replace(/\s+/g, ' ')]));
}

/** @returns {Promise<Names>} */
async function exported() {
  const { exports: modules } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const names = Object.entries(modules).map(async ([path, entry]) => {
    const name = path.replace('.', 'bench-rest');
    if (typeof entry === 'string') return [[name, '']];
    const module = await import(new URL(entry.default, ROOT).href);
    return [[name, ''], ...Object.keys(module).map((key) => [`${name} ${key}`, typeof module[key]])];
  });
  return Object.fromEntries((await Promise.all(names)).flat());
}
