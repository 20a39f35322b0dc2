import { counted } from '../../../core/ground/decimal.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';

/** @import { References } from './references.js' */

/**
 * @typedef {object} Parameter in the form of OpenAPI 3
 * @property {string} name
 * @property {'path' | 'query' | 'header' | 'cookie'} in
 * @property {boolean} required
 * @property {any} schema
 * @property {any} [example]
 * @property {boolean} [isJson] it is sent as a text of JSON
 * @property {string} [style]
 * @property {boolean} [explode]
 *
 * @typedef {object} Endpoint an operation of a document of any version
 * @property {string} path with the base path of its server: `/v1/users/{id}`
 * @property {string} template as the document has it
 * @property {string} method upper case
 * @property {string} [id] operationId
 * @property {string} [summary]
 * @property {string[]} tags
 * @property {boolean} isDeprecated
 * @property {Parameter[]} parameters
 * @property {{ type: string, schema: any, example?: any, encoding?: any, isRequired: boolean } | null} body
 * @property {string[]} statuses documented ones
 * @property {any} result schema of the successful response, if it is JSON
 * @property {string[]} accepts types of the successful response
 * @property {boolean} hasLocation the successful response has the field Location
 * @property {any[]} links of the successful response
 * @property {Record<string, string[]>[]} security alternatives
 * @property {string} origin of its server; empty: that of the first server of the document, or of none
 * @property {string[]} missed references in it that lead nowhere
 */

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const MOST_ENDPOINTS = 10_000;
const LONGEST_PATH = 4096;

/**
 * Lists the operations of a document: OpenAPI 3, or Swagger 2 in the form of OpenAPI 3.
 * @type {(document: any, references: References) => { endpoints: Endpoint[], baseUrl: string, notes: string[] }}
 */
export function readEndpoints(document, references) {
  const isSwagger = member(document, 'openapi') === undefined;
  const { url, notes } = serverOf(document, isSwagger);
  const { origin, path: basePath } = splitServer(url);
  /** @type {Endpoint[]} */
  const endpoints = [];
  let left = 0;
  for (const [template, given] of membersOf(member(document, 'paths'))) {
    const item = references.resolve(given);
    if (!template.startsWith('/') || template.length > LONGEST_PATH || !isRecord(item)) {
      if (!template.startsWith('x-'))
        references.problems.push({ what: template.slice(0, 200), why: faultOf(template, given) });
      continue;
    }
    for (const method of METHODS) {
      const operation = references.resolve(member(item, method));
      if (!isRecord(operation)) continue;
      if (endpoints.length >= MOST_ENDPOINTS) {
        left++;
        continue;
      }
      const own = itemsOf(member(operation, 'servers'))[0] ?? itemsOf(member(item, 'servers'))[0];
      references.takeMissed();
      const server = own === undefined ? { origin: '', path: basePath } : splitServer(withVariables(own));
      endpoints.push({
        ...describe({ document, item, operation, isSwagger }, references),
        missed: references.takeMissed(),
        method: method.toUpperCase(),
        template,
        path: `${server.path}${template}`,
        origin: server.origin === origin ? '' : server.origin,
      });
    }
  }
  if (left > 0)
    references.problems.push({
      what: counted(left, 'operation'),
      why: `at most ${MOST_ENDPOINTS} of a document are read`,
    });
  return { endpoints, baseUrl: origin, notes };
}

/** @type {(template: string, item: any) => string} */
function faultOf(template, item) {
  if (!template.startsWith('/')) return 'it is no path';
  if (template.length > LONGEST_PATH) return `it has more than ${LONGEST_PATH} characters`;
  return member(item, '$ref') === undefined ? 'it is no object' : 'its $ref leads nowhere, or in a circle';
}

/** @type {(document: any, isSwagger: boolean) => { url: string, notes: string[] }} */
function serverOf(document, isSwagger) {
  if (isSwagger) {
    const schemes = itemsOf(member(document, 'schemes'));
    const scheme = ['https', 'http'].find((name) => schemes.includes(name)) ?? 'http';
    const host = member(document, 'host');
    const { path } = splitServer(String(member(document, 'basePath') ?? ''));
    return typeof host === 'string'
      ? { url: `${scheme}://${host}${path}`, notes: [] }
      : { url: path, notes: [NO_HOST] };
  }
  const [first, ...others] = itemsOf(member(document, 'servers'));
  const url = first === undefined ? '' : withVariables(first);
  const notes = /^https?:\/\//i.test(url) ? [] : [NO_HOST];
  if (others.length > 0)
    notes.push(`The other servers are ${others.slice(0, 3).map(withVariables).join(', ')}: --base-url selects one.`);
  return { url, notes };
}

