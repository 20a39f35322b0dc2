import pLimit from 'p-limit';

/**
 * @typedef {object} ShareOptions
 * @property {number | null} [requestsPerConnection] requests after which connections are opened anew
 * @property {number} [ratePerUser] requests per second at most
 */

/**
 * The state that the lanes of a connection share: the limits of a connection, and what counts towards them.
 * Without pipelining a lane has a share of its own.
 */
export class ConnectionShare {
  /** Requests of a connection; null: connections stay open. */
  #requestsPerConnection;
  /**
   * `gapMs` is between requests, `nextAt` when the next one may start; null: at any time.
   * @type {{ gapMs: number, nextAt: number } | null}
   */
  #pace;
  /** The queue, created when first used. @type {ReturnType<typeof pLimit> | null} */
  #queue = null;
  /** Requests since connections were opened anew. */
  #requests = 0;
  /** It identifies the connections: another object as soon as they are opened anew. @type {object} */
  generation = this;
  /** Iterations that its lanes have claimed. */
  #claimed = 0;
  /** The function of the flow that begins the virtual user has succeeded. */
  hasBegun = false;
  /** The object of the virtual user for hooks, created when first read. @type {Record<string, any> | null} */
  #context = null;

  /**
   * @param {ShareOptions} [options]
   * @param {number} [number] of the virtual user among those of all threads; none for that of `before` and `after`
   */
  constructor({ requestsPerConnection = null, ratePerUser = Infinity } = {}, number = undefined) {
    this.number = number;
    this.#requestsPerConnection = requestsPerConnection;
    this.#pace = ratePerUser === Infinity ? null : { gapMs: 1000 / ratePerUser, nextAt: -Infinity };
  }

  /** Kept for the whole run, whatever happens to connections. */
  get context() {
    return (this.#context ??= {});
  }

  set context(context) {
    this.#context = context;
  }

  /**
   * Counts an iteration that a lane is about to start; false if the limit is reached.
   * @type {(most: number) => boolean}
   */
  claimIteration(most) {
    if (this.#claimed >= most) return false;
    this.#claimed++;
    return true;
  }

  /** Forgets the iterations of the warm-up. */
  resetIterations() {
    this.#claimed = 0;
  }

  /** Reports whether connections are opened anew after a number of requests. */
  get reopens() {
    return this.#requestsPerConnection !== null;
  }

  /** Counts a request, and opens connections anew if it is one too many for those that are open. */
  countRequest() {
    if (this.#requestsPerConnection === null || this.#requests++ < this.#requestsPerConnection) return;
    this.#requests = 1;
    this.generation = {};
  }

  /**
   * Calls functions one after the other, in the order in which they came.
   * @type {<T>(act: () => Promise<T>) => Promise<T>}
   */
  inTurn(act) {
    return (this.#queue ??= pLimit(1))(act);
  }

  /**
   * Reserves a turn, and returns the ms until the next request may start. Missed turns are not made up for.
   * @type {(now: number) => number}
   */
  takeTurn(now) {
    if (this.#pace === null) return 0;
    const at = Math.max(now, this.#pace.nextAt);
    this.#pace.nextAt = at + this.#pace.gapMs;
    return at - now;
  }
}
