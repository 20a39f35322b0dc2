import type { Capture, ParsedJson, Reading } from '../../core/contracts/expectation.js';
import type { Operation, StepReader } from '../../core/contracts/step.js';

/** Types that files of lib/addons/streams share. */

/** The kind of a stream decides which part of the body is an event. */
export type StreamKind = 'sse' | 'ndjson' | 'lines' | 'chunks';

/** how the response of an operation is read as a stream */
export interface StreamRules extends StepReader, EventRules {
  /** null: the content type of the response decides */
  kind: StreamKind | null;
  /** its content coding is decoded */
  decodes: boolean;
  /** only events with a value there count; null: all of them do */
  first: ((event: ReceivedEvent) => unknown) | null;
  /** a number of the stream, such as its tokens: the last one that an event has */
  count: ((event: ReceivedEvent) => unknown) | null;
  /** the data of the event that ends the stream */
  end: string | null;
  /** how many of them end it; Infinity: no number does */
  events: number;
  /** how often it is opened again after its connection ended; 0: never */
  reconnects: number;
  /** a stream without an event is no error */
  mayBeEmpty: boolean;
}

/** what the events of a response are */
export interface EventRules {
  /** a response with the content type of another kind is none */
  needsType: boolean;
  /** only events of this type count; null: all of them do */
  type: string | null;
  /** the type of the event that ends it; null: there is none */
  endType: string | null;
  /** what makes an event an error; null: nothing does */
  fault: ((event: ReceivedEvent) => Error | null) | null;
}

/** the events of responses to a body, which has them at `readers.stream` */
export interface BodyEvents {
  /** of each such stream */
  kind: StreamKind;
  rulesOf: (operation: Operation) => EventRules;
}

export type CaptureOfEvents = Omit<Capture, 'reader'> & EventCapture;

/** what a capture reads */
export interface EventCapture {
  /** the type of the events; true: all types */
  event: string | true;
  /** it joins the values of all of them */
  joins: boolean;
}

/** an event of a stream */
export interface ReceivedEvent {
  /** `message` unless the stream names another one */
  type: string;
  text: string;
  json: ParsedJson;
}

/** what was read of a stream */
export interface StreamReading extends Reading {
  events: number;
  /** the first one after the operation was due, ms; NaN: there is none */
  firstEventMs: number;
  /** the longest time between two events, ms */
  maxGap: number;
}

/** A stream that has ended; NaN: it has no such time. */
export interface EndedStream {
  /** false: its operation got no response that is a stream */
  hasBegun: boolean;
  events: number;
  bytes: number;
  /** null: it counts nothing but its events */
  counted: number | null;
  reconnects: number;
  firstEventMs: number;
  maxGap: number;
  /** of what it counts, if it counts more than its events */
  meanGap: number;
  durationMs: number;
  /** that were measured: one more than those between its events if it was cut in a stall */
  gaps: number;
  /** their sum */
  gapsMs: number;
  /** by limit of the recorder */
  gapsWithin: number[];
  /** its operation is an error */
  failed: boolean;
  /** the end of the run cut it off */
  cancelled?: boolean;
}
