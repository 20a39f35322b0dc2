import { Help } from 'commander';

import { BODIES } from '../../core/flow/bodies/index.js';
import { CAPTURES } from '../../core/flow/captures/index.js';
import { CHECKS } from '../../core/flow/checks/index.js';
import { COMPARISONS } from '../../core/flow/comparisons.js';
import { FEEDERS } from '../../core/flow/data/index.js';
import { METHOD_OF } from '../../core/flow/properties.js';
import { PROTOCOLS } from '../../core/flow/protocols/index.js';
import { DIALECTS } from '../../core/flow/source/dialects/index.js';
import { FORMATS } from '../../core/flow/source/formats/index.js';
import { TOKENS } from '../../core/flow/tokens/index.js';
import { ERRORS, KINDS } from '../../core/ground/errors.js';
import { ascendingExitCodes } from '../../core/ground/exit-codes.js';
import { HOOKS } from '../../core/hooks/index.js';
import { REPORTERS } from '../../core/report/formats/index.js';
import { DISPLAYS } from '../../core/report/live/index.js';
import { SCHEDULES } from '../../core/schedule/index.js';
import { TRANSPORTS } from '../../core/transport/index.js';
import { COMMANDS } from '../../core/cli/commands/index.js';
import { SPELLINGS } from '../../core/cli/program.js';
import { unknownName } from '../../core/cli/usage-error.js';

/** @typedef {{ about: string, rows: () => { name: string, about: string }[] }} Listing */

/** The lists of `bench-rest list`: the tables of all extension points. @type {Record<string, Listing>} */
export const LISTINGS = {
  commands: { about: 'commands of bench-rest', rows: () => COMMANDS },
  hooks: { about: 'built-in hooks, by name in beforeHooks and afterHooks', rows: () => HOOKS },
  tokens: {
    about: 'tokens that are replaced in URLs, headers and bodies',
    rows: () => TOKENS.map(({ name, usage = name, about }) => ({ name: `#{${usage}}`, about })),
  },
  feeders: { about: 'what rows of data can be read from', rows: () => FEEDERS.map(withExtensions) },
  'flow-formats': { about: 'formats of flows', rows: () => FORMATS.map(withExtensions) },
  dialects: {
    about: 'documents of other tools that are recognized in JSON and YAML files',
    rows: () => DIALECTS,
  },
  protocols: { about: 'protocols of operations, each with its properties', rows: protocolRows },
  bodies: { about: 'properties of an operation that hold its body', rows: () => BODIES },
  checks: { about: 'properties of expect: what the response of an operation must be', rows: () => CHECKS },
  captures: { about: 'properties of a capture: where the value is in the response', rows: () => CAPTURES },
  comparisons: { about: 'ways to compare a value in expect', rows: () => COMPARISONS },
  'load-profiles': { about: 'load profiles, selected by run options', rows: () => SCHEDULES },
  'http-clients': { about: 'HTTP clients for --http-client', rows: () => TRANSPORTS },
  formats: {
    about: 'output formats for --format, and for -o by extension',
    rows: () => REPORTERS.map(({ extension, ...row }) => withExtensions({ ...row, extensions: [extension] })),
  },
  displays: { about: 'displays of a run in progress', rows: () => DISPLAYS },
  'error-codes': {
    about: 'error codes and their messages',
    rows: () =>
      Object.entries(ERRORS).map(([name, { message, cure }]) => ({
        name,
        about: [message, cure]
          .filter(Boolean)
          .join('; ')
          .replace(/\{\w+\}/g, '…'),
      })),
  },
  synonyms: { about: 'names that mean the same as another one, and the one that the documents use', rows: synonymRows },
  'error-kinds': {
    about: 'kinds of failures during a run, by which errors are grouped',
    rows: () => Object.entries(KINDS).map(([name, { about }]) => ({ name, about })),
  },
  'exit-codes': {
    about: 'exit codes of the command',
    rows: () => ascendingExitCodes().map(({ code, about }) => ({ name: String(code), about })),
  },
};

/**
 * Formats a list, a key of {@link LISTINGS}; undefined: all keys. Without the `width` of a terminal, a row is one
 * line.
 * @throws {Error} E_USAGE
 * @type {(what: string | undefined, options?: { width?: number }) => string}
 */
export function listText(what, { width = Infinity } = {}) {
  if (what === undefined) {
    const rows = Object.entries(LISTINGS).map(([name, { about }]) => ({ name, about }));
    return `${linesOf(rows, width)}\nbench-rest list <what> prints one of these.\n`;
  }
  if (!Object.hasOwn(LISTINGS, what)) throw unknownName('list', what, Object.keys(LISTINGS));
  return linesOf(LISTINGS[what].rows(), width);
}

/** @type {(row: { name: string, about: string, extensions: string[] }) => { name: string, about: string }} */
function withExtensions({ name, about, extensions }) {
  return { name, about: extensions.length > 0 ? `${about} (${extensions.join(' ')})` : about };
}

/** @type {(rows: { name: string, about: string }[], width: number) => string} */
function linesOf(rows, width) {
  const help = new Help();
  help.helpWidth = width;
  const column = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, about }) => `${help.formatItem(name, column, about, help)}\n`).join('');
}

/** Our own names that mean the same as another one: those of bench-rest 1, of the request library, and short forms. */
const DOUBLES = {
  '--json': '--format json',
  '--format object': 'the output of bench-rest 1: --format text is its successor',
  '--latency': 'the percentiles of --full alone',
  '--ipv4': '--family 4',
  '--ipv6': '--family 6',
  '--no-color': '--color never',
  uri: 'url',
  strictSSL: 'rejectUnauthorized',
  'auth.username': 'auth.user',
  'auth.password': 'auth.pass',
};

/** Those of HTTP, of which most have lists of their own, are in the reference. */
function protocolRows() {
  return PROTOCOLS.flatMap(({ name, key, about, properties }) => [
    { name: key ?? name, about },
    ...Object.entries(key === null ? {} : properties).flatMap(([property, row]) =>
      property === key ? [] : [{ name: `${key} ${property}`, about: row.about }],
    ),
  ]);
}

function synonymRows() {
  const methods = Object.entries(METHOD_OF).filter(([name, method]) => name !== method.toLowerCase());
  return [
    ...Object.entries(SPELLINGS).map(([name, ours]) => ({ name: `--${name}`, about: `--${ours}` })),
    ...Object.entries(DOUBLES).map(([name, about]) => ({ name, about })),
    ...methods.map(([name, method]) => ({ name, about: method.toLowerCase() })),
  ];
}
