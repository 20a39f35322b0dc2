import { decodePercent } from '../../../core/text/decode.js';
import { isRecord, itemsOf, jsonIn, member, membersOf } from '../read-document.js';
import { hasToken, token, withoutMarks } from '../tokens.js';

/** @import { References } from './references.js' */

/** Limits: schemas in schemas, members of one object, values of one sample. */
const [MOST_LEVELS, MOST_MEMBERS, MOST_VALUES] = [8, 30, 500];
/** Schemas that one schema joins with `allOf`. */
export const MOST_JOINED = 100;
/** No value: a circle of schemas, or too many values. */
const NOTHING = undefined;
/** The number of the iteration. */
export const INDEX = token('INDEX');
/** Values by the `format` of a text. @type {Record<string, string>} */
const FORMATS = {
  'date-time': token('isoTimestamp'),
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: `user-${INDEX}@example.com`,
  'idn-email': `user-${INDEX}@example.com`,
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  uuid: token('uuid'),
  byte: 'dGV4dA==',
  binary: 'content',
  password: token('env.PASSWORD'),
};
/** Names of members whose values should differ: they get the INDEX of the iteration. */
const NAMES = /^(?:(?:full|display|first|last|nick|user)?_?name|title|label|slug|subject|login)$/i;

/** Makes values that a schema allows: its examples, or the smallest ones. */
export class Sampler {
  #references;
  #left = MOST_VALUES;
  /** @type {any[]} schemas around the current one */
  #above = [];
  /** The reference to the current schema. */
  #ref = '';
  /** Values to be checked by a person: `email has the pattern …`. @type {string[]} */
  notes = [];

  /** @param {References} references */
  constructor(references) {
    this.#references = references;
  }

  /**
   * Makes a value; undefined if the schema allows none that ends. `name` is that of the member or parameter.
   * @type {(schema: any, name?: string) => any}
   */
  sample(schema, name = '') {
    const found = this.#references.resolve(schema);
    if (found === true || !isRecord(found)) return name === '' ? {} : textFor(name, {});
    if (this.#left-- <= 0 || this.#above.length > MOST_LEVELS || this.#above.includes(found)) return NOTHING;
    return this.#within(found, member(schema, '$ref'), () => this.#valueOf(found, name));
  }

  /** @type {(schema: any, ref: unknown, make: () => any) => any} */
  #within(schema, ref, make) {
    const outer = this.#ref;
    this.#ref = typeof ref === 'string' ? ref : '';
    this.#above.push(schema);
    const value = make();
    this.#above.pop();
    this.#ref = outer;
    return value;
  }

  /** Reports whether a member of a schema is the content of a file. @type {(schema: any, name: string) => boolean} */
  isBinary(schema, name) {
    const found = this.#references.resolve(member(member(this.#references.resolve(schema), 'properties'), name));
    const one = this.#references.resolve(member(found, 'items') ?? found);
    return member(one, 'format') === 'binary' || member(one, 'contentMediaType') === 'application/octet-stream';
  }

