import { encodePercent } from '../../../core/text/decode.js';
import { jsonPathOf, mapTexts } from '../draft.js';
import { authOf, draftOfParts, exchangeProperties, requestParts, withQuery } from '../postman/request.js';
import { readScripts } from '../scripts/read-scripts.js';
import { isRecord, itemsOf, member } from '../read-document.js';
import { addCapture } from '../variables.js';

/** @import { FlowDraft, OperationDraft } from '../import.js' */
/** @import { Script } from '../scripts/read-scripts.js' */
/** @import { Variables } from '../variables.js' */

/**
 * @typedef {{ request: Record<string, any>, folders: Record<string, any>[] }} PlacedRequest folders: those around it,
 *   the outer one first
 */

/** Template tags, and the variables of Postman that mean the same. @type {[RegExp, string][]} */
const TAGS = [
  [/^uuid\b/, '{{$guid}}'],
  [/^timestamp\b|^now\s+'unix'/, '{{$timestamp}}'],
  [/^now\b(?!\s+'(?:millis|custom))/, '{{$isoTimestamp}}'],
];
/** The type of a body that is a file. */
const FILE = 'application/octet-stream';

/**
 * Translates requests, by the names that Postman has for their parts. Captures are added at the end, as template tags
 * may read responses of later requests.
 */
export class RequestReader {
  #variables;
  /** The names of all requests by their ids. @type {Map<string, string>} */
  #names;
  /** The operations by the ids of their requests. @type {Map<string, OperationDraft>} */
  #operations = new Map();
  /** Captures by the ids of requests. @type {Map<string, Record<string, any>>} */
  #captures = new Map();

  /** @param {Variables} variables @param {PlacedRequest[]} requests */
  constructor(variables, requests) {
    this.#variables = variables;
    this.#names = new Map(requests.map(({ request }) => [idOf(request), String(request.name ?? 'response')]));
  }

  /** Adds the operation of a request to a draft. @type {(placed: PlacedRequest, draft: FlowDraft) => void} */
  add({ request, folders }, draft) {
    const title = nameIn(folders, request.name).slice(0, 100);
    /** @type {string[]} */
    const comments = [];
    const given = this.withoutTags(request, comments);
    const around = folders.map(({ headers, authentication }) =>
      this.withoutTags({ headers, authentication }, comments),
    );
    const fields = [...around, given]
      .flatMap(({ headers }) => itemsOf(headers))
      .filter((one) => member(one, 'disabled') !== true);
    const parts = requestParts(asPostman({ ...given, headers: lastOfEach(fields) }), this.#variables, comments);
    if (typeof parts === 'string') {
      draft.skipped.push({ what: title, why: parts });
      return;
    }
    const auth = [given, ...around.toReversed()]
      .map(({ authentication }) => authentication)
      .find((one) => isRecord(one) && typeof one.type === 'string');
    const credentials = authOf(authAsPostman(auth), this.#variables, comments);
    Object.assign(credentials.properties, exchangeProperties(settingsOf(request)));
    const scripts = readScripts(scriptsOf(request), this.#variables, parts.method);
    const one = draftOfParts(parts, credentials, { title, scripts, comments });
    draft.phases.main.push(one);
    this.#operations.set(idOf(request), one);
  }

  /** Adds to the operations what template tags of all requests read from their responses. */
  addCaptures() {
    for (const [id, captures] of this.#captures) {
      const { operation } = this.#operations.get(id) ?? {};
      if (operation) operation.capture = { ...operation.capture, ...captures };
    }
  }

  /**
   * Replaces the template tags of a request by variables; those without an equivalent are of the environment.
   * @type {(request: Record<string, any>, comments: string[]) => Record<string, any>}
   */
  withoutTags(request, comments) {
    return mapTexts(request, (text) =>
      text.replace(/\{%-?\s*(\w+)([^%]*?)-?%\}/g, (_, name, rest) => {
        const [, known] = TAGS.find(([pattern]) => pattern.test(name + rest)) ?? [];
        const value = known ?? (name === 'response' ? this.#captureOf(rest) : undefined);
        if (value !== undefined) return value;
        // Its arguments may be secrets.
        const comment = `The template tag {% ${name} %} is not understood: its value is read from the environment.`;
        if (!comments.includes(comment)) comments.push(comment);
        return `{{${name}_tag}}`;
      }),
    );
  }

  /** `'body', 'req_1', …` reads `$.token` of the response to req_1. @type {(tag: string) => string | undefined} */
  #captureOf(tag) {
    const [kind, id = '', given = ''] = [...tag.matchAll(/'([^']*)'/g)].map(([, text]) => text);
    const [, encoded] = /^b64::(.*)::46b$/.exec(given) ?? [];
    const at = encoded === undefined ? given : Buffer.from(encoded, 'base64').toString();
    const source = kind === 'header' ? { header: at.toLowerCase() } : at.startsWith('$') ? jsonPathOf(at) : undefined;
    if (source === undefined || !['body', 'header'].includes(kind) || !this.#names.has(id)) return undefined;
    const known = this.#captures.get(id) ?? {};
    this.#captures.set(id, known);
    const name = addCapture(known, `${this.#names.get(id)} ${at.match(/[\w-]+/g)?.at(-1) ?? 'value'}`, source);
    this.#variables.capture(name);
    return `{{${name}}}`;
  }
}

/** Names a request or a folder with the folders around it. @type {(folders: any[], name: unknown) => string} */
export function nameIn(folders, name) {
  return [...folders.map((one) => one.name), name].filter(Boolean).join(' / ');
}

/** @type {(request: Record<string, any>) => string} */
function idOf({ _id: former, meta }) {
  return String(former ?? member(meta, 'id') ?? '');
}

/** Keeps the last field of each name: a request has those of its folders, too. @type {(fields: any[]) => any[]} */
function lastOfEach(fields) {
  const nameOf = (/** @type {any} */ field) => String(member(field, 'name')).toLowerCase();
  const last = new Map(fields.map((field) => [nameOf(field), field]));
  return fields.filter((field) => last.get(nameOf(field)) === field);
}

/** Scripts of Insomnia are those of Postman by another name. @type {(request: Record<string, any>) => Script[]} */
function scriptsOf({ scripts, preRequestScript, afterResponseScript }) {
  const texts = [
    preRequestScript ?? member(scripts, 'preRequest'),
    afterResponseScript ?? member(scripts, 'afterResponse'),
  ];
  return texts.flatMap((text, i) =>
    typeof text === 'string' ? [{ text: text.replace(/\binsomnia\./g, 'pm.'), isAfter: i === 1 }] : [],
  );
}

/** Names the parts of a request as Postman does. @type {(request: Record<string, any>) => Record<string, any>} */
function asPostman({ method, url, headers, parameters, pathParameters, body }) {
  const named = (/** @type {unknown} */ given) =>
    itemsOf(given)
      .filter(isRecord)
      .map(({ name, value, disabled, type, fileName }) => ({
        key: name,
        value,
        disabled,
        ...(type === 'file' && { type, src: fileName }),
      }));
  const query = named(parameters).filter(
    ({ disabled, key }) => disabled !== true && typeof key === 'string' && key !== '',
  );
  const pairs = query.map(({ key, value }) => [key, value ?? ''].map((one) => encoded(String(one))).join('='));
  const address = typeof url === 'string' ? url : '';
  const type = String(member(body, 'mimeType') ?? '');
  const given = {
    mode: 'raw',
    raw: member(body, 'text') ?? '',
    options: { raw: { language: /json/.test(type) ? 'json' : undefined } },
  };
  const bodies = /** @type {Record<string, any>} */ ({
    'application/x-www-form-urlencoded': { mode: 'urlencoded', urlencoded: named(member(body, 'params')) },
    'multipart/form-data': { mode: 'formdata', formdata: named(member(body, 'params')) },
    'application/graphql': { ...given, options: { raw: { language: 'json' } } },
    [FILE]: { mode: 'file', file: { src: member(body, 'fileName') } },
  });
  const hasType = named(headers).some(({ key }) => /^content-type$/i.test(key));
  const isOther =
    type !== '' && !hasType && (!Object.hasOwn(bodies, type) || type === FILE) && type !== 'application/json';
  return {
    method,
    url: { raw: withQuery(address, pairs), variable: named(pathParameters) },
    header: [...named(headers), ...(isOther ? [{ key: 'Content-Type', value: type }] : [])],
    ...(isRecord(body) && Object.keys(body).length > 0 && { body: Object.hasOwn(bodies, type) ? bodies[type] : given }),
  };
}

/** Encodes what a parameter cannot have, but not templates and what is encoded. @type {(text: string) => string} */
function encoded(text) {
  return text
    .split(/(\{\{[^{}]*\}\}|\{%[^%]*%\})/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[^\w.~!*'()%:/?,@$;-]+/g, encodePercent)))
    .join('');
}

/** Where Insomnia adds an API key. @type {Record<string, string>} */
const PLACES = { queryParams: 'query', cookie: 'cookie' };

/** Format 5 has a member for them. @type {(request: Record<string, any>) => { follows: unknown, hasJar: boolean }} */
function settingsOf({ settings, settingFollowRedirects, settingSendCookies }) {
  const redirects = member(settings, 'followRedirects') ?? settingFollowRedirects;
  const cookies = member(member(settings, 'cookies'), 'send') ?? settingSendCookies;
  return { follows: redirects !== 'off', hasJar: cookies !== false };
}

/** @type {(auth: any) => any} */
function authAsPostman(auth) {
  if (!isRecord(auth) || auth.disabled === true || typeof auth.type !== 'string') return undefined;
  const { type, token, prefix, username, password, key, value, addTo, accessToken } = auth;
  const { accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken, region, service } = auth;
  if (type === 'iam') return { type: 'awsv4', awsv4: { accessKey, secretKey, sessionToken, region, service } };
  if (type === 'none') return undefined;
  if (type === 'bearer' && token && prefix && !/^bearer$/i.test(prefix))
    return { type: 'apikey', apikey: { key: 'Authorization', value: `${prefix} ${token}` } };
  return {
    type,
    [type]: { token, username, password, key, value, accessToken, in: member(PLACES, addTo) ?? 'header' },
  };
}
