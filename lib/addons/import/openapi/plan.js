import { encodePercent } from '../../../core/text/decode.js';
import { variableName } from '../environment-names.js';
import { isRecord, member, membersOf } from '../read-document.js';
import { hasToken, token as tokenOf } from '../tokens.js';
import { operationOf } from './operation.js';
import { arrange, parameterIn } from './resources.js';

/** @import { DraftPhases, OperationDraft } from '../import.js' */
/** @import { Endpoint } from './endpoints.js' */
/** @import { References } from './references.js' */
/** @import { Binding, Resource } from './resources.js' */

/**
 * @typedef {object} Plan
 * @property {DraftPhases} phases
 * @property {Record<string, any>} properties of the flow
 * @property {string[]} comments
 * @property {string[]} notes
 *
 * @typedef {object} PlanContext
 * @property {References} references
 * @property {(endpoint: Endpoint) => object | undefined} schemaOf
 * @property {(endpoint: Endpoint) => boolean} isWanted the user named it: it is never left out
 */

/** The order of the operations of one path, between what creates and what deletes. */
const ORDER = ['POST', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE'];
const DESTRUCTIVE = ['PUT', 'PATCH', 'DELETE'];

/**
 * Puts the operations of a document into an order in which each finds what it needs: a resource is created, read,
 * changed, used by what is below it, and deleted.
 * @type {(endpoints: Endpoint[], document: any, context: PlanContext) => Plan}
 */
export function planOf(endpoints, document, { references, schemaOf, isWanted }) {
  const login = loginAmong(endpoints, references);
  /** Guessed values that operationOf adds, unless the operation is left out. @type {Record<string, unknown>} */
  const vars = {};
  /** @type {Set<string>} */
  const notes = new Set();
  /** @type {OperationDraft[]} */
  const main = [];
  /** @type {OperationDraft[]} */
  const beforeMain = [];
  for (const { endpoint, resources } of placedEndpoints(arrange(endpoints, references))) {
    const isLogin = endpoint === login?.endpoint;
    const disabled = isWanted(endpoint) ? undefined : reasonAgainst(endpoint, resources);
    references.takeMissed();
    const draft = operationOf(endpoint, {
      references,
      bindings: bindingsOf(resources),
      vars: disabled === undefined ? vars : {},
      schemaOf,
      capture: { ...capturesOf(endpoint, resources), ...(isLogin && { token: login.capture }) },
      ...(disabled !== undefined && { disabled }),
      credentials: credentialsFor(endpoint, document, {
        references,
        loginToken: login ? tokenOf('token') : null,
        notes,
      }),
    });
    draft.comments.push(...commentsOnMissed(endpoint, references));
    if (isLogin) draft.comments.push('Guessed: the other operations send the token that this one returns.');
    (isLogin ? beforeMain : main).push(draft);
  }
  const registration = login && registrationAmong(main, beforeMain[0]);
  if (registration) {
    main.splice(main.indexOf(registration), 1);
    beforeMain.unshift(registration);
  }
  const headers = sharedHeaders([...main, ...beforeMain]);
  const guessed = Object.keys(vars);
  return {
    phases: { before: [], beforeMain, main, afterMain: [], after: [] },
    properties: { ...(headers && { headers }), ...(guessed.length > 0 && { vars }) },
    comments:
      guessed.length > 0 ? ['The values in vars are guessed: no operation returns them. Write ones that exist.'] : [],
    notes: [...notes],
  };
}

/** @type {(endpoint: Endpoint, references: References) => string[]} */
function commentsOnMissed({ missed }, references) {
  const all = [...new Set([...missed, ...references.takeMissed()])];
  return all.map((ref) => `Complete the request: the $ref to ${ref} was not read.`);
}

/** @typedef {{ endpoint: Endpoint, resources: Resource[] }} PlacedEndpoint resources: its own, after those above it */

/**
 * Lists endpoints in the order in which a flow sends them: those of a resource, what is below it, then its DELETE.
 * @type {(resource: Resource, above?: Resource[]) => PlacedEndpoint[]}
 */
function placedEndpoints(resource, above = []) {
  const resources = [...above, resource];
  const own = inOrder(resource).map((endpoint) => ({ endpoint, resources }));
  return [
    ...own.filter(({ endpoint }) => endpoint.method !== 'DELETE'),
    ...[...resource.children.values()].flatMap((child) => placedEndpoints(child, resources)),
    ...own.filter(({ endpoint }) => endpoint.method === 'DELETE'),
  ];
}

/** Sorts the endpoints of one path. @type {(resource: Resource) => Endpoint[]} */
function inOrder({ endpoints, binding }) {
  const isItem = binding !== null;
  const rank = (/** @type {Endpoint} */ one) => {
    // A PUT that creates the item comes first, and a POST on it, which is an action, after reading it.
    if (binding?.kind === 'chosen' && one === binding.source) return -1;
    return isItem && one.method === 'POST' ? ORDER.length : ORDER.indexOf(one.method);
  };
  return [...endpoints].sort((a, b) => rank(a) - rank(b));
}

/** Lists the bindings of a path by their names. @type {(resources: Resource[]) => Map<string, Binding>} */
function bindingsOf(resources) {
  return new Map(
    resources.flatMap(({ segment, binding }) => {
      const name = parameterIn(segment);
      return name === undefined || binding === null ? [] : [/** @type {const} */ ([name, binding])];
    }),
  );
}

/**
 * Captures the values that the items below a resource need, if its endpoint returns them.
 * @type {(endpoint: Endpoint, resources: Resource[]) => Record<string, any>}
 */
function capturesOf(endpoint, resources) {
  const children = resources.at(-1)?.children.values() ?? [];
  return Object.fromEntries(
    [...children].flatMap(({ binding }) =>
      binding?.source === endpoint && binding.capture !== undefined ? [[binding.token, binding.capture]] : [],
    ),
  );
}

/** Says why an endpoint is left out. @type {(endpoint: Endpoint, resources: Resource[]) => string | undefined} */
function reasonAgainst({ method, isDeprecated }, resources) {
  if (isDeprecated) return 'the document calls it deprecated.';
  if (!DESTRUCTIVE.includes(method)) return undefined;
  const last = resources.findLast(({ binding }) => binding !== null)?.binding;
  if (last && ['created', 'sent', 'chosen'].includes(last.kind)) return undefined;
  const verb = method === 'DELETE' ? 'deletes' : 'changes';
  return `it ${verb} what this flow did not create.`;
}

/**
 * Moves the header fields that all operations have to the flow, and returns them.
 * @type {(drafts: OperationDraft[]) => Record<string, string> | undefined}
 */
function sharedHeaders(drafts) {
  const [first] = drafts;
  if (drafts.length < 2) return undefined;
  const shared = Object.entries(first.operation.headers ?? {}).filter(([name, value]) =>
    drafts.every(({ operation }) => operation.headers?.[name] === value),
  );
  if (shared.length === 0) return undefined;
  for (const { operation } of drafts) {
    for (const [name] of shared) delete operation.headers[name];
    if (Object.keys(operation.headers).length === 0) delete operation.headers;
  }
  return Object.fromEntries(shared);
}

/**
 * @typedef {object} Credentials of an operation
 * @property {Record<string, string>} headers
 * @property {Record<string, string>} cookies
 * @property {string[]} query
 * @property {Record<string, string | boolean>} [auth]
 */

/** How the value of a scheme is written, if no login of the document returns it. */
const TOKEN = tokenOf('env.TOKEN');
const USER = { user: tokenOf('env.USER_NAME'), pass: tokenOf('env.PASSWORD') };

/**
 * Writes the credentials of an operation: those of the first alternative of its security schemes, as tokens of the
 * environment, or the token that a login captures.
 * @type {(endpoint: Endpoint, document: any, context: { references: References, loginToken: string | null, notes:
 *   Set<string> }) => Credentials}
 */
function credentialsFor({ security }, document, { references, loginToken, notes }) {
  const schemes = member(member(document, 'components'), 'securitySchemes') ?? member(document, 'securityDefinitions');
  /** @type {Credentials} */
  const credentials = { headers: {}, cookies: {}, query: [] };
  for (const [name] of membersOf(security[0])) {
    const scheme = references.resolve(member(schemes, name));
    addScheme(credentials, isRecord(scheme) ? scheme : {}, { name, loginToken, notes });
  }
  return credentials;
}

/** @typedef {{ name: string, loginToken: string | null, notes: Set<string> }} SchemeContext */

/** @type {(credentials: Credentials, scheme: Record<string, any>, context: SchemeContext) => void} */
function addScheme(credentials, scheme, { name, loginToken, notes }) {
  const kind = scheme.type === 'http' ? String(scheme.scheme ?? '').toLowerCase() : scheme.type;
  if (kind === 'basic' || kind === 'digest')
    credentials.auth = { ...USER, ...(kind === 'digest' && { sendImmediately: false }) };
  else if (kind === 'bearer' || kind === 'oauth2' || kind === 'openIdConnect')
    credentials.headers.Authorization = `Bearer ${loginToken ?? TOKEN}`;
  else if (kind === 'apiKey' && typeof scheme.name === 'string') addKey(credentials, scheme, loginToken);
  else
    notes.add(`The security scheme ${name} (${kind || 'not in the document'}) has no equivalent: add what it needs.`);
}

/** @type {(credentials: Credentials, scheme: Record<string, any>, loginToken: string | null) => void} */
function addKey({ headers, cookies, query }, { in: place, name: key }, loginToken) {
  const value = tokenOf(`env.${variableName(key)}`);
  if (place === 'query') query.push(`${encodePercent(key)}=${value}`);
  else if (place === 'cookie') cookies[key] = value;
  else if (/^[\w-]+$/.test(key))
    headers[key] = /^authorization$/i.test(key) && loginToken !== null ? `Bearer ${loginToken}` : value;
}

const LOGIN_PATH = /\/(?:log-?in|sign-?in|auth(?:enticate|entication|orize)?|tokens?|sessions?|oauth2?)$/i;
const TOKEN_NAME = /^(?:access_?token|token|jwt|id_?token|auth_?token|bearer)$/i;

/**
 * Finds the operation that returns the token which the others send: a POST without security, whose path and response
 * say so.
 * @type {(endpoints: Endpoint[], references: References) => { endpoint: Endpoint, capture: string } | null}
 */
function loginAmong(endpoints, references) {
  if (endpoints.every(({ security }) => security.length === 0)) return null;
  for (const endpoint of endpoints) {
    const { method, template, security, isDeprecated, result } = endpoint;
    const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
    if (method !== 'POST' || isDeprecated || !isOpen || !LOGIN_PATH.test(template) || template.includes('{')) continue;
    const capture = pathOfToken(result, references, '$', 0);
    if (capture !== undefined) return { endpoint, capture };
  }
  return null;
}

const REGISTRATION =
  /\/(?:sign-?up|register|registration|users?|accounts?|members?|customers?)(?:\/(?:new|create|register|sign-?up))?$/i;
const IDENTITY = /^(?:e-?mail|user_?name|user|login)$/i;

/**
 * Finds the operation that creates the user who logs in: a POST whose body has the same name of a user and a password.
 * Names of users in examples would be the same in each iteration, so both get its number.
 * @type {(main: OperationDraft[], login: OperationDraft) => OperationDraft | undefined}
 */
function registrationAmong(main, login) {
  const own = credentialsIn(login.operation);
  const found = main.find(({ operation, disabled }) => {
    const known = credentialsIn(operation);
    const isCreating =
      disabled === undefined && REGISTRATION.test(operation.post ?? '') && !operation.headers?.Authorization;
    return (
      isCreating &&
      known.password &&
      own.password &&
      known.names.some(([name]) => own.names.some(([one]) => one === name))
    );
  });
  if (!found) return undefined;
  for (const [name, holder] of credentialsIn(found.operation).names) {
    const [, other] = own.names.find(([one]) => one === name) ?? [];
    const text = String(holder[name]);
    const numbered = hasToken(text) ? text : text.replace(/(?=@|$)/, `-${tokenOf('INDEX')}`);
    holder[name] = numbered;
    if (other) other[name] = numbered;
  }
  found.comments.push('Creates the user who logs in; a second run against the same data needs other names.');
  return found;
}

/**
 * Lists the names of users in a body, with the objects that have them; it may be in an envelope.
 * @type {(operation: Record<string, any>) => { names: [string, Record<string, any>][], password: boolean }}
 */
function credentialsIn({ json, form }) {
  const body = json ?? form ?? {};
  const objects = [body, ...Object.values(body)].filter(isRecord);
  return {
    names: objects.flatMap((one) =>
      Object.keys(one)
        .filter((name) => IDENTITY.test(name) && typeof one[name] === 'string')
        .map((name) => /** @type {[string, any]} */ ([name, one])),
    ),
    password: objects.some((one) => Object.keys(one).some((name) => /^pass(?:word)?$/i.test(name))),
  };
}

/**
 * Finds the JSONPath of a token in a response, at most one object deep.
 * @type {(schema: any, references: References, at: string, depth: number) => string | undefined}
 */
function pathOfToken(schema, references, at, depth) {
  const found = references.resolve(schema);
  if (!isRecord(found)) return undefined;
  const properties = membersOf(member(found, 'properties'));
  const own = properties.find(([name]) => TOKEN_NAME.test(name));
  if (own) return `${at}.${own[0]}`;
  const inner = depth === 0 ? properties.filter(([name]) => /^(?:data|result|user)$/.test(name)) : [];
  for (const [name, one] of inner) {
    const path = pathOfToken(one, references, `${at}.${name}`, 1);
    if (path !== undefined) return path;
  }
  return undefined;
}
