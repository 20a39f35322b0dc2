import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { newDraft } from '../draft.js';
import { isRecord, member, parseDocument } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { settle } from '../tokens.js';
import { readEndpoints } from './endpoints.js';
import { planOf } from './plan.js';
import { References } from './references.js';
import { schemaReader } from './response-schema.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { Endpoint } from './endpoints.js' */

/** @type {Supported[]} */
export const supported = [
  { part: 'OpenAPI 3.0, 3.1; Swagger 2; JSON and YAML', becomes: 'a flow' },
  { part: '`servers` with variables; `host`, `basePath`, `schemes`', becomes: '`baseUrl`, and the beginning of paths' },
  { part: '`$ref` in the document, and to files below its folder', becomes: 'what it names; a circle ends' },
  { part: '`$ref` to a URL, or to another file', becomes: 'what it names, with `--remote-refs`' },
  { part: 'path parameters', becomes: 'a captured value, else a variable in `vars`' },
  {
    part: 'required parameters in query, header and cookie, with all styles',
    becomes: 'the URL, `headers`, `cookies`',
  },
  { part: 'optional parameters', becomes: null },
  {
    part: '`requestBody` of JSON, forms, multipart and text; `consumes`',
    becomes: '`json`, `form`, `formData`, `body`',
  },
  {
    part: '`example`, `examples`, `default`, `enum`, `const`',
    becomes: 'values; without one they are made from the schema',
  },
  { part: 'responses', becomes: '`expect: { status }`, and with `--check-schema` the schema' },
  {
    part: 'the id in the response of the POST of a collection; `links`',
    becomes: '`capture`, and the order of the operations',
  },
  { part: 'a POST that returns a token, without security', becomes: '`beforeMain`, and `capture` of the token' },
  {
    part: 'security schemes http, apiKey, oauth2, openIdConnect',
    becomes: '`headers`, `auth` or `cookies` with `#{env.NAME}`',
  },
  { part: 'security scheme mutualTLS, callbacks, webhooks', becomes: null },
  {
    part: 'deprecated operations; PUT, PATCH and DELETE of what the flow did not create',
    becomes: 'comments, with the reason',
  },
];

/**
 * Reads an OpenAPI document: its operations in the order in which they depend on each other.
 * @throws {Error} E_FLOW_FILE if it is damaged, or has no operation that was selected
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
  const { from, folder } = options;
  if (!isRecord(document) || !isRecord(member(document, 'paths')))
    throw makeError('E_FLOW_FILE', { path: from, reason: 'has no paths', cure: 'pass an OpenAPI document' });
  const references = new References(document, { folder, from, isRemoteAllowed: options.remoteRefs === true });
  await references.load();
  const { endpoints, baseUrl, notes } = readEndpoints(document, references);
  const base = baseOf(baseUrl, options.baseUrl);
  const selected = endpoints
    .filter((one) => isSelected(one, options))
    .map((one) => ({
      ...one,
      origin: options.baseUrl === undefined ? one.origin : '',
      path: base.path === null ? one.path : base.path + one.template,
    }));
  if (selected.length === 0)
    throw makeError('E_FLOW_FILE', {
      path: from,
      reason:
        endpoints.length === 0
          ? 'has no operations'
          : `has ${counted(endpoints.length, 'operation')}, and none is selected`,
      cure: endpoints.length === 0 ? 'pass another document' : 'check --tag, --operation and --exclude',
    });
  const schemaOf = options.checkSchema === true ? schemaReader(document, references) : () => undefined;
  const plan = planOf(selected, document, {
    references,
    schemaOf,
    isWanted: (one) => listIn(options, 'operation').some((name) => isNamedAlone(one, name)),
  });
  refuseNothing(plan, selected[0], from);
  const title = member(member(document, 'info'), 'title');
  const draft = newDraft({
    ...(base.origin !== '' && { baseUrl: base.origin }),
    phases: plan.phases,
    comments: [
      `Made from ${typeof title === 'string' ? `the OpenAPI document "${title.slice(0, 80)}"` : 'an OpenAPI document'} by bench-rest import.`,
      ...plan.comments,
    ],
    dialectNotes: [...(options.baseUrl === undefined ? notes : ownServers(endpoints)), ...plan.notes],
    skipped: references.problems,
    ...(Object.keys(plan.properties).length > 0 && { properties: plan.properties }),
  });
  return replaceSecrets(settle(draft), { ...options, hasPlaceholders: true });
}

/** Notes the endpoints that have a server of their own. @type {(endpoints: Endpoint[]) => string[]} */
function ownServers(endpoints) {
  const own = endpoints.filter(({ origin }) => origin !== '').map(({ method, template }) => `${method} ${template}`);
  const more = own.length > 3 ? `, and ${own.length - 3} more` : '';
  return own.length === 0
    ? []
    : [`These have a server of their own, which --base-url replaces, too: ${own.slice(0, 3).join(', ')}${more}.`];
}

