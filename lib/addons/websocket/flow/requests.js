import { fieldAt } from '../../../core/http/field-values.js';
import { formatValue } from '../../../core/text/format-value.js';
import { markedJson } from '../../../core/flow/bodies/json.js';
import { compileJsonPath } from '../../../core/flow/checks/json.js';
import { EQUAL, compileExpected } from '../../../core/flow/comparisons.js';
import { compilePattern } from '../../../core/flow/pattern.js';
import { Placeholder } from '../../../core/flow/placeholder.js';
import { compileTemplate } from '../../../core/flow/template.js';
import { NAME } from './index.js';

/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { Operation, Scope } from '../../../core/contracts/step.js' */
/** @import { Complain } from '../../../core/ground/types.js' */
/** @import { Endpoint } from '../../../core/http/endpoint.js' */
/** @import { CompiledRequest, JsonPath } from '../../../core/flow/types.js' */
/** @import { ValuePlace } from '../../../core/flow/written-value.js' */
/** @import { CloseTask, ConnectTask, IsAnswer, Refuse, WebSocketTask } from '../types.js' */

/**
 * @typedef {object} TaskRequest
 * @property {boolean} isConstant every iteration sends the same
 * @property {(scope: Scope) => Request} render
 * @property {number} held bytes that are kept during the run
 *
 * @typedef {Record<WebSocketTask['kind'], TaskRequest>} Requests
 *
 * @typedef {(text: string, key: string, place?: ValuePlace) => string} Mark
 */

/**
 * A message of an operation, or a value that messages are compared with. isConstant: no token and no function is in it.
 * @template T
 * @typedef {{ isConstant: boolean, render: (scope: Scope) => T }} MessagePart
 */

/**
 * Compiles the requests of an operation of a WebSocket, one for each kind of task. `request` is the handshake.
 * @type {(operation: Operation, parts: { request: CompiledRequest, key: string, context: { mark: Mark, complain:
 *   Complain } }) => Requests}
 */
export function createRequests(operation, { request, key, context: { mark, complain } }) {
  const { send, receive, match, close } = operation;
  const messages = compileMessages(send, mark, complain);
  const expected = compileReceive(receive, send === undefined ? 0 : [send].flat().length, mark, complain);
  const answers = compileMatch(match, mark);
  /** @type {ConnectTask} */
  const connect = { kind: 'connect', sendsFields: true, protocols: [operation.protocols ?? []].flat() };
  const closing = closeTask(close);
  const at = endpointsOf(key);
  const isConstant = request.isConstant && messages.isConstant && expected.isConstant && answers.isConstant;
  return {
    connect: {
      isConstant: request.isConstant,
      held: 0,
      render(scope) {
        const { endpoint, path, fields, ...rest } = request.render(scope);
        return { ...rest, endpoint: at(endpoint), path, fields: withoutConnection(fields), body: null, task: connect };
      },
    },
    message: {
      isConstant,
      held: messages.isConstant ? messages.render({}).reduce((sum, one) => sum + one.length, 0) : 0,
      render(scope) {
        const sent = messages.render(scope);
        const body = sent.length === 1 ? sent[0] : sent.join('\n');
        const task = {
          kind: /** @type {const} */ ('message'),
          messages: sent,
          expected: expected.render(scope),
          isAnswer: answers.render(scope),
        };
        return { ...bare(request.render(scope), at), method: 'MESSAGE', body: sent.length === 0 ? null : body, task };
      },
    },
    close: {
      isConstant: request.isConstant,
      held: 0,
      render: (scope) => ({ ...bare(request.render(scope), at), method: 'CLOSE', body: null, task: closing }),
    },
  };
}

/** @type {(close: Operation['close']) => CloseTask} */
function closeTask(close) {
  const { code = 1000, reason = '' } = typeof close === 'object' ? close : { code: close === true ? 1000 : close };
  return { kind: 'close', code, reason };
}

/** Each WebSocket of a virtual user is its own connection. @type {(key: string) => (endpoint: Endpoint) => Endpoint} */
function endpointsOf(key) {
  /** @type {WeakMap<Endpoint, Endpoint>} */
  const known = new WeakMap();
  return (endpoint) => {
    const found = known.get(endpoint) ?? { ...endpoint, key, client: NAME };
    known.set(endpoint, found);
    return found;
  };
}

