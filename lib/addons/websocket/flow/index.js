import { createRequire } from 'node:module';

import { makeError } from '../../../core/ground/errors.js';
import { TOKEN } from '../../../core/http/field-values.js';
import { TLS_PROPERTIES } from '../../../core/http/tls-properties.js';
import jsonCheck from '../../../core/flow/checks/json.js';
import { proxiesOf } from '../../../core/flow/origins.js';
import { patternFault } from '../../../core/flow/pattern.js';
import { isCyclic, isObject, isPlainObject, isRecord } from '../../../core/flow/record.js';
import { hasTokenInPattern } from '../../../core/flow/tokens/index.js';
import { JSON_VALUE, Placeholder } from '../../../core/flow/placeholder.js';

/** @import { Operation } from '../../../core/contracts/step.js' */
/** @import { Refusal } from '../../../core/flow/checks/types.js' */
/** @import { Property, Returned } from '../../../core/flow/types.js' */
/** @import { OfferedProtocol } from '../../../core/flow/protocols/types.js' */

/** The name of the protocol, which opens the connections. */
export const NAME = 'web-socket';

/** Messages that one operation sends, and that it expects. */
const MAX_MESSAGES = 100_000;

const message = {
  type: 'string | Uint8Array | { json: unknown }',
  schema: {
    oneOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: { json: { description: 'Value that is sent or expected as JSON' } },
        required: ['json'],
        additionalProperties: false,
      },
    ],
  },
};

/** @type {(value: unknown) => boolean} */
const isJsonMessage = (value) =>
  isObject(value) &&
  !isCyclic(value) &&
  Object.keys(/** @type {object} */ (value)).join() === 'json' &&
  isRecord(value);

/** @type {(value: unknown) => boolean} */
const isMessage = (value) => typeof value === 'string' || value instanceof Uint8Array || isJsonMessage(value);

/** @type {Returned} */
const MESSAGE = {
  check: (v) => isMessage(v) && (typeof v === 'string' || v instanceof Uint8Array || JSON_VALUE.check(v.json)),
  expected: 'a text, { json: value } or a Buffer',
};

/** @type {(value: unknown) => boolean} */
const isGivenMessage = (value) => isMessage(value) || value instanceof Placeholder;

/** @type {(value: unknown) => boolean} */
const isExpected = (value) => isGivenMessage(value) || value instanceof RegExp;

/** @type {(value: unknown, isOne: (value: unknown) => boolean) => boolean} */
const isOneOrMore = (value, isOne) =>
  Array.isArray(value) ? value.length > 0 && value.length <= MAX_MESSAGES && value.every(isOne) : isOne(value);

/** A code that a client may send (RFC 6455 7.4). @type {(code: unknown) => boolean} */
const isCloseCode = (code) =>
  Number.isInteger(code) && (code === 1000 || (Number(code) >= 3000 && Number(code) <= 4999));

/** @type {Property} */
const MATCH_PROPERTY = {
  type: `string | RegExp | ${jsonCheck.type}`,
  check: (v) => (typeof v === 'string' && v !== '') || v instanceof RegExp || jsonCheck.check(v),
  expected: "a text, a regular expression, or values by JSONPath such as { '$.id': '#{INDEX}' }",
  refuse: refuseMatch,
  schema: { oneOf: [{ type: 'string', minLength: 1 }, jsonCheck.schema] },
  about:
    'which messages are answers, the others are passed over: a text that they contain, a regular expression, or values by JSONPath that tie an answer to its question',
};

/** @type {(match: any) => Refusal[]} */
function refuseMatch(match) {
  return isPlainObject(match) ? (jsonCheck.refuse?.(match) ?? []) : refusePattern(match);
}

/** Refuses a regular expression that cannot be compiled. @type {(value: unknown, at?: string) => Refusal[]} */
function refusePattern(value, at) {
  if (!(value instanceof RegExp)) return [];
  if (hasTokenInPattern(value.source)) return [{ at, reason: 'a regular expression cannot have tokens: write a text' }];
  const reason = patternFault(value);
  return reason === undefined ? [] : [{ at, reason }];
}

