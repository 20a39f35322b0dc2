import { decodePercent } from '../../../core/text/decode.js';
import { plainName, singular } from '../correlation/evidence.js';
import { memberStep } from '../draft.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';
import { hasToken } from '../tokens.js';
import { isBuiltIn } from '../variables.js';
import { INDEX, MOST_JOINED, Sampler } from './sample.js';

/** @import { Endpoint } from './endpoints.js' */
/** @import { References } from './references.js' */

/**
 * @typedef {object} Resource a part of a path, with what is below it: `/users/{userId}`
 * @property {string} segment
 * @property {Resource | null} parent
 * @property {Endpoint[]} endpoints
 * @property {Map<string, Resource>} children
 * @property {Binding | null} binding of the parameter that is the whole segment
 *
 * @typedef {object} Binding where the value of a path parameter comes from
 * @property {'created' | 'sent' | 'listed' | 'chosen' | 'guessed'} kind created: the response of the POST of the
 *   collection has it; sent: the body of that POST; listed: the first item of the GET of the collection; chosen: a PUT
 *   creates the item under the INDEX of the iteration; guessed: a variable of the flow
 * @property {string} token name of the variable
 * @property {Endpoint} [source] it captures the value
 * @property {string | { header: string, match?: string }} [capture] where the value is in its response
 * @property {string} [value] what the body of the POST has, with its tokens; of the kind `sent`
 */

/** Names of path parameters that say little without their resource. */
const GENERIC = /^(?:id|_id|name|key|uuid|guid|slug|code|number)$/i;

/**
 * Arranges the endpoints by their paths, and finds for each path parameter the operation whose response has its value.
 * @type {(endpoints: Endpoint[], references: References) => Resource}
 */
export function arrange(endpoints, references) {
  const root = newResource('', null);
  /** @type {Map<string, Resource>} */
  const byId = new Map();
  for (const endpoint of endpoints) {
    const resource = endpoint.template
      .split('/')
      .slice(1)
      .reduce((parent, segment) => childOf(parent, segment), root);
    resource.endpoints.push(endpoint);
    if (endpoint.id !== undefined) byId.set(endpoint.id, resource);
  }
  new Binder(references, byId).bind(root);
  return root;
}

/** @type {(segment: string, parent: Resource | null) => Resource} */
function newResource(segment, parent) {
  return { segment, parent, endpoints: [], children: new Map(), binding: null };
}

/** @type {(parent: Resource, segment: string) => Resource} */
function childOf(parent, segment) {
  const known = parent.children.get(segment);
  if (known) return known;
  const child = newResource(segment, parent);
  parent.children.set(segment, child);
  return child;
}

/** Names the parameter that is a whole segment. @type {(segment: string) => string | undefined} */
export function parameterIn(segment) {
  return /^\{([^{}]+)\}$/.exec(segment)?.[1];
}

/** Deprecated endpoints are not usable. @type {(resource: Resource, verb: string) => Endpoint | undefined} */
function usableIn({ endpoints }, verb) {
  return endpoints.find(({ method, isDeprecated }) => method === verb && !isDeprecated);
}

/** Finds the bindings of all path parameters, from the root down. */
class Binder {
  #references;
  #byId;
  /** @type {Set<string>} names of captured values, in upper case */
  #names = new Set();

  /** @param {References} references @param {Map<string, Resource>} byId */
  constructor(references, byId) {
    this.#references = references;
    this.#byId = byId;
  }

  /** @type {(resource: Resource) => void} */
  bind(resource) {
    for (const child of resource.children.values()) {
      const parameter = parameterIn(child.segment);
      if (parameter !== undefined) child.binding = this.#bindingOf(parameter, child, resource);
      this.bind(child);
    }
  }

