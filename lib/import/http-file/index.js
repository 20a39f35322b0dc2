import { counted } from '../../ground/decimal.js';
import { countRequests, draftOf, escapeTokens, newDraft, pathInFlow, relativeToBase, requestOf } from '../draft.js';
import { OWN_FIELD, rawBody } from '../postman/request.js';
import { hiddenInScript, replaceSecrets } from '../secrets.js';
import { Variables, tokenName } from '../variables.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../../contracts/import.js' */

/** @type {Supported[]} */
export const supported = [
  {
    part: 'requests of VS Code REST Client and JetBrains, with `###` between them',
    becomes: 'operations in their order',
  },
  { part: 'names: `### name`, `# @name login`', becomes: '`name`' },
  { part: '`@variable = value`, `{{variable}}`', becomes: '`baseUrl`, `vars`, and secrets `#{env.NAME}`' },
  {
    part: '`{{$guid}}`, `{{$timestamp}}`, `{{$randomInt 1 100}}`, `{{$processEnv NAME}}`, `{{$dotenv NAME}}`',
    becomes: 'tokens',
  },
  {
    part: '`{{login.response.body.$.token}}`, `{{login.response.headers.X}}`',
    becomes: '`capture` in the request of this name',
  },
  { part: '`client.global.set("token", response.body.token)`', becomes: '`capture`' },
  { part: 'bodies, and `< file`', becomes: '`json`, `body`, `body: { file }`' },
  { part: '`# @no-redirect`, `# @no-cookie-jar`', becomes: '`followRedirect: false`, `jar: false`' },
  { part: 'other scripts, `import`, `run`, curl commands, GraphQL, gRPC, WebSockets', becomes: null },
];

const LINE = /^(?:([A-Z]+)\s+)?(\S.*?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const METHODS =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|LOCK|UNLOCK|PROPFIND|PROPPATCH|COPY|MOVE|MKCOL|MKCALENDAR|ACL|SEARCH|PURGE|REPORT)$/;

/** Requests that are no plain HTTP. */
const OTHER_KINDS = /^(?:GRAPHQL|WEBSOCKET|GRPC|RSOCKET)$/;
const CURL = /^curl\s/;

/**
 * @typedef {object} HttpRequest
 * @property {string} id its name; of a request without one, its place
 * @property {string} name
 * @property {string} method
 * @property {string} url
 * @property {string[]} fields
 * @property {string[]} body
 * @property {string[]} script lines of the response handler
 * @property {Set<string>} settings
 */

/**
 * Reads an HTTP file: its requests in their order.
 * @throws {Error} E_FLOW_FILE if it has no request
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const variables = new Variables({ keepSecrets: options.keepSecrets });
  const escaped = escapedText(text);
  const parts = escaped.text.split(/^###/m).map((part, i) => (i === 0 ? `\n${part}` : part));
  const requests = parts.flatMap((part) => readRequest(part, variables) ?? []);
  const reader = new HttpFileReader(variables, options);
  for (const [i, request] of requests.entries()) request.id = request.name || `request ${i + 1}`;
  for (const request of requests) reader.addCaptures(request);
  for (const request of requests) reader.add(request);
  const { draft } = reader;
  const cure = 'write one such as: GET http://localhost:3000/items';
  const count = countRequests(draft, { path: options.from, cure });
  draft.comments.push(`Made from ${counted(count, 'request')} by bench-rest import.`);
  const vars = { ...escaped.vars, ...variables.used };
  if (Object.keys(vars).length > 0) draft.properties = { vars };
  for (const [i, { operation }] of draft.phases.main.entries()) {
    const capture = reader.captures.get(reader.ids[i]);
    if (capture) operation.capture = capture;
  }
  return replaceSecrets(relativeToBase(draft, options.baseUrl), options);
}

/** Translates the requests of a file, which may refer to responses of each other. */
class HttpFileReader {
  draft = newDraft();
  /** By the ids of requests. @type {Map<string, Record<string, any>>} */
  captures = new Map();
  /** Of the requests in the draft. @type {string[]} */
  ids = [];
  #variables;
  #options;

