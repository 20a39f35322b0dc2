import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { CAPACITY_HEAD } from '../lib/addons/capacity/head.js';
import { OWN_KEYS } from '../lib/core/cli/config.js';
import { LISTINGS } from '../lib/addons/lists/list-text.js';
import { SPELLINGS } from '../lib/core/cli/program.js';
import { createProgram } from '../lib/core/cli/options.js';
import { AUTH_MEMBERS } from '../lib/core/flow/auth.js';
import { CAPTURES } from '../lib/core/flow/captures/index.js';
import { EXPECTATION_MEMBERS } from '../lib/core/flow/checks/index.js';
import { COMPARISONS } from '../lib/core/flow/comparisons.js';
import { DEFINITION } from '../lib/core/flow/data/open-feeders.js';
import { FLOW_PROPERTIES } from '../lib/core/flow/normalize.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../lib/core/flow/scenarios.js';
import { OLD_OPTIONS } from '../lib/core/flow/settle-operation.js';
import { PROTOCOLS } from '../lib/core/flow/protocols/index.js';
import { FORMATS } from '../lib/core/flow/source/formats/index.js';
import { TOKENS } from '../lib/core/flow/tokens/index.js';
import { END_REASONS } from '../lib/core/ground/end-reasons.js';
import { ERRORS } from '../lib/core/ground/errors.js';
import { EXIT_CODES } from '../lib/core/ground/exit-codes.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { BASELINE_CODES } from '../lib/addons/compare/measure/compare.js';
import { COMPARED_FIGURES } from '../lib/addons/compare/measure/compared-figures.js';
import { HISTORY_CODES, UNTESTED_CODES } from '../lib/addons/compare/measure/comparison-method.js';
import { COMPARISON_HEAD } from '../lib/addons/compare/measure/head.js';
import { CONFIDENCE_CODES } from '../lib/core/measure/confidence.js';
import { POINT, RUN_HEAD } from '../lib/core/measure/document.js';
import { HISTORY_HEAD, HISTORY_NOTES, LEFT_OUT_CODES } from '../lib/addons/history/measure/history.js';
import { LOSSES } from '../lib/core/measure/load-generators.js';
import { FIGURES } from '../lib/core/measure/figures.js';
import { OFFERED, THRESHOLD_FIGURES } from '../lib/core/measure/threshold-figures.js';
import { REASON_CODES } from '../lib/core/measure/validity.js';
import { WARNING_CODES } from '../lib/addons/compare/report/objections.js';
import { CAPACITY_FORMATS } from '../lib/addons/capacity/formats.js';
import { COMPARISON_FORMATS } from '../lib/addons/compare/formats.js';
import { HISTORY_FORMATS } from '../lib/addons/history/formats.js';
import { CSV_COLUMNS } from '../lib/addons/formats/csv.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { JUNIT_PROPERTIES } from '../lib/addons/formats/junit.js';
import { METRICS } from '../lib/addons/export/metrics.js';
import { LOG_COLUMNS } from '../lib/addons/log/log-format.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { oppositeFlag } from '../lib/core/run/options/row.js';
import { QUEUE_PASSWORD, QUEUE_USER } from '../lib/addons/agents/queue.js';
import { QUEUE_SECRET, QUEUE_SECRET_FILE } from '../lib/addons/agents/seal.js';
import { publicTypes } from './declared-types.js';
import { ENTRIES, FILES } from './entries.js';
import { isMarked } from './experimental.js';
import { NO_RUN, usageOf } from './option-tables.js';

const ROOT = new URL('../', import.meta.url);
/** Units of numbers, with which the descriptions of schemas begin. */
const UNITS = ['ms', 'B', '/s', 'B/s', 'ratio', 'cores', '%'];
/** What add-ons of other packages use. */
const DOOR = 'lib/addon.js';
/** What the type of an experimental name begins with. */
export const EXPERIMENTAL = 'experimental';
/** Commands that have the flags of a run. */
const RUNS = ['ab', 'capacity', 'k8s'];
/** Variables that other programs read, too, by the file that reads them. @type {Record<string, string[]>} */
const COMMON_VARIABLES = {
  'lib/core/cli/output.js': ['FORCE_COLOR', 'NO_COLOR', 'CLICOLOR_FORCE', 'CLICOLOR'],
  'lib/core/http/proxy.js': ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  'lib/core/cli/run/open-source.js': ['PORT'],
  'lib/core/run/options/shard.js': ['JOB_COMPLETION_INDEX'],
};
const OPPOSITES = RUN_OPTIONS.flatMap((row) => oppositeFlag(row) ?? []);