  /** The surest kind is tried first. @type {(parameter: string, item: Resource, collection: Resource) => Binding} */
  #bindingOf(parameter, item, collection) {
    const creator = usableIn(collection, 'POST');
    if (creator) {
      const capture =
        this.#linked(creator, parameter, item) ??
        this.#pathOfId(creator.result, { parameter, segment: collection.segment, at: '$' }) ??
        (creator.hasLocation ? { header: 'location', match: '([^/?#]+)/?(?:[?#].*)?$' } : undefined);
      if (capture !== undefined)
        return { kind: 'created', token: this.#capturedName(parameter, collection), source: creator, capture };
      const value = this.#sentBy(creator, parameter);
      if (value !== undefined) return { kind: 'sent', token: '', source: creator, value };
    } else {
      const put = usableIn(item, 'PUT');
      if (put?.statuses.includes('201')) return { kind: 'chosen', token: 'INDEX', source: put };
    }
    const list = usableIn(collection, 'GET');
    const capture = list && this.#listedIn(list, parameter, collection);
    if (capture !== undefined)
      return { kind: 'listed', token: this.#capturedName(parameter, collection), source: list, capture };
    return { kind: 'guessed', token: guessedName(parameter, collection) };
  }

  /**
   * A link of the response that sets the parameter of an operation below the item.
   * @type {(creator: Endpoint, parameter: string, item: Resource) => Binding['capture'] | undefined}
   */
  #linked({ links }, parameter, item) {
    for (const link of links) {
      const target = this.#byId.get(String(member(link, 'operationId')));
      const isBelow = target !== undefined && isAtOrBelow(target, item);
      const ref = member(link, 'operationRef');
      const isNamed = typeof ref === 'string' && pathOf(item).endsWith(templateIn(ref));
      if (!isBelow && !isNamed) continue;
      const parameters = member(link, 'parameters');
      const expression = member(parameters, parameter) ?? member(parameters, `path.${parameter}`);
      const capture = typeof expression === 'string' ? captureOf(expression) : undefined;
      if (capture !== undefined) return capture;
    }
    return undefined;
  }

  /**
   * The value that the client chooses: a member of the body of the POST. Random tokens have another value each time.
   * @type {(creator: Endpoint, parameter: string) => string | undefined}
   */
  #sentBy({ body }, parameter) {
    const sample = body?.example ?? (body ? new Sampler(this.#references).sample(body.schema ?? {}) : undefined);
    const [, value] = membersOf(sample).find(([name]) => plainName(name) === plainName(parameter)) ?? [];
    const isText = typeof value === 'string' && value !== '' && !hasToken(value.replaceAll(INDEX, ''));
    return isText || typeof value === 'number' ? String(value) : undefined;
  }

  /**
   * Finds the value in the first item of a list, which may be in an envelope.
   * @type {(list: Endpoint, parameter: string, collection: Resource) => string | undefined}
   */
  #listedIn({ result }, parameter, { segment }) {
    const schema = this.#references.resolve(result);
    if (!isRecord(schema)) return undefined;
    if (member(schema, 'items') !== undefined) return this.#pathOfId(schema.items, { parameter, segment, at: '$[0]' });
    const lists = this.#properties(schema).filter(
      ([, one]) => member(this.#references.resolve(one), 'items') !== undefined,
    );
    const named = lists.find(([name]) =>
      [segment.toLowerCase(), 'data', 'items', 'results', 'values', 'content'].includes(name.toLowerCase()),
    );
    const [name, one] = named ?? (lists.length === 1 ? lists[0] : []);
    if (name === undefined) return undefined;
    const { items } = this.#references.resolve(one);
    return this.#pathOfId(items, { parameter, segment, at: `$${memberStep(name)}[0]` });
  }

  /**
   * Finds the member of a response, whose JSONPath is `at`, that is the value of a parameter: `$.id`, or in an envelope
   * `$.data.id`.
   * @type {(schema: any, given: { parameter: string, segment: string, at: string }) => string | undefined}
   */
  #pathOfId(schema, { parameter, segment, at }) {
    const properties = this.#properties(schema);
    const names = namesOfId(parameter, segment);
    const path = this.#pathOfScalar(properties, names, at);
    if (path !== undefined) return path;
    const envelopes = ['data', 'result', 'item', plainName(singular(segment))];
    return properties
      .filter(([name]) => envelopes.includes(plainName(name)))
      .map(([name, one]) => this.#pathOfScalar(this.#properties(one), names, `${at}${memberStep(name)}`))
      .find((inner) => inner !== undefined);
  }

  /** @type {(properties: [string, any][], names: string[], at: string) => string | undefined} */
  #pathOfScalar(properties, names, at) {
    for (const name of names) {
      const [found, one] = properties.find(([key]) => plainName(key) === name) ?? [];
      if (found !== undefined && this.#isScalar(one)) return `${at}${memberStep(found)}`;
    }
    return undefined;
  }

