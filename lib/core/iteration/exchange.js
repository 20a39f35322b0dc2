import { makeError } from '../ground/errors.js';
import { hidingSecretsOf, maskText } from '../text/mask.js';
import { beganAt } from './deadlines.js';
import { linesOfFailure } from './exchange-record.js';
import { exemplarOf, mayRetry } from './failure.js';
import { TIMES } from './lane-times.js';
import { ResponseReader, messagesOf } from './response-reader.js';
import { secretsOf } from './secrets.js';

/** @import { Connection } from '../contracts/connection.js' */
/** @import { OperationRecorder, Role } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Receiver, Response } from '../contracts/response.js' */
/** @import { Rules, Step } from '../contracts/step.js' */
/** @import { BodyAccount } from '../process/body-memory.js' */
/** @import { Env } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { ExchangeTimes } from './response-reader.js' */
/** @import { SessionOptions } from './session/index.js' */
/** @import { BoundMiddleware, ExchangePlan } from './step.js' */
/** @import { BodyReader, NamedTrace, ReadExchange, ReadingEnds, ReadingPlan } from './types.js' */

const Time = TIMES;

/**
 * The exchange of a lane: sends a request through its middleware, follows redirects, retries, keeps the deadline. It is
 * the session of its middleware.
 *
 *                +------------------- redirect -----------------+
 *                v                                              |
 *     start -> #sendOwn -> #send -> onResponse -> middleware ---+--> #measure -> (decoding) -> receiver.onResponse
 *                            ^  |
 *                   retry ---+  +-> onError -------------------------------------------------> receiver.onError
 *
 * The connection calls back, and one object serves all exchanges of a lane. With an async function per layer (lane,
 * iteration, phase, step, exchange), an iteration takes 1.1 us of CPU time instead of 0.23, and with 1,000 lanes 1.6 us
 * instead of 0.31, since their promises survive collections of garbage (bench/micro/iteration/exchange.js).
 *
 * Each hop starts from the operation's own request: what middleware adds for one hop (cookies of the jar, credentials
 * of env) is added to a copy, so that the next hop cannot inherit it.
 */
export class Exchange {
  #lane;
  #times;
  /** @type {ExchangePlan} */
  #plan = UNPLANNED;
  /** @type {BoundMiddleware} */
  #middleware = UNPLANNED;
  /** @type {Receiver} */
  #receiver = UNPLANNED;
  /** The request that this hop sends. @type {Request} */
  #request = UNPLANNED;
  /** @type {Connection} */
  #connection = UNPLANNED;
  /** How its last request is counted; `count`: as the first one. @type {Role} */
  #role = 'count';
  /** A response has ended the exchange, and was recorded. */
  #isAnswered = false;
  /** `isUntrusted` of the request before: credentials that are withheld from an origin are counted once. */
  #wasUntrusted = false;
  /** What finds an error in the body of the response to the request that was sent. @type {Step['fault']} */
  faultOfSent = null;
  /** Its error, once it has failed. @type {unknown} */
  #error = null;
  /** Its receiver in a run with a log of requests, which creates it. @type {any} */
  logged = null;
  /** The trace of the last exchange; null: its requests named none. @type {NamedTrace | null} */
  trace = null;
  /** The response for checks and captures; created when first used. @type {ResponseReader | null} */
  #received = null;
  /** What reads its response as it arrives; null: nothing does, or it has not begun. @type {BodyReader | null} */
  reader = null;
  /** Decides how it goes on when such a response ends; created with the first reader. @type {ReadingEnds | null} */
  #ends = null;
  /** The operation whose exchange the end of the run has cut off. @type {OperationRecorder | null} */
  cutIn = null;
  /** It was cut off in a wait for the time at which its request is sent again: no response was missing. */
  isCutInWait = false;

