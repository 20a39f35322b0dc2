import { isDeepStrictEqual } from 'node:util';

import { makeError } from '../../../core/ground/errors.js';
import { isTeardown } from '../../../core/ground/phases.js';
import { TLS_PROPERTIES } from '../../../core/http/tls-properties.js';
import { maskText } from '../../../core/text/mask.js';
import { compileCaptures } from '../../../core/flow/captures/index.js';
import { refuseProperty } from '../../../core/flow/operation.js';
import { mostOf, rulesOf, rulesOfRequest } from '../../../core/flow/rules.js';
import { refuseProperties } from './index.js';
import { createRequests } from './requests.js';

/** @import { Capture } from '../../../core/contracts/expectation.js' */
/** @import { Needs } from '../../../core/contracts/response.js' */
/** @import { HeldConnection, Operation, Rules, Scope, Step } from '../../../core/contracts/step.js' */
/** @import { OperationCompiler } from '../../../core/flow/operation-compiler.js' */
/** @import { CompiledRequest } from '../../../core/flow/types.js' */
/** @import { WebSocketTask } from '../types.js' */
/** @import { Requests } from './requests.js' */

/** @typedef {WebSocketTask['kind']} Kind */

/** Fields that the protocol decides about. */
const PROTOCOL_FIELDS = /^(?:sec-websocket-.*|upgrade|expect|keep-alive|content-length|transfer-encoding)$/i;

/** Only the operation that opens a WebSocket has a use for these. */
const HANDSHAKE_PROPERTIES = [
  ...['headers', 'qs', 'auth', 'jar', 'cookies', 'protocols', 'keepOpen', 'socketPath', 'localAddress', 'proxy'],
  ...['rejectUnauthorized', 'strictSSL', ...Object.keys(TLS_PROPERTIES)],
];

/**
 * Compiles an operation of a WebSocket to up to three steps, which are measured separately: the handshake unless an
 * earlier operation made it, the messages, the close. Hooks belong to the messages, or to the first step without any.
 * @type {(compiler: OperationCompiler) => Step[]}
 */
export function webSocketSteps(compiler) {
  const { valid, place, opened, headers } = compiler;
  const { mark, complain, where } = place;
  const key = `ws ${valid.ws}`;
  const kinds = kindsOf(compiler, opened.get(key));
  for (const name of Object.keys(headers).filter((one) => PROTOCOL_FIELDS.test(one)))
    complain(`headers.${name}`, 'cannot be set: it belongs to the handshake; for subprotocols use protocols');
  // Later operations know whether this one leaves the WebSocket open.
  if (closes(valid)) opened.delete(key);
  else if (!opened.has(key)) opened.set(key, where);
  const mainKind = kinds.includes('message') ? 'message' : kinds[0];
  const request = compiler.compileRequest();
  /** The step that calls the functions of the operation for all its steps: the first one, if the URL or fields vary. */
  const caller = request.isConstant ? mainKind : kinds[0];
  const requests = createRequests(valid, { request, key, context: { mark, complain } });
  const { captures, reads } = compileCaptures(valid, { where, complain, areMessages: true });
  if (captures.length > 0 && mainKind !== 'message')
    complain('capture', 'no message is received here: add send or receive');
  if (valid.repeat !== undefined && mainKind !== 'message')
    complain('repeat', 'repeats messages, and none is sent or received here');
  return kinds.map((kind, i) =>
    stepOf(kind, compiler, {
      key,
      request,
      requests,
      isMain: kind === mainKind,
      captures: kind === mainKind ? captures : [],
      reads: kind === mainKind ? reads : [],
      callsValues: kind === caller,
      isLast: i === kinds.length - 1,
    }),
  );
}

/**
 * Returns the steps that an operation needs, and reports what has no effect beside them. `openedBy` is the place of the
 * earlier operation that opens the WebSocket.
 * @type {(compiler: OperationCompiler, openedBy: string | undefined) => Kind[]}
 */
