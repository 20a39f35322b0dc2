import { createRequire } from 'node:module';

import { makeError } from '../../../ground/errors.js';
import { proxiesOf } from '../../origins.js';
import { JSON_VALUE } from '../../value-slot.js';
import { MESSAGE, NAME, WEB_SOCKET_PROPERTIES, refuseProperties } from './properties.js';

/** @import { Operation } from '../../../contracts/step.js' */
/** @import { Protocol } from '../types.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no WebSockets. @type {() => typeof import('./steps.js')} */
const loadSteps = () => requireHere('./steps.js');

/** @type {Protocol} */
export const WEB_SOCKET = {
  name: NAME,
  about: 'messages on a connection that the operations of an iteration share',
  key: 'ws',
  urlKey: 'ws',
  scheme: 'ws',
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
  loadClient: () => import('../../../transport/ws/index.js'),
};

/** The message of a flow that is only a `ws://` URL. */
const DEFAULT_MESSAGE = 'hello';

/**
 * Returns the operation of a URL alone: a message to a WebSocket that stays open.
 * @type {(url: unknown, request?: Record<string, any>) => Operation}
 */
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

/** @type {NonNullable<Protocol['refuseOptions']>} */
function refuseOptions({ requestsPerConnection, proxies, pipelining = 1, keepAlive }, steps, add) {
  const own = steps.filter(({ protocol }) => protocol === WEB_SOCKET);
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
  if (keepAlive === false && own.length === steps.length)
    add(
      'runOptions.keepAlive',
      'is for HTTP, and this flow has WebSockets alone: without keepOpen, each iteration opens its own',
    );
}
