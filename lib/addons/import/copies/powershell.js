import { draftOfCommands } from '../curl/index.js';
import { asCommand } from './as-command.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { ShellCommand } from '../curl/shell.js' */

/**
 * @typedef {object} Session of a browser, as a copy makes it
 * @property {string} [agent]
 * @property {{ pair: string, domain: string }[]} cookies
 */

/** @type {Supported[]} */
export const supported = [
  { part: '`Invoke-WebRequest -Uri -Method -Headers -Body -ContentType -UserAgent`', becomes: 'an operation' },
  {
    part: '`-WebSession $session`, with `$session.UserAgent` and `$session.Cookies.Add(…)`',
    becomes: '`headers`; a cookie goes to its domain alone',
  },
  { part: 'other parameters, variables and expressions', becomes: null },
];

const DOUBLE = '"(?:`[^]|""|[^"`])*"';
const SINGLE = "'(?:''|[^'])*'";
const TEXT = `(?:${DOUBLE}|${SINGLE})`;
/** A text, a table, bytes of a text, or another word. */
const WORD = new RegExp(`${TEXT}|@\\{(?:${TEXT}|[^"'}])*\\}|\\((?:${TEXT}|[^"'()]|\\([^"'()]*)*\\)*|[^\\s\`"';]+`, 'y');
/** A statement: a line, which a backtick, a text or a table continues. */
const STATEMENT = new RegExp(`(?:\`[^]|${TEXT}|@\\{(?:${TEXT}|[^"'}])*\\}|[^\\n;])+`, 'g');
const ROW = new RegExp(`\\s*(${TEXT}|[\\w-]+)\\s*=\\s*(${TEXT})\\s*;?`, 'y');
const BYTES = new RegExp(`^\\(\\[System\\.Text\\.Encoding\\]::UTF8\\.GetBytes\\((${DOUBLE})\\)\\)$`);
const NEW_SESSION = /^\$(\w+)\s*=\s*New-Object\s+[\w.]*WebRequestSession\s*$/i;
const AGENT = new RegExp(`^\\$(\\w+)\\.UserAgent\\s*=\\s*(${TEXT})$`, 'i');
const COOKIE = new RegExp(
  `^\\$(\\w+)\\.Cookies\\.Add\\(\\(New-Object [\\w.]*Cookie\\((${TEXT}),\\s*(${TEXT}),\\s*${TEXT},\\s*(${TEXT})\\)\\)\\)$`,
  'i',
);
const REQUEST = /^(?:\$\w+\s*=\s*)?Invoke-(?:WebRequest|RestMethod)\b/i;
/** What a backtick and a letter stand for. @type {Record<string, string>} */
const ESCAPES = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', f: '\f', v: '\v', a: '\u0007' };
/** Parameters without a value, and those without an effect on what is sent. */
const SWITCHES = new Set(['usebasicparsing', 'passthru']);
const QUIET = new Set(['sessionvariable', 'outfile', 'maximumredirection']);
const CURE = 'copy it again: "Copy as PowerShell" in the developer tools of the browser';

/**
 * Reads requests that a browser has copied for PowerShell; nothing is run.
 * @throws {Error} E_FLOW_FILE if none can be sent
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  /** @type {Map<string, Session>} */
  const sessions = new Map();
  const statements = Array.from(text.replaceAll('\r\n', '\n').matchAll(STATEMENT), ([line]) => line.trim());
  const commands = statements.flatMap((statement) => {
    const [request] = REQUEST.exec(statement) ?? [];
    if (request !== undefined) return [commandOf(statement.slice(request.length), sessions)];
    addToSession(statement, sessions);
    return [];
  });
  return draftOfCommands(commands, options, { noun: 'PowerShell request', label: 'Invoke-WebRequest', cure: CURE });
}

/** @type {(statement: string, sessions: Map<string, Session>) => void} */
function addToSession(statement, sessions) {
  const [, made] = NEW_SESSION.exec(statement) ?? [];
  if (made !== undefined) sessions.set(made, { cookies: [] });
  const [, ofAgent = '', agent] = AGENT.exec(statement) ?? [];
  const session = sessions.get(ofAgent);
  if (agent !== undefined && session !== undefined) session.agent = textOf(agent) ?? undefined;
  const [, ofCookie = '', ...cookie] = COOKIE.exec(statement) ?? [];
  const [name, value, domain] = cookie.map((one) => textOf(one));
  if (typeof name === 'string' && typeof domain === 'string')
    sessions.get(ofCookie)?.cookies.push({ pair: `${name}=${value}`, domain: domain.replace(/^\./, '').toLowerCase() });
}

/** The last word may lack its end. @type {(text: string) => string[]} */
function wordsIn(text) {
  const words = [];
  const bare = text.replace(/`\n/g, '  ');
  for (let at = 0; at < bare.length; at = WORD.lastIndex) {
    while (/[\s`]/.test(bare[at] ?? '')) at++;
    WORD.lastIndex = at;
    const [word = bare.slice(at)] = WORD.exec(bare) ?? [];
    if (word === '') break;
    words.push(word);
    if (WORD.lastIndex === 0) break;
  }
  return words;
}

