import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

import { nearestOrAll } from '../../../core/ground/problems.js';
import { isClosedOff } from '../../../core/process/confinement.js';
import { FileRefusal, readRegularFile, readTextFile } from '../../../core/process/read-file.js';
import { nameOf } from './json-mapping.js';

/** @import { Root, Service } from 'protobufjs' */

const requireHere = createRequire(import.meta.url);

/** Bytes of a file, or of what a server describes. */
export const MOST_BYTES = 16 * 1024 * 1024;
/** Files that one file may import, directly or not. */
export const MOST_FILES = 1000;
export const INSTALL = 'npm install --save-dev protobufjs';

/** A text of a .proto file, else a set of descriptors, as `protoc --descriptor_set_out` writes it. */
const IS_TEXT = /\.proto$/i;

/** The package that parses and encodes Protocol Buffers; null: it is not installed. @type {() => any} */
export function loadProtobuf() {
  try {
    return requireHere('protobufjs');
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

/**
 * Reads .proto files with all that they import, or sets of descriptors. Imports are found beside the file that is named
 * first, in `folder`, and in the folders of `include`; those of google/protobuf are built in.
 * @throws {FileRefusal} a file is missing, or cannot be read
 * @throws {Error} with file and line: a file is no .proto file
 * @type {(files: string[], context: { folder?: string, include?: string[] }) => Root}
 */
export function readProtos(files, { folder = '', include = [] }) {
  const protobuf = loadProtobuf();
  const paths = files.map((file) => resolve(folder, file));
  const roots = [...paths.map((path) => dirname(path)), resolve(folder), ...include.map((one) => resolve(folder, one))];
  const descriptors = paths.filter((path) => !IS_TEXT.test(path));
  const root =
    descriptors.length === 0
      ? new protobuf.Root()
      : rootOfDescriptors(descriptors.map((path) => readRegularFile(path, { maxBytes: MOST_BYTES })));
  const isRead = new Set();
  const waiting = paths.filter((path) => IS_TEXT.test(path)).map((path) => ({ name: path, from: path }));
  for (const { name, from } of waiting) {
    const { path, text } = fileOf(name, from, roots);
    if (isRead.has(path)) continue;
    isRead.add(path);
    if (isRead.size > MOST_FILES) throw new Error(`${paths[0]} imports more than ${MOST_FILES} files`);
    waiting.push(...importsOf(text, path, root).map((one) => ({ name: one, from: path })));
  }
  return resolved(root);
}

/** Makes the types of descriptors: of files, or of the answers of a server. @type {(sets: Buffer[]) => Root} */
export function rootOfDescriptors(sets) {
  const protobuf = loadProtobuf();
  const { FileDescriptorSet } = requireHere('protobufjs/ext/descriptor');
  const file = sets.flatMap((bytes) => FileDescriptorSet.decode(bytes).file);
  return resolved(protobuf.Root.fromDescriptor({ file }));
}

/** Gives fields the names that JSON has: descriptors name them as .proto files do. @type {(root: Root) => Root} */
export function resolved(root) {
  root.resolveAll();
  for (const type of typesOf(root)) type.fieldsArray.forEach((field) => rename(field, type));
  return root;
}

/** @type {(field: import('protobufjs').Field, type: import('protobufjs').Type) => void} */
function rename(field, type) {
  const { name, partOf } = field;
  const { jsonName } = /** @type {any} */ (field);
  if (!jsonName || jsonName === name || jsonName.startsWith('$') || type.get(jsonName) !== null) return;
  type.remove(field);
  field.name = jsonName;
  type.add(field);
  if (partOf) partOf.oneof[partOf.oneof.indexOf(name)] = jsonName;
}

/** @typedef {{ path: string, text: string | { nested: object } }} ProtoFile with its types, if the package has it */

/** @type {(name: string, from: string, roots: string[]) => ProtoFile} */
function fileOf(name, from, roots) {
  if (name === from) return { path: name, text: readTextFile(name, { maxBytes: MOST_BYTES }) };
  const own = ownProto(name);
  if (own !== null) return { path: name, text: own };
  const path = roots.map((root) => resolve(root, name)).find(isFile);
  if (path !== undefined) return { path, text: readTextFile(path, { maxBytes: MOST_BYTES }) };
  throw new FileRefusal(name, {
    reason: `is imported by ${from}, and does not exist in ${roots.join(', ')}`,
    cure: 'name its folder: proto: { file, include }',
    code: 'ENOENT',
  });
}

/** A file that may not be read is not looked for. @type {(path: string) => boolean} */
function isFile(path) {
  return !isClosedOff(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** A file of Google that the package has as JSON. */
const OF_GOOGLE = /^google\/(?:[a-z]\w*\/)*[a-z]\w*\.proto$/;

/** @type {(name: string) => { nested: object } | null} */
function ownProto(name) {
  if (!OF_GOOGLE.test(name)) return null;
  const common = loadProtobuf().common.get(name);
  if (common) return common;
  const folder = dirname(requireHere.resolve('protobufjs/package.json'));
  const path = join(folder, name.replace(IS_TEXT, '.json'));
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** Adds types to the root. @type {(text: string | { nested: object }, name: string, root: Root) => string[]} */
function importsOf(text, name, root) {
  if (typeof text !== 'string') {
    root.addJSON(/** @type {any} */ (text).nested);
    return [];
  }
  const protobuf = loadProtobuf();
  const earlier = protobuf.parse.filename;
  protobuf.parse.filename = name;
  try {
    const { imports = [], weakImports = [] } = protobuf.parse(text, root, { keepCase: false });
    return [...imports, ...weakImports];
  } finally {
    protobuf.parse.filename = earlier;
  }
}

/**
 * @typedef {object} Rpc a method of a service
 * @property {string} path `shop.Orders/Create`
 * @property {import('protobufjs').Type} request
 * @property {import('protobufjs').Type} response
 * @property {boolean} sendsStream several messages are sent
 * @property {boolean} answersStream several messages are received
 */

/** Finds `package.Service/Method`; a text says why there is none. @type {(root: Root, name: string) => Rpc | string} */
export function methodNamed(root, name) {
  const [serviceName, methodName] = partsOf(name);
  const services = servicesOf(root);
  const service = services.find((one) => nameOf(one) === serviceName);
  if (service === undefined) {
    const names = services.map(nameOf);
    return names.length === 0
      ? 'has no service in its proto'
      : `there is no service ${serviceName}${nearestOrAll(serviceName, names)}`;
  }
  const method = Object.hasOwn(service.methods, methodName) ? service.methods[methodName] : undefined;
  if (method === undefined)
    return `${serviceName} has no method ${methodName}${nearestOrAll(methodName, Object.keys(service.methods))}`;
  method.resolve();
  const { resolvedRequestType: request, resolvedResponseType: response } = method;
  if (!request || !response) return `the types of ${name} are not in its proto`;
  return {
    path: `${serviceName}/${methodName}`,
    request,
    response,
    sendsStream: method.requestStream === true,
    answersStream: method.responseStream === true,
  };
}

/** `shop.Orders/Create`, also written with a point. @type {(name: string) => [service: string, method: string]} */
function partsOf(name) {
  const at = name.includes('/') ? name.lastIndexOf('/') : name.lastIndexOf('.');
  return [name.slice(0, Math.max(at, 0)), name.slice(at + 1)];
}

/** The service of a method: `shop.Orders`. @type {(name: string) => string} */
export function serviceIn(name) {
  return partsOf(name)[0];
}

/** @type {(root: Root) => Service[]} */
export function servicesOf(root) {
  const { Service } = loadProtobuf();
  return allIn(root).filter((one) => one instanceof Service);
}

/** @type {(root: Root) => import('protobufjs').Type[]} */
function typesOf(root) {
  const { Type } = loadProtobuf();
  return allIn(root).filter((one) => one instanceof Type);
}

/** Lists what is in a namespace and in those in it. @type {(root: any) => any[]} */
function allIn({ nestedArray = [] }) {
  return nestedArray.flatMap((/** @type {any} */ one) => [one, ...allIn(one)]);
}
