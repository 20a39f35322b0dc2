import { makeError } from '../../../core/ground/errors.js';
import { classify } from '../../../core/iteration/failure.js';

/** @import { Response } from '../../../core/contracts/response.js' */
/** @import { ReadExchange, ReadingEnds } from '../../../core/iteration/types.js' */
/** @import { StreamReader } from './stream-reader.js' */

/**
 * Decides how an exchange goes on when a connection of its stream has ended, by a response or by an error:
 *
 *     bytes are being decoded                  decides when they are, as they may have the end of the stream
 *     the stream has ended                     completes, even if the rest of the response is lost
 *     it may be opened again                   waits, then opens it
 *     otherwise                                completes with the response, or fails with the error
 *
 * A response calls {@link respond}; an error {@link completes}, and once the request is counted {@link continues}.
 *
 * @implements {ReadingEnds<StreamReader>}
 */
export class StreamEnds {
  #of;
  #exchange;
  #lane;

  /** @param {ReadExchange} of */
  constructor(of) {
    this.#of = of;
    this.#exchange = of.exchange;
    this.#lane = of.exchange.lane;
  }

  /** A response has ended. @type {(stream: StreamReader, response: Response, now: number) => void} */
  respond(stream, response, now) {
    const of = this.#of;
    if (stream.isDecoding) {
      stream.afterDecoding(true, (decodedAt) => this.#exchange.onResponse(response, decodedAt));
      return;
    }
    // An open stream has done so at its head (`readerOf`).
    if (!stream.isOpen) of.leaveOutUnwritten();
    try {
      stream.endResponse(of.connection().endedAt);
    } catch (error) {
      this.#exchange.onError(/** @type {Error} */ (error));
      return;
    }
    if (stream.isEnded) this.#leaveOutAfter(stream.endedAt, now);
    of.answered(response, now);
    if (stream.mayReconnect(response.statusCode) && !this.#isRunOver)
      this.#waitToReconnect(stream, () => this.#completeAfterWait(stream, response));
    else of.complete(response);
  }

  /**
   * Completes a stream that has ended though the rest of its response is lost.
   * @type {(stream: StreamReader, error: Error) => boolean} false: it has not
   */
  completes(stream, error) {
    if (stream.isDecoding && /** @type {any} */ (error)?.code !== 'E_CANCELLED') {
      stream.afterDecoding(false, () => this.#exchange.onError(error));
      return true;
    }
    if (!stream.isOpen || !stream.isEnded) return false;
    this.#exchange.onResponse(stream.response(), this.#lane.now);
    return true;
  }

  /**
   * Opens a stream again whose connection is lost, or completes one whose time ended while that was being opened.
   * @type {(stream: StreamReader, error: Error) => boolean} false: it fails
   */
  continues(stream, error) {
    if (stream.isEnded) this.#completeAfterWait(stream, stream.response());
    else if (stream.mayReconnect() && isLostConnection(error) && !this.#isRunOver) {
      // A connection that is lost notes no end of a response.
      this.#of.connection().endedAt = this.#lane.now;
      this.#waitToReconnect(stream, () => {
        if (stream.isOpen) this.#completeAfterWait(stream, stream.response());
        else this.#of.fail(error);
      });
    } else return false;
    return true;
  }

  /**
   * Waits, then opens the stream again, unless the wait has ended otherwise:
   *
   *     the lane was cancelled               E_CANCELLED
   *     the stream or the run is over        `end`: with what the ended connection brought
   *     the time of the operation is over    timeout
   *
   * @type {(stream: StreamReader, end: () => void) => void}
   */
  #waitToReconnect(stream, end) {
    const of = this.#of;
    const lane = this.#lane;
    const waitMs = stream.reconnectMs;
    const leftMs = lane.deadline.leftMs(lane.now);
    const unsubscribe = this.#of.run().ending?.onStop(() => {
      if (this.#isRunOver) lane.wake();
    });
    lane.sleep(Math.min(waitMs, leftMs)).then(() => {
      unsubscribe?.();
      if (of.isCutOff()) of.fail(makeError('E_CANCELLED'));
      else if (stream.isEnded || this.#isRunOver) end();
      else if (leftMs <= waitMs || lane.deadline.isExchangeOver(lane.now)) of.fail(this.#timeoutInWait(waitMs));
      else of.reconnect(stream.nextRequest(this.#exchange.own));
    });
  }

  /** Completes without the time that was waited. @type {(stream: StreamReader, response: Response) => void} */
  #completeAfterWait(stream, response) {
    this.#leaveOutAfter(stream.isEnded ? stream.endedAt : this.#of.connection().endedAt, this.#lane.now);
    this.#of.complete(response);
  }

  /** Leaves out of all times what came after the end of a stream. @type {(endedAt: number, now: number) => void} */
  #leaveOutAfter(endedAt, now) {
    this.#lane.iteration.paused(now - endedAt);
    this.#of.connection().endedAt = endedAt;
  }

  /** @type {(waitMs: number) => Error} */
  #timeoutInWait(waitMs) {
    const error = this.#lane.deadline.requestTimeout();
    error.message += `: the stream would be opened again after ${waitMs} ms`;
    return error;
  }

  /** The run has ended, and this is no teardown: no stream is opened again. */
  get #isRunOver() {
    return this.#of.run().ending?.isOver === true && !this.#lane.iteration.phase.isTeardown;
  }
}

/** @type {(error: unknown) => boolean} */
function isLostConnection(error) {
  return ['reset', 'connect'].includes(classify(error).kind);
}
