/** Recorded traffic, from which `bench-rest import` and `bench-rest record` make a flow. */

/** A request and its response. */
export interface Exchange {
  /** ms since the epoch; NaN: not recorded */
  startedAt: number;
  /** when the response had arrived */
  endedAt: number;
  /** texts that are equal for one client */
  client: string;
  /** texts that are equal for one state of the server; undefined: all requests have the same one */
  session?: string;
  request: RecordedRequest;
  /** null: none arrived */
  response: RecordedResponse | null;
  /** of a WebSocket, in their order; undefined: it is none */
  messages?: RecordedMessage[];
  /** what asked for it, as browsers name it: `document`, `xhr`, `fetch`, `image`, … */
  initiator?: string;
  /** no server answered it */
  isCached?: boolean;
  /** the recording has requests only: nobody knows the response */
  hasNoRecord?: boolean;
}

export interface RecordedRequest {
  method: string;
  /** absolute */
  url: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** why the body is not, or not whole, in `body` */
  bodyLacks?: string;
}

export interface RecordedResponse {
  status: number;
  headers: [name: string, value: string][];
  /** decoded */
  body: Buffer;
  /** the body is cut off, or was not recorded */
  isCut?: boolean;
  /** the connection, or the recording, ended before it did */
  hasNoEnd?: boolean;
}

export interface RecordedMessage {
  from: 'client' | 'server';
  /** ms since the epoch */
  at: number;
  /** text, or binary data */
  data: string | Buffer;
}

/** How exchanges become a flow. */
export interface CorrelateOptions {
  /** what else is included: `static`, `third-party`, or the beginning of a URL */
  include?: string[];
  /** factor of the pauses between operations; 0: none */
  thinkTime?: number;
  /** origin whose requests are relative to baseUrl; default: that of the first page */
  origin?: string;
  /** a second recording of the same story */
  again?: Exchange[];
}
