import { pathInFlow } from '../draft.js';
import { fieldNameIn, rawBody } from '../postman/request.js';

/** @import { ImportOptions } from '../import.js' */
/** @import { Variables } from '../variables.js' */

/**
 * @typedef {object} HttpRequest
 * @property {string} id its name; of a request without one, its place
 * @property {string} name
 * @property {string} method
 * @property {string} url
 * @property {string[]} fields
 * @property {string[]} body
 * @property {string[]} before lines of the script in front of the request
 * @property {string[]} script lines of the response handler
 * @property {string[]} files that have further scripts
 * @property {Set<string>} settings
 */

const LINE = /^(?:([A-Za-z]+)\s+)?(\S.*?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const METHODS =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|LOCK|UNLOCK|PROPFIND|PROPPATCH|COPY|MOVE|MKCOL|MKCALENDAR|ACL|SEARCH|PURGE|REPORT)$/i;

/** A line that begins a request, wherever it is. */
const NEXT = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(?:https?:\/\/|\{\{)\S+(?:\s+HTTP\/[\d.]+)?\s*$/;
/** The first line of a response that people keep below its request. */
const RESPONSE = /^HTTP\/[\d.]+\s+\d{3}\b/;
/** Requests that are no plain HTTP. */
export const OTHER_KINDS = /^(?:WEBSOCKET|GRPC|RSOCKET)$/;
export const GRAPHQL = 'GRAPHQL';
/** Lines of JetBrains that send the requests of another file. */
export const DIRECTIVE = /^(?:import|run)\s+\S/;

/**
 * Reads the text between two separators: a request, or several if there should be more separators.
 * @type {(part: string, variables: Variables) => HttpRequest[]}
 */
export function readRequests(part, variables) {
  const [title, ...lines] = part.split('\n');
  // A row of signs is a line between chapters.
  let request = newRequest(/[\p{L}\d]/u.test(title) ? title.trim() : '');
  const requests = [request];
  /** The part of the request that has the next line: a key of READERS. */
  let state = 'start';
  let isScript = false;
  for (const line of lines) {
    // A script that runs before the request may be anywhere in it.
    if (isScript || (state !== 'script' && /^<\s*\{%/.test(line))) {
      request.before.push(codeOf(line));
      isScript = !/%\}\s*$/.test(line);
      continue;
    }
    if (['fields', 'body', 'response', 'script'].includes(state) && beginsRequest(line, request)) {
      request = newRequest('');
      requests.push(request);
      state = 'start';
    }
    state = READERS[state](line, request, variables);
  }
  for (const { body } of requests) endBody(body, variables);
  return requests.filter(({ url }) => url !== '');
}

/** A GET sends no URL as its body. @type {(line: string, last: HttpRequest) => boolean} */
function beginsRequest(line, last) {
  return NEXT.test(line) || (last.method === 'GET' && /^https?:\/\/\S+\s*$/.test(line));
}

/** @type {(name: string) => HttpRequest} */
function newRequest(name) {
  return {
    id: '',
    name,
    method: '',
    url: '',
    fields: [],
    body: [],
    before: [],
    script: [],
    files: [],
    settings: new Set(),
  };
}

/**
 * Functions that read a line, by the part of the request that has it; they return the part of the next line.
 * @type {Record<string, (line: string, request: HttpRequest, variables: Variables) => string>}
 */
const READERS = {
  start: readStart,
  fields(line, request) {
    if (line.trim() === '') return 'body';
    if (RESPONSE.test(line)) return 'response';
    if (/^\s+[?&/]/.test(line)) request.url += line.trim();
    else if (!/^(?:#|\/\/)/.test(line)) request.fields.push(line);
    return 'fields';
  },
  body(line, request, variables) {
    if (/^(?:>|<>)/.test(line)) return READERS.script(line, request, variables);
    if (RESPONSE.test(line)) return 'response';
    request.body.push(line);
    return 'body';
  },
  response: () => 'response',
  // The response handler; `<> file` and `>> file` keep the response.
  script(line, { script, files }) {
    const [, signs, file] = /^([<>]{1,2}!?)\s+(?!\{%)(\S.*)$/.exec(line) ?? [];
    if (signs === '>') files.push(file);
    else if (signs === undefined) script.push(codeOf(line));
    return 'script';
  },
};

/** Removes comments and variables, which are set, at the end. @type {(body: string[], variables: Variables) => void} */
function endBody(body, variables) {
  const isBelow = (/** @type {string} */ line) => /^\s*$|^(?:#|\/\/)/.test(line) || setVariable(line, variables);
  while (body.length > 0 && isBelow(body[body.length - 1])) body.pop();
}

/** Sets the variable of a line; false if it has none. @type {(line: string, variables: Variables) => boolean} */
function setVariable(line, variables) {
  const [, name, value = ''] = /^@([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (name !== undefined) variables.set(name, value);
  return name !== undefined;
}

/** Returns a line of a script without its brackets. @type {(line: string) => string} */
function codeOf(line) {
  return line.replace(/^[<>]\s*\{%|%\}\s*$/g, '');
}

/** @type {(line: string, request: HttpRequest, variables: Variables) => string} the next state */
function readStart(line, request, variables) {
  if (setVariable(line, variables) || line.trim() === '' || DIRECTIVE.test(line)) return 'start';
  if (/^<\s+\S/.test(line)) request.files.push(line.slice(1).trim());
  else if (/^(?:#|\/\/)/.test(line)) readSetting(line, request);
  else return readLine(line, request);
  return 'start';
}

/** @type {(line: string, request: HttpRequest) => string} */
function readLine(line, request) {
  const [, word = '', rest = ''] = LINE.exec(line.trim()) ?? [];
  const isMethod = METHODS.test(word) || OTHER_KINDS.test(word) || word === GRAPHQL;
  request.method = isMethod ? word.toUpperCase() : 'GET';
  request.url = isMethod || word === '' ? rest : `${word} ${rest}`;
  return 'fields';
}

/** @type {(line: string, request: HttpRequest) => void} */
function readSetting(line, request) {
  const [, setting, argument] = /^(?:#|\/\/)\s*@([\w-]+)\s*(.*?)\s*$/.exec(line) ?? [];
  if (setting === 'name' && argument !== '') request.name = argument;
  else if (setting !== undefined) request.settings.add(setting);
}

/** A body that is a file: `< ./a.json`, `<@latin1 ./a.txt`. */
const FILE = /^<(?:@\w*)?\s+(\S[^\n]*)$/;
const GRAPHQL_FIELD = 'x-request-type';

/**
 * Translates the lines of a body; removes fields of `headers` that it implies.
 * @type {(lines: string[], headers: Record<string, any>, context: { isGraphql: boolean, variables: Variables,
 *   options: ImportOptions }) => Record<string, any>}
 */
export function bodyOf(lines, headers, { isGraphql, variables, options }) {
  const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
  const [, file] = FILE.exec(text) ?? [];
  if (file !== undefined) return { body: { file: pathInFlow(file, options) } };
  const marked = fieldNameIn(headers, GRAPHQL_FIELD);
  if (isGraphql || (marked !== undefined && /^graphql$/i.test(headers[marked]))) {
    if (marked !== undefined) delete headers[marked];
    return rawBody(graphqlText(text), 'json', variables, headers);
  }
  const typeName = fieldNameIn(headers, 'content-type');
  const type = typeName === undefined ? '' : String(headers[typeName]);
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return text === '' ? {} : { form: variables.text(formText(text)) };
  const [, boundary] = /^multipart\/form-data\b.*;\s*boundary="?([^";\s]+)/i.exec(type) ?? [];
  const parts =
    boundary === undefined ? undefined : partsOf(text, boundary, { filled: (one) => variables.text(one), options });
  if (typeName === undefined || parts === undefined) return rawBody(text, undefined, variables, headers);
  delete headers[typeName];
  return { formData: parts };
}

/** The pairs of a form may be in several lines, with spaces around them. @type {(text: string) => string} */
function formText(text) {
  const pairs = text.split('&').map((pair) => /^\s*([^=]*?)\s*(?:(=)\s*(.*?))?\s*$/s.exec(pair) ?? ['', pair]);
  const encoded = (/** @type {string} */ one = '') => one.replace(/\n\s*/g, '').replace(/ +(?![^{]*\}\})/g, encodeURI);
  return pairs.map(([, name, sign = '', value]) => encoded(name) + sign + encoded(value)).join('&');
}

/** The query, and below it the variables as JSON. @type {(text: string) => string} */
function graphqlText(text) {
  const [, query = text, variables] = /^(.*?)\n\s*\n(\{.*\})\s*$/s.exec(text) ?? [];
  return `{"query":${JSON.stringify(query.trim())}${variables === undefined ? '' : `,"variables":${variables}`}}`;
}

/**
 * Reads the parts of a form; undefined if one has no name.
 * @type {(text: string, boundary: string, context: { filled: (text: string) => string, options: ImportOptions }) =>
 *   Record<string, any> | undefined}
 */
function partsOf(text, boundary, { filled, options }) {
  /** @type {Record<string, any>} */
  const form = Object.create(null);
  for (const part of text.split(`--${boundary}`).slice(1)) {
    if (part.startsWith('--')) break;
    const [head, ...rest] = part.replace(/^\n/, '').split(/\n[ \t]*\n/);
    const content = rest.join('\n\n').replace(/\n$/, '');
    const [, name] = /\bname="([^"]*)"/i.exec(head) ?? [];
    const [, filename] = /\bfilename="([^"]*)"/i.exec(head) ?? [];
    const [, contentType] = /^content-type:\s*(.+?)\s*$/im.exec(head) ?? [];
    if (name === undefined) return undefined;
    const [, file] = FILE.exec(content.trim()) ?? [];
    const about = { ...(filename !== undefined && { filename }), ...(contentType && { contentType }) };
    const plain = Object.keys(about).length === 0 ? filled(content) : { value: filled(content), ...about };
    const value = file === undefined ? plain : { file: pathInFlow(file, options), ...about };
    form[name] = form[name] === undefined ? value : [form[name], value].flat();
  }
  return Object.keys(form).length > 0 ? { ...form } : undefined;
}

/**
 * Credentials as the REST client encodes them: `Basic user password`, `Digest user password`.
 * @type {(headers: Record<string, any>) => { auth?: Record<string, any>, headers: Record<string, any> }}
 */
export function authOf(headers) {
  const name = fieldNameIn(headers, 'authorization');
  const [, scheme, user, pass] =
    /^(Basic|Digest)\s+([^\s:]+)(?:\s+|:)(\S+)$/i.exec(name === undefined ? '' : headers[name]) ?? [];
  if (name === undefined || user === undefined) return { headers };
  const { [name]: _, ...rest } = headers;
  return { auth: { user, pass, ...(/^digest$/i.test(scheme) && { sendImmediately: false }) }, headers: rest };
}
