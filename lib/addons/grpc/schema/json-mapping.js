import { wellKnown } from './well-known.js';

/** @import { Enum, Field, Type } from 'protobufjs' */

/**
 * Messages as JSON has them (ProtoJSON, the JSON format of Protocol Buffers): fields in lowerCamelCase or by json_name,
 * and in messages that are sent also by the name in the .proto file, enums by name, bytes in base64, integers of 64
 * bits as texts, and well-known types in a way of their own.
 */

/** How protobufjs writes a message as JSON: with fields that have no value, as a check may ask for them. */
const AS_JSON = { longs: String, enums: String, bytes: String, defaults: true, json: true };

/** `shop.Order`, of a type or a service. @type {(named: { fullName: string }) => string} */
export function nameOf({ fullName }) {
  return fullName.slice(1);
}

/** @type {(type: Type) => (value: any) => Buffer} */
export function encoderOf(type) {
  return (value) => {
    const plain = toFields(type, value);
    return /** @type {Buffer} */ (type.encode(type.fromObject(plain)).finish());
  };
}

/**
 * @throws {Error} the bytes are no such message
 * @type {(type: Type) => (bytes: Buffer) => any}
 */
export function decoderOf(type) {
  return (bytes) => fromFields(type, type.toObject(type.decode(bytes), AS_JSON));
}

/** Finds a field by one of its names. @type {(type: Type, name: string) => Field | undefined} */
export function fieldNamed(type, name) {
  return fieldsOf(type).get(name);
}

/** The names that a field may have in JSON. @type {WeakMap<Type, Map<string, Field>>} */
const FIELDS = new WeakMap();

/** @type {(type: Type) => Map<string, Field>} */
function fieldsOf(type) {
  const known = FIELDS.get(type);
  if (known !== undefined) return known;
  const all = type.fieldsArray.flatMap((field) => {
    const { protoName, jsonName } = /** @type {any} */ (field);
    return [protoName, jsonName, field.name].map((name) => /** @type {[string, Field]} */ ([name, field]));
  });
  const fields = new Map(all.filter(([name]) => name));
  FIELDS.set(type, fields);
  return fields;
}

/** Writes JSON as the fields that protobufjs encodes. @type {(type: Type, value: any) => any} */
function toFields(type, value) {
  const special = wellKnown(type);
  if (special !== null) return special.toFields(value, type.root, toFields);
  if (typeof value !== 'object' || value === null) return value;
  /** @type {Record<string, any>} */
  const fields = {};
  for (const [name, given] of Object.entries(value)) {
    const field = fieldNamed(type, name);
    // Null stands for no value, but is one of google.protobuf.Value.
    if (field !== undefined && (given !== null || isNullable(field))) fields[field.name] = each(field, given, toField);
  }
  return fields;
}

/** @type {(field: Field) => boolean} */
function isNullable({ resolvedType }) {
  return resolvedType?.fullName === '.google.protobuf.Value';
}

/**
 * Converts the value of a field, or each one of a list or of a map.
 * @type {(field: Field, value: any, convert: (field: Field, one: any) => any) => any}
 */
function each(field, value, convert) {
  if (field.repeated) return Array.isArray(value) ? value.map((one) => convert(field, one)) : value;
  if (!field.map || typeof value !== 'object' || value === null) return convert(field, value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, convert(field, one)]));
}

/** @type {(field: Field, value: any) => any} */
function toField({ resolvedType, type }, value) {
  if (isMessage(resolvedType)) return toFields(resolvedType, value);
  // A Buffer of a flow as JSON has it
  return type === 'bytes' && value?.type === 'Buffer' ? Buffer.from(value.data) : value;
}

/** @type {(type: Type | Enum | null) => type is Type} */
export function isMessage(type) {
  return type !== null && 'fields' in type;
}

/** Writes what protobufjs has decoded as JSON. @type {(type: Type, fields: any) => any} */
function fromFields(type, fields) {
  if (fields === null) return null;
  const special = wellKnown(type);
  if (special !== null) return special.fromFields(fields, type.root, fromFields);
  for (const field of messagesIn(type)) {
    const value = fields[field.name];
    if (value !== undefined) fields[field.name] = each(field, value, fromField);
  }
  return fields;
}

/** @type {(field: Field, value: any) => any} */
function fromField({ resolvedType }, value) {
  return fromFields(/** @type {Type} */ (resolvedType), value);
}

/** The fields whose values hold well-known types: others are as they should be. @type {WeakMap<Type, Field[]>} */
const MESSAGES = new WeakMap();

/** @type {(type: Type) => Field[]} */
function messagesIn(type) {
  const known = MESSAGES.get(type);
  if (known !== undefined) return known;
  // A type may contain itself.
  MESSAGES.set(type, []);
  const found = type.fieldsArray.filter(({ resolvedType }) => isMessage(resolvedType) && holdsWellKnown(resolvedType));
  MESSAGES.set(type, found);
  return found;
}

/** @type {(type: Type, seen?: Set<Type>) => boolean} */
function holdsWellKnown(type, seen = new Set()) {
  if (wellKnown(type) !== null) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fieldsArray.some(({ resolvedType }) => isMessage(resolvedType) && holdsWellKnown(resolvedType, seen));
}
