import type { lookup } from 'dns';
import type { Request } from './request.js';
import type { Kept, Receiver } from './response.js';
import type { AddressFigures } from './stats.js';
import type { ConnectTo, Endpoint } from '../http/endpoint.js';
import type { BodyAccount } from '../process/body-memory.js';

/** HTTP clients: transports and their connections. */

export interface EncodedRequest {
  /** head and body, or its head: each character is one byte */
  text: string;
  /** where the empty line that ends the head begins */
  headEnd: number;
  /** its body, if that is not ASCII */
  bytes: Buffer | null;
}

/** a connection to one endpoint, opened when needed; one exchange at a time */
export interface Connection {
  send: (request: Request, needs: Kept, receiver: Receiver) => void;
  /** encodes a request, so that texts made of it can be sent; valid until the next call */
  encode?: (request: Request) => EncodedRequest;
  /** sends a text in place of the request */
  sendEncoded?: (
    request: Request,
    needs: Kept,
    receiver: Receiver,
    encoded: Pick<EncodedRequest, 'text' | 'bytes'>,
  ) => void;
  /** ends the current exchange with what of its response has arrived, and closes the connection */
  finish?: () => void;
  /** ends the connection, and the current exchange with this error; or delivers the response that has arrived */
  abort: (error: Error) => void;
  close: () => void;
  /** after abort or close */
  isDead: boolean;
  /** the response has arrived completely, and `onResponse` was not called yet */
  hasArrived: boolean;
  isConnecting: boolean;
  /** of its exchanges; default: E_TIMEOUT_REQUEST */
  timeoutCode?: string;
  /** of a WebSocket: messages can be sent */
  isOpen?: boolean;
  /** the request of the last exchange was written */
  wasSent: boolean;
  /** on a connection that had carried another request */
  wasReused: boolean;
  /** at least one byte of its response arrived */
  sawBytes: boolean;
  /** when a connection was opened for it, instant of the clock; 0 if none was */
  connectedAt: number;
  sentAt: number;
  firstByteAt: number;
  /** the last byte of its response */
  endedAt: number;
  /** when the last bytes of a stream were read */
  readAt: number;
  /** of the request, head and body; NaN: not known */
  bytesOut: number;
  /** of its response that have arrived */
  bytesIn: number;
  /** the open connection; null if there is none, or if links are not tracked */
  link: Link | null;
}

/** one open connection, for a log of requests */
export interface Link {
  /** given by the log; 0: none yet */
  number: number;
  /** where it leads: `10.0.0.7:80` */
  address: string;
}

export interface TimeRecorder {
  update: (ms: number) => void;
}

/** the recorders of durations; read for each one, as those of the warm-up are not recorded */
export interface Timings {
  /** opening a connection, including the name lookup, without TLS */
  connect: TimeRecorder;
  /** its handshake */
  tls: TimeRecorder;
  /** from the request to the first byte of its response */
  ttfb: TimeRecorder;
}

/** With the counters and lists of add-ons, whose types declare them. */
export interface TransportTotals extends TransportCounters {}

export type TransportCounters = {
  opened: number;
  /** requests sent on a connection that had carried another one */
  reused: number;
  closedByServer: number;
  /** connections closed because of unexpected bytes */
  discarded: number;
  /** responses whose head had a field of several lines */
  foldedHeads: number;
  bytesSent: number;
  bytesReceived: number;
};

export interface Transport {
  /**
   * `bodies` counts the bodies that it keeps; with pipelining, connections of one generation and endpoint share a
   * socket
   */
  connect: (endpoint: Endpoint, bodies?: BodyAccount, generation?: object) => Connection;
  totals: () => TransportTotals;
  /** of names that have several; reset: called when the warm-up is over, whose requests do not count */
  addresses: {
    toJSON: () => AddressFigures[];
    reset: () => void;
  };
  /** waits until all sockets are closed */
  close: () => Promise<void>;
}

export interface ReadWatch {
  /** called when the first response of a turn has arrived */
  onRead: (now: number) => void;
  /** called once after that, when the responses of the turn were handled and the requests that follow were written */
  onHandled: () => void;
}

export interface TransportSettings {
  /** maximum bytes of a kept body */
  maxBodySize: number;
  /** bytes of a head */
  maxHeaderSize: number;
  /** of a response */
  maxHeaderFields: number;
  /** a DNS server, asked instead of the system */
  resolver?: string;
  /** looks up names once, not for every connection; default: true */
  dnsCache?: boolean;
  /** finds addresses */
  lookup?: typeof lookup;
  timings?: Timings;
  /** told of the reads of each turn of the event loop, if responses are not delivered when they are read */
  reads?: ReadWatch;
  /** connections say where they lead */
  tracksLinks?: boolean;
  /** requests in flight on a connection; more than 1 needs the capability */
  pipelining?: number;
  /** of HTTP/2: connections to each endpoint, which all virtual users share; default: each has its own */
  connections?: number;
  /** of HTTP/2: at most at once on a connection */
  streams?: number;
}

export interface AddressOptions {
  /** only addresses of this family */
  family?: 4 | 6;
  connectTo?: ConnectTo;
  /** where the first connection begins: threads begin at different addresses */
  turn?: number;
}

export type TransportOptions = TransportSettings & AddressOptions;

export interface TransportEntry {
  name: string;
  /** one sentence for help */
  about: string;
  /** run options that this transport supports and others may not */
  capabilities: string[];
  /** request fields that it cannot send, in lower case */
  refusedFields?: string[];
  /** runtimes that replace it by something else, as process.versions names them */
  missingIn?: string[];
  load: () => Promise<TransportClient>;
}

export interface TransportClient {
  open: (options: TransportOptions) => Transport;
}
