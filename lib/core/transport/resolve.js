import { createRequire } from 'node:module';

import { makeError } from '../ground/errors.js';
import { systemError } from '../ground/system-errors.js';
import { isLoopback } from '../http/url-parts.js';

/** @import { LookupAddress, LookupOptions } from 'node:dns' */

const requireHere = createRequire(import.meta.url);

/** A server with an address needs no lookup. @type {() => typeof import('node:dns')} */
const loadDns = () => requireHere('node:dns');

/**
 * @typedef {(hostname: string, options: any, callback: (error: any, all: LookupAddress[]) => void) => void} Lookup
 *
 * @typedef {object} Time
 * @property {() => number} now ms
 * @property {(fn: () => void, ms: number) => () => void} after calls once; returns a function that cancels
 *
 * @typedef {object} FailedLookup
 * @property {any} error
 * @property {number} count failures in a row
 * @property {number} retryAt the name is not looked up before
 *
 * @typedef {object} ResolverOptions
 * @property {Lookup} [lookup]
 * @property {boolean} [dnsCache] looks up a name once, not for every connection; default: true
 * @property {string} [resolver] address of a DNS server that is asked instead of the system: `10.0.0.2:53`
 * @property {4 | 6} [family] of the addresses that connections use; default: both
 * @property {Time} [time]
 */

/** The pause after a temporary failure doubles with each one up to the maximum, which a missing name has at once. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 1000;
const MAX_NAMES = 1000;
/** The DNS server of --resolver answers within this time, or is asked once more. */
const ANSWER_MS = 2000;
/** Addresses of one family wait this long for those of the other: some servers drop such queries (RFC 8305 3). */
const OTHER_FAMILY_MS = 250;
/** The name does not exist, or has no address. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);

/** @type {Time} */
const REAL_TIME = {
  now: () => performance.now(),
  after(fn, ms) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Looks up names for net.connect: once per run, or once per connection. Caches only addresses. After a temporary
 * failure (EAI_AGAIN) connections wait for the next lookup; a name that does not exist fails at once until then.
 */
export class Resolver {
  #server;
  #lookUp;
  #isShared;
  #time;
  /** Lookups that run or succeeded. @type {Map<string, { addresses: Promise<LookupAddress[]>, isPending: boolean }>} */
  #known = new Map();
  /** @type {Map<string, FailedLookup>} */
  #failed = new Map();
  /** Functions that cancel the pauses before lookups. @type {Set<() => void>} */
  #pauses = new Set();

  /** @param {ResolverOptions} [options] */
  constructor({ resolver, family, lookup = lookUpHere, dnsCache = true, time = REAL_TIME } = {}) {
    this.#server = resolver ? new DnsServer(resolver, family, time) : null;
    this.#lookUp = this.#server?.lookup ?? lookup;
    this.#isShared = dnsCache;
    this.#time = time;
  }

  /** @type {(hostname: string, options: LookupOptions, callback: (...results: any[]) => void) => void} */
  lookup = (hostname, options, callback) => {
    this.#addressesOf(hostname).then(
      (all) => {
        const matching = options.family ? all.filter(({ family }) => family === Number(options.family)) : all;
        const [first] = matching;
        if (!first) callback(makeError('E_FAMILY', { host: hostname, family: options.family }));
        else if (options.all) callback(null, matching);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error),
    );
  };

  /**
   * Call it after a failed connect: the name is looked up again, because the server may have moved. Not if this machine
   * ran out of files or ports: the address is still valid, and a lookup would need a file itself.
   * @type {(hostname: string, error: any) => void}
   */
  connectFailed(hostname, error) {
    // A pending lookup is newer than the addresses that failed; one that failed itself has removed them.
    const isStale = this.#known.get(hostname)?.isPending === false;
    if (isStale && !systemError(error?.code)?.exhausted) this.#known.delete(hostname);
  }

  /** Cancels all pauses; lookups that wait for one never end. */
  close() {
    for (const cancel of this.#pauses) cancel();
    this.#pauses.clear();
    this.#server?.close();
  }

  /** @type {(hostname: string) => Promise<LookupAddress[]>} */
  #addressesOf(hostname) {
    const found = this.#known.get(hostname);
    if (found) return found.addresses;
    const failure = this.#failed.get(hostname);
    const waitMs = failure ? failure.retryAt - this.#time.now() : 0;
    if (failure && waitMs > 0 && NO_SUCH_NAME.has(failure.error?.code)) return Promise.reject(failure.error);
    const addresses = waitMs > 0 ? this.#pause(waitMs).then(() => this.#resolve(hostname)) : this.#resolve(hostname);
    const lookup = { addresses, isPending: true };
    // After a failure connections share the next lookup, also if each has its own otherwise.
    if (this.#isShared || failure) put(this.#known, hostname, lookup);
    const remove = () => {
      if (this.#known.get(hostname) === lookup) this.#known.delete(hostname);
    };
    addresses.then(
      () => {
        lookup.isPending = false;
        this.#failed.delete(hostname);
        if (!this.#isShared) remove();
      },
      (error) => {
        remove();
        this.#fail(hostname, error, failure);
      },
    );
    return addresses;
  }

  /** @type {(hostname: string) => Promise<LookupAddress[]>} */
  #resolve(hostname) {
    return new Promise((resolve, reject) => {
      this.#lookUp(hostname, { all: true }, (error, addresses) => {
        if (error) reject(error);
        else if (addresses.length === 0) reject(noAddress(hostname));
        else resolve(addresses);
      });
    });
  }

  /** @type {(ms: number) => Promise<void>} */
  #pause(ms) {
    return new Promise((resolve) => {
      const cancel = this.#time.after(() => {
        this.#pauses.delete(cancel);
        resolve();
      }, ms);
      this.#pauses.add(cancel);
    });
  }

  /** @type {(hostname: string, error: any, earlier?: FailedLookup) => void} */
  #fail(hostname, error, earlier) {
    // Concurrent lookups count as one failure.
    if (this.#failed.get(hostname) !== earlier) return;
    const count = (earlier?.count ?? 0) + 1;
    const isMissing = NO_SUCH_NAME.has(error?.code);
    const retryMs = isMissing ? MAX_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** (count - 1), MAX_RETRY_MS);
    put(this.#failed, hostname, { error, count, retryAt: this.#time.now() + retryMs });
  }
}

