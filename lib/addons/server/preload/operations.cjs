'use strict';

/**
 * Tells the operations of a flow apart while a profile is recorded, and only then:
 *
 * - The listeners of a request, and what its request and response emit and write, are called by a function of its
 *   operation, which V8 has in all samples of these calls.
 * - What runs later, after an `await` or in a callback, is followed by `async_hooks`. They cost much, so they are on
 *   for a sixteenth of the time: long enough to learn which functions run for which operations.
 *
 * @typedef {object} Marks
 * @property {string[]} names of the operations
 * @property {{ operation: number, method: string, url: string }[]} patterns regular expressions of their URLs; the
 *   first that matches counts
 *
 * @typedef {{ times: number[], operations: number[] }} Followed the operation whose code runs from each instant on; -1:
 *   not known. Times are µs, each from the one before, the first by the clock of V8
 *
 * @typedef {(target: Function, self: unknown, parameters: ArrayLike<unknown>) => unknown} Mark
 */

const { createHook, executionAsyncId } = require('node:async_hooks');
const http = require('node:http');
const { performance } = require('node:perf_hooks');
const { Script } = require('node:vm');

/** Services may have a URL for each request. */
const MOST_URLS = 1000;
/** Requests that begin in this time are followed, until they have ended, or for at most as long. */
const FOLLOW_MS = 250;
const MOST_FOLLOW_MS = 2000;
/** Then nothing is followed for this many times as long. */
const REST = 15;
const MOST_CHANGES = 500_000;
/** Resources that live longer than a request: their callbacks run for others, too. */
const SHARED_RESOURCES = /^(?:TCP|PIPE|TLS|UDP|PROCESS|TTY|TCPSERVER|PIPESERVER)WRAP$|^HTTP|^MESSAGEPORT$|^WORKER$/;
const REQUEST_EVENTS = new Set(['request', 'checkContinue', 'checkExpectation']);
/** The operation of code that no request is known to run. */
const UNKNOWN = -1;

/** Begins, and returns a function that ends it. @type {(marks: Marks) => () => Followed} */
module.exports = function markOperations({ names, patterns }) {
  const find = finder(patterns, names.length);
  const methods = new WrappedMethods([...names, 'other requests'].map(markOf));
  const follower = new Follower();

  /** @type {OnCall} */
  const onServerEvent = (_, { 0: type, 1: request, 2: response }) => {
    if (!REQUEST_EVENTS.has(type) || !isObject(request) || !isObject(response)) return undefined;
    const operation = find(request.method, request.url);
    Owned.set(request, operation);
    Owned.set(response, operation);
    follower.begin(response, operation);
    return operation;
  };
  const onEnd = (/** @type {object} */ self) => {
    follower.end(self);
    return Owned.get(self);
  };
  const close = () => {
    methods.restore();
    return follower.close();
  };
  try {
    for (const { servers, request, response } of protocols()) {
      for (const prototype of servers) methods.wrap(prototype, 'emit', onServerEvent);
      methods.wrap(request, 'emit', Owned.get);
      methods.wrap(response, 'emit', Owned.get);
      methods.wrap(response, 'write', Owned.get);
      methods.wrap(response, 'end', onEnd);
    }
  } catch (error) {
    close();
    throw error;
  }
  return close;
};

/** @typedef {(self: any, parameters: ArrayLike<any>) => number | undefined} OnCall returns the operation of a call */

/** Methods of Node's classes that are called by the mark of their operation until they are restored. */
class WrappedMethods {
  /** @param {Mark[]} marks of the operations */
  constructor(marks) {
    this.marks = marks;
    /** @type {(() => void)[]} */
    this.undo = [];
  }

  /** @type {(prototype: any, name: string, onCall: OnCall) => void} */
  wrap(prototype, name, onCall) {
    const { marks } = this;
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    const original = prototype[name];
    let isOn = true;
    const wrapped = {
      /** @this {any} */
      [name]() {
        const operation = isOn ? onCall(this, arguments) : undefined;
        const mark = operation === undefined ? undefined : marks[operation];
        if (mark === undefined) return Reflect.apply(original, this, arguments);
        return mark(original, this, arguments);
      },
    }[name];
    Object.defineProperty(wrapped, 'length', { value: original.length, configurable: true });
    Object.defineProperty(prototype, name, { value: wrapped, writable: true, configurable: true, enumerable: true });
    this.undo.push(() => {
      isOn = false;
      // Another one may have wrapped it since.
      if (prototype[name] !== wrapped) return;
      if (own) Object.defineProperty(prototype, name, own);
      else delete prototype[name];
    });
  }

  restore() {
    for (const one of this.undo) one();
  }
}

/** @type {(value: unknown) => boolean} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** The objects of HTTP/1.1, and those of HTTP/2, whose servers Node does not export. */
function protocols() {
  const https = require('node:https');
  const http2 = require('node:http2');
  const { Http2ServerRequest, Http2ServerResponse } = http2;
  const servers = [http2.createServer(), http2.createSecureServer()].map((one) => Object.getPrototypeOf(one));
  return [
    {
      servers: [http.Server.prototype, https.Server.prototype],
      request: http.IncomingMessage.prototype,
      response: http.ServerResponse.prototype,
    },
    { servers, request: Http2ServerRequest.prototype, response: Http2ServerResponse.prototype },
  ];
}

