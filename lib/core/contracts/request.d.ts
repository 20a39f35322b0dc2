import type { Endpoint } from '../http/endpoint.js';

/** Requests, and what they do with a WebSocket. */

export interface Request {
  endpoint: Endpoint;
  method: string;
  /** path and query */
  path: string;
  /** names and values in turn; the same array for all iterations if no value has a token */
  fields: string[];
  /** fields of this request alone: cookies, credentials */
  extra: string[] | null;
  body: string | Buffer | null;
  /** a value of the run chose an origin that the flow does not name: without the credentials of the run */
  isForeign: boolean;
  /** it has another body, for which a response asked */
  isResent?: boolean;
  /** what it does with a WebSocket, or calls */
  task?: Task | CallTask;
}

/** what the body of a request costs */
export interface BodyCost {
  /** every iteration sends the same bytes */
  isShared: boolean;
  /** bytes that are kept during the run */
  held: number;
  /** bytes of them that every request in flight copies */
  copied: number;
}

/** explains why a message is not the expected one; null: it is */
export type Refuse = (data: Buffer, isBinary: boolean) => string | null;

/** tells an answer from other messages */
export type IsAnswer = (data: Buffer) => boolean;

export interface ConnectTask {
  kind: 'connect';
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

/** what a request does with a WebSocket */
export type Task = ConnectTask | MessageTask | CloseTask;

/** a call of the flow's own code, in place of a request */
export interface CallTask {
  kind: 'call';
  /** may return a promise */
  call: (scope: any) => unknown;
  /** the state of the iteration */
  env: unknown;
}
