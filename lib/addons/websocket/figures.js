/** @import { OfferedFigures } from '../../core/measure/figures.js' */

/** @type {(stats: import('../../core/contracts/stats.js').Stats) => boolean} */
const isMeasured = ({ operations, messages }) =>
  messages !== undefined || operations.some(({ protocol }) => protocol === 'ws');

/** @type {OfferedFigures} */
export const FIGURES = {
  scopes: { messages: 'messages of WebSockets' },
  counters: [
    { path: 'messages.sent', key: 'messagesSent', isMeasured },
    { path: 'messages.received', key: 'messagesReceived', isMeasured },
    { path: 'messages.unexpected', key: 'messagesUnread', isExperimental: true, isMeasured },
    { path: 'messages.unexpectedGreetings', key: 'greetingsUnread', isExperimental: true, isMeasured },
    { path: 'messages.surplus', key: 'messagesSurplus', isExperimental: true, isMeasured },
  ],
  derived: [{ path: 'messages.receivedRate', of: ['messages.received'], per: 'second', isMeasured }],
};