const NO_HOST = 'The document names no host: pass --base-url.';

/** @type {(server: any) => string} */
function withVariables(server) {
  const url = member(server, 'url');
  if (typeof url !== 'string') return '';
  return url.replace(/\{([^{}]*)\}/g, (_, name, at) => {
    const variable = member(member(server, 'variables'), name);
    // At the beginning it is the address.
    return String(member(variable, 'default') ?? itemsOf(member(variable, 'enum'))[0] ?? (at === 0 ? '' : name));
  });
}

/** @type {(url: string) => { origin: string, path: string }} */
function splitServer(url) {
  const [, origin = '', path] = /^(https?:\/\/[^/?#]+)?([^?#]*)/i.exec(url) ?? ['', '', ''];
  const trimmed = path.replace(/\/+$/, '');
  return { origin, path: trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}` };
}

/**
 * Reads what an operation says of its request and its responses. `item` is its path, which may have parameters, too.
 * @type {(given: { document: any, item: any, operation: any, isSwagger: boolean }, references: References) =>
 *   Omit<Endpoint, 'method' | 'template' | 'path' | 'origin' | 'missed'>}
 */
function describe({ document, item, operation, isSwagger }, references) {
  const given = [...itemsOf(member(item, 'parameters')), ...itemsOf(member(operation, 'parameters'))]
    .map((one) => references.resolveOrName(one))
    .filter(isRecord);
  const parameters = parametersOf(given, isSwagger, references);
  const responses = membersOf(member(operation, 'responses'));
  const success = successOf(responses);
  const response = references.resolveOrName(success?.[1]);
  const id = member(operation, 'operationId');
  const summary = member(operation, 'summary');
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof summary === 'string' &&
      summary.trim() !== '' && { summary: summary.trim().split('\n')[0].slice(0, 100) }),
    tags: itemsOf(member(operation, 'tags')).map(String),
    isDeprecated: member(operation, 'deprecated') === true,
    parameters,
    body: isSwagger
      ? swaggerBody(given, operation, document)
      : bodyOf(references.resolveOrName(member(operation, 'requestBody')), references),
    statuses: responses.map(([status]) => status.toUpperCase()),
    result: isSwagger ? member(response, 'schema') : jsonMedia(member(response, 'content'))?.schema,
    accepts: isSwagger
      ? itemsOf(member(operation, 'produces') ?? member(document, 'produces')).map(String)
      : membersOf(member(response, 'content')).map(([type]) => type),
    hasLocation: membersOf(member(response, 'headers')).some(([name]) => /^location$/i.test(name)),
    links: membersOf(member(response, 'links'))
      .map(([, link]) => references.resolve(link))
      .filter(isRecord),
    security: itemsOf(member(operation, 'security') ?? member(document, 'security')).filter(isRecord),
  };
}

/** Returns the lowest success, or else `default`. @type {(responses: [string, any][]) => [string, any] | undefined} */
function successOf(responses) {
  const good = responses.filter(([status]) => /^2(\d\d|XX)$/i.test(status));
  return good.sort(([a], [b]) => a.localeCompare(b))[0] ?? responses.find(([status]) => status === 'default');
}

/**
 * Reads parameters; of two with one name and place the later one wins, that of the operation.
 * @type {(given: any[], isSwagger: boolean, references: References) => Parameter[]}
 */
function parametersOf(given, isSwagger, references) {
  /** @type {Map<string, Parameter>} */
  const parameters = new Map();
  for (const one of given) {
    const { name, in: place } = one;
    // By default a list in the query is `multi` in OpenAPI 3, and `csv` in Swagger 2.
    const format = one.collectionFormat ?? (place === 'query' ? 'csv' : undefined);
    if (typeof name !== 'string' || !['path', 'query', 'header', 'cookie'].includes(place)) continue;
    parameters.set(`${place} ${name}`, {
      name,
      in: place,
      required: one.required === true || place === 'path',
      ...(isSwagger ? { schema: one, ...withExample(exampleOf(one, references)) } : valueOf(one, references)),
      ...(typeof one.style === 'string' && { style: one.style }),
      ...(typeof one.explode === 'boolean' && { explode: one.explode }),
      ...(isSwagger && member(COLLECTIONS, String(format))),
    });
  }
  return [...parameters.values()];
}

/**
 * Returns the schema and the example of a parameter, which may be those of a media type.
 * @type {(one: any, references: References) => Pick<Parameter, 'schema'>}
 */
function valueOf(one, references) {
  const [type = '', content] = membersOf(one.content)[0] ?? [];
  return {
    schema: one.schema ?? member(content, 'schema'),
    ...withExample(exampleOf(one, references) ?? exampleOf(content, references)),
    ...(/\bjson\b/i.test(type) && { isJson: true }),
  };
}

/** @type {(example: any) => { example?: any }} */
function withExample(example) {
  return example === undefined ? {} : { example };
}

/** The formats of lists in Swagger 2, as OpenAPI 3. @type {Record<string, { style: string, explode: boolean }>} */
const COLLECTIONS = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

/** The example of a parameter or of a media type. @type {(one: any, references: References) => any} */
function exampleOf(one, references) {
  const own = member(one, 'example');
  if (own !== undefined) return own;
  const all = membersOf(member(one, 'examples')).map(([, given]) => member(references.resolve(given), 'value'));
  return all.find((value) => value !== undefined);
}

/** The types of bodies that are written, the best one first. */
const BODY_TYPES = [
  /^application\/json\b/i,
  /^application\/[\w.-]+\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\/plain\b/i,
  /^\*\/\*|^application\/\*/,
];

/** The type that is sent where the document accepts a range of types. @type {(type: string) => string} */
function writtenType(type) {
  return type.includes('*') ? 'application/json' : type;
}

/** @type {(body: any, references: References) => Endpoint['body']} */
function bodyOf(body, references) {
  const content = membersOf(member(body, 'content'));
  const chosen = BODY_TYPES.map((type) => content.find(([name]) => type.test(name))).find(Boolean) ?? content[0];
  if (!chosen) return null;
  const [type, media] = chosen;
  return {
    type: writtenType(type),
    schema: member(media, 'schema'),
    encoding: member(media, 'encoding'),
    ...withExample(exampleOf(media, references)),
    isRequired: member(body, 'required') === true,
  };
}

/**
 * Reads the body of Swagger 2: a parameter in `body`, or a form.
 * @type {(given: any[], operation: any, document: any) => Endpoint['body']}
 */
function swaggerBody(given, operation, document) {
  const consumes = itemsOf(member(operation, 'consumes') ?? member(document, 'consumes')).map(String);
  // The parameters of the operation come last.
  const body = given.findLast((one) => one.in === 'body');
  if (body) {
    const type = BODY_TYPES.map((one) => consumes.find((name) => one.test(name))).find(Boolean) ?? consumes[0];
    return { type: writtenType(type ?? '*/*'), schema: body.schema, isRequired: body.required === true };
  }
  const fields = given.filter((one) => one.in === 'formData' && typeof one.name === 'string');
  if (fields.length === 0) return null;
  const isMultipart = fields.some((one) => one.type === 'file') || consumes.some((type) => /^multipart\//i.test(type));
  return {
    type: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    isRequired: fields.some((one) => one.required === true),
    encoding: Object.fromEntries(
      fields.map(({ name, collectionFormat = 'csv' }) => [name, member(COLLECTIONS, collectionFormat)]),
    ),
    schema: {
      type: 'object',
      required: fields.filter((one) => one.required === true).map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map(({ name, in: _, required: __, ...schema }) => [
          name,
          schema.type === 'file' ? { type: 'string', format: 'binary' } : schema,
        ]),
      ),
    },
  };
}

/** @type {(content: any) => any} */
function jsonMedia(content) {
  return membersOf(content).find(([type]) => /^application\/(?:[\w.-]+\+)?json\b/i.test(type))?.[1];
}