  /**
   * Lists the members of a schema and of those that it joins: each schema once, as it may join itself.
   * @type {(schema: any, known?: Set<any>) => [string, any][]}
   */
  #properties(schema, known = new Set()) {
    const found = this.#references.resolve(schema);
    if (!isRecord(found) || known.has(found) || known.size >= MOST_JOINED) return [];
    known.add(found);
    const own = membersOf(member(found, 'properties')).filter(([name]) => name !== '__proto__');
    const parts = [
      ...itemsOf(member(found, 'allOf')),
      ...itemsOf(member(found, 'oneOf')).slice(0, 1),
      ...itemsOf(member(found, 'anyOf')).slice(0, 1),
    ];
    return [...own, ...parts.flatMap((one) => this.#properties(one, known))];
  }

  /** @type {(schema: any) => boolean} */
  #isScalar(schema) {
    const found = this.#references.resolve(schema);
    const types = [member(found, 'type') ?? 'string'].flat();
    return !types.includes('object') && !types.includes('array') && member(found, 'properties') === undefined;
  }

  /** Names a captured value; each has a name of its own. @type {(parameter: string, collection: Resource) => string} */
  #capturedName(parameter, collection) {
    const base = guessedName(parameter, collection);
    let name = base;
    for (let i = 2; isBuiltIn(name) || this.#names.has(name.toUpperCase()); i++)
      name = i === 2 ? specificName(parameter, collection) : `${base}${i}`;
    this.#names.add(name.toUpperCase());
    return name;
  }
}

/**
 * Lists the names that the value of a parameter may have in a response, the surest one first: `userId`, `id` and others
 * for `{userId}` of `/users`.
 * @type {(parameter: string, segment: string) => string[]} as plainName writes them
 */
function namesOfId(parameter, segment) {
  const single = singular(segment);
  return [
    parameter,
    ...(/id$/i.test(parameter) ? ['id', `${single}id`, '_id', 'uuid'] : []),
    ...(GENERIC.test(parameter) ? [`${single}${parameter}`] : []),
  ].map(plainName);
}

/** `userId` of /users/{id}, `owner` of /repos/{owner}. @type {(parameter: string, collection: Resource) => string} */
function guessedName(parameter, collection) {
  const word = wordOf(parameter);
  if (GENERIC.test(parameter) || isBuiltIn(word)) return specificName(parameter, collection);
  return word;
}

/** @type {(parameter: string, collection: Resource) => string} */
function specificName(parameter, collection) {
  const segment = nearestWord(collection);
  const word = wordOf(parameter).replace(/^_+/, '');
  const name = `${wordOf(singular(segment))}${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return isBuiltIn(name) ? `${name}Value` : name;
}

/** The last segment that is no parameter. @type {(resource: Resource) => string} */
function nearestWord(resource) {
  for (let one = /** @type {Resource | null} */ (resource); one; one = one.parent)
    if (one.segment !== '' && parameterIn(one.segment) === undefined) return one.segment;
  return 'item';
}

/** @type {(text: string) => string} */
function wordOf(text) {
  const word = text.replace(/[^A-Za-z\d]+([A-Za-z\d])?/g, (_, next = '') => next.toUpperCase());
  return /^[A-Za-z]/.test(word) ? word : `value${word}`;
}

/** @type {(resource: Resource, above: Resource) => boolean} */
function isAtOrBelow(resource, above) {
  for (let one = /** @type {Resource | null} */ (resource); one; one = one.parent) if (one === above) return true;
  return false;
}

/** @type {(resource: Resource) => string} */
function pathOf({ segment, parent }) {
  return parent === null ? segment : `${pathOf(parent)}/${segment}`;
}

/** The path that an operationRef names: `#/paths/~1users~1{id}/get`. @type {(ref: string) => string} */
function templateIn(ref) {
  const [, path = '\0'] = /#\/paths\/([^/]+)\/\w+$/.exec(ref) ?? [];
  return decodePercent(path.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Reads a link such as `$response.body#/data/id`. @type {(expression: string) => Binding['capture'] | undefined} */
function captureOf(expression) {
  const [, pointer] = /^\$response\.body#((?:\/[^/]+)+)$/.exec(expression) ?? [];
  if (pointer !== undefined)
    return `$${pointer
      .slice(1)
      .split('/')
      .map((part) => (/^\d+$/.test(part) ? `[${part}]` : memberStep(part.replaceAll('~1', '/').replaceAll('~0', '~'))))
      .join('')}`;
  const [, field] = /^\$response\.header\.([\w-]+)$/.exec(expression) ?? [];
  return field === undefined ? undefined : { header: field.toLowerCase() };
}
