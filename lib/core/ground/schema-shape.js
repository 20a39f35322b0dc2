import { choice, flag, json, list, mapOf, nullable, number, optional, record, text, where } from './shape.js';

/** @import { Shape } from './shape.js' */

/** @typedef {Record<string, any>} Schema */

/**
 * The types by which the alternative of `anyOf` for a value is found. Its shape checks afterwards that an integer is
 * whole, and explains it.
 * @type {Record<string, (value: any) => boolean>}
 */
const TYPES = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'number',
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
};

/**
 * Creates the shape that a JSON Schema of ours describes, so that its values are declared once. It reads the keywords
 * that our schemas have. An object is closed, unless it has `additionalProperties` or names no property.
 * @type {(schema: Schema) => Shape}
 */
export function shapeOf(schema) {
  return new Translation(schema.$defs ?? {}).shapeOf(schema);
}

class Translation {
  #definitions;
  /** By the name of the definition. @type {Map<string, Shape>} */
  #shapes = new Map();

  /** @param {Record<string, Schema>} definitions */
  constructor(definitions) {
    this.#definitions = definitions;
  }

  /** @type {(schema: Schema) => Shape} */
  shapeOf(schema) {
    if (schema.$ref) return this.#defined(schema.$ref);
    if (schema.enum) return choice(...schema.enum);
    if (schema.const !== undefined) return choice(schema.const);
    if (schema.anyOf) return this.#firstThatFits(schema.anyOf);
    const types = [schema.type].flat();
    const isNullable = types.includes('null');
    const others = types.filter((type) => type !== 'null');
    const shape =
      others.length === 1
        ? this.#typed(others[0], schema)
        : this.#firstThatFits(others.map((type) => ({ ...schema, type })));
    return isNullable ? nullable(shape) : shape;
  }

  /** @type {(ref: string) => Shape} */
  #defined(ref) {
    const name = nameOf(ref);
    const shape = this.#shapes.get(name) ?? this.shapeOf(this.#definitions[name]);
    this.#shapes.set(name, shape);
    return shape;
  }

  /** @type {(type: string, schema: Schema) => Shape} */
  #typed(type, schema) {
    if (type === 'object') return this.#object(schema);
    if (type === 'array')
      return list(this.shapeOf(schema.items), { least: schema.minItems, most: schema.maxItems ?? Infinity });
    if (type === 'boolean') return flag;
    return type === 'string' ? textOf(schema) : numberOf(schema);
  }

  /** @type {(schema: Schema) => Shape} */
  #object({ properties, required = [], additionalProperties, propertyNames }) {
    const others = additionalProperties ? this.shapeOf(additionalProperties) : undefined;
    const names = [...Object.keys(properties ?? {}), ...required];
    if (properties || names.length > 0) {
      const fields = names.map((name) => {
        const shape = properties?.[name] ? this.shapeOf(properties[name]) : /** @type {Shape} */ (others);
        return [name, required.includes(name) ? shape : optional(shape)];
      });
      return record(Object.fromEntries(fields), { others });
    }
    if (!others) return where(json, TYPES.object, 'an object');
    const nameShape = propertyNames && this.shapeOf({ type: 'string', ...propertyNames });
    return mapOf(others, { most: Infinity, names: nameShape });
  }

  /** Finds the first alternative that a value fits by type and keys. @type {(alternatives: Schema[]) => Shape} */
  #firstThatFits(alternatives) {
    const rows = alternatives.map((one) => ({ schema: this.#resolved(one), shape: this.shapeOf(one) }));
    const expected = rows.map(({ schema }) => schema.required?.join(' and ') ?? String(schema.type)).join(', or ');
    return (value, place) => {
      const row = rows.find(({ schema }) => fits(value, schema));
      return row ? row.shape(value, place) : place.refuse(value, expected);
    };
  }

  /** @type {(schema: Schema) => Schema} */
  #resolved(schema) {
    return schema.$ref ? this.#definitions[nameOf(schema.$ref)] : schema;
  }
}

/** @type {(ref: string) => string} */
function nameOf(ref) {
  return ref.replace('#/$defs/', '');
}

/** @type {(value: any, schema: Schema) => boolean} */
function fits(value, { type, required = [] }) {
  const isOfType = [type].flat().some((one) => TYPES[one](value));
  return isOfType && required.every((/** @type {string} */ name) => Object.hasOwn(value, name));
}

/** People read the first words of a description, not the pattern. @type {(schema: Schema) => Shape} */
function textOf({ pattern, description }) {
  return text({
    most: Infinity,
    ...(pattern && { pattern: new RegExp(pattern), expected: description?.split('; ')[0] }),
  });
}

/** @type {(schema: Schema) => Shape} */
function numberOf({ type, minimum, maximum, exclusiveMinimum }) {
  const shape = number({ least: minimum, most: maximum, isWhole: [type].flat().includes('integer') });
  return exclusiveMinimum === undefined
    ? shape
    : where(shape, (value) => value > exclusiveMinimum, `a number above ${exclusiveMinimum}`);
}
