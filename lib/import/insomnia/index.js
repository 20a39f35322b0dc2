import { counted } from '../../ground/decimal.js';
import { makeError } from '../../ground/errors.js';
import { draftOf, newDraft, relativeToBase } from '../draft.js';
import { isRecord, itemsOf, member, membersOf, parseDocument } from '../read-document.js';
import { authOf } from '../postman/auth.js';
import { requestParts } from '../postman/request.js';
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
  { part: 'template tags `{% … %}`, scripts, gRPC, WebSockets', becomes: null },
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
  const { requests, environments } = Array.isArray(member(document, 'resources'))
    ? formerExport(document.resources)
    : collectionOf(document);
  for (const data of environments) addAll(variables, data, '', 0);
  const draft = newDraft();
  for (const { request, folder } of requests) addRequest(request, folder);
  const count = draft.phases.main.length;
  if (count === 0)
    throw makeError('E_FLOW_FILE', {
      path: options.from,
      reason: 'has no requests',
      cure: 'export a collection that has some',
    });
  draft.comments.push(`Made from ${counted(count, 'request')} of Insomnia by bench-rest import.`);
  if (Object.keys(variables.used).length > 0) draft.properties = { vars: variables.used };
  return replaceSecrets(relativeToBase(draft, options.baseUrl), options);

  /** @type {(request: Record<string, any>, folder: string) => void} */
  function addRequest(request, folder) {
    const title = String(request.name ?? '').slice(0, 100);
    /** @type {string[]} */
    const comments = [];
    const parts = requestParts(asPostman(request), variables, comments);
    const tag = JSON.stringify(request).match(/\{%[^%]*%\}/)?.[0];
    if (typeof parts === 'string' || tag !== undefined) {
      draft.skipped.push({
        what: [folder, title].filter(Boolean).join(' / '),
        why: typeof parts === 'string' ? parts : `the template tag ${tag} is not understood`,
      });
      return;
    }
    const credentials = authOf(authAsPostman(request.authentication), variables, comments);
    const headers = { ...parts.headers, ...credentials.headers };
    const url =
      credentials.query.length === 0
        ? parts.url
        : `${parts.url}${parts.url.includes('?') ? '&' : '?'}${credentials.query.join('&')}`;
    draft.phases.main.push(
      draftOf(
        {
          ...parts.method(url),
          ...(title !== '' && { name: title }),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...credentials.properties,
          ...parts.body,
        },
        comments,
      ),
    );
  }
}

/** @typedef {{ requests: { request: Record<string, any>, folder: string }[], environments: any[] }} Content */

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
  /** @type {(parent: string, folder: string, depth: number) => void} */
  const walk = (parent, folder, depth) => {
    if (depth > MOST_LEVELS) return;
    for (const one of sorted(parent)) {
      if (one._type === 'request') requests.push({ request: one, folder });
      if (one._type === 'request_group')
        walk(String(one._id), [folder, one.name].filter(Boolean).join(' / '), depth + 1);
    }
  };
  for (const root of roots) walk(root, '', 0);
  // The base environment comes before those that are below it.
  const environments = all
    .filter((one) => one._type === 'environment')
    .sort((a, b) => Number(roots.includes(b.parentId)) - Number(roots.includes(a.parentId)));
  return { requests, environments: environments.slice(0, 2).map(({ data }) => data) };
}

/** Format 5: a tree. @type {(document: any) => Content} */
function collectionOf(document) {
  /** @type {Content['requests']} */
  const requests = [];
  /** @type {(items: any, folder: string, depth: number) => void} */
  const walk = (items, folder, depth) => {
    for (const one of itemsOf(items)) {
      if (!isRecord(one) || depth > MOST_LEVELS) continue;
      if (Array.isArray(one.children)) walk(one.children, [folder, one.name].filter(Boolean).join(' / '), depth + 1);
      else if (one.url !== undefined) requests.push({ request: one, folder });
    }
  };
  walk(member(document, 'collection'), '', 0);
  const environments = member(document, 'environments');
  const [first] = itemsOf(member(environments, 'subEnvironments'));
  return { requests, environments: [member(environments, 'data'), member(first, 'data')] };
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
function asPostman({ method, url, headers, parameters, body }) {
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
  const text = query.map(({ key, value }) => `${key}=${value ?? ''}`).join('&');
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
    url: text === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${text}`,
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