/** @type {LookupAddress[]} */
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** As the system looks it up. @type {Lookup} */
function lookUpHere(hostname, options, callback) {
  loadDns().lookup(hostname, options, callback);
}

/**
 * Asks a DNS server; the file of hosts is not read. It is not asked for localhost, nor for names below it: they are
 * this machine (RFC 6761 6.3), and a DNS server rarely has them.
 */
class DnsServer {
  #address;
  #family;
  #time;
  #resolver = new (loadDns().promises.Resolver)({ timeout: ANSWER_MS, tries: 2 });

  /** @param {string} address @param {4 | 6 | undefined} family @param {Time} time */
  constructor(address, family, time) {
    this.#address = address;
    this.#family = family;
    this.#time = time;
    this.#resolver.setServers([address]);
  }

  /** @type {Lookup} */
  lookup = (hostname, _options, callback) => {
    const found = isLoopback(hostname) ? Promise.resolve(LOOPBACK) : this.#ask(hostname);
    found.then(
      (all) => callback(null, all),
      (error) => callback(error, []),
    );
  };

  /** Queries without an answer would keep the process running. */
  close() {
    this.#resolver.cancel();
  }

  /** Waits shortly for the family that is not needed. @type {(hostname: string) => Promise<LookupAddress[]>} */
  async #ask(hostname) {
    const queries = { 4: this.#resolver.resolve4(hostname), 6: this.#resolver.resolve6(hostname) };
    const both = [queries[4], queries[6]];
    let stopWaiting = () => {};
    /** @type {Promise<never>} */
    const late = new Promise((_, reject) => {
      const wait = () => (stopWaiting = this.#time.after(() => reject(noAddress(hostname)), OTHER_FAMILY_MS));
      Promise.any(this.#family ? [queries[this.#family]] : both).then(wait, () => {});
    });
    const answers = await Promise.allSettled(both.map((query) => Promise.race([query, late])));
    stopWaiting();
    const found = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    );
    if (found.length > 0) return found;
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // If one query found no address and the other one failed, the name may still have addresses.
    const reason = reasons.find(({ code }) => !NO_SUCH_NAME.has(code)) ?? reasons[0] ?? noAddress(hostname);
    if (NO_SUCH_NAME.has(reason.code)) throw reason;
    throw makeError('E_RESOLVER', { server: this.#address, host: hostname, reason: reason.code }, { cause: reason });
  }
}

/** @type {(hostname: string) => Error} */
function noAddress(hostname) {
  return Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
}

/** @type {<T>(map: Map<string, T>, hostname: string, value: T) => void} */
function put(map, hostname, value) {
  if (map.size >= MAX_NAMES && !map.has(hostname)) map.clear();
  map.set(hostname, value);
}
