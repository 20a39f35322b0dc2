import { isMessage } from './json-mapping.js';

/** @import { Field, Type } from 'protobufjs' */

/** Values of types that JSON writes in a way of its own. @type {Record<string, unknown>} */
const SPECIAL = {
  Timestamp: '2026-01-31T12:00:00Z',
  Duration: '1.5s',
  FieldMask: '',
  Struct: {},
  ListValue: [],
  Value: null,
  Any: { '@type': '' },
};

/** Fills one of alternative fields; a type within itself is empty. @type {(type: Type, within?: Type[]) => unknown} */
export function sampleOf(type, within = []) {
  const [, name = ''] = /^\.google\.protobuf\.(\w+)$/.exec(type.fullName) ?? [];
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name];
  // Wrappers of one value
  if (name.endsWith('Value')) return valueOf(type.fieldsArray[0], []);
  if (within.includes(type)) return {};
  const fields = type.fieldsArray
    .filter((field) => (field.partOf?.fieldsArray[0] ?? field) === field)
    .sort((a, b) => a.id - b.id);
  return Object.fromEntries(fields.map((field) => [field.name, fieldOf(field, [...within, type])]));
}

/** @type {(field: Field, within: Type[]) => unknown} */
function fieldOf(field, within) {
  const value = valueOf(field, within);
  if (field.repeated) return [value];
  return field.map ? { [/** @type {any} */ (field).keyType === 'string' ? 'key' : '0']: value } : value;
}

/** @type {(field: Field, within: Type[]) => unknown} */
function valueOf({ resolvedType, type }, within) {
  if (isMessage(resolvedType)) return sampleOf(resolvedType, within);
  if (resolvedType !== null) return Object.keys(resolvedType.values)[0];
  if (type === 'bool') return false;
  if (type === 'string' || type === 'bytes') return '';
  return type.includes('64') ? '0' : 0;
}