function kindsOf({ valid, phase, place: { complain } }, openedBy) {
  const talks = valid.send !== undefined || valid.receive !== undefined;
  if (openedBy !== undefined) {
    if (!talks && !closes(valid)) complain('ws', `${openedBy} has opened this WebSocket: add send, receive or close`);
    for (const name of HANDSHAKE_PROPERTIES.filter((one) => valid[one] !== undefined))
      complain(name, `has no effect: ${openedBy} has opened this WebSocket`);
  } else if (isTeardown(phase) && closes(valid) && !talks)
    complain('close', 'no earlier operation opens this WebSocket');
  return [
    .../** @type {Kind[]} */ (openedBy === undefined ? ['connect'] : []),
    .../** @type {Kind[]} */ (talks ? ['message'] : []),
    .../** @type {Kind[]} */ (closes(valid) ? ['close'] : []),
  ];
}

/** @type {(operation: Operation) => boolean} */
function closes({ close }) {
  return close !== undefined && close !== false;
}

/** All messages are one check, which the connection makes. @type {(compiler: OperationCompiler) => Step['checks']} */
function checksOf({ valid: { receive }, where }) {
  if (receive === undefined || typeof receive === 'number') return [];
  return [{ name: 'messages', where: `${where}.receive`, parts: [], failsWith: 'E_WS_EXPECT' }];
}

/**
 * Makes the step of a kind. `isMain`: it has the hooks, the captures and the name of the operation.
 * @type {(kind: Kind, compiler: OperationCompiler, parts: { key: string, request: CompiledRequest, requests:
 *   Requests, isMain: boolean, captures: Capture[], reads: Needs[], callsValues: boolean, isLast: boolean }) => Step}
 */
function stepOf(kind, compiler, { key, request, requests, isMain, captures, reads, callsValues, isLast }) {
  const { valid, where, headers, problems, needs } = compiler;
  const { isConstant, render, held } = requests[kind];
  const beforeHooks = isMain ? compiler.beforeHooks : [];
  const afterHooks = isMain ? compiler.afterHooks : [];
  const handshake = rulesOfRequest(valid, request, headers);
  const rules = { ...webSocketRules({ kind, isLast }, valid, handshake), keepsRequest: afterHooks.length > 0 };
  const { options, renderOptions } = compiler.hookOptions(request, rules);
  const changes = { kind, isLast, where, rules, key, request, options };
  return compiler.stepOf(request, rules, {
    name: isMain && valid.name !== undefined ? maskText(valid.name) : compiler.nameOf(`ws ${kind}`),
    request: isConstant && problems.list.length === 0 ? render({}) : null,
    render,
    closesConnection: false,
    bodyCost: { isShared: isConstant, held, copied: 0 },
    options,
    renderOptions: kind === 'connect' ? changedHandshake(changes, renderOptions) : changedMessages(changes),
    values: callsValues ? compiler.values.list : [],
    beforeHooks,
    afterHooks,
    checks: kind === 'message' ? checksOf(compiler) : [],
    captures,
    needs: mostOf([isMain ? needs : 'status', ...reads]),
    held: { key, opens: kind === 'connect', keeps: valid.keepOpen === true, skipsIf: skipsIf(kind, compiler) },
    isImplied: kind === 'connect' && !isMain,
    // The connection is opened and closed once.
    ...(kind !== 'message' && { control: null, rounds: 1 }),
  });
}

/**
 * Returns the rules of a part of a WebSocket operation; `handshake` are those of an HTTP request. No part follows
 * redirects or has a content coding, and the pause is after the last part.
 * @type {(part: { kind: Kind, isLast: boolean }, operation: Operation, handshake: Rules) => Rules}
 */
function webSocketRules({ kind, isLast }, operation, handshake) {
  const common = {
    ...handshake,
    maxRedirects: 0,
    decodes: false,
    parsesJson: kind === 'message' && hasJson(operation),
    ...(!isLast && { pauseMs: null }),
  };
  if (kind === 'connect') return common;
  // Messages have no fields: `hasCredentials` keeps those of the run from being added.
  return { ...common, hasCookies: false, hasCredentials: true, credentials: null };
}

