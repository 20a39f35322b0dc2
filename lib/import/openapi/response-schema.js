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
  return ({ result }) => {
    if (!isRecord(result)) return undefined;
    /** @type {Map<string, string>} references to the names of their definitions */
    const names = new Map();
    /** @type {Record<string, any>} */
    const definitions = {};
    let members = 0;

    /** Copies a schema, or a value in one. @type {(value: any) => any} */
    const copied = (value) => {
      if (++members > MOST_MEMBERS) throw new RangeError('too many members');
      if (Array.isArray(value)) return value.map(copied);
      if (!isRecord(value)) return value;
      const ref = member(value, '$ref');
      if (typeof ref === 'string') return { $ref: `#/$defs/${definitionOf(ref)}` };
      const own = Object.entries(value).filter(([key]) => !DROPPED.has(key) && !key.startsWith('x-'));
      const copy = Object.fromEntries(
        own.map(([key, one]) => {
          if (VALUES.has(key)) return [key, one];
          return [key, NAMED.has(key) ? copiedMembers(one) : copied(one)];
        }),
      );
      return isBefore31 ? asJsonSchema(copy, member(value, 'nullable') === true) : copy;
    };

    /** Copies the schemas of members, whose names may be any. @type {(value: any) => any} */
    const copiedMembers = (value) =>
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, copied(schema)]))
        : copied(value);

    /** @type {(ref: string) => string} */
    const definitionOf = (ref) => {
      const known = names.get(ref);
      if (known !== undefined) return known;
      if (names.size >= MOST_SCHEMAS) throw new RangeError('too many schemas');
      const last = ref.replace(/^.*\//s, '').replace(/\W+/g, '_') || 'schema';
      const name = Object.hasOwn(definitions, last) ? `${last}_${names.size}` : last;
      names.set(ref, name);
      // The name is taken while the schema, which may refer to others of this name, is copied.
      definitions[name] = true;
      definitions[name] = copied(references.target(ref) ?? true);
      return name;
    };

    try {
      const schema = copied(result);
      return names.size > 0 ? { ...schema, $defs: definitions } : schema;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
}

/**
 * OpenAPI 3.0 and Swagger 2 have limits that a boolean excludes (`exclusiveMinimum: true`), `nullable`, and files.
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
