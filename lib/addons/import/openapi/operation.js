import { encodePercent } from '../../../core/text/decode.js';
import { draftOf, requestOf } from '../draft.js';
import { isRecord, itemsOf, jsonIn, member } from '../read-document.js';
import { encodeAroundTokens, replaceTokens, token } from '../tokens.js';
import { tokenName } from '../variables.js';
import { INDEX, Sampler, exampleIn } from './sample.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { Endpoint, Parameter } from './endpoints.js' */
/** @import { References } from './references.js' */
/** @import { Binding } from './resources.js' */
/** @import { Credentials } from './plan.js' */

/**
 * @typedef {object} OperationContext
 * @property {References} references
 * @property {Map<string, Binding>} bindings of the parameters of its path, by their names
 * @property {Record<string, unknown>} vars the values that are guessed
 * @property {Credentials} credentials
 * @property {Record<string, any>} capture
 * @property {string} [disabled]
 * @property {(endpoint: Endpoint) => object | undefined} schemaOf the response schema to check
 */

/** Writes an operation of a document. @type {(endpoint: Endpoint, context: OperationContext) => OperationDraft} */
export function operationOf(endpoint, context) {
  const { method, origin } = endpoint;
  const { credentials, capture } = context;
  const sampler = new Sampler(context.references);
  const parameters = new Map(endpoint.parameters.map((one) => [`${one.in} ${one.name}`, one]));
  const path = pathWith(endpoint, parameters, context);
  const query = [...queryOf(endpoint, sampler), ...credentials.query].join('&');
  const headers = { ...fieldsOf(endpoint, sampler), ...credentials.headers };
  const cookies = { ...cookiesOf(endpoint, sampler), ...credentials.cookies };
  const body = bodyOf(endpoint, sampler);
  const expected = expectOf(endpoint, context);
  const accept = body.properties.json === undefined ? {} : acceptOf(endpoint);
  const fields = { ...accept, ...headers, ...body.headers };
  const operation = {
    ...requestOf(method, `${origin}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`),
    ...(Object.keys(fields).length > 0 && { headers: fields }),
    ...(Object.keys(cookies).length > 0 && { cookies }),
    ...(credentials.auth && { auth: credentials.auth }),
    ...body.properties,
    ...expected,
    ...(Object.keys(capture).length > 0 && { capture }),
  };
  const notes = [...new Set(sampler.notes)].slice(0, 3).map((note) => `Check the value: ${note}.`);
  const comments = [...(endpoint.summary === undefined ? [] : [endpoint.summary]), ...body.comments, ...notes];
  return draftOf(operation, comments, context.disabled);
}

/** @type {(endpoint: Endpoint, parameters: Map<string, Parameter>, context: OperationContext) => string} */
function pathWith({ path, template }, parameters, context) {
  const base = path.slice(0, path.length - template.length);
  // Behind such a sign, documents tell paths from each other.
  const filled = template.replace(/#.*/s, '').replace(/\{([^{}]*)\}/g, (_, name) => {
    const parameter = parameters.get(`path ${name}`);
    return segmentFor(parameter ?? { name, in: 'path', required: true, schema: {} }, context);
  });
  return base + filled;
}

/**
 * Writes a path parameter: a value that the flow sends or captures, else a variable with a guessed value.
 * @type {(parameter: Parameter, context: OperationContext) => string}
 */
function segmentFor(parameter, { bindings, vars, references }) {
  const { name } = parameter;
  const binding = bindings.get(name);
  if (binding?.value !== undefined) return inPath(parameter, binding.value);
  if (binding && binding.kind !== 'guessed') return styled(parameter, token(binding.token));
  const value = guessedValue(parameter, references);
  // A variable has one text: a list, an object and a text with braces are written themselves.
  if (isRecord(value) || Array.isArray(value) || /[{}<]/.test(String(value))) return inPath(parameter, value);
  const variable = binding?.token ?? tokenName(name);
  if (!Object.hasOwn(vars, variable)) vars[variable] = value;
  // Another path allows other values under this name.
  const allowed = itemsOf(member(references.resolve(parameter.schema), 'enum'));
  if (allowed.length > 0 && !allowed.includes(vars[variable])) return inPath(parameter, value);
  return styled(parameter, token(variable));
}

/** @type {(parameter: Parameter, references: References) => any} */
function guessedValue({ name, example, schema }, references) {
  const found = references.resolve(schema);
  const given = example ?? (isRecord(found) ? exampleIn(found) : undefined);
  const format = isRecord(found) ? member(CONSTANTS, String(found.format)) : undefined;
  const value = given ?? format ?? withoutTokens(new Sampler(references).sample(schema, name)) ?? name;
  // A path without the segment is another one.
  return value === '' ? name : value;
}

