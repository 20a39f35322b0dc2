import type { Reading } from './expectation.js';
import type { Request } from './request.js';

/** Responses of the HTTP clients. */

export interface Response {
  statusCode: number;
  /** its status is 2xx, it sets no cookie, tells no times and its body is not encoded: known without its fields */
  isPlain?: boolean;
  /** names in lower case; parsed when first read */
  headers: Record<string, any>;
  setCookies: string[] | null;
  contentEncoding: string | undefined;
  /** times within the server (W3C Server Timing), as received */
  serverTiming?: string;
  /** null if it is not needed */
  body: Buffer | null;
  /** its beginning, of an error, if `readsExcerpt` of the receiver returned true */
  excerpt?: Buffer<ArrayBufferLike> | null;
  bodyBytes: number;
  statusMessage: string;
  /** names and values in turn, as received */
  rawHeaders: string[];
  /** the fields after its body, names and values in turn; null or absent: not known */
  trailers?: string[] | null;
  /** undici does not tell it */
  httpVersion?: string;
  /** set where after-hooks can read it */
  request?: Request;
  /** what was read of the body as it arrived */
  reading?: Reading;
  /** of a WebSocket */
  messages?: (string | Buffer<ArrayBufferLike>)[];
  /** what a measured call returned; such a response has no body */
  value?: unknown;
  /** of a WebSocket that was closed */
  close?:
    | {
        code: number;
        reason: string;
      }
    | undefined;
}

/** the parts of a response that are needed; each includes the one before it */
export type Needs = 'status' | 'head' | 'body';

/** what a connection keeps of a response; `reader`: its receiver may read the body, and another body is kept */
export type Kept = Needs | 'reader';

/** gets a body in pieces, as they arrive */
export interface BodySink {
  /** reads a piece, which is overwritten afterwards; an error that it throws ends the exchange */
  /** size: bytes of the body that they stand for, if those are others */
  add: (bytes: Buffer, from: number, to: number, size?: number) => void;
  /** the exchange ends with what has arrived, and the connection is closed */
  isOver: boolean;
  /** what follows does not matter: the end of the connection ends the response */
  isEnded: boolean;
  /** false: what the bytes say does not matter, only how they are divided; default: true */
  readsData?: boolean;
  take: () => Buffer | null;
}

/** what an exchange ends with: one of the two is called, once, perhaps before `send` returns */
export interface Receiver {
  /** its last byte has arrived; `now`: when that was read, or later if something else was called first */
  onResponse: (response: Response, now: number) => void;
  /** there is no complete response; or, with a response, it is not as the operation expects it */
  onError: (error: Error, response?: Response) => void;
  /** called at the head of an error whose body is not needed: whether to keep its beginning */
  readsExcerpt?: (statusCode: number) => boolean;
  /** called at the head of a response that may be read as it arrives: by what; null: it is kept */
  readerOf?: (statusCode: number, headers: Record<string, any>) => BodySink | null;
}
