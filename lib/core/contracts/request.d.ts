import type { Endpoint } from '../http/endpoint.js';

/** Requests of HTTP, and of other protocols. */

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
  /** undefined: it is one of HTTP */
  task?: Task;
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

/** what a request is for the client of another protocol than HTTP, with members of that protocol */
export interface Task {
  kind: string;
  /** it is a handshake, with the fields of the request */
  sendsFields?: boolean;
  /** each counts as a request */
  messages?: unknown[];
  [member: string]: any;
}
