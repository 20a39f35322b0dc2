import type { Connection, EncodedRequest } from '../contracts/connection.js';
import type { Reading } from '../contracts/expectation.js';
import type { Request } from '../contracts/request.js';
import type { BodySink, Response } from '../contracts/response.js';
import type { TraceSummary } from '../contracts/summaries.js';
import type { Exchange } from './exchange.js';
import type { ExchangeContext } from './step.js';

/** Readers of response bodies, as exchanges know them: an operation chooses one (`reader` of its step). */

/** The decisions that all exchanges of a step have in common, made before the run. */
export interface ReadingPlan<Reader extends BodyReader = any> {
  /** Reports whether a response is read as it arrives; the others are kept. */
  reads(statusCode: number, headers: Record<string, any>): boolean;
  /** Creates the reader of an exchange, at the head of its first response. */
  reader(exchange: Exchange): Reader;
  /** Creates what decides how the exchanges of a lane go on. */
  ends(exchange: ReadExchange): ReadingEnds<Reader>;
  /** Returns the error of an exchange that has ended without another one; null: what it read is as it should be. */
  errorOf(reader: Reader | null, response: Pick<Response, 'statusCode' | 'headers' | 'trailers'>): Error | null;
  /** Records the end of an exchange; null: nothing was read. */
  record(reader: Reader | null, now: number, end: { failed: boolean; cancelled?: boolean }): void;
}

/** Reads the body of the response of one exchange, or of several responses if it is requested again. */
export interface BodyReader extends BodySink, Reading {
  /** the head of the response to its last request was read */
  isOpen: boolean;
  /** Begins to read the body of a response. */
  open(statusCode: number, headers: Record<string, any>): BodySink;
  /** bytes that have arrived may not be decoded yet */
  readonly isDecoding: boolean;
  /** Calls `then` when all that has arrived is decoded, with the instant of that. */
  afterDecoding(isWhole: boolean, then: (now: number) => void): void;
  /** what it has read, if hooks, checks or captures need it as a body */
  readonly texts: Buffer | null;
  /** Returns the same, and keeps it no longer. */
  takeTexts(): Buffer | null;
  /** Adds what was read to the message of an error that ends the exchange. */
  explain(error: any): void;
}

/** Decides how an exchange goes on when a response that is read has ended. */
export interface ReadingEnds<Reader extends BodyReader = any> {
  /** A response has ended. */
  respond(reader: Reader, response: Response, now: number): void;
  /** Completes the exchange though the rest of its response is lost; false: it does not. */
  completes(reader: Reader, error: Error): boolean;
  /** Goes on after an error whose request was counted; false: the error ends the exchange. */
  continues(reader: Reader, error: Error): boolean;
}

/** The trace that the requests of an exchange name. */
export interface NamedTrace extends Pick<EncodedRequest, 'text' | 'bytes'> {
  /** the text is a whole request */
  isWhole: boolean;
  /** name and value */
  field: [name: string, value: string];
  summary(): TraceSummary;
}

/** What such a decision can do with an exchange. */
export interface ReadExchange {
  exchange: Exchange;
  run(): ExchangeContext;
  /** the last one */
  connection(): Connection;
  /** nothing may be sent any more */
  isCutOff(): boolean;
  /** leaves out of all times how long the last request waited to be written */
  leaveOutUnwritten(): void;
  /** counts a response */
  answered(response: Response, now: number): void;
  complete(response: Response): void;
  fail(error: unknown): void;
  /** requests what follows */
  reconnect(request: Request): void;
}
