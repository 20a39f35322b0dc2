import { makeError } from '../ground/errors.js';
import { formatValue, typeName } from '../text/format-value.js';
import { BODIES, BODY_PARTS } from './bodies/index.js';
import { METHOD_KEYS } from './properties.js';
import { isCyclic, isPlainObject, isRecord } from './record.js';
import { OWN_URL_KEYS, protocolOf } from './protocols/index.js';
import { JSON_VALUE, Placeholder } from './placeholder.js';

/** @import { Returned, ValueMeaning } from './types.js' */
/** @import { NamedValue, Operation } from '../contracts/step.js' */
/** @import { ComputedProperty } from './protocols/types.js' */
/** @import { TokenUse } from './tokens/types.js' */

/** @typedef {(scope: any) => unknown} ValueFunction */

/**
 * The functions of the flow that return values of one operation: its own ones, and those of the tokens that it uses. In
 * the operation, a {@link Placeholder} takes the place of each.
 */
export class ValueList {
  #where;
  #isClosed = false;
  /** @type {Map<string, Placeholder>} */
  #used = new Map();
  /** The names of the variables that its tokens read. @type {Set<string>} */
  variables = new Set();
  /** In the order in which they are called. @type {NamedValue[]} */
  list = [];

  /** @param {string} where `flow.main[0]` */
  constructor(where) {
    this.#where = where;
  }

  /** Returns the place of the operation. */
  get where() {
    return this.#where;
  }

  /** @type {(key: string, call: ValueFunction, returned: Returned) => Placeholder} */
  add(key, call, returned) {
    return this.#push(`${this.#where}.${key}`, call, returned);
  }

