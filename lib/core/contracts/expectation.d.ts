import type { Scope } from './step.js';

/** Checks and captures of an operation, compiled. */

/** what checks and captures read of a response */
export interface Received {
  statusCode: number;
  /** names in lower case */
  headers: Record<string, any>;
  body: Buffer | null;
  /** the body as text */
  text: string;
  /** the body as JSON */
  json: ParsedJson;
  /** service time, redirects included */
  ms: number;
  /** a field by its name in lower case */
  header: (name: string) => string | undefined;
  /** that the response sets */
  cookie: (name: string) => string | undefined;
  /** what was read of a stream; null: the response is none */
  stream: StreamReading | null;
}

/** an event of a stream */
export interface ReceivedEvent {
  /** `message` unless the stream names another one */
  type: string;
  text: string;
  json: ParsedJson;
}

/** what was read of a stream */
export interface StreamReading {
  events: number;
  /** the first one after the operation was due, ms; NaN: there is none */
  firstEventMs: number;
  /** the longest time between two events, ms */
  maxGap: number;
  /** the values of captures from its events, by their names */
  captured: ReadonlyMap<string, unknown>;
}

/** fault: why there is no value */
export type ParsedJson =
  | {
      value: unknown;
      fault: null;
    }
  | {
      value: undefined;
      fault: string;
    };

/** texts for a message, shortened and without secrets */
export interface Mismatch {
  expected: string;
  received: string;
}

/** null if the response is as expected */
export type Check = (received: Received, scope: Scope) => Mismatch | null;

/** one row of the results */
export interface NamedCheck {
  /** `flow.main[0].expect.body` */
  where: string;
  /** `status 201` */
  name: string;
  /** the response must pass all of them */
  parts: {
    where: string;
    check: Check;
  }[];
  /** code of the error by which the connection reports that it has failed: then there is no response to check */
  failsWith?: string;
}

export interface Source {
  /** the value; undefined if the response has none */
  read: (received: Received) => unknown;
  /** why it has none: completes a sentence */
  explain: (received: Received) => string;
}

/** a value that an operation captures */
export interface Capture {
  name: string;
  /** `flow.main[0].capture.id` */
  where: string;
  read: Source['read'];
  explain: Source['explain'];
  fallback: {
    value: unknown;
  } | null;
  /** the type of the events of a stream that it reads; true: all types; null: it reads the response */
  event: string | true | null;
  /** it joins the values of all events */
  joins: boolean;
}
