import http from 'node:http';
import https from 'node:https';

import { isPage } from '../../../core/http/field-values.js';
import { MOST_BYTES } from '../profile/read.js';
import { safe } from '../../../core/text/safe.js';
import { clock } from '../../../core/run/clock.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Recorder, Taken } from './recording.js' */

/** Seconds that are recorded of a run without a planned length: its first ones. */
const DEFAULT_S = 10;
/** Seconds that Go records if `seconds` is 0 or no number. */
const DEFAULT_OF_GO_S = 30;
/** Time limit of the answer, after the requested seconds. */
const ANSWER_MS = 15_000;
/** Characters of the reason in an answer without a profile. */
const LONGEST_REASON = 200;
/** Bytes that are read of an answer without a profile. */
const MOST_REFUSED = 10_000;

/** Gets a profile of pprof from the service, which records for as long as the parameter `seconds` says. */
export class UrlRecorder {
  #url;
  #tls;
  #ending = new AbortController();
  /** @type {Promise<Taken>} */
  #taken = Promise.resolve({ recorded: [], lacks: [] });

  /** @param {string} url @param {Record<string, any>} [tls] options of tls.connect */
  constructor(url, tls = {}) {
    this.#url = new URL(url);
    this.#tls = tls;
  }

  /** @type {Recorder['begin']} */
  begin(ms) {
    const url = new URL(this.#url);
    const seconds = ms === Infinity ? DEFAULT_S : Math.max(1, Math.floor(ms / 1000));
    if (!url.searchParams.has('seconds')) url.searchParams.set('seconds', String(seconds));
    const limitMs = (Number(url.searchParams.get('seconds')) || DEFAULT_OF_GO_S) * 1000 + ANSWER_MS;
    const { signal } = this.#ending;
    // Node may collect a signal of AbortSignal.timeout() that AbortSignal.any() reads, and then the time limit is lost.
    const cancelLimit = clock.after(() => this.#ending.abort(new Error('no answer in time')), limitMs);
    const answer = get(url, { ...this.#tls, signal }).finally(cancelLimit);
    this.#taken = answer.then(
      (bytes) => ({ recorded: [{ kind: 'cpu', name: url.host, bytes }], lacks: [] }),
      (error) => {
        const { message } = signal.aborted ? signal.reason : error;
        return { recorded: [], lacks: [`GET ${url.href}: ${message}`] };
      },
    );
  }

  /** The service answers when the requested seconds are over: without them, there would be no profile. */
  end() {}

  stop() {
    this.#ending.abort(new Error('the run ended before the profile was complete'));
  }

  cancel() {
    this.#ending.abort();
  }

  /** @type {Recorder['take']} */
  take() {
    return this.#taken;
  }
}

/** @type {(url: URL, options: import('node:https').RequestOptions) => Promise<Buffer>} */
function get(url, options) {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(url, { ...options, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const refusal = refusalOf(response);
      /** @type {Buffer[]} */
      const chunks = [];
      let bytes = 0;
      response.on('data', (/** @type {Buffer} */ chunk) => {
        bytes += chunk.length;
        if (refusal !== null && bytes > MOST_REFUSED) response.destroy(new Error(refusal));
        else if (bytes > MOST_BYTES) request.destroy(new Error(`answered with more than ${MOST_BYTES / 1e6} MB`));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (refusal === null) resolve(body);
        else reject(new Error(`${refusal}${reasonIn(response, body)}`));
      });
      response.on('error', reject);
    });
  });
}

/** Explains why an answer is no profile; null: it may be one. @type {(response: IncomingMessage) => string | null} */
function refusalOf({ statusCode = 0, headers: { location, 'content-type': type = '' } }) {
  if (statusCode !== 200) return `answered ${statusCode}${location === undefined ? '' : `, see ${safe(location)}`}`;
  return isPage(type) ? 'answered with a page: Go serves its profile at /debug/pprof/profile' : null;
}

/** Go explains errors in a line of text. @type {(response: IncomingMessage, body: Buffer) => string} */
function reasonIn({ headers: { 'content-type': type = '' } }, body) {
  const [line] = body.toString().trim().split('\n');
  return line === '' || isPage(type) ? '' : `: ${safe(line).slice(0, LONGEST_REASON)}`;
}