/**
 * What users of bench-rest can name, by area: each area asks the owner of its names in lib/.
 *
 * @typedef {Record<string, string>} Names by name, the type and the default, or the value that
 *   stands for it; they begin with `experimental` if the name is
 *
 * @typedef {object} Area
 * @property {string} about
 * @property {() => Names | Promise<Names>} names
 * @property {boolean} [isRead] bench-rest reads what users write: a type may get further alternatives
 * @property {boolean} [isExperimental] all of its names are
 * @property {boolean} [isOfPackage] the package has them, with all add-ons
 */

/** @type {Record<string, Area>} */
export const AREAS = {
  commands: {
    about:
      'commands and their flags; ab, capacity and k8s have those of a run, too, and each flag of a run without a value has the opposite --no-NAME',
    names: flags,
    isRead: true,
  },
  spellings: { about: 'flags that mean the same as another one', names: spellings },
  'run options': { about: 'options of programs, flows and the command', names: () => types(RUN_OPTIONS), isRead: true },
  configuration: {
    about: 'keys of the configuration file beside the run options that have a flag',
    names: () => named(OWN_KEYS),
    isRead: true,
  },
  environment: { about: 'variables of the environment', names: environment },
  flows: { about: 'keys of a flow', names: () => typesOf(FLOW_PROPERTIES), isRead: true },
  scenarios: { about: 'keys of a scenario', names: () => typesOf(SCENARIO_PROPERTIES), isRead: true },
  operations: {
    about: 'properties of an operation',
    names: () => typesOf({ ...PROPERTIES, ...OLD_OPTIONS.properties }),
    isRead: true,
  },
  authentication: { about: 'properties of auth', names: () => typesOf(AUTH_MEMBERS), isRead: true },
  checks: { about: 'properties of expect', names: () => types(EXPECTATION_MEMBERS), isRead: true },
  comparisons: { about: 'comparisons in expect', names: () => types(COMPARISONS), isRead: true },
  captures: { about: 'properties of a capture', names: () => types(CAPTURES), isRead: true },
  data: { about: 'properties of a feeder', names: () => typesOf(DEFINITION), isRead: true },
  tokens: {
    about: 'tokens of texts in flows',
    names: () => named(TOKENS.map(({ name, usage = name }) => `#{${usage}}`)),
  },
  hooks: { about: 'hooks by name', names: () => named(HOOKS.map(({ name }) => name)) },
  'flow formats': { about: 'extensions of flow files', names: () => named(FORMATS.flatMap((one) => one.extensions)) },
  thresholds: {
    about: 'figures of thresholds, with their unit; every number of a result is one by its path, too',
    names: thresholds,
  },
  regressions: {
    about: 'figures of --max-regression and --noise, with their unit',
    names: () => Object.fromEntries(COMPARED_FIGURES.map(({ figure, unit }) => [figure, unit])),
  },
  result: { about: 'keys of a result, with type and unit', names: () => pathsOf(schemaAt('result')) },
  comparison: {
    about: 'keys of a comparison, with type and unit, beside those that a result has, too',
    names: comparisonKeys,
  },
  capacity: {
    isExperimental: true,
    about: 'keys of a capacity, with their type',
    names: () => pathsOf(schemaAt('capacity')),
  },
  history: {
    isExperimental: true,
    about: 'keys of a history, with their type',
    names: () => pathsOf(schemaAt('history')),
  },
  'history codes': {
    isExperimental: true,
    about: 'codes of files that a history leaves out, and of its notes',
    names: () => named([...LEFT_OUT_CODES, ...HISTORY_NOTES]),
  },
  documents: { about: 'documents by their type, and lines of NDJSON, with their schema', names: documents },
  'columns of CSV': { about: 'columns of CSV files, each with its place', names: () => columns(CSV_COLUMNS) },
  'properties of JUnit': {
    about: 'properties of JUnit files, beside the metrics of hooks',
    names: () => named([...JUNIT_PROPERTIES]),
  },
  metrics: {
    isExperimental: true,
    about: 'metrics of exporters, with their kind and unit',
    names: () => Object.fromEntries(METRICS.map(({ name, kind, unit }) => [name, `${kind}; ${unit}`])),
  },
  'warning codes': {
    isExperimental: true,
    about: 'codes of warnings of comparisons and baselines, and of why a change was not tested',
    names: () => named([...WARNING_CODES, ...HISTORY_CODES, ...BASELINE_CODES, ...UNTESTED_CODES]),
  },
  'confidence codes': {
    isExperimental: true,
    about: 'codes of reasons why a figure has no confidence interval',
    names: () => named(CONFIDENCE_CODES),
  },
  'end reasons': {
    isExperimental: true,
    about: 'codes of why a run ended',
    names: () => named(Object.keys(END_REASONS)),
  },
  'loss codes': {
    isExperimental: true,
    about: 'codes of why a load generator was lost',
    names: () => named(Object.keys(LOSSES)),
  },
  protocols: { about: 'protocols of operations', names: () => named(PROTOCOLS.map(({ name }) => name)) },
  'reason codes': { isExperimental: true, about: 'codes of reasons in validity', names: () => named(REASON_CODES) },
  formats: {
    about: 'formats of results, comparisons, capacities and histories, with their extension',
    names: () => ({
      ...extensions('result', REPORTERS),
      ...extensions('comparison', COMPARISON_FORMATS),
      ...experimental(extensions('capacity', CAPACITY_FORMATS)),
      ...experimental(extensions('history', HISTORY_FORMATS)),
    }),
  },
  'request log': {
    isExperimental: true,
    about: 'columns of the log of requests',
    names: () => columns(LOG_COLUMNS.map(({ name }) => name)),
  },
  lists: { isExperimental: true, about: 'lists of bench-rest list', names: () => named(Object.keys(LISTINGS)) },
  'exit codes': {
    about: 'exit codes, by the reason in results',
    names: () => Object.fromEntries(Object.entries(EXIT_CODES).map(([name, row]) => [name, String(row.code)])),
  },
  'error codes': {
    about: 'codes of errors that programs and the command end with; failures of a run are counted by kind',
    names: errorCodes,
  },
  exports: { isOfPackage: true, about: 'what the modules of the package export', names: exported },
  types: {
    isOfPackage: true,
    about: 'types of programs with their members: events, hooks, settings, signatures of functions',
    names: declaredTypes,
  },
  action: { about: 'inputs and outputs of the GitHub action, with the default of an input', names: action },
};

