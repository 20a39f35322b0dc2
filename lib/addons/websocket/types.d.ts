/** What requests do with a WebSocket. */

/** explains why a message is not the expected one; null: it is */
export type Refuse = (data: Buffer, isBinary: boolean) => string | null;

/** tells an answer from other messages */
export type IsAnswer = (data: Buffer) => boolean;

export interface ConnectTask {
  kind: 'connect';
  sendsFields: true;
  protocols: string[];
}

export interface MessageTask {
  kind: 'message';
  /** to send */
  messages: (string | Buffer)[];
  /** one for each message that is awaited; null accepts any */
  expected: (Refuse | null)[];
  /** the others are passed over; null: all messages are answers */
  isAnswer: IsAnswer | null;
}

export interface CloseTask {
  kind: 'close';
  code: number;
  reason: string;
}

export type WebSocketTask = ConnectTask | MessageTask | CloseTask;
