import { createRequire } from 'node:module';

import { CODES_OF_STATUSES } from './schema/statuses.js';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'grpc',
  about: 'gRPC',
  isExperimental: true,
  needs: ['http2', 'streams'],
  // in documents after WebSockets
  protocols: [{ rank: 0.5, scheme: 'grpc', over: 'http', load: () => requireNow('./flow/index.js').GRPC }],
  probes: [{ scheme: 'grpc', awaited: 'SERVING of', load: () => import('./health.js') }],
  checks: [{ rank: 2, load: () => requireNow('./flow/check.js').CHECKS }],
  errors: [
    {
      kinds: {
        grpc: {
          about: 'A call of gRPC ended with another status than OK',
          remedy: "The message has the server's text and details; `expect: { status: 'NOT_FOUND' }`",
          others: { code: 'E_GRPC_UNKNOWN', message: 'other errors of this call' },
        },
      },
      codes: {
        ...CODES_OF_STATUSES,
        E_GRPC_PROTOCOL: {
          message: 'the server broke gRPC: {reason}',
          cure: 'is this a gRPC server? Look at what is between it and the load generator',
          kind: 'protocol',
        },
        E_GRPC_MESSAGE_TOO_LARGE: {
          message: 'a message of the response is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_GRPC_MESSAGE: { message: 'the message cannot be encoded as {type}: {reason}', kind: 'hook' },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  urlFlags: [
    {
      name: 'grpc',
      flag: '--grpc <method>',
      about: 'method of gRPC that a server is asked for: shop.Orders/Create; -b is the message, -H metadata',
      read: (text) => requireNow('./flow/urls.js').readMethod(text),
      urlOf: (server, method) => requireNow('./flow/urls.js').urlOf(server, method),
      example: 'bench-rest -n 1000 --grpc shop.Orders/Create localhost:50051',
    },
    {
      name: 'proto',
      flag: '--proto <file>',
      about: '.proto file of --grpc, or a set of descriptors (default: the server is asked by reflection); repeatable',
      read: (text, earlier = []) => [...earlier, text],
    },
  ],
  listings: [
    {
      scheme: 'grpc',
      about: 'the URL of a gRPC server, or of a method, whose message is printed',
      load: () => import('./list.js'),
    },
  ],
};
