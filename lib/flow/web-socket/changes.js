import { isDeepStrictEqual } from 'node:util';

import { makeError } from '../../errors.js';
import { refuseProperty } from '../operation.js';
import { rulesOf, webSocketRules } from '../rules.js';
import { refuseMixture } from './properties.js';
import { createRequests } from './requests.js';

/**
 * @import { CompiledRequest } from '../request.js'
 * @import { Operation, Rules, Scope, Step } from '../types.js'
 * @import { Task } from './types.js'
 *
 * @typedef {object} ChangeContext
 * @property {Task['kind']} kind
 * @property {string} where path of the operation
 * @property {Rules} rules of the step
 * @property {string} key of the connection
 * @property {CompiledRequest} request the handshake
 * @property {Step['options']} options
 */

/** The properties that a before-hook may change; the rest is fixed, or belongs to the handshake. @type {Record<Task['kind'], string[]>} */
const CHANGEABLE = {
  connect: ['headers', 'auth', 'qs', 'protocols', 'timeout', 'pause'],
  message: ['send', 'expect', 'match', 'timeout', 'pause'],
  close: ['close', 'timeout', 'pause'],
};

/**
 * Compiles a handshake after before-hooks changed it.
 *
 * @param {ChangeContext} context
 * @param {Step['renderOptions']} renderHttp compiles the changes as those of an HTTP request
 * @returns {Step['renderOptions']}
 */
export function changedHandshake(context, renderHttp) {
  return (options, scope, shown) => {
    refuseOthers(context, options, scope);
    const { request, rules } = renderHttp(options, scope, shown);
    const { connect } = requestsOf(context, options, { ...context.request, render: () => request });
    return { request: connect.render(scope), rules: rules && webSocketRules('connect', options, rules) };
  };
}

/**
 * Compiles messages or a close after before-hooks changed them.
 *
 * @param {ChangeContext} context
 * @returns {Step['renderOptions']}
 */
export function changedMessages(context) {
  const { kind, rules, request } = context;
  return (options, scope) => {
    refuseOthers(context, options, scope);
    const { timeoutMs, pauseMs } = rulesOf(options, 'GET', {});
    const changed = webSocketRules(kind, options, { ...rules, timeoutMs, pauseMs });
    return { request: requestsOf(context, options, request)[kind].render(scope), rules: changed };
  };
}

/** @type {(context: ChangeContext, options: Operation, request: CompiledRequest) => ReturnType<typeof createRequests>} */
function requestsOf({ where, key }, options, request) {
  /** @type {(name: string, reason: string) => never} */
  const complain = (name, reason) => refuse(where, name, reason);
  return createRequests(options, { request, key, context: { mark: (text) => text, complain } });
}

/** @type {(context: ChangeContext, options: Operation, scope: Scope) => void} */
function refuseOthers({ kind, where, options: optionsOf }, options, scope) {
  const given = optionsOf(scope);
  for (const name of new Set([...Object.keys(given), ...Object.keys(options)])) {
    if (isDeepStrictEqual(options[name], given[name])) continue;
    if (!CHANGEABLE[kind].includes(name))
      refuse(where, name, `cannot be changed by a hook here: it may change ${CHANGEABLE[kind].join(', ')}`);
    for (const { at = '', reason } of refuseProperty(name, options[name], options)) refuse(where, name + at, reason);
  }
  const { method: _method, uri: _uri, ...own } = options;
  for (const { key, reason } of refuseMixture(own)) refuse(where, key, reason);
}

/** @type {(where: string, name: string, reason: string) => never} */
function refuse(where, name, reason) {
  throw makeError('E_REQUEST_FIELD', { place: `${where}.requestOptions.${name}`, reason });
}