  /** @type {(functions: Record<string, ValueFunction>, replacing: any[]) => Record<string, Placeholder>} */
  addHeaders(functions, replacing) {
    const replaced = new Set(
      replacing.flatMap((fields) => Object.keys(fields ?? {})).map((name) => name.toLowerCase()),
    );
    const own = Object.entries(functions).filter(([name]) => !replaced.has(name.toLowerCase()));
    return Object.fromEntries(own.map(([name, call]) => [name, this.#push(`flow.headers.${name}`, call, FIELD)]));
  }

  /**
   * Returns the placeholder of a token's value, the same for all equal uses in this operation; undefined after the
   * operation was compiled, if it does not use the token.
   * @type {(use: TokenUse, meaning: ValueMeaning) => Placeholder | undefined}
   */
  placeholderOf({ name, member, argument }, { where, call, isUsersFunction }) {
    const key = `${name}${member === undefined ? '' : `.${member}`}${argument === undefined ? '' : `(${argument})`}`;
    const known = this.#used.get(key);
    if (known || this.#isClosed) return known;
    const placeholder = this.#push(where, call, isUsersFunction ? TEXT : ANY, key);
    this.#used.set(key, placeholder);
    return placeholder;
  }

  /** Notes that a token of the operation reads a variable. @type {(name: string) => void} */
  addVariable(name) {
    this.variables.add(name);
  }

  /** Ends the list: the operation is compiled. */
  close() {
    this.#isClosed = true;
  }

  /** @type {(where: string, call: ValueFunction, returned: Returned, name?: string) => Placeholder} */
  #push(where, call, { check, expected }, name) {
    const placeholder = new Placeholder(this.list.length, name);
    this.list.push({
      where,
      call,
      isFromCode: check !== ANY.check,
      take(value) {
        if (check(value)) return value;
        const reason = `returned ${returnedName(value)}: return ${expected}`;
        // Reports show the code of the function.
        throw Object.assign(makeError('E_REQUEST_FIELD', { place: where, reason }), { returnedBy: call });
      },
    });
    return placeholder;
  }
}

/** The value of a built-in token or a feeder, which is not checked. @type {Returned} */
const ANY = { check: () => true, expected: '' };
/** @type {Returned} */
const TEXT = {
  check: (v) => ['string', 'number', 'boolean', 'bigint'].includes(typeof v),
  expected: 'a text or a number',
};
/** @type {Returned} */
const FIELD = {
  check: (v) => v === undefined || v === null || TEXT.check(v),
  expected: 'a text, a number, or nothing',
};
/** @type {Returned} */
const URL_TEXT = { check: (v) => (typeof v === 'string' && v !== '') || v instanceof URL, expected: 'a URL' };
/** @type {Returned} */
const RECORD = { check: isRecord, expected: "an object such as { name: 'value' }" };

/** Bodies whose functions may return nothing, as in bench-rest 1: that request has no body. */
const NOTHING = ['json', 'body'];

/** The values that functions return in the place of a property. @type {Record<string, Returned>} */
const WHOLE = {
  ...Object.fromEntries(
    METHOD_KEYS.filter((key) => key !== 'method' && !OWN_URL_KEYS.includes(key)).map((key) => [key, URL_TEXT]),
  ),
  ...Object.fromEntries(
    BODIES.filter(({ isFixed = false }) => !isFixed).map(({ name, check, expected }) => [
      name,
      {
        check: (/** @type {any} */ v) =>
          v === undefined ? NOTHING.includes(name) : typeof v !== 'function' && check(v),
        expected,
      },
    ]),
  ),
  headers: RECORD,
  qs: RECORD,
  ...BODY_PARTS,
};

/** Methods of objects whose functions are not values: of JSON, and of streams in forms. */
const OBJECT_METHODS = ['toJSON', 'pipe'];

/** The values that functions return within the value of a property. @type {Record<string, Returned>} */
const INNER = {
  ...{ headers: FIELD, qs: TEXT, form: TEXT, formData: TEXT, json: JSON_VALUE },
  ...Object.fromEntries(Object.keys(BODY_PARTS).map((name) => [name, JSON_VALUE])),
};

/** @type {(operation: Operation, values: ValueList) => Operation} */
export function withPlaceholders(operation, values) {
  let replaced = operation;
  const { computed } = protocolOf(operation);
  for (const [key, value] of Object.entries(operation)) {
    if (Object.hasOwn(computed, key)) {
      const own = withOwnPlaceholders(value, key, computed[key], values);
      if (own !== value) replaced = { ...replaced, [key]: own };
      continue;
    }
    const inner = INNER[key === 'body' && operation.json === true ? 'json' : key];
    let converted = value;
    if (typeof value === 'function' && Object.hasOwn(WHOLE, key)) converted = values.add(key, value, WHOLE[key]);
    else if (inner && !isCyclic(value)) converted = withInnerPlaceholders(value, key, inner, values);
    if (converted !== value) replaced = { ...replaced, [key]: converted };
  }
  return replaced;
}

/** @type {(value: any, key: string, returned: ComputedProperty, values: ValueList) => any} */
function withOwnPlaceholders(value, key, returned, values) {
  if (typeof value === 'function') return values.add(key, value, returned.whole);
  if (!Array.isArray(value)) return isCyclic(value) ? value : withInnerPlaceholders(value, key, returned.inner, values);
  const items = value.map((item, i) =>
    Array.isArray(item) ? item : withOwnPlaceholders(item, `${key}[${i}]`, returned, values),
  );
  return items.some((item, i) => item !== value[i]) ? items : value;
}

/** @type {(value: any, key: string, returned: Returned, values: ValueList) => any} */
function withInnerPlaceholders(value, key, returned, values) {
  if (Array.isArray(value)) {
    const items = value.map((item, i) => placeholderFor(item, `${key}[${i}]`, returned, values));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isPlainObject(value) || OBJECT_METHODS.some((method) => typeof value[method] === 'function')) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    placeholderFor(item, `${key}.${name}`, returned, values),
  ]);
  return entries.some(([name, item]) => item !== value[name]) ? Object.fromEntries(entries) : value;
}

/** @type {(item: any, key: string, returned: Returned, values: ValueList) => any} */
function placeholderFor(item, key, returned, values) {
  return typeof item === 'function'
    ? values.add(key, item, returned)
    : withInnerPlaceholders(item, key, returned, values);
}

/** @type {(value: unknown) => string} */
function returnedName(value) {
  return value === '' ? formatValue(value) : typeName(value);
}