/**
 * The parts of a request that messages and the close have: only the handshake sends fields.
 * @type {(request: Request, at: (endpoint: Endpoint) => Endpoint) => Omit<Request, 'body' | 'method'>}
 */
function bare({ endpoint, path }, at) {
  return { endpoint: at(endpoint), path, fields: NO_FIELDS, extra: null, isForeign: false };
}

/** @type {string[]} */
const NO_FIELDS = [];

/** The handshake has a Connection field of its own. @type {(fields: string[]) => string[]} */
function withoutConnection(fields) {
  const at = fieldAt(fields, 'connection');
  return at < 0 ? fields : fields.toSpliced(at, 2);
}

/** @type {(send: any, mark: Mark, complain: Complain) => MessagePart<(string | Buffer)[]>} */
function compileMessages(send, mark, complain) {
  return together(listOf(send).map((one) => compileMessage(one, 'send', mark, complain)));
}

/**
 * Compiles the messages that an operation expects: without `receive`, as many as are sent.
 * @type {(receive: any, sent: number, mark: Mark, complain: Complain) => MessagePart<(Refuse | null)[]>}
 */
function compileReceive(receive, sent, mark, complain) {
  if (receive === undefined || typeof receive === 'number') return constant(Array(receive ?? sent).fill(null));
  return together(
    listOf(receive).map((one) => {
      if (one instanceof RegExp) return constant(matching(one));
      if (one instanceof Placeholder) return computed(one, (value) => comparing(value)(messageOf(value)));
      return derived(compileMessage(one, 'receive', mark, complain), comparing(one));
    }),
  );
}

/** Compares JSON by its values, other messages by their bytes. @type {(message: unknown) => (wanted: any) => Refuse} */
function comparing(message) {
  return typeof message === 'string' || message instanceof Uint8Array ? bytesOf : containing;
}

/** @type {(value: any) => any[]} */
function listOf(value) {
  return value === undefined ? [] : [value].flat();
}

/** @type {(message: any, key: string, mark: Mark, complain: Complain) => MessagePart<any>} */
function compileMessage(message, key, mark, complain) {
  if (message instanceof Uint8Array) return constant(Buffer.from(message));
  if (message instanceof Placeholder) return computed(message, messageOf);
  const refuse = (/** @type {string} */ reason) => complain(key, `json: ${reason}`);
  return textPart(typeof message === 'string' ? mark(message, key) : markedJson(message.json, key, mark, refuse));
}

/** @type {(message: any) => string | Buffer} */
function messageOf(message) {
  if (typeof message === 'string') return message;
  return message instanceof Uint8Array ? Buffer.from(message) : JSON.stringify(message.json);
}

/** @type {<T>(placeholder: Placeholder, convert: (value: any) => T) => MessagePart<T>} */
function computed(placeholder, convert) {
  const read = placeholder.reader();
  return { isConstant: false, render: (scope) => convert(read(scope)) };
}

/** @type {(marked: string) => MessagePart<string>} */
function textPart(marked) {
  const template = compileTemplate(marked);
  return typeof template === 'string' ? constant(template) : { isConstant: false, render: template };
}

/** @type {<T>(value: T) => MessagePart<T>} */
function constant(value) {
  return { isConstant: true, render: () => value };
}

/** @type {<T, U>(part: MessagePart<T>, convert: (value: T) => U) => MessagePart<U>} */
function derived({ isConstant, render }, convert) {
  return isConstant ? constant(convert(render({}))) : { isConstant, render: (scope) => convert(render(scope)) };
}

/** @type {<T>(parts: MessagePart<T>[]) => MessagePart<T[]>} */
function together(parts) {
  if (parts.every(({ isConstant }) => isConstant)) return constant(parts.map(({ render }) => render({})));
  return { isConstant: false, render: (scope) => parts.map(({ render }) => render(scope)) };
}

/** Characters of a message in an error. */
const SHOWN = 200;