/** A continued line has another one after it, and what is opened is closed. */
const CUT_OFF = /^`$|^"(?:`[^]|""|[^"`])*`?$|^'(?:''|[^'])*$|^(?:@\{[^]*[^}]|\([^]*[^)]|@\{|\()$/;

/** @type {(text: string, sessions: Map<string, Session>) => ShellCommand} */
function commandOf(text, sessions) {
  const words = wordsIn(text);
  const isCutOff = /`$/.test(text) || words.some((word) => CUT_OFF.test(word));
  const problems = isCutOff ? ['it is cut off'] : [];
  /** @type {string[]} */
  const notes = [];
  /** @type {Map<string, string>} */
  const headers = new Map();
  /** @type {Record<string, string>} */
  const given = {};
  /** @type {Session | undefined} */
  let session;
  let i = 0;
  const next = () => words[++i] ?? '$';
  for (; i < words.length; i++) {
    const name = words[i].replace(/^-/, '').toLowerCase();
    if (!/^-[a-z]/i.test(words[i])) problems.push('a word of it is not read');
    else if (SWITCHES.has(name)) continue;
    else if (QUIET.has(name)) i++;
    else if (name === 'websession') session = sessionOf(next(), sessions, notes);
    else if (name === 'headers') addRows(next(), headers, problems);
    else {
      const value = textOf(next());
      if (value === null) problems.push(`-${name} is an expression`);
      else given[name] = value;
    }
  }
  const { uri = '', method, body, contenttype, useragent, ...others } = given;
  if (!/^https?:\/\//i.test(uri)) problems.push('it has no -Uri that is a URL');
  problems.push(...Object.keys(others).map((name) => `-${name} has no equivalent`));
  const fields = fieldsOf(headers, { contenttype, useragent, uri, session });
  return { ...asCommand({ url: uri, method, headers: fields, body, notes }), problems };
}

/** @type {(word: string, sessions: Map<string, Session>, notes: string[]) => Session | undefined} */
function sessionOf(word, sessions, notes) {
  const session = sessions.get(word.replace(/^\$/, ''));
  if (session === undefined) notes.push(`${word} is not in the copy: its cookies and User-Agent are left out`);
  return session;
}

/**
 * @type {(headers: Map<string, string>, given: { contenttype?: string, useragent?: string, uri: string,
 *   session?: Session }) => [name: string, value: string][]}
 */
function fieldsOf(headers, { contenttype, useragent, uri, session }) {
  const set = (/** @type {string} */ name, /** @type {string | undefined} */ value) => {
    if (value === undefined || value === '') return;
    for (const known of headers.keys()) if (known.toLowerCase() === name.toLowerCase()) headers.delete(known);
    headers.set(name, value);
  };
  set('Content-Type', contenttype);
  set('User-Agent', useragent ?? session?.agent);
  set('Cookie', cookiesFor(uri, session));
  // HTTP/2 has these, which a browser shows as headers.
  return [...headers].filter(([name]) => !/^:|^(?:authority|method|path|scheme)$/i.test(name));
}

/** The cookies of a session for the host of a URL. @type {(url: string, session?: Session) => string | undefined} */
function cookiesFor(url, session) {
  if (session === undefined || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const pairs = session.cookies.filter(({ domain }) => hostname === domain || hostname.endsWith(`.${domain}`));
  return pairs.map(({ pair }) => pair).join('; ');
}

/** @type {(word: string, headers: Map<string, string>, problems: string[]) => void} */
function addRows(word, headers, problems) {
  const table = word.slice(2, -1).trimEnd();
  if (!word.startsWith('@{')) return void problems.push('-headers is an expression');
  ROW.lastIndex = 0;
  for (let at = 0; at < table.length; at = ROW.lastIndex) {
    const [, name, value] = ROW.exec(table) ?? [];
    const [field, text] = [textOf(name ?? '$'), textOf(value ?? '$')];
    if (field === null || text === null) return void problems.push('-headers has an expression');
    headers.set(field, text);
  }
}

/** Reads a text, its bytes or a bare word; null: it is an expression. @type {(word: string) => string | null} */
function textOf(word) {
  const [, text = word] = BYTES.exec(word) ?? [];
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return /[$@()[\]{}]/.test(text) ? null : text;
  let isExpression = false;
  const value = text.slice(1, -1).replace(/`([^])|""|\$\(\[char\](\d+)\)|\$(?=[\w({?$^:])/g, (whole, letter, code) => {
    if (letter !== undefined) return ESCAPES[letter] ?? letter;
    if (code !== undefined) return String.fromCharCode(code);
    isExpression ||= whole === '$';
    return '"';
  });
  return isExpression ? null : value;
}