/** @type {Record<string, Property>} */
const WEB_SOCKET_PROPERTIES = {
  ws: {
    type: 'string | URL',
    check: (v) => typeof v === 'string' || v instanceof URL,
    expected: 'a string',
    refuse: (v) =>
      typeof v === 'function'
        ? [{ reason: 'cannot be a function, as all operations of a connection have the same URL: write tokens in it' }]
        : [],
    schema: { type: 'string' },
    about: 'URL of a WebSocket: it is opened if no earlier operation of the iteration did',
  },
  send: {
    type: `Computed<${message.type}> | Computed<${message.type}>[]`,
    check: (v) => isOneOrMore(v, isGivenMessage),
    expected: 'a text, { json: value }, a Buffer, or a list of them',
    schema: { oneOf: [...message.schema.oneOf, { type: 'array', items: message.schema, minItems: 1 }] },
    about: 'message to send, or several: text, { json: value }, or a Buffer, which is sent as binary data',
  },
  receive: {
    type: `number | RegExp | Computed<${message.type}> | (RegExp | Computed<${message.type}>)[]`,
    check: (v) =>
      typeof v === 'number' ? Number.isInteger(v) && v >= 0 && v <= MAX_MESSAGES : isOneOrMore(v, isExpected),
    refuse: (v) => (Array.isArray(v) ? v.flatMap((one, i) => refusePattern(one, `[${i}]`)) : refusePattern(v)),
    expected: `a number of messages up to ${MAX_MESSAGES}, a text, a regular expression, { json: value }, a Buffer, or a list of them`,
    schema: {
      oneOf: [
        { type: 'integer', minimum: 0, maximum: MAX_MESSAGES },
        ...message.schema.oneOf,
        { type: 'array', items: message.schema, minItems: 1 },
      ],
    },
    about:
      'messages to wait for: how many, or what the next one is, or a list; default: as many as are sent; 0: do not wait',
  },
  match: MATCH_PROPERTY,
  close: {
    type: 'boolean | number | { code?: number, reason?: string }',
    check: (v) => typeof v === 'boolean' || isCloseCode(v) || isClose(v),
    expected: 'true, the code 1000 or one from 3000 to 4999, or { code, reason } with a reason of at most 123 bytes',
    schema: {
      oneOf: [
        { type: ['boolean', 'integer'] },
        {
          type: 'object',
          properties: {
            code: { type: 'integer', description: 'Close code: 1000, or 3000 to 4999; default: 1000' },
            reason: { type: 'string', description: 'Reason, at most 123 bytes' },
          },
          additionalProperties: false,
        },
      ],
    },
    default: false,
    about: 'close the WebSocket afterwards and wait for the answer of the server: true, or a close code',
  },
  protocols: {
    type: 'string | string[]',
    check: (v) => {
      const all = [v].flat();
      return all.every((one) => typeof one === 'string' && TOKEN.test(one)) && new Set(all).size === all.length;
    },
    expected: 'the name of a subprotocol, or a list of different ones',
    schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    about: 'subprotocols to offer in the handshake',
  },
  keepOpen: {
    type: 'boolean',
    check: (v) => typeof v === 'boolean',
    expected: 'true or false',
    schema: { type: 'boolean' },
    default: false,
    about: 'keep the WebSocket open for the next iterations of the virtual user',
  },
};

/** @type {(value: any) => boolean} */
function isClose(value) {
  if (!isObject(value) || Object.keys(value).some((key) => key !== 'code' && key !== 'reason')) return false;
  const { code = 1000, reason = '' } = value;
  return isCloseCode(code) && typeof reason === 'string' && Buffer.byteLength(reason) <= 123;
}

/** The other properties that a WebSocket has a use for. */
const SHARED = new Set([
  ...['name', 'group', 'timeout', 'pause', 'repeat', 'capture', 'beforeHooks', 'afterHooks'],
  ...['headers', 'qs', 'auth', 'jar', 'cookies', 'socketPath', 'localAddress', 'proxy'],
  ...['rejectUnauthorized', 'strictSSL', ...Object.keys(TLS_PROPERTIES)],
]);

/** If the operation is left out, later ones do not find the WebSocket as they need it. */
const LATER = ['when', 'skip'];

/** @type {(key: string) => string} */
function foreignReason(key) {
  if (key === 'expect') return 'is for responses of HTTP: the messages to wait for are receive';
  if (LATER.includes(key)) return 'cannot be combined with ws: later operations use the WebSocket';
  return `has no meaning for a WebSocket: remove it${key === 'json' || key === 'body' ? ', and use send' : ''}`;
}

/**
 * Explains properties of an operation of a WebSocket that do not fit together, or belong to HTTP alone.
 * @type {(operation: Record<string, any>) => { key: string, reason: string }[]}
 */
