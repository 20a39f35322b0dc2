/**
 * @typedef {(data: Buffer, isBinary: boolean) => string | null} Refuse explains why a message is not the expected one; null: it
 *   is
 *
 * @typedef {(data: Buffer) => boolean} IsAnswer tells an answer from other messages
 *
 * @typedef {object} ConnectTask
 * @property {'connect'} kind
 * @property {string[]} protocols
 *
 * @typedef {object} MessageTask
 * @property {'message'} kind
 * @property {(string | Buffer)[]} messages to send
 * @property {(Refuse | null)[]} expected one for each message that is awaited; null accepts any
 * @property {IsAnswer | null} isAnswer the others are passed over; null: all messages are answers
 *
 * @typedef {object} CloseTask
 * @property {'close'} kind
 * @property {number} code
 * @property {string} reason
 *
 * @typedef {ConnectTask | MessageTask | CloseTask} Task what a request does with a WebSocket
 *
 * @typedef {object} WebSocketUse the part of a step in a WebSocket
 * @property {string} key identifies the connection of a virtual user
 * @property {Task['kind']} kind
 * @property {boolean} keeps the connection stays open for the next iterations
 * @property {boolean} isImplied the connection is opened for an operation that sends or expects something
 */
export {};