/**
 * Refuses a plan whose operations are all commented out, as its flow would not load.
 * @type {(plan: { phases: FlowDraft['phases'] }, one: Endpoint, from: string) => void}
 */
function refuseNothing({ phases: { main, beforeMain } }, one, from) {
  const all = [...beforeMain, ...main];
  if (all.some(({ disabled }) => disabled === undefined)) return;
  throw makeError('E_FLOW_FILE', {
    path: from,
    reason: `has ${counted(all.length, 'operation')}, which would be left out: ${all[0].disabled?.replace(/\.$/, '')}`,
    cure: `name those that you want, such as --operation '${one.method} ${one.template}'`,
  });
}

/** @type {(options: ImportOptions, name: string) => string[]} */
function listIn(options, name) {
  return /** @type {string[]} */ (options[name] ?? []);
}

/**
 * Returns the origin of the flow, and the path in front of all paths; null: each has that of its server. A base URL
 * that has a path replaces the path of the server, too.
 * @type {(origin: string, given: string | undefined) => { origin: string, path: string | null }}
 */
function baseOf(origin, given) {
  if (given === undefined) return { origin, path: null };
  const [, own = given, path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]+)([^?#]*)/i.exec(given) ?? [];
  return { origin: own, path: path.replace(/\/+$/, '') === '' ? null : path.replace(/\/+$/, '') };
}

/** @type {(endpoint: Endpoint, options: ImportOptions) => boolean} */
function isSelected(endpoint, options) {
  const [tags, operations, excluded] = ['tag', 'operation', 'exclude'].map((name) => listIn(options, name));
  const isChosen =
    tags.length + operations.length === 0 ||
    tags.some((tag) => hasTag(endpoint, tag)) ||
    operations.some((name) => isNamed(endpoint, name));
  return isChosen && !excluded.some((name) => hasTag(endpoint, name) || isNamed(endpoint, name));
}

/** @type {(endpoint: Endpoint, tag: string) => boolean} */
function hasTag({ tags }, tag) {
  return tags.some((one) => one.toLowerCase() === tag.toLowerCase());
}

/** By operationId, path (/users/*), or `DELETE /users/{id}`. @type {(endpoint: Endpoint, name: string) => boolean} */
function isNamed({ id, method, template, path }, name) {
  if (name === id) return true;
  const [, verb, pattern = name] = /^([A-Za-z]+) +(\/.*)$/.exec(name) ?? [];
  if (verb !== undefined && verb.toUpperCase() !== method) return false;
  if (!pattern.startsWith('/')) return false;
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const matcher = new RegExp(`^${parts.join('.*')}$`);
  return matcher.test(template) || matcher.test(path);
}

/** Reports whether a name selects one operation; a bare path or a pattern selects several. @type {typeof isNamed} */
function isNamedAlone(endpoint, name) {
  return name === endpoint.id || (/^[A-Za-z]+ +\//.test(name) && !name.includes('*') && isNamed(endpoint, name));
}