  /** @type {(schema: Record<string, any>, name: string) => any} */
  #valueOf(schema, name) {
    const given = inType(exampleIn(schema), typeOf(schema));
    if (given !== undefined) return given;
    const all = itemsOf(member(schema, 'allOf'));
    if (all.length > 0) return this.#valueOf(this.#merged(schema, all), name);
    const [choice] = this.#choices(schema);
    if (choice !== undefined) return this.#chosen(schema, choice, name);
    const type = typeOf(schema);
    if (type === 'object') return this.#object(schema);
    if (type === 'array') return this.#array(schema, name);
    if (type === 'integer' || type === 'number') return numberFor(schema, type);
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    return this.#text(schema, name);
  }

  /** Makes a value of one alternative. @type {(schema: Record<string, any>, choice: any, name: string) => any} */
  #chosen({ oneOf: _, anyOf: __, ...rest }, choice, name) {
    const chosen = this.#references.resolve(choice);
    if (!isRecord(chosen)) return this.#valueOf(rest, name);
    if (this.#above.length > MOST_LEVELS || this.#above.includes(chosen)) return NOTHING;
    return this.#within(chosen, member(choice, '$ref'), () => this.#valueOf(this.#merged(rest, [chosen]), name));
  }

  /** @type {(schema: Record<string, any>) => any[]} the alternatives that are not null */
  #choices(schema) {
    const all = [...itemsOf(member(schema, 'oneOf')), ...itemsOf(member(schema, 'anyOf'))];
    return all.filter((one) => member(this.#references.resolve(one), 'type') !== 'null');
  }

  /** Joins schemas that all hold. @type {(schema: Record<string, any>, parts: any[]) => Record<string, any>} */
  #merged(schema, parts) {
    const { allOf: _, ...own } = schema;
    const properties = new Map();
    const required = new Set();
    /** @type {Record<string, any>} */
    let merged = {};
    // Each part once: it may join itself.
    const known = new Set();
    /** @type {(part: any) => void} */
    const add = (part) => {
      const found = this.#references.resolve(part);
      if (!isRecord(found) || known.has(found) || known.size >= MOST_JOINED) return;
      known.add(found);
      const { allOf, properties: given, required: needed, ...rest } = found;
      for (const one of itemsOf(allOf)) add(one);
      for (const [key, value] of membersOf(given)) properties.set(key, value);
      for (const key of itemsOf(needed)) required.add(key);
      merged = { ...merged, ...rest };
    };
    for (const part of [...parts, own]) add(part);
    if (properties.size > 0) merged.properties = Object.fromEntries(properties);
    if (required.size > 0) merged.required = [...required];
    return merged;
  }

  /** Has the required members, or all of them if none is. @type {(schema: Record<string, any>) => any} */
  #object(schema) {
    const required = itemsOf(member(schema, 'required'));
    const all = membersOf(member(schema, 'properties')).slice(0, MOST_MEMBERS * 10);
    const writable = all.filter(([, one]) => member(this.#references.resolve(one), 'readOnly') !== true);
    const needed = writable.filter(([key]) => required.includes(key));
    // Optional members deep in a sample say nothing, and may be many.
    const isDeep = this.#above.length > 2;
    const named = new Set(all.map(([key]) => key));
    // Any value is allowed of members that are only required.
    const others = required.filter((key) => typeof key === 'string' && !named.has(key)).map((key) => [key, {}]);
    const chosen = [...(needed.length > 0 || isDeep ? needed : writable), ...others].slice(0, MOST_MEMBERS);
    const made = Object.fromEntries(
      chosen.flatMap(([key, one]) => {
        const value = this.sample(one, key);
        if (value === undefined && required.includes(key)) this.notes.push(`${key} is required, and contains itself`);
        return value === undefined ? [] : [[key, value]];
      }),
    );
    const lacking = Math.min((Number(member(schema, 'minProperties')) || 0) - Object.keys(made).length, MOST_MEMBERS);
    for (let i = 1; i <= lacking; i++)
      made[`key${i}`] = this.sample(member(schema, 'additionalProperties') ?? true, 'key');
    return { ...made, ...this.#kind(schema) };
  }

  /**
   * Returns the member that names the kind of an object: a discriminator has the name of the schema, or that of the
   * mapping. In Swagger 2 it is a text.
   * @type {(schema: Record<string, any>) => Record<string, string>}
   */
  #kind({ discriminator, properties }) {
    const key = member(discriminator, 'propertyName') ?? discriminator;
    const schemaName = this.#ref.slice(this.#ref.lastIndexOf('/') + 1);
    if (typeof key !== 'string' || schemaName === '') return {};
    const named = membersOf(member(discriminator, 'mapping')).find(([, ref]) => `/${ref}`.endsWith(`/${schemaName}`));
    const value = named?.[0] ?? decodePercent(schemaName);
    const { enum: all = [value], const: only = value } = this.#references.resolve(member(properties, key)) ?? {};
    return only === value && itemsOf(all).includes(value) ? { [key]: value } : {};
  }

  /** @type {(schema: Record<string, any>, name: string) => any} */
  #array(schema, name) {
    const itemName = name.replace(/s$/, '') || 'item';
    const first = itemsOf(member(schema, 'prefixItems')).map((one) => this.sample(one, itemName));
    const count = Math.min(Math.max(1, Number(member(schema, 'minItems')) || 1), MOST_MEMBERS) - first.length;
    const value = count > 0 ? this.sample(member(schema, 'items') ?? {}, itemName) : undefined;
    if (value === undefined) return first;
    const isUnique = member(schema, 'uniqueItems') === true && count > 1;
    const others = Array.from({ length: count }, (_, i) => (isUnique ? different(value, i) : value));
    return [...first, ...(others.includes(undefined) ? [value] : others)];
  }

  /** @type {(schema: Record<string, any>, name: string) => string} */
  #text(schema, name) {
    const text = textFor(name, schema);
    const { pattern } = schema;
    if (typeof pattern === 'string') this.notes.push(`${name || 'the value'} has the pattern ${pattern.slice(0, 60)}`);
    return text;
  }
}