/** @returns {Promise<Record<string, Names>>} the surface as it is, by area */
export async function surface() {
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, { names }]) => /** @type {const} */ ([area, await names()])),
  );
  return Object.fromEntries(areas);
}

/** @type {(row: { type: string, isExperimental?: boolean, isRequired?: boolean, repeatable?: boolean, default?: unknown, commandDefault?: unknown }) => string} */
function typeOf({ type, isExperimental, isRequired, repeatable, default: value, commandDefault }) {
  const facts = [
    isRequired && 'required',
    repeatable && 'repeatable',
    value !== undefined && `default ${JSON.stringify(value)}`,
    commandDefault !== undefined && `default of the command ${JSON.stringify(commandDefault)}`,
  ];
  const text = [type, ...facts.filter(Boolean)].join('; ');
  return isExperimental ? experimentally(text) : text;
}

/** @type {(rows: { name: string, type: string }[]) => Names} */
function types(rows) {
  return Object.fromEntries(rows.map((row) => [row.name, typeOf(row)]));
}

/** @type {(properties: Record<string, { type?: string }>) => Names} */
function typesOf(properties) {
  return types(Object.entries(properties).map(([name, row]) => ({ type: '', ...row, name })));
}

/** @type {(names: string[]) => Names} */
function named(names) {
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Programs such as cut read columns by their place. @type {(names: string[]) => Names} */
function columns(names) {
  return Object.fromEntries(names.map((name, i) => [name, String(i + 1)]));
}

/** @type {(what: string, rows: { name: string, extension: string }[]) => Names} */
function extensions(what, rows) {
  const isOpen = (/** @type {string} */ name) => REPORTERS.find((row) => row.name === name)?.isExperimental;
  return Object.fromEntries(
    rows.map(({ name, extension }) => [`${what} ${name}`, isOpen(name) ? experimentally(extension) : extension]),
  );
}

/** Flags as they are written; the word for a value is free. @returns {Names} */
function flags() {
  const program = createProgram(NO_RUN);
  const ofRun = program.options.map(({ long }) => long);
  const commands = [program, ...program.commands].map((command) => {
    const name = command === program ? 'run' : command.name();
    const isOwn = (/** @type {import('commander').Option} */ { hidden, long = '' }) =>
      !hidden && !OPPOSITES.includes(long) && !(RUNS.includes(name) && ofRun.includes(long));
    const isOpen = saysExperimental(command.description());
    const rows = [
      [name, usageOf(command).replace(/[A-Z]+/g, 'NAME')],
      ...command.options
        .filter(isOwn)
        .map((option) => [
          `${name} ${option.long ?? option.short}`,
          saysExperimental(option.description) ? experimentally(flagText(option)) : flagText(option),
        ]),
    ];
    return Object.entries(isOpen ? experimental(Object.fromEntries(rows)) : Object.fromEntries(rows));
  });
  return Object.fromEntries(commands.flat());
}

/** As help says it. @type {(about: string) => boolean} */
function saysExperimental(about) {
  return about.includes('(experimental)');
}

/** @type {(type: string) => string} */
function experimentally(type) {
  return isExperimental(type) ? type : [EXPERIMENTAL, type].filter(Boolean).join('; ');
}

/** @type {(names: Names) => Names} */
function experimental(names) {
  return Object.fromEntries(Object.entries(names).map(([name, type]) => [name, experimentally(type)]));
}

/** Reports whether a name of this type may change. @type {(type: string) => boolean} */
export function isExperimental(type) {
  return type.split('; ')[0] === EXPERIMENTAL;
}

/** @type {(option: import('commander').Option) => string} */
function flagText({ flags: text, defaultValue }) {
  const plain = text.replace(/<.*>/, '<value>').replace(/\[.*\]/, '[value]');
  return defaultValue === undefined ? plain : `${plain}; default ${JSON.stringify(defaultValue)}`;
}

/** @returns {Names} */
function spellings() {
  return Object.fromEntries(Object.entries(SPELLINGS).map(([there, ours]) => [`--${there}`, `--${ours}`]));
}

/** @returns {Names} */
function environment() {
  const options = RUN_OPTIONS.flatMap(({ name, env, isExperimental: isOpen }) =>
    env ? [[env, isOpen ? experimentally(name) : name]] : [],
  );
  const common = Object.entries(COMMON_VARIABLES).flatMap(([path, names]) => {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  });
  return {
    ...Object.fromEntries(options),
    ...named(common),
    // of agents, as BENCH_REST_QUEUE is
    ...experimental(named([QUEUE_USER, QUEUE_PASSWORD, QUEUE_SECRET, QUEUE_SECRET_FILE])),
  };
}

/** @returns {Names} */
function documents() {
  const heads = [RUN_HEAD, COMPARISON_HEAD, CAPACITY_HEAD, HISTORY_HEAD].map(({ type, $schema }) => [
    type,
    AREAS[type]?.isExperimental ? experimentally($schema) : $schema,
  ]);
  return { ...Object.fromEntries(heads), [POINT]: '' };
}

/** @returns {Promise<Names>} */
async function exported() {
  const declared = await declaredTypes();
  const modules = ENTRIES.map(async ({ name, source }) => {
    const module = await import(new URL(source, ROOT).href);
    const isOpen = (/** @type {string} */ key) =>
      isExperimental(declared[`${name} ${key}()`] ?? declared[`${key}()`] ?? '');
    const names = Object.keys(module).map((key) => [
      `${name} ${key}`,
      isOpen(key) ? experimentally(typeof module[key]) : typeof module[key],
    ]);
    const all = { [name]: '', ...Object.fromEntries(names) };
    return Object.entries((await isOfExperimental(source)) ? experimental(all) : all);
  });
  const files = FILES.map((file) => [
    file,
    AREAS[/([a-z]+)\.schema\.json$/.exec(file)?.[1] ?? '']?.isExperimental ? EXPERIMENTAL : '',
  ]);
  return { ...Object.fromEntries((await Promise.all(modules)).flat()), ...Object.fromEntries(files) };
}

/** Types of modules that belong to an experimental add-on are experimental. @returns {Promise<Names>} */
async function declaredTypes() {
  const open = await Promise.all(ENTRIES.map(({ source }) => isOfExperimental(source)));
  const modules = ENTRIES.filter((_, i) => open[i]).map(({ name }) => `${name} `);
  return Object.fromEntries(
    Object.entries(publicTypes()).map(([name, type]) => [
      name,
      modules.some((module) => name.startsWith(module)) ? experimentally(type) : type,
    ]),
  );
}

/** Reports whether a file is of an add-on that is experimental, or the door. @type {(path: string) => Promise<boolean>} */
async function isOfExperimental(path) {
  const [folder] = /^lib\/addons\/\w+\//.exec(path) ?? [];
  if (folder === undefined) return path === DOOR;
  return (await import(new URL(`${folder}addon.js`, ROOT).href)).default.isExperimental === true;
}

/** The figures of experimental keys of a result, and of add-ons, are experimental. @returns {Names} */
function thresholds() {
  const keys = pathsOf(schemaAt('result'));
  const rows = new Map(FIGURES.flatMap(({ path, short }) => (short ? [[short, path]] : [])));
  const figures = Object.entries(THRESHOLD_FIGURES).flatMap(([name, unit]) => {
    const stem = name.replace(/\.p95$/, '');
    const path = rows.get(stem) ?? OFFERED.find((one) => one.name === name)?.path.replace('.0.', '[].') ?? stem;
    if (keys[stem] !== undefined && !keys[stem].startsWith('object')) return [];
    return [[name, isExperimental(keys[path] ?? '') ? experimentally(unit) : unit]];
  });
  return Object.fromEntries(figures);
}

/** @returns {Names} */
function comparisonKeys() {
  const known = pathsOf(schemaAt('result'));
  return Object.fromEntries(
    Object.entries(pathsOf(schemaAt('comparison'))).filter(([name, type]) => known[name] !== type),
  );
}

/** Failures of a run may get finer codes, so their kind is what stays. @returns {Names} */
function errorCodes() {
  const codes = Object.entries(ERRORS).map(([name, { kind = '', isExperimental: isOpen = kind !== '' }]) => [
    name,
    isOpen ? experimentally(kind) : kind,
  ]);
  return Object.fromEntries(codes);
}

/** @returns {Names} */
function action() {
  const { inputs, outputs } = parse(readFileSync(new URL('action.yml', ROOT), 'utf8'));
  const rows = [
    ...Object.entries(inputs).map(([name, { default: value, required }]) => [
      `input ${name}`,
      required ? 'required' : `default ${JSON.stringify(value)}`,
    ]),
    ...Object.keys(outputs).map((name) => [`output ${name}`, '']),
  ];
  return Object.fromEntries(rows);
}

/** The schema of a document, which `npm run generate` writes first. @type {(name: string) => any} */
export function schemaAt(name) {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, ROOT), 'utf8'));
}

