import { ChunkParser, LineParser } from './data-parser.js';
import { EventStreamParser } from './event-stream.js';

/** @import { StreamKind } from '../types.js' */
/** @import { EventParser, ParserOptions } from './types.js' */

/** Creates the parser of a kind of streams. @type {(kind: StreamKind, options: ParserOptions) => EventParser} */
export function createEventParser(kind, options) {
  if (kind === 'sse') return new EventStreamParser(options);
  return kind === 'chunks' ? new ChunkParser(options) : new LineParser(options);
}

const JSON_LINES = /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines|stream\+json)$/;

/** Returns the kind of a stream with a content type. @type {(contentType: string) => StreamKind} */
export function kindOfContent(contentType) {
  const type = contentType.split(';', 1)[0].trim().toLowerCase();
  if (type === 'text/event-stream') return 'sse';
  if (JSON_LINES.test(type)) return 'ndjson';
  return type === 'text/plain' ? 'lines' : 'chunks';
}
