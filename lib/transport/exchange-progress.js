/** @import { Link } from '../contracts/connection.js' */

/**
 * How far the exchange of a connection has come. Connections of all transports have these fields: deadlines, retries
 * and the times of examples depend on them.
 */
export class ExchangeProgress {
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;
  /** When the last bytes of a stream were read. */
  readAt = 0;
  /** The open connection, in a run with a log of requests. @type {Link | null} */
  link = null;
  /** Bytes of the last response that have arrived; NaN: not known. */
  bytesIn = 0;

  get isConnecting() {
    return !this.wasSent;
  }

  /** The response has arrived completely and is not delivered yet. */
  get hasArrived() {
    return false;
  }

  /** Bytes of the last request; NaN: not known. @type {number} */
  get bytesOut() {
    return NaN;
  }

  /** Another exchange begins. */
  restart() {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.connectedAt = 0;
    this.sentAt = 0;
    this.firstByteAt = 0;
    this.bytesIn = 0;
  }
}