/** Values of formats whose samples are tokens, which a variable cannot have. */
const CONSTANTS = { uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6', 'date-time': '2026-01-31T12:00:00Z' };

/** Writes a token in the style of a path parameter. @type {(parameter: Parameter, token: string) => string} */
function styled({ style, name }, token) {
  if (style === 'label') return `.${token}`;
  return style === 'matrix' ? `;${name}=${token}` : token;
}

/** Removes the tokens of a sample, as a variable of the flow is no template. @type {(value: any) => any} */
function withoutTokens(value) {
  if (typeof value !== 'string') return value;
  const plain = [` ${INDEX}`, `-${INDEX}`, INDEX].reduce((text, one) => text.replaceAll(one, ''), value);
  return replaceTokens(plain, () => '1');
}

/**
 * Lists the required parameters of a place: optional ones would only narrow a request.
 * @type {(endpoint: Endpoint, place: Parameter['in']) => Parameter[]}
 */
function requiredIn({ parameters }, place) {
  return parameters.filter((one) => one.in === place && one.required);
}

/** @type {(parameter: Parameter, sampler: Sampler) => any} */
function valueOf({ name, schema, example, isJson }, sampler) {
  const value = example ?? sampler.sample(schema ?? {}, name) ?? name;
  return isJson ? JSON.stringify(value) : value;
}

/** @type {(endpoint: Endpoint, sampler: Sampler) => string[]} */
function queryOf(endpoint, sampler) {
  return requiredIn(endpoint, 'query').map((one) => inQuery(one, valueOf(one, sampler)));
}

/** Fields that OpenAPI ignores as parameters, because the body, the responses and the security have them. */
const DERIVED = /^(?:accept|content-type|content-length|authorization)$/i;

/** @type {(endpoint: Endpoint, sampler: Sampler) => Record<string, string>} */
function fieldsOf(endpoint, sampler) {
  const fields = requiredIn(endpoint, 'header').filter(({ name }) => !DERIVED.test(name) && /^[\w-]+$/.test(name));
  return Object.fromEntries(
    fields.map((one) => [one.name, inField(one, valueOf(one, sampler)).replace(/[^\t\u0020-\u007e]/g, '')]),
  );
}

/** @type {(endpoint: Endpoint, sampler: Sampler) => Record<string, string>} */
function cookiesOf(endpoint, sampler) {
  return Object.fromEntries(
    requiredIn(endpoint, 'cookie').map((one) => [one.name, inField(one, valueOf(one, sampler))]),
  );
}

/** `json` asks for JSON, which the response may not be. @type {(endpoint: Endpoint) => Record<string, string>} */
function acceptOf({ accepts }) {
  const hasJson = accepts.length === 0 || accepts.some((type) => /^(?:application\/(?:json\b|\*)|\*)/i.test(type));
  return hasJson ? {} : { Accept: accepts.join(', ') };
}

/** @typedef {{ properties: Record<string, any>, headers: Record<string, string>, comments: string[] }} WrittenBody */

/** @type {(endpoint: Endpoint, sampler: Sampler) => WrittenBody} */
function bodyOf({ method, body }, sampler) {
  const isSent = body !== null && (body.isRequired || ['POST', 'PUT', 'PATCH'].includes(method));
  return isSent ? writtenBody(body, sampler) : { properties: {}, headers: {}, comments: [] };
}

/** @type {(body: NonNullable<Endpoint['body']>, sampler: Sampler) => WrittenBody} */
function writtenBody(body, sampler) {
  /** @type {WrittenBody} */
  const none = { properties: {}, headers: {}, comments: [] };
  const { type } = body;
  const value = example(body.example, type) ?? sampler.sample(body.schema ?? {});
  const plainType = /^[^;\s]+/.exec(type)?.[0] ?? type;
  if (/\bjson\b/i.test(plainType) && !/json-(seq|lines)|ndjson/i.test(plainType))
    return {
      ...none,
      properties: { json: value ?? {} },
      headers: plainType.toLowerCase() === 'application/json' ? {} : { 'Content-Type': type },
    };
  const members = isRecord(value) ? value : {};
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return { ...none, properties: { form: formOf(members, body.encoding) } };
  if (/^multipart\//i.test(type)) return { ...none, properties: { formData: partsOf(members, body.schema, sampler) } };
  const hasText = typeof value === 'string' && body.example !== undefined;
  return {
    properties: { body: typeof value === 'string' ? value : 'text' },
    headers: { 'Content-Type': plainType },
    comments: hasText ? [] : [`Write the body: the document has no example of ${plainType}.`],
  };
}

/**
 * A text if a member has several values, whose names get brackets otherwise.
 * @type {(members: Record<string, any>, encoding: any) => Record<string, any> | string}
 */
function formOf(members, encoding) {
  const all = Object.entries(members);
  if (all.every(([, one]) => typeof one !== 'object')) return members;
  // Without members, an object would have no pair.
  const pairOf = (/** @type {string} */ name, /** @type {any} */ one) =>
    inQuery({ name, ...member(encoding, name) }, one) || `${encodePercent(name)}=${encoded(one)}`;
  return all.map(([name, one]) => pairOf(name, one)).join('&');
}

/** JSON may be written as text; an empty text is none. @type {(value: any, type: string) => any} */
function example(value, type) {
  if (typeof value !== 'string' || !/json/i.test(type)) return value;
  return jsonIn(value) ?? (value || undefined);
}

/** @type {(members: Record<string, any>, schema: any, sampler: Sampler) => Record<string, any>} */
function partsOf(members, schema, sampler) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, partOf(value, sampler.isBinary(schema, name), name)]),
  );
}

