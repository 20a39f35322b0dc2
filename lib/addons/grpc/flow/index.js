import { createRequire } from 'node:module';

import { makeError } from '../../../core/ground/errors.js';
import { TLS_PROPERTIES } from '../../../core/http/tls-properties.js';
import { JSON_VALUE } from '../../../core/flow/placeholder.js';
import { isRecord } from '../../../core/flow/record.js';
import { FileRefusal, readTextFile } from '../../../core/process/read-file.js';
import { shortened } from '../../../core/text/format-value.js';

/** @import { Property } from '../../../core/flow/types.js' */
/** @import { OfferedProtocol } from '../../../core/flow/protocols/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows make no calls. @type {() => typeof import('./steps.js')} */
const loadSteps = () => requireHere('./steps.js');

/** Bytes of a file with a message. */
const MOST_BYTES = 16 * 1024 * 1024;
/** The name of the protocol, which opens the connections. */
export const NAME = 'grpc';

/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === 'string' && value !== '';
/** @type {(value: unknown) => boolean} */
const isTexts = (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));

/** @type {(value: unknown) => boolean} */
const isMetadata = (value) => ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Uint8Array;

/** Hooks of flows for 1.2.4 may read properties of these names. @type {Pick<Property, 'isOwn' | 'remark'>} */
const besideGrpc = {
  isOwn: (_, { grpc }) => grpc === undefined,
  remark: 'is for calls of gRPC: write grpc beside it',
};

/** @type {Record<string, Property>} */
const PROPERTIES = {
  grpc: {
    type: 'string',
    check: isText,
    expected: "a method such as 'shop.Orders/Create'",
    schema: { type: 'string', minLength: 1 },
    about: "method of gRPC: 'package.Service/Method', or its URL, 'grpc://host/package.Service/Method'",
  },
  target: {
    type: 'string',
    check: isText,
    expected: "a host such as 'localhost:50051', or a grpc:// or grpcs:// URL",
    ...besideGrpc,
    schema: { type: 'string', minLength: 1 },
    about: 'server of a call, in place of baseUrl: host and port, or a grpcs:// URL for TLS',
  },
  proto: {
    type: 'string | string[] | { file: string | string[], include?: string | string[] }',
    check: (value) =>
      isTexts(value) ||
      (isRecord(value) && isTexts(value.file) && (value.include === undefined || isTexts(value.include))),
    expected: "a file such as 'orders.proto', a list, or { file, include }",
    ...besideGrpc,
    schema: { type: ['string', 'array', 'object'] },
    about:
      'types of a call: .proto files, or sets of descriptors (protoc --descriptor_set_out); default: the server is asked by reflection',
  },
  message: {
    type: 'Computed<Record<string, unknown>> | Computed<Record<string, unknown>>[]',
    check: (value) => isRecord(value) || Array.isArray(value),
    expected: 'an object, or a list of them for a stream',
    ...besideGrpc,
    schema: { type: ['object', 'array'] },
    default: {},
    about: 'message of a call, as JSON has it: fields by name; a list for a method that reads a stream',
  },
  metadata: {
    type: 'Record<string, string | string[] | Uint8Array>',
    check: (value) => isRecord(value) && Object.values(value).every((one) => [one].flat().every(isMetadata)),
    expected: 'an object of texts, which may have tokens, numbers or Buffers',
    ...besideGrpc,
    schema: { type: 'object' },
    about: 'metadata of a call; a name that ends with -bin has a Buffer, or base64',
  },
  compression: {
    type: "'gzip'",
    check: (value) => value === 'gzip',
    expected: "'gzip'",
    ...besideGrpc,
    schema: { const: 'gzip' },
    about: 'compresses the messages of a call; those of responses are decompressed in any case',
  },
};

/** The other properties that a call has a use for. */
const SHARED = new Set([
  ...['name', 'group', 'tags', 'timeout', 'pause', 'repeat', 'when', 'skip', 'weight', 'capture', 'expect', 'stream'],
  ...['beforeHooks', 'afterHooks', 'headers', 'auth', 'socketPath', 'localAddress', 'proxy', 'tunnel'],
  ...['rejectUnauthorized', 'strictSSL', ...Object.keys(TLS_PROPERTIES)],
]);

/** @type {OfferedProtocol} */
export const GRPC = {
  name: NAME,
  about: 'calls of gRPC, unary and streams',
  key: 'grpc',
  urlKey: 'grpc',
  noun: { one: 'a gRPC call', many: 'gRPC calls' },
  example: "grpc: 'package.Service/Method'",
  properties: PROPERTIES,
  mutable: ['message', 'metadata'],
  computed: { message: { whole: JSON_VALUE, inner: JSON_VALUE } },
  keepsEmpty: true,
  refusals: { function: 'is for operations of a phase: a function cannot make gRPC calls' },
  refuse: refuseProperties,
  nameOf: ({ grpc }) => (typeof grpc === 'string' ? `grpc ${methodIn(grpc)}` : ''),
  fromUrl: callTo,
  compile: (compiler) => loadSteps().grpcSteps(compiler),
  loadClient: () => import('../transport/index.js'),
};

/** `shop.Orders/Create` of a URL or of itself. @type {(text: string) => string} */
export function methodIn(text) {
  return text.replace(/^[a-z][a-z+.-]*:\/\/[^/]*\//i, '').replace(/^\//, '');
}

/** @type {OfferedProtocol['refuse']} */
function refuseProperties(operation) {
  return Object.keys(operation)
    .filter((key) => operation[key] !== undefined && !SHARED.has(key) && !Object.hasOwn(PROPERTIES, key))
    .map((key) => ({
      key,
      reason: `has no meaning for a gRPC call: ${['json', 'body'].includes(key) ? 'use message' : 'remove it'}`,
    }));
}

/** A URL alone is a call, whose message is the body. @type {OfferedProtocol['fromUrl']} */
function callTo(url, { method, body, headers, formData, expect, proto } = {}) {
  const refused = Object.entries({
    '-T': headers,
    '-F': formData,
    // -b alone is a POST
    '-m': body === undefined || method !== 'POST' ? method : undefined,
  }).find(([, given]) => given !== undefined);
  if (refused !== undefined)
    throw makeError('E_USAGE', {
      problem: `${refused[0]} has no meaning for a gRPC call (${url}): -b is the JSON of its message, -H its metadata`,
    });
  return {
    grpc: url,
    ...(body !== undefined && { message: messageOf(body) }),
    ...(proto !== undefined && { proto }),
    ...(expect !== undefined && { expect }),
  };
}

/** The message of `-b`: its JSON, or a file of it. @type {(body: string | { file: string }) => object} */
function messageOf(body) {
  try {
    return JSON.parse(typeof body === 'string' ? body : readTextFile(body.file, { maxBytes: MOST_BYTES }));
  } catch (cause) {
    if (cause instanceof FileRefusal) throw makeError('E_USAGE', { problem: `-b: ${cause.message}` }, { cause });
    const shown = typeof body === 'string' ? body : `@${body.file}`;
    throw makeError('E_USAGE', { problem: `-b ${shortened(shown, 100)} is not the JSON of a message` }, { cause });
  }
}