export function refuseProperties(operation) {
  const given = Object.keys(operation).filter((key) => operation[key] !== undefined);
  const foreign = given
    .filter((key) => !SHARED.has(key) && !Object.hasOwn(WEB_SOCKET_PROPERTIES, key))
    .map((key) => ({ key, reason: foreignReason(key) }));
  if (operation.receive === 0 && operation.send === undefined)
    foreign.push({ key: 'receive', reason: 'is 0, and nothing is sent: add send, or remove it' });
  if (operation.match !== undefined && (operation.receive === 0 || (operation.send ?? operation.receive) === undefined))
    foreign.push({ key: 'match', reason: 'has no effect: the operation waits for no message; add send or receive' });
  return foreign;
}

const requireHere = createRequire(import.meta.url);

/** Most flows have no WebSockets. @type {() => typeof import('./steps.js')} */
const loadSteps = () => requireHere('./steps.js');

/** @type {OfferedProtocol} */
export const WEB_SOCKET = {
  name: NAME,
  about: 'messages on a connection that the operations of an iteration share',
  key: 'ws',
  urlKey: 'ws',
  noun: { one: 'a WebSocket', many: 'WebSockets' },
  example: "ws: 'ws://…'",
  properties: WEB_SOCKET_PROPERTIES,
  mutable: ['send', 'receive', 'match'],
  computed: {
    send: { whole: MESSAGE, inner: JSON_VALUE },
    receive: { whole: MESSAGE, inner: JSON_VALUE },
  },
  keepsEmpty: true,
  refusals: {
    oneOf: 'a WebSocket cannot be one of several operations: write it as an operation of its own',
    function: 'is for operations of a phase: a function cannot use WebSockets',
  },
  refuse: refuseProperties,
  fromUrl: messagesTo,
  compile: (compiler) => loadSteps().webSocketSteps(compiler),
  refuseOptions,
  besideHttp2: 'WebSockets over HTTP/1.1',
  loadClient: () => import('../transport/index.js'),
};

/** The message of a flow that is only a `ws://` URL. */
const DEFAULT_MESSAGE = 'hello';

/** A URL alone is a message to a kept WebSocket. @type {(url: unknown, request?: Record<string, any>) => Operation} */
function messagesTo(url, { method, headers, body, formData, expect } = {}) {
  const refused = [
    { flag: '-T', isGiven: headers !== undefined },
    { flag: '-F', isGiven: formData !== undefined },
    { flag: '-b with a file', isGiven: body !== undefined && typeof body !== 'string' },
    // -b alone is a POST
    { flag: '-m', isGiven: method !== undefined && (body === undefined || method !== 'POST') },
  ].find(({ isGiven }) => isGiven);
  if (refused)
    throw makeError('E_USAGE', {
      problem: `${refused.flag} has no meaning for a WebSocket (${url}): -b <text> is the message to send, --expect-body <text> the one to expect`,
    });
  return { ws: url, send: body ?? DEFAULT_MESSAGE, keepOpen: true, ...(expect && { receive: expect.body }) };
}

/** Reports run options that WebSockets cannot have. @type {NonNullable<OfferedProtocol['refuseOptions']>} */
function refuseOptions({ requestsPerConnection, proxies, pipelining = 1, keepAlive, http2 = false }, steps, add) {
  const own = steps.filter(({ protocol }) => protocol.name === NAME);
  // Only the handshake connects.
  for (const step of own.filter(({ held }) => held?.opens)) {
    const [proxy] = proxiesOf({ main: [step] }, proxies);
    if (proxy)
      add(
        step.where,
        `WebSockets cannot be sent through a proxy (${proxy.name}): write proxy: null, or add the host to noProxy`,
      );
  }
  if (requestsPerConnection !== undefined)
    add(
      'runOptions.requestsPerConnection',
      'would close WebSockets between their operations: without keepOpen, each iteration opens its own',
    );
  if (pipelining > 1)
    add('runOptions.pipelining', `each virtual user has WebSockets of its own (${own[0].where}): remove pipelining`, [
      'pipelining',
    ]);
  if (typeof http2 === 'string')
    add(
      'runOptions.http2',
      `a WebSocket (${own[0].where}) is opened by HTTP/1.1: write it in the operations that are none`,
      ['http2'],
    );
  if (keepAlive === false && own.length === steps.length)
    add(
      'runOptions.keepAlive',
      'is for HTTP, and this flow has WebSockets alone: without keepOpen, each iteration opens its own',
    );
}
