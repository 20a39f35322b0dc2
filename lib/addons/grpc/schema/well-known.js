/** @import { Root, Type } from 'protobufjs' */

/**
 * @typedef {object} WellKnown a type of google.protobuf that JSON writes in a way of its own
 * @property {string} expected for messages
 * @property {(value: any) => boolean} check
 * @property {(value: any, root: Root, convert: Convert) => any} toFields
 * @property {(fields: any, root: Root, convert: Convert) => any} fromFields
 *
 * @typedef {(type: Type, value: any) => any} Convert
 */

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;
const DURATION = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** @type {(value: any) => boolean} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @type {WellKnown} */
const STRUCT = {
  expected: 'an object',
  check: isObject,
  toFields: (value) => ({ fields: mapped(value, valueToFields) }),
  fromFields: ({ fields }) => mapped(fields ?? {}, valueFromFields),
};

/** @type {WellKnown} */
const LIST = {
  expected: 'a list',
  check: Array.isArray,
  toFields: (value) => ({ values: value.map(valueToFields) }),
  fromFields: ({ values }) => (values ?? []).map(valueFromFields),
};

/** @type {Record<string, WellKnown>} */
const TYPES = {
  Timestamp: {
    expected: "a time such as '2026-01-31T12:00:00Z'",
    check: (value) => TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
    toFields(value) {
      const [, seconds, fraction, zone] = /** @type {RegExpExecArray} */ (TIMESTAMP.exec(value));
      return { seconds: Date.parse(seconds + zone) / 1000, nanos: nanosOf(fraction) };
    },
    fromFields({ seconds = 0, nanos = 0 }) {
      const time = new Date(Number(seconds) * 1000).toISOString();
      return nanos === 0 ? time.replace('.000Z', 'Z') : time.replace(/\.\d+Z$/, `.${fractionOf(nanos)}Z`);
    },
  },
  Duration: {
    expected: "a time such as '1.5s'",
    check: (value) => DURATION.test(value),
    toFields(value) {
      const [, minus, seconds, fraction] = /** @type {RegExpExecArray} */ (DURATION.exec(value));
      const sign = minus === '' ? 1 : -1;
      return { seconds: sign * Number(seconds), nanos: sign * nanosOf(fraction) };
    },
    fromFields({ seconds = 0, nanos = 0 }) {
      const minus = Number(seconds) < 0 || nanos < 0 ? '-' : '';
      const fraction = nanos === 0 ? '' : `.${fractionOf(Math.abs(nanos))}`;
      return `${minus}${Math.abs(Number(seconds))}${fraction}s`;
    },
  },
  FieldMask: {
    expected: "names such as 'user.name,items'",
    check: (value) => typeof value === 'string',
    toFields: (value) => ({ paths: value.split(',').filter(Boolean).map(snakeCase) }),
    fromFields: ({ paths }) => (paths ?? []).map(camelCase).join(','),
  },
  Empty: { expected: '{}', check: isObject, toFields: () => ({}), fromFields: () => ({}) },
  Struct: STRUCT,
  ListValue: LIST,
  Value: {
    expected: 'a value of JSON',
    check: () => true,
    toFields: valueToFields,
    fromFields: valueFromFields,
  },
  Any: {
    expected: "an object with '@type'",
    check: (value) => isObject(value) && typeof value['@type'] === 'string',
    toFields({ '@type': url, ...value }, root, convert) {
      const type = root.lookupType(typeIn(url));
      const content = isSpecial(type) ? value.value : value;
      return { typeUrl: url, value: type.encode(type.fromObject(convert(type, content))).finish() };
    },
    fromFields({ typeUrl: url, value }, root, convert) {
      const type = root.lookup(typeIn(url ?? ''));
      if (type === null || !('decode' in type)) return { '@type': url, value };
      const message = /** @type {Type} */ (type);
      const bytes = Buffer.from(value ?? '', 'base64');
      const fields = message.toObject(message.decode(bytes), {
        longs: String,
        enums: String,
        bytes: String,
        json: true,
      });
      const content = convert(message, fields);
      return isSpecial(message) ? { '@type': url, value: content } : { '@type': url, ...content };
    },
  },
};

for (const [kind, expected] of Object.entries({
  Double: 'a number',
  Float: 'a number',
  Int64: 'a whole number',
  UInt64: 'a whole number',
  Int32: 'a whole number',
  UInt32: 'a whole number',
  Bool: 'true or false',
  String: 'a text',
  Bytes: 'bytes in base64',
}))
  TYPES[`${kind}Value`] = {
    expected,
    check: (value) => !isObject(value) && !Array.isArray(value),
    toFields: (value) => ({ value }),
    fromFields: ({ value }) => value,
  };

/** Returns how a type is written in JSON; null: by its fields. @type {(type: Type) => WellKnown | null} */
export function wellKnown({ fullName }) {
  const [, name = ''] = /^\.google\.protobuf\.(\w+)$/.exec(fullName) ?? [];
  return Object.hasOwn(TYPES, name) ? TYPES[name] : null;
}

/** Within Any, such a value has a member of its own. @type {(type: Type) => boolean} */
function isSpecial(type) {
  return wellKnown(type) !== null;
}

/** @type {(url: string) => string} */
function typeIn(url) {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** @type {(value: any) => object} */
function valueToFields(value) {
  if (value === null) return { nullValue: 0 };
  if (Array.isArray(value)) return { listValue: LIST.toFields(value, /** @type {any} */ (null), NONE) };
  if (typeof value === 'object') return { structValue: STRUCT.toFields(value, /** @type {any} */ (null), NONE) };
  return { [`${typeof value}Value`.replace('boolean', 'bool')]: value };
}

/** @type {(fields: any) => any} */
function valueFromFields({ listValue, structValue, stringValue, numberValue, boolValue }) {
  if (listValue !== undefined && listValue !== null) return (listValue.values ?? []).map(valueFromFields);
  if (structValue !== undefined && structValue !== null) return mapped(structValue.fields ?? {}, valueFromFields);
  return stringValue ?? numberValue ?? boolValue ?? null;
}

/** Values of JSON hold no types of the flow. @type {Convert} */
const NONE = (_, value) => value;

/** @type {(object: object, convert: (value: any) => any) => object} */
function mapped(object, convert) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}

/** @type {(fraction?: string) => number} */
function nanosOf(fraction = '') {
  return Number(fraction.padEnd(9, '0'));
}

/** Three, six or nine digits. @type {(nanos: number) => string} */
function fractionOf(nanos) {
  return String(nanos)
    .padStart(9, '0')
    .replace(/(?:0{3}){1,2}$/, '');
}

/** @type {(name: string) => string} */
function snakeCase(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @type {(name: string) => string} */
function camelCase(name) {
  return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}
