import { draftOfCommands } from '../curl/index.js';
import { asCommand } from './as-command.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { ShellCommand } from '../curl/shell.js' */

/** @type {Supported[]} */
export const supported = [
  { part: '`Invoke-WebRequest -Uri -Method -Headers -Body -ContentType -UserAgent`', becomes: 'an operation' },
  { part: '`$session.UserAgent`, `$session.Cookies.Add(…)`', becomes: '`headers`' },
  { part: 'other parameters, and variables', becomes: null },
];

/** A text in quotes, a variable, a character by its number, a table, or another word. */
const WORD = /"(?:`[^]|""|[^"`])*"|'(?:''|[^'])*'|@\{[^]*?\n?\s*\}|\(\[[^]*?\)\)|[^\s`]+/y;
/** What a backtick and a letter stand for. @type {Record<string, string>} */
const ESCAPES = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', f: '\f', v: '\v', a: '\u0007' };
/** Parameters without an effect on what is sent. */
const QUIET = new Set([
  'usebasicparsing',
  'websession',
  'sessionvariable',
  'outfile',
  'passthru',
  'maximumredirection',
]);
/** A variable in a text or in a table; the session is one by itself. */
const VARIABLE = /"[^]*(?<!`)\$(?!\(\[char\]\d+\))[\w({]/;
const CURE = 'copy it again: "Copy as PowerShell" in the developer tools of the browser';

/**
 * Reads requests that a browser has copied for PowerShell; nothing is run.
 * @throws {Error} E_FLOW_FILE if none can be sent
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  /** The fields of the session so far. @type {Map<string, string>} */
  const session = new Map();
  const commands = statementsIn(text).flatMap((statement) => {
    const found = /^(?:\$\w+\s*=\s*)?Invoke-(?:WebRequest|RestMethod)\b/i.exec(statement);
    if (found !== null) return [commandOf(wordsIn(statement.slice(found[0].length)), session)];
    addToSession(statement, session);
    return [];
  });
  return draftOfCommands(commands, options, { noun: 'request of PowerShell', cure: CURE });
}

/** Lines that a backtick continues, or a text or a table that is open, are one. @type {(text: string) => string[]} */
function statementsIn(text) {
  const lines = /(?:`[^]|"(?:`[^]|""|[^"`])*"|'(?:''|[^'])*'|@\{(?:"(?:`[^]|""|[^"`])*"|[^}"])*\}|[^\n])+/g;
  return [...text.replaceAll('\r\n', '\n').matchAll(lines)].map(([line]) => line.trim());
}

/** @type {(text: string) => string[]} */
function wordsIn(text) {
  const words = [];
  const bare = text.replace(/`\n/g, '  ');
  WORD.lastIndex = 0;
  for (let at = 0; at < bare.length; at = WORD.lastIndex) {
    while (/[\s`]/.test(bare[at] ?? '')) at++;
    WORD.lastIndex = at;
    const [word] = WORD.exec(bare) ?? [];
    if (word === undefined) break;
    words.push(word);
  }
  return words;
}

/** @type {(words: string[], session: Map<string, string>) => ShellCommand} */
function commandOf(words, session) {
  const problems = [];
  const headers = new Map(session);
  /** @type {Record<string, string>} */
  const given = {};
  for (let i = 0; i < words.length; i++) {
    const name = words[i].replace(/^-/, '').toLowerCase();
    if (!words[i].startsWith('-')) problems.push(`${words[i].slice(0, 40)} is not read`);
    else if (name === 'usebasicparsing') continue;
    else if (QUIET.has(name)) i++;
    else if (name === 'headers') for (const [field, value] of tableIn(words[++i] ?? '')) headers.set(field, value);
    else given[name] = textOf(words[++i] ?? '');
  }
  if (words.some((word) => VARIABLE.test(word))) problems.push('it has a variable');
  const { uri = '', method, body, contenttype, useragent, ...others } = given;
  if (uri === '') problems.push('it has no -Uri');
  problems.push(...Object.keys(others).map((name) => `-${name} has no equivalent`));
  if (contenttype !== undefined) headers.set('Content-Type', contenttype);
  if (useragent !== undefined) headers.set('User-Agent', useragent);
  // HTTP/2 has these, which a browser shows as headers.
  const fields = [...headers].filter(([name]) => !/^:|^(?:authority|method|path|scheme)$/i.test(name));
  return { ...asCommand({ url: uri, method, headers: fields, body }), problems };
}

/** @type {(statement: string, session: Map<string, string>) => void} */
function addToSession(statement, session) {
  const [, agent] = /^\$\w+\.UserAgent\s*=\s*("[^]*")$/i.exec(statement) ?? [];
  if (agent !== undefined) session.set('User-Agent', textOf(agent));
  const [, name, value] = /\.Cookies\.Add\([^"]*("(?:`[^]|[^"`])*"),\s*("(?:`[^]|[^"`])*")/i.exec(statement) ?? [];
  if (name === undefined) return;
  const pair = `${textOf(name)}=${textOf(value)}`;
  session.set('Cookie', session.has('Cookie') ? `${session.get('Cookie')}; ${pair}` : pair);
}

/** The rows of a table: `@{ "accept"="…" }`. @type {(word: string) => [name: string, value: string][]} */
function tableIn(word) {
  const rows = word.matchAll(/("(?:`[^]|""|[^"`])*"|[\w-]+)\s*=\s*("(?:`[^]|""|[^"`])*"|'(?:''|[^'])*')/g);
  return Array.from(rows, ([, name, value]) => [textOf(name), textOf(value)]);
}

/** The value of a text, or of its bytes in UTF-8. @type {(word: string) => string} */
function textOf(word) {
  const [, bytes = word] = /GetBytes\(([^]*)\)\)$/.exec(word) ?? [];
  if (bytes.startsWith("'")) return bytes.slice(1, -1).replaceAll("''", "'");
  if (!bytes.startsWith('"')) return bytes;
  return bytes
    .slice(1, -1)
    .replace(/`([^])|""|\$\(\[char\](\d+)\)/g, (whole, letter, code) =>
      code === undefined ? (letter === undefined ? '"' : (ESCAPES[letter] ?? letter)) : String.fromCharCode(code),
    );
}