/**
 * The keys of a JSON Schema as paths: `operations[].name`, `metrics.NAME`, and each value of a choice.
 * @type {(schema: any) => Names}
 */
export function pathsOf(schema) {
  /** @type {[name: string, type: string][]} */
  const found = [];
  const { $defs = {} } = schema;
  walk(schema, '', { isRequired: true });
  for (const [name, definition] of Object.entries($defs)) walk(definition, name, { isRequired: true });
  return Object.fromEntries(found);

  /** @type {(one: any, path: string, facts: { isRequired?: boolean, isOpen?: boolean }) => void} */
  function walk(one, path, { isRequired = true, isOpen = isMarked(one) }) {
    const facts = [isOpen ? EXPERIMENTAL : '', shapeOf(one), isRequired ? '' : 'optional'];
    // the rows of a list have their keys as names
    if (path !== '' && !(path.endsWith('[]') && one.properties)) found.push([path, facts.filter(Boolean).join('; ')]);
    for (const value of one.enum ?? []) found.push([`${path} = ${value}`, isOpen ? EXPERIMENTAL : '']);
    for (const [name, within, isKnown] of partsOf(one, path))
      walk(within, name, { isRequired: isKnown, ...(isOpen && { isOpen }) });
  }
}

/**
 * The schemas in a schema, with their paths, and whether the key is required.
 * @type {(schema: any, path: string) => [path: string, schema: any, isRequired: boolean][]}
 */
function partsOf({ properties = {}, required = [], additionalProperties, items, anyOf = [] }, path) {
  const keys = Object.entries(properties);
  const options = anyOf.map((/** @type {any} */ option, /** @type {number} */ i) => [
    `${path} (${i + 1})`,
    option,
    true,
  ]);
  return [
    ...keys.map(
      ([key, one]) => /** @type {any} */ ([path === '' ? key : `${path}.${key}`, one, required.includes(key)]),
    ),
    ...(typeof additionalProperties === 'object' ? [[`${path}.NAME`, additionalProperties, true]] : []),
    ...(items ? [[`${path}[]`, items, true]] : []),
    ...options.filter(([, { $ref }]) => !$ref),
  ];
}

/** The type and the unit; texts that describe more are free. @type {(schema: any) => string} */
function shapeOf({ type = 'any', $ref, anyOf, const: value, description = '', ...rest }) {
  if (anyOf) return anyOf.map(shapeOf).join(' | ');
  if (value !== undefined) return JSON.stringify(value);
  const name = $ref?.replace('#/$defs/', '') ?? (rest.enum ? 'one of' : [type].flat().join(' | '));
  const [unit] = description.split('; ');
  return UNITS.includes(unit) ? `${name}, ${unit}` : name;
}