/** An example that the document has. @type {(schema: Record<string, any>) => any} */
export function exampleIn(schema) {
  const given = [
    member(schema, 'example'),
    member(schema, 'x-example'),
    itemsOf(member(schema, 'examples'))[0],
    member(schema, 'const'),
    member(schema, 'default'),
    itemsOf(member(schema, 'enum')).find((one) => one !== null),
  ];
  return given.find((one) => one !== undefined);
}

/**
 * Returns an example in the type of its schema: YAML reads `12345` as a number, and JSON may be written as text. It
 * returns undefined if the example is of another type.
 * @type {(value: any, type: string | undefined) => any}
 */
function inType(value, type) {
  if (type === 'string') return ['number', 'boolean'].includes(typeof value) ? String(value) : value;
  if (typeof value !== 'string' || type === undefined || !Object.hasOwn(IS_OF, type)) return value;
  const parsed = jsonIn(value);
  if (IS_OF[type](parsed)) return parsed;
  return type === 'array' && value !== '' ? [value] : undefined;
}

const isNumber = (/** @type {unknown} */ value) => typeof value === 'number';
/** By the types of schemas, but text. @type {Record<string, (value: unknown) => boolean>} */
const IS_OF = {
  integer: isNumber,
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
};

/** Makes another value of a sample, if that is simple. @type {(value: any, i: number) => any} */
function different(value, i) {
  if (typeof value === 'number') return value + i;
  return typeof value === 'string' && !hasToken(value) ? value + (i === 0 ? '' : i + 1) : undefined;
}

/** @type {(schema: unknown) => string | undefined} */
function typeOf(schema) {
  const type = member(schema, 'type');
  const one = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (typeof one === 'string') return one;
  if (isRecord(member(schema, 'properties')) || isRecord(member(schema, 'additionalProperties'))) return 'object';
  return member(schema, 'items') === undefined ? undefined : 'array';
}

/** Returns the smallest suitable number from 1 on. @type {(schema: Record<string, any>, type: string) => number} */
function numberFor(schema, type) {
  const { minimum, maximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const above = excluded(schema.exclusiveMinimum, minimum);
  const below = excluded(schema.exclusiveMaximum, maximum);
  const least = above === undefined ? minimum : above + (type === 'integer' ? 1 : step);
  const start = typeof least === 'number' && least > step ? Math.ceil(least / step) * step : step;
  // A number that need not be whole is the middle between both limits.
  if (below !== undefined && start >= below)
    return type === 'integer' ? Math.ceil(below) - 1 : ((above ?? minimum ?? below - 2) + below) / 2;
  return typeof maximum === 'number' && start > maximum ? maximum : start;
}

/**
 * Returns the limit that a number must not have: in OpenAPI 3.0 `exclusive` is true, in JSON Schema it is the limit.
 * @type {(exclusive: unknown, limit: unknown) => number | undefined}
 */
function excluded(exclusive, limit) {
  const given = exclusive === true ? limit : exclusive;
  return typeof given === 'number' ? given : undefined;
}

/** Makes a text by format or name within its limits. @type {(name: string, schema: Record<string, any>) => string} */
function textFor(name, schema) {
  const { format, minLength, maxLength } = schema;
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format];
  if (/e-?mail$/i.test(name)) return FORMATS.email;
  if (/^(?:pass|passwd|password|passphrase|pwd)$/i.test(name)) return FORMATS.password;
  const text = NAMES.test(name) ? `${name.toLowerCase()} ${INDEX}` : name === '' ? 'text' : name;
  const longest = typeof maxLength === 'number' ? maxLength : Infinity;
  // The index may have several digits.
  const fitting =
    withoutMarks(text).length > longest || (hasToken(text) && longest < 20)
      ? text.replace(` ${INDEX}`, '').slice(0, longest)
      : text;
  const shortest = typeof minLength === 'number' ? Math.min(minLength, 1000) : 0;
  return fitting.length >= shortest ? fitting : fitting.padEnd(shortest, 'x');
}
