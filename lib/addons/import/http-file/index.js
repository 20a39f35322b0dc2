import { counted } from '../../../core/ground/decimal.js';
import {
  capturesFirst,
  countRequests,
  draftOf,
  jsonPathOf,
  newDraft,
  relativeToBase,
  requestOf,
  withField,
} from '../draft.js';
import { OWN_FIELD } from '../postman/request.js';
import { loginFirst } from '../login.js';
import { readScripts } from '../scripts/read-scripts.js';
import { replaceSecrets } from '../secrets.js';
import { withSentAccept } from '../sent-bodies.js';
import { settle, token, withOwnRandoms } from '../tokens.js';
import { Variables, addCapture } from '../variables.js';
import { readEnvironment } from './environment.js';
import { DIRECTIVE, GRAPHQL, OTHER_KINDS, authOf, bodyOf, readRequests } from './read-request.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { ScriptParts } from '../scripts/read-scripts.js' */
/** @import { HttpRequest } from './read-request.js' */

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
  {
    part: '`client.global.set("token", response.body.token)`, `jsonPath(response.body, "$.token")`',
    becomes: '`capture`',
  },
  { part: 'bodies, and `< file`; forms with files', becomes: '`json`, `form`, `body`, `body: { file }`, `formData`' },
  { part: 'GraphQL: a query, and its variables below it', becomes: '`graphql`, `variables`' },
  { part: '`# @no-redirect`, `# @no-cookie-jar`', becomes: '`followRedirect: false`, `jar: false`' },
  { part: '`client.assert` of the status, of values of JSON', becomes: '`expect`' },
  { part: 'other scripts', becomes: 'comments' },
  {
    part: '`http-client.env.json` and `http-client.private.env.json`, in the folder of the file or above it',
    becomes: 'variables of one environment, that of `--environment`',
  },
  { part: '`import`, `run`, curl commands, gRPC, WebSockets', becomes: null },
];

const CURL = /^curl\s/;

/**
 * Reads an HTTP file: its requests in their order.
 * @throws {Error} E_FLOW_FILE if it has no request
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const variables = new Variables({ keepSecrets: options.keepSecrets });
  const notes = readEnvironment(variables, options);
  const lines = text.replace(/\r\n?/g, '\n');
  const parts = lines.split(/^#{3,}/m).map((part, i) => (i === 0 ? `\n${part}` : part));
  const requests = parts.flatMap((part) => readRequests(part, variables));
  for (const [i, request] of requests.entries()) request.id = request.name || `request ${i + 1}`;
  const reader = new HttpFileReader(requests, variables, options);
  // A request may use a value that a later one captures, so all captures are known first.
  for (const request of requests) reader.readScripts(request);
  reader.addReferences(lines);
  for (const request of requests) reader.add(request);
  const { draft } = reader;
  draft.dialectNotes.push(...notes);
  for (const line of lines.split('\n').filter((one) => DIRECTIVE.test(one)))
    draft.skipped.push({ what: line.trim(), why: 'the requests of other files are not read' });
  const cure = 'write one such as: GET http://localhost:3000/items';
  const count = countRequests(draft, { path: options.from, cure });
  draft.comments.push(`Made from ${counted(count, 'request')} by bench-rest import.`);
  const vars = variables.used;
  if (Object.keys(vars).length > 0) draft.properties = { vars };
  for (const { operation } of draft.phases.main)
    if (Object.keys(operation.capture).length === 0) delete operation.capture;
  const settled = withOwnRandoms(settle(withSentAccept(draft)));
  settled.phases.main = capturesFirst(settled.phases.main);
  return replaceSecrets(relativeToBase(loginFirst(settled), options.baseUrl), options);
}

/** Translates the requests of a file, which may refer to responses of each other. */
class HttpFileReader {
  draft = newDraft();
  /** By the ids of requests; later requests may add some. @type {Map<string, Record<string, any>>} */
  #captures = new Map();
  /** By the ids of requests. @type {Map<string, ScriptParts>} */
  #scripts = new Map();
  /** The ids of all requests of the file. */
  #known;
  #variables;
  #options;

  /** @param {HttpRequest[]} requests @param {Variables} variables @param {ImportOptions} options */
  constructor(requests, variables, options) {
    this.#known = new Set(requests.map(({ id }) => id));
    this.#variables = variables;
    this.#options = options;
  }