/** @type {(operation: Operation) => boolean} */
function hasJson({ send, receive }) {
  return [send, receive].flat().some((one) => one?.json !== undefined);
}

/**
 * Returns when a part has nothing to do: the handshake of a connection that was kept open, and in a teardown the close
 * of one that is closed.
 * @type {(kind: Kind, compiler: OperationCompiler) => HeldConnection['skipsIf']}
 */
function skipsIf(kind, { valid, phase }) {
  if (kind === 'connect' && valid.keepOpen === true) return 'open';
  return kind === 'close' && isTeardown(phase) ? 'closed' : null;
}

/**
 * @typedef {object} ChangeContext
 * @property {Kind} kind
 * @property {boolean} isLast of the steps of the operation: it has the pause
 * @property {string} where path of the operation
 * @property {Rules} rules of the step
 * @property {string} key of the connection
 * @property {CompiledRequest} request the handshake
 * @property {Step['options']} options
 */

/** A before-hook may change these; the rest is fixed, or of the handshake. @type {Record<Kind, string[]>} */
const CHANGEABLE = {
  connect: ['headers', 'auth', 'qs', 'protocols', 'timeout', 'pause'],
  message: ['send', 'receive', 'match', 'timeout', 'pause'],
  close: ['close', 'timeout', 'pause'],
};

/**
 * Compiles a handshake after before-hooks changed it. `renderHttp` compiles the changes as those of an HTTP request.
 * @type {(context: ChangeContext, renderHttp: Step['renderOptions']) => Step['renderOptions']}
 */
function changedHandshake(context, renderHttp) {
  return (options, scope, shown) => {
    refuseOthers(context, options, scope);
    const { request, rules } = renderHttp(options, scope, shown);
    const { connect } = requestsOf(context, options, { ...context.request, render: () => request });
    return { request: connect.render(scope), rules: rules && webSocketRules(context, options, rules) };
  };
}

/** Compiles messages, or the close, after such changes. @type {(context: ChangeContext) => Step['renderOptions']} */
function changedMessages(context) {
  const { kind, rules, request } = context;
  return (options, scope) => {
    refuseOthers(context, options, scope);
    const { timeoutMs, pauseMs } = rulesOf(options, 'GET', {});
    const changed = webSocketRules(context, options, { ...rules, timeoutMs, pauseMs });
    return { request: requestsOf(context, options, request)[kind].render(scope), rules: changed };
  };
}

/**
 * @type {(context: ChangeContext, options: Operation, request: CompiledRequest) => ReturnType<typeof createRequests>}
 */
function requestsOf({ where, key }, options, request) {
  /** @type {(name: string, reason: string) => never} */
  const complain = (name, reason) => refuse(where, name, reason);
  return createRequests(options, { request, key, context: { mark: (text) => text, complain } });
}

/** Refuses changes without an effect. @type {(context: ChangeContext, options: Operation, scope: Scope) => void} */
function refuseOthers({ kind, isLast, where, options: optionsOf }, options, scope) {
  const changeable = CHANGEABLE[kind].filter((name) => isLast || name !== 'pause');
  const given = optionsOf(scope);
  for (const name of new Set([...Object.keys(given), ...Object.keys(options)])) {
    if (isDeepStrictEqual(options[name], given[name])) continue;
    if (!changeable.includes(name))
      refuse(where, name, `cannot be changed by a hook here: it may change ${changeable.join(', ')}`);
    for (const { at = '', reason } of refuseProperty(name, options[name], options)) refuse(where, name + at, reason);
  }
  const { method: _method, uri: _uri, ...own } = options;
  for (const { key, reason } of refuseProperties(own)) refuse(where, key, reason);
}

/** @type {(where: string, name: string, reason: string) => never} */
function refuse(where, name, reason) {
  throw makeError('E_REQUEST_FIELD', { place: `${where}.requestOptions.${name}`, reason });
}
