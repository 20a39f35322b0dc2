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
  /** the fields after the body, names and values in turn; null: not known */
  trailers: string[] | null;
  /** what was read of the body as it arrived; null: it is kept as a whole */
  reading: Reading | null;
}

/** what was read of a body as it arrived */
export interface Reading {
  /** the values of captures that its reader took, by their names */
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
  /** what the reader of the body takes the value by, as it arrives; null: the response has it */
  reader: unknown;
}