/** @type {(patterns: Marks['patterns'], other: number) => (method: string, url: string) => number} */
function finder(patterns, other) {
  const all = patterns.map(({ operation, method, url }) => ({ operation, method, url: new RegExp(url) }));
  /** @type {Map<string, number>} */
  const known = new Map();
  return (method, url) => {
    const key = `${method} ${url}`;
    let operation = known.get(key);
    if (operation !== undefined) return operation;
    const found = all.find((one) => one.method === method && one.url.test(url));
    operation = found === undefined ? other : found.operation;
    if (known.size >= MOST_URLS) known.clear();
    known.set(key, operation);
    return operation;
  };
}

/** Its constructor returns a given object, so a subclass adds its private field to that object. */
class Same {
  /** @param {object} object */
  constructor(object) {
    return object;
  }
}

/** Objects with a number that no other code can see: a WeakMap costs 2 us more per request. */
class Owned extends Same {
  #operation;

  /** @param {object} object @param {number} operation */
  constructor(object, operation) {
    super(object);
    this.#operation = operation;
  }

  /** @type {(object: object, operation: number) => void} */
  static set(object, operation) {
    if (#operation in object) object.#operation = operation;
    else new Owned(object, operation);
  }

  /** @type {(object: object) => number | undefined} */
  static get(object) {
    return #operation in object ? object.#operation : undefined;
  }
}

/**
 * Returns a function of its own code, so that V8 tells it from those of other operations.
 * @type {(name: string, i: number) => Mark}
 */
function markOf(name, i) {
  const code = `({ ${JSON.stringify(name)}(target, self, parameters) { return Reflect.apply(target, self, parameters); } })`;
  const [mark] = Object.values(new Script(code, { filename: `${__filename}/${i}` }).runInThisContext());
  return mark;
}

/**
 * Follows requests through promises and callbacks, from time to time: it is off, then it follows those that begin, then
 * only these until they have ended, and then it is off again.
 */
class Follower {
  constructor() {
    /** By the ids of asynchronous resources. @type {Map<number, number>} */
    this.operations = new Map();
    /** Operations of the callbacks that run, the innermost last. @type {number[]} */
    this.running = [];
    /** Responses of requests that are followed. @type {Set<object>} */
    this.open = new Set();
    /** @type {'off' | 'begins' | 'follows'} */
    this.state = 'off';
    /** @type {Followed} */
    this.changes = { times: [], operations: [] };
    /** The operation whose code runs. */
    this.now = UNKNOWN;
    /** When requests began to be followed, by performance.now(). */
    this.openedAt = 0;
    this.hook = createHook({
      init: (id, type) => {
        const operation = this.operations.get(executionAsyncId());
        if (operation !== undefined && !SHARED_RESOURCES.test(type)) this.operations.set(id, operation);
      },
      before: (id) => {
        this.running.push(this.now);
        const operation = this.operations.get(id);
        this.run(operation === undefined ? UNKNOWN : operation);
      },
      after: () => {
        const operation = this.running.pop();
        this.run(operation === undefined ? UNKNOWN : operation);
      },
    });
    this.wait(FOLLOW_MS);
  }

  /** @param {number} ms */
  wait(ms) {
    this.timer = setTimeout(() => this.next(), ms);
    this.timer.unref();
  }

  next() {
    const past = performance.now() - this.openedAt;
    if (this.state === 'off') {
      this.openedAt = performance.now();
      this.state = 'begins';
      this.hook.enable();
    } else if (past < FOLLOW_MS || (this.open.size > 0 && past < MOST_FOLLOW_MS)) this.state = 'follows';
    else {
      this.stop();
      if (this.changes.times.length < MOST_CHANGES) this.wait(REST * past);
      return;
    }
    this.wait(FOLLOW_MS);
  }

  stop() {
    this.hook.disable();
    this.run(UNKNOWN);
    this.state = 'off';
    this.operations.clear();
    this.running = [];
    this.open.clear();
  }

  /** @param {object} response @param {number} operation */
  begin(response, operation) {
    if (this.state === 'off') return;
    // The connection may have been followed for its last request.
    this.operations.delete(executionAsyncId());
    if (this.state === 'begins') {
      this.operations.set(executionAsyncId(), operation);
      this.open.add(response);
    }
    this.run(this.state === 'begins' ? operation : UNKNOWN);
  }

  /** @param {object} response */
  end(response) {
    this.open.delete(response);
  }

  /** Notes that code of another operation runs from now on. @param {number} operation */
  run(operation) {
    if (operation === this.now || this.state === 'off') return;
    this.now = operation;
    this.changes.times.push(performance.now());
    this.changes.operations.push(operation);
  }

  close() {
    clearTimeout(this.timer);
    this.stop();
    const [seconds, ns] = process.hrtime();
    const offset = (seconds * 1e9 + ns) / 1e3 - performance.now() * 1e3;
    let last = 0;
    const times = this.changes.times.map((at) => {
      const time = Math.round(offset + at * 1e3);
      const past = time - last;
      last = time;
      return past;
    });
    return { times, operations: this.changes.operations };
  }
}