/** @type {(value: any, isBinary: boolean, name: string) => any} */
function partOf(value, isBinary, name) {
  if (isBinary)
    return { value: typeof value === 'string' ? value : 'content', filename: `${name.replace(/\W+/g, '-')}.txt` };
  if (Array.isArray(value) && value.every((one) => !isRecord(one))) return value.map(String);
  return isRecord(value) || Array.isArray(value)
    ? { value: JSON.stringify(value), contentType: 'application/json' }
    : String(value);
}

/** @type {(endpoint: Endpoint, context: OperationContext) => Record<string, any>} */
function expectOf(endpoint, { schemaOf }) {
  const { statuses } = endpoint;
  const good = statuses.filter((status) => /^2(\d\d|XX)$/.test(status));
  const redirects = statuses.filter((status) => /^3\d\d$/.test(status) && status !== '304');
  const wanted = good.length > 0 ? good : redirects;
  if (wanted.length === 0) return {};
  const all = wanted.includes('2XX') ? ['2xx'] : wanted.map(Number).sort((a, b) => a - b);
  const schema = schemaOf(endpoint);
  return {
    ...(good.length === 0 && { followRedirect: false }),
    expect: { status: all.length === 1 ? all[0] : all, ...(schema && { schema }) },
  };
}

/** Serializes by RFC 6570: as `simple`, `label` or `matrix`. @type {(parameter: Parameter, value: any) => string} */
function inPath({ name, style = 'simple', explode = false }, value) {
  if (style === 'label') return `.${joined(value, explode, explode ? '.' : ',', '=')}`;
  if (style !== 'matrix') return joined(value, explode, ',', '=');
  if (!isRecord(value) && !Array.isArray(value)) return `;${name}=${encoded(value)}`;
  if (!explode) return `;${name}=${joined(value, false, ',', ',')}`;
  return Array.isArray(value)
    ? value.map((one) => `;${name}=${encoded(one)}`).join('')
    : Object.entries(value)
        .map(([key, one]) => `;${key}=${encoded(one)}`)
        .join('');
}

/** Serializes a header field or a cookie: `simple`. @type {(parameter: Parameter, value: any) => string} */
function inField({ explode = false }, value) {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([key, one]) => (explode ? `${key}=${one}` : `${key},${one}`))
    .join(',');
}

/** @type {Record<string, string>} */
const SEPARATORS = { form: ',', spaceDelimited: '%20', pipeDelimited: '|', tabDelimited: '%09' };

/**
 * Serializes a parameter in the query: `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`.
 * @type {(parameter: Parameter, value: any) => string} `tag=a&tag=b`
 */
function inQuery({ name, style = 'form', explode = style === 'form' }, value) {
  const key = encodePercent(name);
  if (isRecord(value)) {
    const pairs = Object.entries(value);
    if (style === 'deepObject')
      return pairs.map(([one, item]) => `${key}[${encodePercent(one)}]=${encoded(item)}`).join('&');
    if (explode) return pairs.map(([one, item]) => `${encodePercent(one)}=${encoded(item)}`).join('&');
    return `${key}=${pairs.map(([one, item]) => `${encoded(one)},${encoded(item)}`).join(',')}`;
  }
  if (!Array.isArray(value)) return `${key}=${encoded(value)}`;
  if (explode) return value.map((one) => `${key}=${encoded(one)}`).join('&');
  return `${key}=${value.map(encoded).join(member(SEPARATORS, style) ?? ',')}`;
}

/** @type {(value: any, explode: boolean, separator: string, sign: string) => string} */
function joined(value, explode, separator, sign) {
  if (Array.isArray(value)) return value.map(encoded).join(separator);
  if (!isRecord(value)) return encoded(value);
  return Object.entries(value)
    .map(([key, one]) => `${encoded(key)}${explode ? sign : ','}${encoded(one)}`)
    .join(separator);
}

/** @type {(value: any) => string} */
function encoded(value) {
  return encodeAroundTokens(isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value));
}
