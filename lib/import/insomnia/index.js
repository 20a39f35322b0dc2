import { counted } from '../../ground/decimal.js';
import { countRequests, draftOf, mapTexts, newDraft, relativeToBase } from '../draft.js';
import { isRecord, itemsOf, member, membersOf, parseDocument } from '../read-document.js';
import { authOf } from '../postman/auth.js';
import { operationOf, requestParts, withQuery } from '../postman/request.js';
import { replaceSecrets } from '../secrets.js';
import { Variables } from '../variables.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../../contracts/import.js' */

/** @type {Supported[]} */
export const supported = [
  {
    part: 'exports of format 4 (JSON) and collections of format 5 (YAML), folders',
    becomes: 'operations in their order',
  },
  { part: 'variables of the environments: `{{ _.name }}`', becomes: '`baseUrl`, `vars`, and secrets `#{env.NAME}`' },
  { part: 'authentication: bearer, basic, digest, apikey, oauth2', becomes: '`auth`, `headers`' },
  { part: 'bodies: JSON, text, forms, multipart, GraphQL', becomes: '`json`, `body`, `form`, `formData`' },
  { part: 'template tags `{% uuid %}`, `{% timestamp %}`, `{% now %}`', becomes: 'tokens; others `#{env.NAME}`' },
  { part: 'the other environments, those of folders, scripts, gRPC, WebSockets', becomes: null },
];

const MOST_LEVELS = 20;

/**
 * Reads an export of Insomnia: its requests in their order.
 * @throws {Error} E_FLOW_FILE if it is damaged, or has no request
 * @type {(text: string, options: ImportOptions) => Promise<FlowDraft>}
 */
export async function read(text, options) {
  return fromDocument(await parseDocument(text, options.from), options);
}

/**
 * Does the same for a document that has been parsed.
 * @throws {Error} E_FLOW_FILE
 * @type {(document: any, options: ImportOptions) => Promise<FlowDraft>}
 */
export async function fromDocument(document, options) {
  const variables = new Variables({ keepSecrets: options.keepSecrets });
  const { requests, base, others, skipped, notes } = Array.isArray(member(document, 'resources'))
    ? formerExport(document.resources)
    : collectionOf(document);
  const [other] = others;
  if (other !== undefined) {
    addAll(variables, other.data, '', 0);
    notes.push(`Values that the base environment does not have are those of the environment ${other.name}.`);
  }
  addAll(variables, base, '', 0);
  const draft = newDraft({ skipped, dialectNotes: notes });
  for (const { request, folder } of requests) addRequest(request, folder);
  const count = countRequests(draft, { path: options.from, cure: 'export a collection that has some' });
  draft.comments.push(`Made from ${counted(count, 'request')} of Insomnia by bench-rest import.`);
  if (Object.keys(variables.used).length > 0) draft.properties = { vars: variables.used };
  return replaceSecrets(relativeToBase(draft, options.baseUrl), options);

  /** @type {(request: Record<string, any>, folder: string) => void} */
  function addRequest(request, folder) {
    const title = String(request.name ?? '').slice(0, 100);
    /** @type {string[]} */
    const comments = [];
    const given = withoutTags(request, comments);
    const parts = requestParts(asPostman(given), variables, comments);
    const what = [folder, title].filter(Boolean).join(' / ');
    if (typeof parts === 'string') {
      draft.skipped.push({ what, why: parts });
      return;
    }
    if (hasScript(request)) draft.skipped.push({ what: `the scripts of ${what}`, why: 'code is not translated' });
    const credentials = authOf(authAsPostman(given.authentication), variables, comments);
    draft.phases.main.push({
      ...draftOf(operationOf(parts, credentials, title), comments),
      ...(credentials.secrets && { secrets: credentials.secrets }),
    });
  }
}

/** @type {(request: Record<string, any>) => boolean} */
function hasScript({ scripts, preRequestScript, afterResponseScript }) {
  return [...Object.values(scripts ?? {}), preRequestScript, afterResponseScript].some((text) => text?.trim?.());
}

