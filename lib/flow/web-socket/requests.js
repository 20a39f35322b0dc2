import { compileMatch } from './match.js';
import { compileExpected, compileMessages } from './messages.js';

/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { CompiledRequest } from '../request.js'
 * @import { Operation, Request, Scope } from '../types.js'
 * @import { Complain } from '../../problems.js'
 * @import { Mark } from './messages.js'
 * @import { Task } from './types.js'
 *
 * @typedef {object} TaskRequest
 * @property {boolean} isConstant every iteration sends the same
 * @property {(scope: Scope) => Request} render
 * @property {number} held bytes that are kept during the run
 *
 * @typedef {Record<Task['kind'], TaskRequest>} Requests
 */

/**
 * Compiles the requests of an operation of a WebSocket, one for each kind of task.
 *
 * @param {Operation} operation
 * @param {{ request: CompiledRequest, key: string, context: { mark: Mark, complain: Complain } }} parts `request`: the handshake
 * @returns {Requests}
 */
export function createRequests(operation, { request, key, context: { mark, complain } }) {
  const { send, expect, match, close } = operation;
  const messages = compileMessages(send, mark, complain);
  const expected = compileExpected(expect, send === undefined ? 0 : [send].flat().length, mark, complain);
  const answers = compileMatch(match, mark);
  const connect = { kind: /** @type {const} */ ('connect'), protocols: [operation.protocols ?? []].flat() };
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

/** @type {(close: Operation['close']) => Extract<Task, { kind: 'close' }>} */
function closeTask(close) {
  const { code = 1000, reason = '' } = typeof close === 'object' ? close : { code: close === true ? 1000 : close };
  return { kind: 'close', code, reason };
}

/** Each WebSocket of a virtual user is a connection of its own. @type {(key: string) => (endpoint: Endpoint) => Endpoint} */
function endpointsOf(key) {
  /** @type {WeakMap<Endpoint, Endpoint>} */
  const known = new WeakMap();
  return (endpoint) => {
    const found = known.get(endpoint) ?? { ...endpoint, key };
    known.set(endpoint, found);
    return found;
  };
}

/** @type {(request: Request, at: (endpoint: Endpoint) => Endpoint) => Omit<Request, 'body' | 'method'>} */
function bare({ endpoint, path }, at) {
  return { endpoint: at(endpoint), path, fields: NO_FIELDS, extra: null, isForeign: false };
}

/** @type {string[]} */
const NO_FIELDS = [];

/** The handshake has a Connection field of its own. @type {(fields: string[]) => string[]} */
function withoutConnection(fields) {
  const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'connection');
  return at < 0 ? fields : fields.toSpliced(at, 2);
}
