import { counted, grouped } from '../../core/ground/decimal.js';

/** @import { Note, Stats } from '../../core/contracts/stats.js' */

/** A message taken as the answer to another shortens all times. @type {(stats: Pick<Stats, 'messages'>) => Note[]} */
export function doubtsOf({ messages }) {
  const { unexpectedGreetings = 0, surplus = 0 } = messages ?? {};
  const greetings = `greetings: ${counted(unexpectedGreetings, 'unread message')} before the first one was sent on a WebSocket; one that arrives later is taken as an answer: read it first, { ws: '…', receive: 1 }, or write match`;
  const others = `messages: ${grouped(surplus)} more than the operations of a WebSocket expected; times may be those of other answers: write match, or expect as many as the server sends`;
  return [
    ...(unexpectedGreetings > 0 ? [{ code: 'unreadGreetings', message: greetings }] : []),
    ...(surplus > 0 ? [{ code: 'surplusMessages', message: others }] : []),
  ];
}
