/**
 * How far the exchange of a connection has come. Connections of all transports have these fields: deadlines, retries and
 * the times of examples depend on them.
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

  get isConnecting() {
    return !this.wasSent;
  }

  /** Another exchange begins. */
  restart() {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.connectedAt = 0;
    this.sentAt = 0;
    this.firstByteAt = 0;
  }
}
