import { createRequire } from 'node:module';

import { CODES_OF_CLOSES } from './close-codes.js';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {(stats: import('../../core/contracts/stats.js').Stats) => boolean} */
const isMeasured = ({ operations, messages }) =>
  messages !== undefined || operations.some(({ protocol }) => protocol === 'ws');

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'websocket',
  about: 'WebSocket',
  figures: [
    {
      scopes: { messages: 'messages of WebSockets' },
      counters: [
        { path: 'messages.sent', key: 'messagesSent', isMeasured },
        { path: 'messages.received', key: 'messagesReceived', isMeasured },
        { path: 'messages.unexpected', key: 'messagesUnread', isExperimental: true, isMeasured },
        { path: 'messages.unexpectedGreetings', key: 'greetingsUnread', isExperimental: true, isMeasured },
        { path: 'messages.surplus', key: 'messagesSurplus', isExperimental: true, isMeasured },
      ],
      derived: [{ path: 'messages.receivedRate', of: ['messages.received'], per: 'second', isMeasured }],
    },
  ],
  doubts: [
    {
      codes: ['surplusMessages', 'unreadGreetings'],
      of: (stats) => (stats.messages === undefined ? [] : requireHere('./doubts.js').doubtsOf(stats)),
    },
  ],
  resultKeys: [{ name: 'messages', after: 'bytes' }],
  protocols: [{ scheme: 'ws', load: () => requireNow('./flow/index.js').WEB_SOCKET }],
  errors: [
    {
      codes: {
        E_WS_REFUSED: {
          message: 'the server answered the WebSocket handshake with {status}{to}',
          cure: 'is there a WebSocket at this URL? Redirects of a handshake are not followed',
          kind: 'protocol',
        },
        E_WS_HANDSHAKE: {
          message: 'malformed answer to the WebSocket handshake: {reason}',
          cure: 'look at what is between the load generator and the server',
          kind: 'protocol',
        },
        E_WS_FRAME: {
          message: 'WebSocket closed by bench-rest: malformed frame: {reason}',
          cure: "look at the server's log",
          kind: 'protocol',
        },
        E_WS_MESSAGE_TOO_LARGE: {
          message: 'WebSocket closed by bench-rest: a message is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_WS_TOO_MANY_PARTS: {
          message: 'WebSocket closed by bench-rest: a message has more than {limit} parts',
          cure: 'let the server send it in larger ones',
          kind: 'protocol',
        },
        E_WS_EXPECT: {
          message: 'message {number} is not the expected one: {reason}',
          cure: 'compare expect with what the server sends; see --debug',
          kind: 'expect',
        },
        E_WS_NOT_OPEN: {
          message: 'there is no open WebSocket to {origin}',
          cure: 'an earlier operation of the iteration failed, or closed it',
          kind: 'reset',
        },
        E_WS_CLOSED: {
          message: 'WebSocket closed by the server with code {code}{reason}',
          cure: "codes from 4000 are the server's own: look at its documents or its log",
          kind: 'reset',
        },
        ...CODES_OF_CLOSES,
      },
    },
  ],
};