  /** Reads the scripts of a request. @type {(request: HttpRequest) => void} */
  readScripts({ id, before, script }) {
    const scripts = [
      { text: before.join('\n'), isAfter: false },
      { text: script.join('\n'), isAfter: true },
    ];
    const parts = readScripts(scripts, this.#variables);
    this.#scripts.set(id, parts);
    Object.assign(this.#capturesOf(id), parts.capture);
  }

  /** Captures what `{{login.response.body.$.token}}` reads of a request. @type {(text: string) => void} */
  addReferences(text) {
    for (const [, whole, name, part, at] of text.matchAll(REFERENCE))
      if (this.#known.has(name)) this.#variables.derive(whole, token(this.#tokenOf(name, part, at)));
  }

  /** Adds the operation of a request to the draft. @type {(request: HttpRequest) => void} */
  add(request) {
    const to = this.#urlOf(request);
    const lack = lackOf(request, to);
    if (lack) {
      this.draft.skipped.push(lack);
      return;
    }
    const { id, name, method, body, settings, files } = request;
    const variables = this.#variables;
    const { expect = {}, comments = [] } = this.#scripts.get(id) ?? {};
    const fields = fieldsOf(request, (given) => variables.text(given));
    const content = bodyOf(body, fields, { isGraphql: method === GRAPHQL, variables, options: this.#options });
    const { auth, headers } = authOf(fields);
    const operation = {
      ...requestOf(method === GRAPHQL ? 'POST' : method, to),
      ...(name !== '' && { name }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(auth && { auth }),
      ...content,
      ...(settings.has('no-redirect') && { followRedirect: false }),
      ...(settings.has('no-cookie-jar') && { jar: false }),
      ...(Object.keys(expect).length > 0 && { expect }),
      capture: this.#capturesOf(id),
    };
    const others = files.map((file) => `The script ${file} of the request is not read.`);
    this.draft.phases.main.push(draftOf(operation, [...comments, ...others]));
  }

  /** @type {(request: HttpRequest) => string} */
  #urlOf({ url, fields }) {
    const host = fields.map((line) => /^host:\s*(\S+)/i.exec(line)?.[1]).find(Boolean);
    const whole = url.startsWith('/') && host !== undefined ? `http://${host}${url}` : url;
    const to = this.#variables.url(whole);
    return /^(?:[a-z][a-z\d+.-]*:\/\/|#\{|\/)/i.test(to) ? to : `http://${to}`;
  }

  /** Captures a path or a field, `at`; returns its token. @type {(name: string, part: string, at: string) => string} */
  #tokenOf(name, part, at) {
    const words = at.match(/[\w-]+/g) ?? [];
    const path = at === '*' ? '$' : jsonPathOf(at);
    const source = part === 'headers' ? { header: at.toLowerCase() } : path;
    return addCapture(this.#capturesOf(name), `${name}_${words.at(-1) ?? 'body'}`, source);
  }

  /** @type {(name: string) => Record<string, any>} */
  #capturesOf(name) {
    const known = this.#captures.get(name) ?? {};
    this.#captures.set(name, known);
    return known;
  }
}

/** The reason to skip a request. @type {(request: HttpRequest, to: string) => { what: string, why: string } | null} */
function lackOf({ method, url }, to) {
  const [address = ''] = /(?:https?:\/\/|\{\{)[^\s'"?]*/.exec(url) ?? [];
  if (CURL.test(url)) return { what: `curl ${address}`.trim(), why: 'it is a curl command: import it as one' };
  if (OTHER_KINDS.test(method)) return { what: `${method} ${address}`.trim(), why: 'it is not translated' };
  if (!/^[/#]/.test(to) && !URL.canParse(to.replace(/#\{[^}]*\}/g, '0')))
    return { what: `${method} ${url}`, why: 'it has no valid URL' };
  const isOther = /^[a-z][a-z\d+.-]*:\/\//i.test(to) && !/^https?:/i.test(to);
  return isOther ? { what: `${method} ${url}`, why: 'it is not HTTP' } : null;
}

const REFERENCE = /\{\{\s*(([\w-]+)\.response\.(body|headers)\.([^{}\s]+))\s*\}\}/g;

/** @type {(request: HttpRequest, filled: (text: string) => string) => Record<string, any>} */
function fieldsOf({ fields }, filled) {
  return fields.reduce((all, line) => {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || OWN_FIELD.test(name) ? all : withField(all, name, filled(value));
  }, /** @type {Record<string, any>} */ ({}));
}
