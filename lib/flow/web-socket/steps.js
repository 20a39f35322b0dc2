import { isTeardown } from '../../phases.js';
import { maskText } from '../../text/mask.js';
import { TLS_PROPERTIES } from '../../tls-properties.js';
import { controlOf } from '../control.js';
import { compileCaptures } from '../captures/compile-captures.js';
import { hookOptions } from '../hook-options.js';
import { mostOf } from '../needs.js';
import { compileRequest, stepName } from '../request.js';
import { rulesOf, webSocketRules } from '../rules.js';
import { changedMessages, changedHandshake } from './changes.js';
import { createRequests } from './requests.js';

/**
 * @import { OperationContext } from '../operation-context.js'
 * @import { Needs } from '../../transport/types.js'
 * @import { Capture } from '../captures/types.js'
 * @import { Operation, Step } from '../types.js'
 * @import { Requests } from './requests.js'
 * @import { Task } from './types.js'
 *
 * @typedef {Map<string, string>} OpenSockets where each WebSocket is opened, by its key
 */

/** Fields that the protocol decides about. */
const OF_PROTOCOL = /^(?:sec-websocket-.*|upgrade|expect|keep-alive|content-length|transfer-encoding)$/i;

/** Properties of the handshake. */
const OF_HANDSHAKE = [
  ...['headers', 'qs', 'auth', 'jar', 'cookies', 'protocols', 'keep', 'socketPath', 'localAddress', 'proxy'],
  ...['rejectUnauthorized', 'strictSSL', ...Object.keys(TLS_PROPERTIES)],
];

/**
 * Compiles an operation of a WebSocket to up to three steps, which are measured separately: the handshake unless an
 * earlier operation made it, the messages, the close. Hooks belong to the messages, or to the first step without any.
 *
 * @param {OperationContext} context
 * @param {OpenSockets} sockets those of earlier operations of the iteration; updated
 * @returns {Step[]}
 */
export function webSocketSteps(context, sockets) {
  const { valid, where } = context;
  const key = `ws ${valid.ws}`;
  const kinds = kindsOf(context, sockets.get(key));
  for (const name of Object.keys(context.headers).filter((one) => OF_PROTOCOL.test(one)))
    context.complain(`headers.${name}`, 'cannot be set: it belongs to the handshake; for subprotocols use protocols');
  if (closes(valid)) sockets.delete(key);
  else if (!sockets.has(key)) sockets.set(key, where);
  const own = kinds.includes('message') ? 'message' : kinds[0];
  const request = compileRequest(valid, context.ofRequest);
  /** calls the functions of the operation, once for all its steps: for the handshake, if that may need their values */
  const caller = request.isConstant ? own : kinds[0];
  const requests = createRequests(valid, { request, key, context });
  const { captures, reads } = compileCaptures(valid, context);
  if (captures.length > 0 && own !== 'message')
    context.complain('capture', 'no message is received here: add send or expect');
  return kinds.map((kind, i) =>
    stepOf(kind, context, {
      key,
      request,
      requests,
      isOwn: kind === own,
      captures: kind === own ? captures : [],
      reads: kind === own ? reads : [],
      callsValues: kind === caller,
      isLast: i === kinds.length - 1,
    }),
  );
}

/** @type {(context: OperationContext, openedBy: string | undefined) => Task['kind'][]} */
function kindsOf({ valid, phase, complain }, openedBy) {
  const talks = valid.send !== undefined || valid.expect !== undefined;
  if (openedBy !== undefined) {
    if (!talks && !closes(valid)) complain('ws', `${openedBy} has opened this WebSocket: add send, expect or close`);
    for (const name of OF_HANDSHAKE.filter((one) => valid[one] !== undefined))
      complain(name, `has no effect: ${openedBy} has opened this WebSocket`);
  } else if (isTeardown(phase) && closes(valid) && !talks)
    complain('close', 'no earlier operation opens this WebSocket');
  return [
    .../** @type {Task['kind'][]} */ (openedBy === undefined ? ['connect'] : []),
    .../** @type {Task['kind'][]} */ (talks ? ['message'] : []),
    .../** @type {Task['kind'][]} */ (closes(valid) ? ['close'] : []),
  ];
}

/** @type {(operation: Operation) => boolean} */
function closes({ close }) {
  return close !== undefined && close !== false;
}

/** All messages together are one check; the connection finds out when it fails. @type {(context: OperationContext) => Step['checks']} */
function checksOf({ valid: { expect }, where }) {
  if (expect === undefined || typeof expect === 'number') return [];
  return [{ name: 'messages', where: `${where}.expect`, parts: [] }];
}

/**
 * @param {Task['kind']} kind
 * @param {OperationContext} context
 * @param {{ key: string, request: ReturnType<typeof compileRequest>, requests: Requests, isOwn: boolean, captures: Capture[], reads: Needs[], callsValues: boolean, isLast: boolean }} parts
 * @returns {Step}
 */
function stepOf(kind, context, { key, request, requests, isOwn, captures, reads, callsValues, isLast }) {
  const { valid, where, phase, opIndex, headers, problems, needs } = context;
  const { isConstant, render, held } = requests[kind];
  const beforeHooks = isOwn ? context.beforeHooks : [];
  const afterHooks = isOwn ? context.afterHooks : [];
  const handshake = {
    ...rulesOf(valid, request.method, headers),
    credentials: request.credentials,
    ofRun: request.ofRun,
  };
  const rules = {
    ...webSocketRules(kind, valid, handshake),
    keepsRequest: afterHooks.length > 0,
    ...(!isLast && { pauseMs: null }),
  };
  const { options, renderOptions } = hookOptions({ ...context.ofHooks, request, rules });
  const changes = { kind, where, rules, key, request, options };
  return {
    where,
    name: isOwn && valid.name !== undefined ? maskText(valid.name) : stepName(`ws ${kind}`, String(context.written.ws)),
    origin: request.origin,
    proxy: request.proxy,
    phase,
    opIndex,
    scenario: context.scenario,
    choice: null,
    ...controlOf(valid, context),
    call: null,
    request: isConstant && problems.list.length === 0 ? render({}) : null,
    render,
    closesConnection: false,
    bodyCost: { isShared: isConstant, held, copied: 0 },
    options,
    renderOptions: kind === 'connect' ? changedHandshake(changes, renderOptions) : changedMessages(changes),
    values: callsValues ? context.values.list : [],
    beforeHooks,
    afterHooks,
    checks: kind === 'message' ? checksOf(context) : [],
    acceptsStatus: null,
    captures,
    variables: [...context.values.variables],
    needs: mostOf([isOwn ? needs : 'status', ...reads]),
    webSocket: { key, kind, keeps: valid.keep === true, isImplied: kind === 'connect' && !isOwn },
    ...rules,
  };
}
