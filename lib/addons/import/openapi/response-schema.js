import { isRecord, member } from '../read-document.js';

/** @import { Endpoint } from './endpoints.js' */
/** @import { References } from './references.js' */

/** Schemas and members that one response may have: a validator has to be made of each. */
const [MOST_SCHEMAS, MOST_MEMBERS] = [200, 20_000];
/** Members of OpenAPI that JSON Schema does not have, or that say nothing about validity. */
const DROPPED = new Set([
  ...['example', 'examples', 'externalDocs', 'xml', 'discriminator', 'deprecated', 'readOnly', 'writeOnly'],
  ...['description', 'title', 'default', 'nullable', '$schema', '$id', '$anchor'],
]);
/** Members whose values are no schemas. */
const VALUES = new Set(['enum', 'const', 'required']);
/** Members whose own members have names of the document: `properties.title` is no title. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * Returns the JSON Schema of the successful response of an operation, with the schemas that it refers to in `$defs`;
 * undefined without one, or if it is too large.
 * @type {(document: any, references: References) => (endpoint: Endpoint) => object | undefined}
 */
export function schemaReader(document, references) {
  const isBefore31 = !String(member(document, 'openapi') ?? '').startsWith('3.1');
  return ({ result }) => (isRecord(result) ? new SchemaCopy(references, isBefore31).of(result) : undefined);
}

/** The copy of one schema, and of those that it refers to, in JSON Schema. */
class SchemaCopy {
  #references;
  #isBefore31;
  /** The names of definitions, by the references to them. @type {Map<string, string>} */
  #names = new Map();
  /** @type {Record<string, any>} */
  #definitions = {};
  #members = 0;

  /** @param {References} references @param {boolean} isBefore31 */
  constructor(references, isBefore31) {
    this.#references = references;
    this.#isBefore31 = isBefore31;
  }

  /** Undefined: it is too large. @type {(schema: Record<string, any>) => object | undefined} */
  of(schema) {
    try {
      const copy = this.#copied(schema);
      return this.#names.size > 0 ? { ...copy, $defs: this.#definitions } : copy;
    } catch (error) {
      // Also that of a stack which is too deep.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Copies a schema, or a value in one. @type {(value: any) => any} */
  #copied(value) {
    if (++this.#members > MOST_MEMBERS) throw new RangeError('too many members');
    if (Array.isArray(value)) return value.map((one) => this.#copied(one));
    if (!isRecord(value)) return value;
    const ref = member(value, '$ref');
    if (typeof ref === 'string') return { $ref: `#/$defs/${this.#definitionOf(ref)}` };
    const own = Object.entries(value).filter(([key]) => !DROPPED.has(key) && !key.startsWith('x-'));
    const copy = Object.fromEntries(
      own.map(([key, one]) => {
        if (VALUES.has(key)) return [key, one];
        return [key, NAMED.has(key) ? this.#copiedMembers(one) : this.#copied(one)];
      }),
    );
    return this.#isBefore31 ? asJsonSchema(copy, member(value, 'nullable') === true) : copy;
  }

  /** Copies the schemas of members, whose names may be any. @type {(value: any) => any} */
  #copiedMembers(value) {
    if (!isRecord(value)) return this.#copied(value);
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#copied(schema)]));
  }

  /** Copies what a reference leads to, once, and returns its name. @type {(ref: string) => string} */
  #definitionOf(ref) {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    if (this.#names.size >= MOST_SCHEMAS) throw new RangeError('too many schemas');
    const last = ref.replace(/^.*\//s, '').replace(/\W+/g, '_') || 'schema';
    const name = Object.hasOwn(this.#definitions, last) ? `${last}_${this.#names.size}` : last;
    this.#names.set(ref, name);
    // The name is taken while the schema, which may refer to others of this name, is copied.
    this.#definitions[name] = true;
    this.#definitions[name] = this.#copied(this.#references.target(ref) ?? true);
    return name;
  }
}

/**
 * Translates a schema of OpenAPI 3.0 or Swagger 2: they have limits that a boolean excludes (`exclusiveMinimum: true`),
 * `nullable`, and files.
 * @type {(schema: Record<string, any>, isNullable: boolean) => any}
 */
function asJsonSchema({ exclusiveMinimum, exclusiveMaximum, ...schema }, isNullable) {
  const { minimum, maximum, ...rest } = schema;
  /** @type {Record<string, any>} */
  const limited = {
    ...rest,
    ...(minimum !== undefined && { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
    ...(typeof exclusiveMinimum === 'number' && { exclusiveMinimum }),
    ...(typeof exclusiveMaximum === 'number' && { exclusiveMaximum }),
  };
  if (limited.type === 'file') delete limited.type;
  if (!isNullable) return limited;
  return limited.$ref === undefined && typeof limited.type === 'string' && limited.enum === undefined
    ? { ...limited, type: [limited.type, 'null'] }
    : { anyOf: [limited, { type: 'null' }] };
}