  // The properties of a Session: see session/index.js
  /** @type {SessionOptions} */
  run = UNPLANNED;
  /** @type {Env} */
  env = UNPLANNED;
  /** @type {Rules} */
  rules = UNPLANNED;
  /** @type {BodyAccount} */
  bodies;
  /** @type {Request} */
  own = UNPLANNED;
  /** @type {Request | null} */
  next = null;
  /** @type {Role} */
  nextRole = 'redirects';
  /** @type {number | null} */
  waitMs = null;
  /** @type {string | null} */
  lastBecause = null;
  repeated = 0;
  redirects = 0;
  challenged = 0;
  isElsewhere = false;
  isUntrusted = false;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
    this.#times = lane.times;
    this.bodies = lane.bodies;
  }

  /** @type {(plan: ExchangePlan, template: Request, env: Env, rules: Rules, receiver: Receiver) => void} */
  start(plan, template, env, rules, receiver) {
    const { context } = plan;
    const lane = this.#lane;
    const times = this.#times;
    this.#plan = plan;
    // middlewareFor() makes the same choice: calling it only when needed saves most exchanges a call.
    this.#middleware = rules === plan.step ? (plan.middleware ?? plan.middlewareFor(rules)) : plan.middlewareFor(rules);
    this.#receiver = receiver;
    this.#role = 'count';
    this.#isAnswered = false;
    this.#error = null;
    times[Time.READ_DELAY] = times[Time.OWN] = times[Time.EARLIER] = times[Time.UNWRITTEN] = 0;
    times[Time.BUSY_BEFORE] = times[Time.BUSY];
    this.faultOfSent = null;
    this.run = context;
    this.env = env;
    this.rules = rules;
    this.own = template;
    this.lastBecause = null;
    this.repeated = 0;
    this.redirects = 0;
    this.challenged = 0;
    this.isElsewhere = false;
    this.isUntrusted = template.isForeign;
    this.#wasUntrusted = template.isForeign;
    if (template.isForeign) this.#withhold(template);
    const timeoutMs = rules.timeoutMs ?? context.timeoutMs;
    lane.deadline.startExchange(
      times[Time.NOW],
      timeoutMs > 0 ? timeoutMs + plan.readingMs : 0,
      context.connectTimeoutMs,
    );
    this.#sendOwn();
  }

  /**
   * Formats the last request and its response as lines without secrets, for the sample of an error; null if the error
   * has nothing to do with the last request, as that of a before-hook, or it was a call. `response` has its kept parts.
   * @type {(response: Response | undefined, cause: unknown, error: string) => string[] | null}
   */
  linesOf(response, cause, error) {
    if (!this.concerns(response, cause) || this.#plan.step.protocol.isCode) return null;
    const more = response === undefined || this.lastBecause === null ? [] : [`! not sent again: ${this.lastBecause}`];
    return [...linesOfFailure(this.#request, response, error), ...more];
  }

  /** False before there is one. @type {(response: Response | undefined, cause: unknown) => boolean} */
  concerns(response, cause) {
    return response !== undefined || cause === this.#error;
  }

  /**
   * Lists the secrets that texts about the exchange must hide, with those of `response`; by default with those of the
   * response that is being checked.
   * @type {(response?: Response) => string[]}
   */
  secrets(response) {
    if (this.#plan === UNPLANNED) return [];
    const received = response ? new ResponseReader().hold(response, 0, this.rules.encoding) : this.#received;
    return secretsOf({ env: this.env, request: this.#request, captures: this.#plan.step.captures, received });
  }

  /** Returns the service time of the last exchange, ms; of a failed one the time until then. */
  get ms() {
    return (this.#isAnswered ? this.#connection.endedAt : this.#lane.now) - this.startedAt;
  }

  /** Returns when its service time began, an instant of the clock. */
  get startedAt() {
    const times = this.#times;
    return times[Time.STARTED] + times[Time.EARLIER] + times[Time.UNWRITTEN];
  }

  /** Returns the service time of the last exchange, and the same without what the load generator may have added. */
  get lastTimes() {
    const { ms } = this;
    return /** @type {[ms: number, leastMs: number]} */ ([ms, ms - this.#times[Time.OWN]]);
  }

  get lane() {
    return this.#lane;
  }

  /** Returns the last wait before a request was sent again, ms. */
  get waitedMs() {
    return this.#times[Time.WAITED];
  }

  get leftMs() {
    return this.#lane.deadline.leftMs(this.#lane.now);
  }

  get role() {
    return this.#role;
  }

  /** Returns the time from sending the last request to the first byte of its response, ms. */
  get ttfb() {
    return this.#connection.firstByteAt - this.#connection.sentAt;
  }

  /** @type {ExchangeTimes} */
  get times() {
    const { connectedAt, firstByteAt, endedAt } = this.#connection;
    const requestedAt = beganAt(this.#connection, this.#lane.deadline.requestedAt);
    return { startedAt: this.startedAt, requestedAt, connectedAt, firstByteAt, endedAt };
  }

  /** Counts a request without the credentials of the run, if it has any. @type {(request: Request) => void} */
  #withhold({ endpoint: { origin } }) {
    const { rules, env } = this;
    const isIterationUser = !rules.hasCredentials && (env.user ?? null) !== null;
    if (isIterationUser || (rules.runSecrets?.fields.size ?? 0) > 0) this.#plan.context.recorder.withheld(origin);
  }

  /** Sends the operation's own request of this hop, or a copy that middleware changed. */
  #sendOwn() {
    this.next = null;
    this.#request = this.own;
    try {
      if (this.#addsToRequest()) this.#request = this.#changedRequest();
    } catch (error) {
      this.#failUnsent(error);
      return;
    }
    this.#send();
  }

  /** Reports whether cookies or credentials of this iteration may have to be added. */
  #addsToRequest() {
    const { env, run, rules } = this;
    const hasJar = run.jars.isUsed && env.hasJar;
    return rules.credentials !== null || hasJar || env.user !== run.user || env.password !== run.password;
  }

  #changedRequest() {
    const request = { ...this.own };
    for (const add of this.#middleware.before) add(request, this);
    return request;
  }

  #send() {
    const lane = this.#lane;
    try {
      this.#connection = lane.useConnection(this.own.endpoint);
    } catch (error) {
      this.#failUnsent(error);
      return;
    }
    lane.deadline.applyTo(this.#connection, this.own.endpoint.label);
    const { send, needs } = this.#plan;
    if (send === null) this.#connection.send(this.#request, needs, this);
    else send(this.#request, this.#connection, this);
  }

  /** The sample of an error shows the first body with its status. @type {NonNullable<Receiver['readsExcerpt']>} */
  readsExcerpt(statusCode) {
    return !this.#plan.operation.hasAnswered(statusCode);
  }

  /** @type {NonNullable<Receiver['readerOf']>} */
  readerOf(statusCode, headers) {
    const { reading } = this.#plan;
    if (reading === null || !reading.reads(statusCode, headers)) return null;
    // Not only at the end: the times of a reader count from when the request was written.
    this.#leaveOutUnwritten();
    this.#ends ??= reading.ends(this.#forReader());
    const reader = (this.reader ??= reading.reader(this));
    return reader.open(statusCode, headers);
  }

  /** @type {() => ReadExchange} */
  #forReader() {
    return {
      exchange: this,
      run: () => this.#plan.context,
      connection: () => this.#connection,
      isCutOff: () => this.#isCutOff,
      leaveOutUnwritten: () => this.#leaveOutUnwritten(),
      answered: (response, now) => this.#answered(response, now),
      complete: (response) => this.#complete(response),
      fail: (error) => this.#fail(error),
      reconnect: (request) => this.#reconnect(request),
    };
  }

  /** Returns the time since the operation was due, ms. @type {(at: number) => number} at: an instant of the clock */
  sinceDue(at) {
    return at - this.startedAt + this.#times[Time.EARLIER] + this.#lane.iteration.lateMs;
  }

  /** Returns when the last bytes for its reader were read, an instant of the clock. */
  get readAt() {
    return this.#connection.readAt;
  }

  /** Ends the exchange with an error of its reader, unless its response has ended. @type {(error: Error) => void} */
  failReading(error) {
    this.#connection.abort(error);
  }

  /** Ends the exchange with what was read, perhaps between two connections. */
  finishReading() {
    this.#connection.finish?.();
    this.#lane.wake();
  }

  /** @type {Receiver['onResponse']} */
  onResponse(response, now) {
    if (this.reader !== null) {
      /** @type {ReadingEnds} */ (this.#ends).respond(this.reader, response, now);
      return;
    }
    this.#leaveOutUnwritten();
    this.#answered(response, now);
    this.#complete(response);
  }

  /** @type {(response: Response, now: number) => void} */
  #answered(response, now) {
    this.#lane.responded(now);
    this.#plan.context.recorder.answered(response.statusCode, this.#role);
  }

  /** @type {(response: Response) => void} */
  #complete(response) {
    const { reader } = this;
    if (reader !== null) {
      response.reading = reader;
      if (reader.isOpen) response.body ??= reader.takeTexts();
    }
    const middleware = response.isPlain === true ? this.#middleware.afterPlain : this.#middleware.after;
    let pending;
    try {
      // Only the last one, decode, returns a promise: see MIDDLEWARE.
      for (const after of middleware) pending = after(this.#request, response, this);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.next !== null) {
      if (this.waitMs === null) this.#sendNext(this.next);
      else this.#wait(this.waitMs);
      return;
    }
    // The server has answered a repeated request with 204 or the like: what was read before is its body.
    if (reader !== null) response.body ??= reader.takeTexts();
    this.#measure(response);
    if (pending === undefined) this.#end(response);
    else this.#endAfter(pending, response);
  }

  /** @type {(pending: Promise<void>, response: Response) => void} */
  #endAfter(pending, response) {
    const lane = this.#lane;
    pending.then(
      () => {
        lane.readClock();
        this.#end(response);
      },
      (error) => {
        lane.readClock();
        this.#fail(error);
      },
    );
  }

  /** Sends the request again, as the server has chosen HTTP/1.1 in the handshake. @type {(error: any) => boolean} */
  #fallsBack(error) {
    if (error?.code !== 'E_HTTP_1_1') return false;
    if (this.#isCutOff) this.#fail(makeError('E_CANCELLED'));
    else this.#send();
    return true;
  }

  /** @type {Receiver['onError']} */
  onError(error) {
    const { recorder } = this.#plan.context;
    const lane = this.#lane;
    const { reader } = this;
    const isCancelled = /** @type {any} */ (error)?.code === 'E_CANCELLED';
    lane.readClock();
    if (this.#fallsBack(error)) return;
    if (reader !== null && /** @type {ReadingEnds} */ (this.#ends).completes(reader, error)) return;
    if (reader === null || !reader.isOpen) this.#leaveOutUnwritten();
    if (this.#connection.wasSent) recorder.unanswered(isCancelled, this.#role);
    if (reader !== null && /** @type {ReadingEnds} */ (this.#ends).continues(reader, error)) return;
    const wasRetried = this.#role === 'retries';
    if (this.#isCutOff || !mayRetry(this.#request, this.#connection, error, wasRetried)) {
      this.#fail(error);
      return;
    }
    if (lane.deadline.isExchangeOver(lane.now)) {
      this.#fail(lane.deadline.requestTimeout());
      return;
    }
    this.#role = 'retries';
    lane.deadline.startConnect(lane.now);
    this.#send();
  }

  /** The lane is cancelled, and this is no teardown that may go on: nothing is sent any more. */
  get #isCutOff() {
    const lane = this.#lane;
    return lane.isCutOff(lane.iteration.phase.isTeardown, lane.now);
  }

  /** Leaves out of all service times how long the last request waited to be written. */
  #leaveOutUnwritten() {
    const { wasSent, connectedAt, sentAt } = this.#connection;
    if (!wasSent || connectedAt !== 0) return;
    const times = this.#times;
    const ms = sentAt - times[Time.STARTED] - times[Time.CONNECT_AFTER];
    // Of a request that was refused, the connection knows the one before it.
    if (!(ms > 0)) return;
    times[Time.UNWRITTEN] += ms;
    this.#lane.iteration.unwritten(ms);
  }

  /** Requests the rest of what a reader reads. @type {(request: Request) => void} */
  #reconnect(request) {
    this.own = request;
    this.#role = 'reconnects';
    this.redirects = this.challenged = 0;
    this.#lane.deadline.resumeExchange(this.#lane.now);
    this.#sendOwn();
  }

  /**
   * Waits, then sends the next request, whose time begins then: the iteration alone has that of the wait. The end of
   * the run cuts it.
   * @type {(waitMs: number) => void}
   */
  #wait(waitMs) {
    const lane = this.#lane;
    const { ending, recorder } = this.#plan.context;
    const times = this.#times;
    const from = times[Time.NOW];
    this.waitMs = null;
    const ms = this.#connection.endedAt - this.startedAt;
    times[Time.EXCHANGED_OWN] += this.#ownMsOf(ms);
    const unsubscribe = ending?.onStop(() => {
      if (this.#isRunOver) lane.wake();
    });
    lane.sleep(this.#isRunOver ? 0 : waitMs).then(() => {
      unsubscribe?.();
      const now = times[Time.NOW];
      times[Time.EXCHANGED] += now - this.startedAt;
      times[Time.EARLIER] = now - times[Time.STARTED];
      times[Time.UNWRITTEN] = times[Time.READ_DELAY] = 0;
      times[Time.BUSY_BEFORE] = times[Time.BUSY];
      lane.deadline.resumeExchange(now);
      times[Time.WAITED] = now - from;
      lane.iteration.askedToWait(this.waitedMs);
      if (this.#isRunOver || this.#isCutOff) {
        recorder.waitCut();
        this.isCutInWait = true;
        this.#fail(makeError('E_CANCELLED'));
        return;
      }
      recorder.throttled(this.waitedMs);
      this.#sendNext(/** @type {Request} */ (this.next));
    });
  }

  /** The run has ended, and this is no teardown: nothing is waited for. */
  get #isRunOver() {
    return this.#plan.context.ending?.isOver === true && !this.#lane.iteration.phase.isTeardown;
  }

  /** @type {(next: Request) => void} */
  #sendNext(next) {
    if (this.#isCutOff) {
      // The abort has delivered a response that had arrived, but nothing follows it.
      this.#fail(makeError('E_CANCELLED'));
      return;
    }
    if (this.isUntrusted && !this.#wasUntrusted) this.#withhold(next);
    this.#wasUntrusted = this.isUntrusted;
    this.own = next;
    this.#role = this.nextRole;
    this.#lane.deadline.startConnect(this.#lane.now);
    this.#sendOwn();
  }

  /** @type {(response: Response) => void} */
  #measure({ statusCode: status, bodyBytes }) {
    const { step, context, operation } = this.#plan;
    const { exemplars } = context.recorder;
    const lane = this.#lane;
    const times = this.#times;
    const now = this.#connection.endedAt;
    const ms = now - this.startedAt;
    this.#isAnswered = true;
    const ownMs = this.#ownMsOf(ms);
    times[Time.OWN] = ownMs;
    times[Time.EXCHANGED] += ms;
    times[Time.EXCHANGED_OWN] += ownMs;
    operation.answered(status, ms, ms - ownMs);
    const age = lane.iteration.ageAt(now);
    if (age > operation.oldest) operation.oldest = age;
    if (ms > exemplars.bar) exemplars.addSlow(exemplarOf(step, lane, { now, origin: context.origin(), status }));
    if (context.onResponse === undefined) return;
    context.onResponse(step, lane.iteration.index, status, ms, bodyBytes);
    // Listeners of the run need time.
    lane.readClock();
  }

  /**
   * Returns the part of a service time that is the load generator's at most: responses that waited to be read, and the
   * work of its event loop before the request was sent, and while a body arrived.
   * @type {(ms: number) => number}
   */
  #ownMsOf(ms) {
    const { startedAt } = this;
    const { sentAt, firstByteAt, endedAt } = this.#connection;
    const times = this.#times;
    const busyMs = times[Time.BUSY] - times[Time.BUSY_BEFORE];
    // What a reader reads lasts as long as the server sends it.
    const bodyMs = this.reader === null ? Math.min(endedAt - firstByteAt, busyMs) : 0;
    const ownMs = times[Time.READ_DELAY] + Math.min(sentAt - startedAt, busyMs) + bodyMs;
    return Math.min(ms, Math.max(0, ownMs));
  }

  /** @type {(response: Response) => void} */
  #end(response) {
    const { expectation, capturing, reading } = this.#plan;
    let failure = null;
    if (expectation !== null || capturing !== null || this.faultOfSent !== null) {
      try {
        failure = this.#read(response);
      } catch (error) {
        this.#fail(error);
        return;
      }
    }
    if (reading !== null) {
      failure ??= this.#readingErrorOf(reading, response);
      this.#recordReading(reading, this.#connection.endedAt, { failed: failure !== null });
    }
    this.#lane.deadline.end();
    if (failure === null) this.#receiver.onResponse(response, this.#lane.now);
    else this.#receiver.onError(failure, response);
  }

  /** Checks the response, and captures what a teardown may need. @type {(response: Response) => Error | null} */
  #read(response) {
    const { expectation, capturing } = this.#plan;
    const received = (this.#received ??= new ResponseReader(this.bodies));
    received.hold(response, this.ms, this.rules.encoding);
    try {
      return hidingSecretsOf(this, () => {
        const failure = expectation === null ? null : expectation(received, this.env);
        const missing = capturing === null ? null : capturing(messagesOf(received, response, this.bodies), this.env);
        // A reader finds the faults in what it reads.
        const fault = this.faultOfSent === null || this.reader !== null ? null : this.faultOfSent(received);
        return fault ?? failure ?? missing;
      });
    } finally {
      received.release();
      // Reading needs time, which is not that of the next operation.
      this.#lane.readClock();
    }
  }

  /** Masks a message of the connection, which does not know the secrets. @type {(message: string) => string} */
  #masked(message) {
    return hidingSecretsOf(this, () => maskText(message));
  }

  /** Without a request, the trace is that of an exchange before. @type {(error: unknown) => void} */
  #failUnsent(error) {
    if (this.#role === 'count') this.trace = null;
    this.#fail(error);
  }

  /** @type {(error: any) => void} */
  #fail(error) {
    const { operation, connectionCheck, reading } = this.#plan;
    if (reading !== null) {
      this.reader?.explain(error);
      this.#recordReading(reading, this.#lane.now, { failed: true, cancelled: error?.code === 'E_CANCELLED' });
    }
    if (this.#isAnswered) operation.answeredWithError(...this.lastTimes);
    else operation.unanswered();
    if (connectionCheck !== null && error?.code === connectionCheck.code)
      connectionCheck.counter.fail(this.env.index, this.#masked(error.message));
    this.#error = error;
    if (error?.code === 'E_CANCELLED') this.cutIn = operation;
    this.#lane.deadline.end();
    this.#receiver.onError(error);
  }

  /** @type {(reading: ReadingPlan, response: Response) => Error | null} */
  #readingErrorOf(reading, response) {
    return hidingSecretsOf(this, () => reading.errorOf(this.reader, response));
  }

  /** @type {(reading: ReadingPlan, now: number, end: { failed: boolean, cancelled?: boolean }) => void} */
  #recordReading(reading, now, end) {
    reading.record(this.reader, now, end);
    this.reader = null;
  }
}

/** The state of a lane that had no exchange yet. */
const UNPLANNED = /** @type {any} */ (null);
