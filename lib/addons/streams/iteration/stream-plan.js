import { makeError } from '../../../core/ground/errors.js';
import { isNamed } from '../../../core/measure/tags.js';
import { kindOfContent } from '../kinds/index.js';
import { StreamEnds } from './stream-ends.js';
import { StreamReader, mayStream, typeOf, typeText } from './stream-reader.js';
import { StreamFigures } from './stream-values.js';

/** @import { OperationRecorder } from '../../../core/contracts/recorders.js' */
/** @import { Response } from '../../../core/contracts/response.js' */
/** @import { Step } from '../../../core/contracts/step.js' */
/** @import { Exchange } from '../../../core/iteration/exchange.js' */
/** @import { ExchangeContext } from '../../../core/iteration/step.js' */
/** @import { ReadExchange, ReadingPlan } from '../../../core/iteration/types.js' */
/** @import { StreamRecorder } from '../measure/streams.js' */
/** @import { EventCapture, StreamRules } from '../types.js' */

/**
 * The decisions that all streams of a step have in common, made before the run.
 * @implements {ReadingPlan<StreamReader>}
 */
export class StreamPlan {
  /**
   * @param {Pick<Step, 'reader' | 'needs' | 'captures'>} step
   * @param {ExchangeContext} context
   * @param {OperationRecorder} operation
   */
  constructor(step, { clock, trace, limits = [], maxBodySize }, operation) {
    const { reader, needs, captures } = step;
    const stream = /** @type {StreamRules} */ (reader);
    this.rules = stream;
    this.clock = clock;
    this.maxEventBytes = maxBodySize;
    const own = limits.filter(({ operation: name }) => name === null || isNamed(operation, name));
    this.recorder = /** @type {StreamRecorder} */ (operation.figures('stream')).withLimits(own);
    this.captures = captures.flatMap(({ reader, ...capture }) =>
      reader === null ? [] : { ...capture, .../** @type {EventCapture} */ (reader) },
    );
    /** The data of all events is the body that hooks, checks and captures read. */
    this.keepsTexts = needs === 'body' || trace !== undefined;
    const { first, count, end, fault } = stream;
    /** Something reads the data of events: otherwise they are counted, and their bytes are not kept. */
    this.readsData =
      this.keepsTexts || this.captures.length > 0 || [first, count, end, fault].some((reader) => reader !== null);
  }

  /** Reports whether a response is a stream. @type {(statusCode: number, headers: Record<string, any>) => boolean} */
  reads(statusCode, headers) {
    if (!mayStream(statusCode)) return false;
    return !this.rules.needsType || kindOfContent(typeOf(headers)) === this.rules.kind;
  }

  /** Returns the reader of a stream that begins. @type {(exchange: Exchange) => StreamReader} */
  reader(exchange) {
    return new StreamReader(this, exchange, exchange.bodies);
  }

  /** Returns what decides how the streams of an exchange go on. @type {(exchange: ReadExchange) => StreamEnds} */
  ends(exchange) {
    return new StreamEnds(exchange);
  }

  /**
   * Returns the error of an exchange that has ended without another one; null if its stream is as it should be.
   * @type {(stream: StreamReader | null, response: Pick<Response, 'statusCode' | 'headers'>) => Error | null}
   */
  errorOf(stream, { statusCode, headers }) {
    if (stream !== null) return stream.errorAtEnd();
    if (!this.rules.needsType || !mayStream(statusCode)) return null;
    return makeError('E_STREAM_EMPTY', { reason: `: ${typeText(headers)}` });
  }

  /**
   * Records an exchange that has ended, and closes its stream; null: it had none, which is a failure.
   * @type {(stream: StreamReader | null, now: number, end: { failed: boolean, cancelled?: boolean }) => void}
   */
  record(stream, now, end) {
    if (stream === null) {
      const none = new StreamFigures(this.recorder, { counts: false });
      this.recorder.ended(none.ended(now, { ...end, failed: true }));
    } else {
      stream.record(now, end);
      stream.close();
    }
  }
}