/** @type {[RegExp, string][]} */
const TAGS = [
  [/^uuid\b/, '{{$guid}}'],
  [/^timestamp\b|^now\s+'unix'/, '{{$timestamp}}'],
  [/^now\b(?!\s+'(?:millis|custom))/, '{{$isoTimestamp}}'],
];

/**
 * Replaces the template tags of a request by variables; those without an equivalent are of the environment.
 * @type {(request: Record<string, any>, comments: string[]) => Record<string, any>}
 */
function withoutTags(request, comments) {
  return mapTexts(request, (text) =>
    text.replace(/\{%-?\s*(\w+)([^%]*?)-?%\}/g, (tag, name, rest) => {
      const [, known] = TAGS.find(([pattern]) => pattern.test(name + rest)) ?? [];
      if (known !== undefined) return known;
      const comment = `The template tag ${tag} is not understood: its value is read from the environment.`;
      if (!comments.includes(comment)) comments.push(comment);
      return `{{${name}_tag}}`;
    }),
  );
}

/**
 * @typedef {object} Content
 * @property {{ request: Record<string, any>, folder: string }[]} requests
 * @property {any} base variables of the base environment
 * @property {{ name: string, data: any }[]} others the environments below it
 * @property {{ what: string, why: string }[]} skipped
 * @property {string[]} notes
 */

/** Format 4: a list, in which each resource names its parent. @type {(resources: any[]) => Content} */
function formerExport(resources) {
  const all = resources.filter(isRecord);
  const sorted = (/** @type {string} */ parent) =>
    all
      .filter((one) => one.parentId === parent)
      .sort((a, b) => (Number(a.metaSortKey) || 0) - (Number(b.metaSortKey) || 0));
  const roots = all.filter((one) => one._type === 'workspace').map((one) => String(one._id));
  /** @type {Content['requests']} */
  const requests = [];
  /** @type {Content['skipped']} */
  const skipped = [];
  /** @type {string[]} */
  const notes = [];
  const reached = new Set();
  /** @type {(parent: string, folder: string, depth: number) => void} */
  const walk = (parent, folder, depth) => {
    if (depth > MOST_LEVELS) return;
    for (const one of sorted(parent)) {
      reached.add(one);
      const what = [folder, one.name].filter(Boolean).join(' / ');
      if (one._type === 'request') requests.push({ request: one, folder });
      else if (isOtherKind(one)) skipped.push({ what: what || String(one._id), why: `it is a ${one._type}` });
      if (one._type !== 'request_group') continue;
      if (membersOf(one.environment).length > 0) notes.push(folderNote(what));
      walk(String(one._id), what, depth + 1);
    }
  };
  for (const root of roots) walk(root, '', 0);
  for (const one of all.filter((given) => isRequest(given) && !reached.has(given)))
    skipped.push({ what: String(one.name ?? one._id), why: 'it is in no workspace' });
  const environments = all.filter((one) => one._type === 'environment');
  const base = environments.find((one) => roots.includes(one.parentId)) ?? environments[0];
  return {
    requests,
    ...environmentsOf(
      base,
      environments.filter((one) => one !== base),
    ),
    skipped,
    notes,
  };
}

/** @type {(resource: Record<string, any>) => boolean} */
function isRequest(resource) {
  return resource._type === 'request' || isOtherKind(resource);
}

/** @type {(resource: Record<string, any>) => boolean} */
function isOtherKind({ _type: kind }) {
  return /_request$/.test(kind);
}

/** @type {(folder: string) => string} */
function folderNote(folder) {
  return `The environment of the folder ${folder} is left out.`;
}

/** @type {(base: any, others: any[]) => Pick<Content, 'base' | 'others'>} */
function environmentsOf(base, others) {
  const named = others.map((one, i) => ({ name: String(one?.name ?? i + 2), data: member(one, 'data') }));
  return { base: member(base, 'data'), others: named };
}

/** Format 5: a tree. @type {(document: any) => Content} */
function collectionOf(document) {
  /** @type {Content['requests']} */
  const requests = [];
  /** @type {Content['skipped']} */
  const skipped = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {(items: any, folder: string, depth: number) => void} */
  const walk = (items, folder, depth) => {
    for (const one of itemsOf(items)) {
      if (!isRecord(one) || depth > MOST_LEVELS) continue;
      const what = [folder, one.name].filter(Boolean).join(' / ');
      if (Array.isArray(one.children)) {
        if (membersOf(one.environment).length > 0) notes.push(folderNote(what));
        walk(one.children, what, depth + 1);
      } else if (one.url !== undefined && one.protoFileId === undefined && one.reflectionApi === undefined)
        requests.push({ request: one, folder });
      else skipped.push({ what, why: 'it is no HTTP request' });
    }
  };
  walk(member(document, 'collection'), '', 0);
  const environments = member(document, 'environments');
  const others = itemsOf(member(environments, 'subEnvironments'));
  return { requests, ...environmentsOf(environments, others), skipped, notes };
}

/**
 * Members of members have names such as api.key.
 * @type {(variables: Variables, data: any, above: string, depth: number) => void}
 */
function addAll(variables, data, above, depth) {
  for (const [name, value] of membersOf(data)) {
    if (isRecord(value) && depth < MOST_LEVELS) addAll(variables, value, `${above}${name}.`, depth + 1);
    else variables.set(`${above}${name}`, value);
  }
}

/**
 * The parts of a request, as a collection of Postman names them.
 * @type {(request: Record<string, any>) => Record<string, any>}
 */
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
  const pairs = query.map(({ key, value }) => `${key}=${value ?? ''}`);
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
  });
  const hasType = named(headers).some(({ key }) => /^content-type$/i.test(key));
  const isOther = type !== '' && !hasType && !Object.hasOwn(bodies, type) && type !== 'application/json';
  return {
    method,
    url: {
      raw: withQuery(address, pairs),
      variable: named(pathParameters),
    },
    header: [...named(headers), ...(isOther ? [{ key: 'Content-Type', value: type }] : [])],
    ...(isRecord(body) && Object.keys(body).length > 0 && { body: Object.hasOwn(bodies, type) ? bodies[type] : given }),
  };
}

/** @type {(auth: any) => any} */
function authAsPostman(auth) {
  if (!isRecord(auth) || auth.disabled === true || typeof auth.type !== 'string') return undefined;
  const { type, token, username, password, key, value, addTo, accessToken } = auth;
  return {
    type,
    [type]: { token, username, password, key, value, accessToken, in: addTo === 'queryParams' ? 'query' : 'header' },
  };
}