  /**
   * @param {Variables} variables
   * @param {ImportOptions} options
   */
  constructor(variables, options) {
    this.#variables = variables;
    this.#options = options;
  }

  /** @type {(request: HttpRequest) => void} */
  addCaptures(request) {
    for (const [name, value] of scriptCaptures(request))
      this.#capturesOf(request.id)[this.#variables.capture(name)] = value;
  }

  /** @type {(request: HttpRequest) => void} */
  add(request) {
    const { id, name, method, url, body, script, settings } = request;
    if (OTHER_KINDS.test(method) || CURL.test(url)) {
      const [address = ''] = /(?:https?:\/\/|\{\{)[^\s'"?]*/.exec(url) ?? [];
      const why = CURL.test(url) ? 'it is a curl command: import it as one' : 'it is not translated';
      this.draft.skipped.push({ what: `${CURL.test(url) ? 'curl' : method} ${address}`.trim(), why });
      return;
    }
    const to = this.#urlOf(request);
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(to) && !/^https?:/i.test(to)) {
      this.draft.skipped.push({ what: `${method} ${url}`, why: 'it is not HTTP' });
      return;
    }
    const filled = (/** @type {string} */ given) => this.#variables.text(this.#references(given));
    const fields = fieldsOf(request, filled);
    const content = bodyOf(body, fields, { filled, options: this.#options });
    const { auth, headers } = authOf(fields);
    const left = script.filter((line) => !SET.test(line) && !/^(?:>|<>)?\s*\{?%?\s*$|^%\}$/.test(line));
    const operation = {
      ...requestOf(method, to),
      ...(name !== '' && { name }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(auth && { auth }),
      ...content,
      ...(settings.has('no-redirect') && { followRedirect: false }),
      ...(settings.has('no-cookie-jar') && { jar: false }),
    };
    const comment = `Script of the request that is left out: ${hiddenInScript(left.join('\n')).replaceAll('\n', ' ').slice(0, 300)}`;
    this.ids.push(id);
    this.draft.phases.main.push(draftOf(operation, left.length > 0 ? [comment] : []));
  }

  /** @type {(request: HttpRequest) => string} */
  #urlOf({ url, fields }) {
    const host = fields.map((line) => /^host:\s*(\S+)/i.exec(line)?.[1]).find(Boolean);
    const whole = url.startsWith('/') && host !== undefined ? `http://${host}${url}` : url;
    const to = this.#variables.url(this.#references(whole));
    return /^(?:[a-z][a-z\d+.-]*:\/\/|#\{|\/)/i.test(to) ? to : `http://${to}`;
  }

  /** `{{login.response.body.$.token}}` is captured by the request named login. @type {(given: string) => string} */
  #references(given) {
    return given.replace(REFERENCE, (_, name, part, at) => {
      const words = at.replace(/^\$\.?/, '').match(/\w+/g) ?? [];
      const token = tokenName(`${name}_${part === 'headers' ? at : (words.at(-1) ?? 'value')}`);
      const path = at.startsWith('$') ? at : `$.${at}`;
      this.#capturesOf(name)[token] = part === 'headers' ? { header: at.toLowerCase() } : path;
      return `#{${token}}`;
    });
  }

  /** @type {(name: string) => Record<string, any>} */
  #capturesOf(name) {
    const known = this.captures.get(name) ?? {};
    this.captures.set(name, known);
    return known;
  }
}

const REFERENCE = /\{\{\s*(\w+)\.response\.(body|headers)\.([^{}\s]+)\s*\}\}/g;

/** @type {(request: HttpRequest, filled: (text: string) => string) => Record<string, string>} */
function fieldsOf({ fields }, filled) {
  return Object.fromEntries(
    fields.flatMap((line) => {
      const [, name, value] = /^([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || OWN_FIELD.test(name) ? [] : [[name, filled(value)]];
    }),
  );
}

/**
 * Text that looks like a token of bench-rest is none.
 * @type {(text: string) => { text: string, vars: Record<string, string> }}
 */
function escapedText(text) {
  const draft = newDraft();
  draft.phases.main.push(draftOf({ text: text.replace(/\r\n?/g, '\n') }));
  const { phases, properties = {} } = escapeTokens(draft);
  return { text: phases.main[0].operation.text, vars: /** @type {any} */ (properties.vars ?? {}) };
}

/** Reads the text between two separators. @type {(part: string, variables: Variables) => HttpRequest | undefined} */
function readRequest(part, variables) {
  const [title, ...lines] = part.split('\n');
  /** @type {HttpRequest} */
  const request = {
    id: '',
    name: title.trim(),
    method: '',
    url: '',
    fields: [],
    body: [],
    script: [],
    settings: new Set(),
  };
  let state = 'start';
  for (const line of lines) {
    if (state === 'start') state = readStart(line, request, variables);
    else if (state === 'fields') {
      if (line.trim() === '') state = 'body';
      else if (/^\s+[?&/]/.test(line)) request.url += line.trim();
      else if (!/^(?:#|\/\/)/.test(line)) request.fields.push(line);
    } else if (/^(?:>|<>)/.test(line) || state === 'script') {
      state = 'script';
      request.script.push(
        ...line
          .replace(/^>\s*\{%|%\}\s*$/g, '')
          .split(/(?<=;)/)
          .map((one) => one.trim())
          .filter(Boolean),
      );
    } else request.body.push(line);
  }
  return request.url === '' ? undefined : request;
}

/** @type {(line: string, request: HttpRequest, variables: Variables) => string} the next state */
function readStart(line, request, variables) {
  const [, name, value = ''] = /^@([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (name !== undefined) variables.set(name, value);
  if (name !== undefined || line.trim() === '') return 'start';
  if (/^(?:#|\/\/)/.test(line)) {
    readSetting(line, request);
    return 'start';
  }
  const [, word = '', rest = ''] = LINE.exec(line.trim()) ?? [];
  const isMethod = METHODS.test(word) || OTHER_KINDS.test(word);
  request.method = isMethod ? word : 'GET';
  request.url = isMethod || word === '' ? rest : `${word} ${rest}`;
  return 'fields';
}

/** @type {(line: string, request: HttpRequest) => void} */
function readSetting(line, request) {
  const [, setting, argument] = /^(?:#|\/\/)\s*@([\w-]+)\s*(.*?)\s*$/.exec(line) ?? [];
  if (setting === 'name' && argument !== '') request.name = argument;
  else if (setting !== undefined) request.settings.add(setting);
}

const SET =
  /^client\.global\.set\(\s*(["'])([^"']+)\1\s*,\s*response\.(body((?:\.\w+|\[\d+\])*)|headers\.valueOf\(\s*(["'])([\w-]+)\5\s*\))\s*\)\s*;?$/;

/** @type {(request: HttpRequest) => [string, any][]} */
function scriptCaptures({ script }) {
  return script.flatMap((line) => {
    const [, , variable, , path = '', , header] = SET.exec(line) ?? [];
    return variable === undefined
      ? []
      : [[variable, header === undefined ? `$${path}` : { header: header.toLowerCase() }]];
  });
}

/**
 * @type {(lines: string[], headers: Record<string, any>, context: { filled: (text: string) => string, options:
 *   ImportOptions }) =>
 *   Record<string, any>}
 */
function bodyOf(lines, headers, { filled, options }) {
  const text = lines.join('\n').replace(/^\n+|\s+$/g, '');
  const [, file] = /^<@?(?:\w+)?\s+(\S[^\n]*)$/.exec(text) ?? [];
  if (file !== undefined) return { body: { file: pathInFlow(file, options) } };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return text === '' ? {} : { form: filled(text.replace(/\n\s*/g, '')) };
  return rawBody(text, undefined, filled, headers);
}

/**
 * `Basic user password` of the REST client is encoded by it.
 * @type {(headers: Record<string, any>) => { auth?: Record<string, string>, headers: Record<string, any> }}
 */
function authOf(headers) {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization');
  const [, user, pass] = /^Basic\s+([^\s:]+)(?:\s+|:)(\S+)$/i.exec(name === undefined ? '' : headers[name]) ?? [];
  if (name === undefined || user === undefined) return { headers };
  const { [name]: _, ...rest } = headers;
  return { auth: { user, pass }, headers: rest };
}