/** Refuses any other message than these bytes, or this text. @type {(wanted: string | Buffer) => Refuse} */
export function bytesOf(wanted) {
  const bytes = Buffer.from(/** @type {string} */ (wanted));
  return (data) => (bytes.equals(data) ? null : `expected ${shown(bytes)}, got ${shown(data)}`);
}

/** Refuses messages that do not match. @type {(given: RegExp) => Refuse} */
export function matching(given) {
  const pattern = compilePattern(given);
  return (data) =>
    pattern.find(data.toString()) !== null ? null : `expected one that matches ${given}, got ${shown(data)}`;
}

/** Objects may have more properties, arrays are compared as a whole. @type {(json: string) => Refuse} */
export function containing(json) {
  const wanted = JSON.parse(json);
  return (data) => {
    let got;
    try {
      got = JSON.parse(data.toString());
    } catch {
      return `expected JSON, got ${shown(data)}`;
    }
    const path = differenceIn(got, wanted, '');
    return path === null
      ? null
      : `expected ${json.slice(0, SHOWN)}, got ${shown(data)}${path && `, which differs at ${path}`}`;
  };
}

/** The path of the first difference, or null. @type {(got: any, wanted: any, path: string) => string | null} */
function differenceIn(got, wanted, path) {
  if (typeof wanted !== 'object' || wanted === null) return got === wanted ? null : path;
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(wanted)) return path;
  if (Array.isArray(wanted) && got.length !== wanted.length) return path;
  for (const [key, value] of Object.entries(wanted)) {
    const inner = path === '' ? key : `${path}.${key}`;
    const found = Object.hasOwn(got, key) ? differenceIn(got[key], value, inner) : inner;
    if (found !== null) return found;
  }
  return null;
}

/** @type {(data: Buffer) => string} */
function shown(data) {
  const text = data.subarray(0, 4 * SHOWN).toString();
  return formatValue(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

/** Compiles `match`, valid by `MATCH_PROPERTY`. @type {(match: any, mark: Mark) => MessagePart<IsAnswer | null>} */
function compileMatch(match, mark) {
  if (match === undefined) return constant(null);
  if (match instanceof RegExp) {
    const pattern = compilePattern(match);
    return constant((data) => pattern.find(data.toString()) !== null);
  }
  if (typeof match !== 'string') return compileValues(match, mark);
  return derived(textPart(mark(match, 'match')), (text) => (data) => data.includes(text));
}

/**
 * Each path must find a value that passes; a number is equal to its text, because servers and messages write an id in
 * either way.
 * @type {(match: Record<string, any>, mark: Mark) => MessagePart<IsAnswer>}
 */
function compileValues(match, mark) {
  const values = Object.entries(match).map(([text, given]) => {
    const context = {
      mark: (/** @type {string} */ part, /** @type {any} */ place) => mark(part, 'match', place),
      show: formatValue,
    };
    return {
      path: compileJsonPath(text),
      compare: compileExpected(given, context, EQUAL),
      compareText: compileExpected(given, { ...context, isText: true }, EQUAL),
    };
  });
  /** @type {(found: unknown, value: typeof values[number], scope: Scope) => boolean} */
  const passes = (found, { compare, compareText }, scope) =>
    compare(found, scope) === null || (isTextOrNumber(found) && compareText(String(found), scope) === null);
  return {
    // A comparison reads the values of an iteration
    isConstant: false,
    render: (scope) => (data) => {
      const message = parsed(data);
      return (
        message !== undefined &&
        values.every((value) => valuesAt(value, message).some((one) => passes(one, value, scope)))
      );
    },
  };
}

/**
 * Returns the values that a path finds; one that is undefined if there are none, which a comparison may expect.
 * @type {(value: { path: JsonPath }, message: { value: unknown }) => unknown[]}
 */
function valuesAt({ path }, message) {
  const found = path.all(message.value);
  return found.length === 0 ? [undefined] : found;
}

/** @type {(value: unknown) => boolean} */
function isTextOrNumber(value) {
  return typeof value === 'string' || typeof value === 'number';
}

/** @type {(data: Buffer) => { value: unknown } | undefined} undefined if it is not JSON */
function parsed(data) {
  try {
    return { value: JSON.parse(data.toString()) };
  } catch {
    return undefined;
  }
}
