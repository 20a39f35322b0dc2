import { randomFillSync } from 'node:crypto';

/** @import { Request } from '../contracts/request.js' */
/** @import { TraceSummary } from '../contracts/summaries.js' */
/** @import { Send } from './exchange-record.js' */

/**
 * @typedef {object} TraceOptions
 * @property {number} share of the traces that services shall record, 0 to 1
 * @property {string} [link] URL of a recorded trace, with `{traceId}`
 */

const FIELD = 'traceparent';
/** `00-<trace id>-<parent id>-<flags>` (W3C Trace Context, 3.2); later versions begin with the same fields. */
const VALUE = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-|$)/;
const SAMPLED = 1;
const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
/**
 * Random bytes are drawn for many ids at once: a request needs 0.2 us more, and with a call for each id more than 10 us
 * (bench/micro/iteration/trace-context.js).
 */
const POOL_BYTES = 6 * 1024;

/** Ids of traces and requests: random, so they are different in all threads, shards and agents. */
class Ids {
  #bytes = Buffer.alloc(POOL_BYTES);
  #digits = '';
  #at = 0;

  /** @type {(length: number) => string} */
  next(length) {
    if (this.#at + length > this.#digits.length) {
      this.#digits = randomFillSync(this.#bytes).toString('hex');
      this.#at = 0;
    }
    const from = this.#at;
    this.#at += length;
    return this.#digits.slice(from, this.#at);
  }
}

/**
 * Creates a send function that adds `traceparent`: all requests of an exchange (redirects, retries) belong to one
 * trace, and each has an id of its own. The flag says whether the service shall record the trace. A field that the
 * flow sets is sent as it is.
 * @type {(options: TraceOptions, send: Send) => Send}
 */
export function tracingContext({ share, link }, send) {
  const ids = new Ids();
  // Consistent samplers decide by the last 56 bits of the id; 32 of them are enough here.
  const isSampled = (/** @type {string} */ id) => share >= 1 || parseInt(id.slice(18, 26), 16) >= (1 - share) * 2 ** 32;

  return (request, connection, exchange, receiver) => {
    if (request.task !== undefined && request.task.kind !== 'connect') {
      exchange.trace = null;
      send(request, connection, exchange, receiver);
      return;
    }
    const own = fieldOf(request);
    if (own !== undefined) {
      exchange.trace = traceOf(own, link);
      send(request, connection, exchange, receiver);
      return;
    }
    if (exchange.role === 'count' || exchange.trace === null) {
      const id = ids.next(TRACE_DIGITS);
      exchange.trace = new Trace(id, isSampled(id), link);
    }
    const { id, sampled } = exchange.trace;
    const value = `00-${id}-${ids.next(SPAN_DIGITS)}-${sampled ? '01' : '00'}`;
    const { extra } = request;
    const fields = extra === null ? [FIELD, value] : [...extra, FIELD, value];
    send({ ...request, extra: fields }, connection, exchange, receiver);
  };
}

/** The trace of an exchange. */
export class Trace {
  #link;

  /**
   * @param {string} id
   * @param {boolean} sampled
   * @param {string} [link] template
   */
  constructor(id, sampled, link) {
    this.id = id;
    this.sampled = sampled;
    this.#link = link;
  }

  /** @type {() => TraceSummary} */
  summary() {
    const { id, sampled } = this;
    return { id, sampled, ...(sampled && this.#link !== undefined && { link: this.#link.replaceAll(TRACE_ID, id) }) };
  }
}

/** Stands for the id of a trace in a template. */
const TRACE_ID = '{traceId}';

/** Returns the field that the flow, or a hook, has set. @type {(request: Request) => string | undefined} */
function fieldOf({ fields, extra }) {
  return valueIn(fields) ?? (extra === null ? undefined : valueIn(extra));
}

/** @type {(fields: string[]) => string | undefined} */
function valueIn(fields) {
  for (let i = 0; i < fields.length; i += 2)
    if (fields[i].length === FIELD.length && fields[i].toLowerCase() === FIELD) return fields[i + 1];
  return undefined;
}

/** @type {(value: string, link: string | undefined) => Trace | null} */
function traceOf(value, link) {
  const [, id, flags] = VALUE.exec(String(value).trim()) ?? [];
  return id === undefined ? null : new Trace(id, (parseInt(flags, 16) & SAMPLED) === SAMPLED, link);
}
