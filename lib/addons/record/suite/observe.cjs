'use strict';

/**
 * Runs in each Node process of a suite that `bench-rest record` starts, and in each of its threads: see preload.cjs. It
 * observes the requests that reach an application there, over a socket or without one.
 * It must never change what the suite does: it prints nothing, keeps nothing alive, and swallows its own errors.
 *
 * Each exchange is a line of JSON in a file of the thread, written at once: a runner may end its processes at any time,
 * and a suite may replace timers and the clock.
 */

const { AsyncLocalStorage } = require('async_hooks');
const { subscribe } = require('diagnostics_channel');
const { openSync, writeSync } = require('fs');
const http = require('http');
const { join } = require('path');
const { threadId } = require('worker_threads');

const { FOLDER, HONO, MOST_BODY } = require('./names.cjs');

const { pid } = process;
const { now } = Date;
const folder = process.env[FOLDER];
/** @type {number | undefined} */
let file;
/** The files that made the last server or application of this thread: some requests do not tell. @type {string[]} */
let lastCallers = [];
/** Files whose code called `listen()` of a server. @type {WeakMap<object, string[]>} */
const callersOf = new WeakMap();
/** Numbers of applications: a suite may make several of one module, each with a state of its own. */
const numbers = new WeakMap();
let lastNumber = 0;
/** Servers that others make for each request, or for each file, of one application. */
const passing = new WeakSet();
/** Exchanges that have not ended. @type {Set<() => void>} */
const open = new Set();

/** @type {<F extends (...args: any[]) => any>(work: F) => (...args: Parameters<F>) => void} */
function guard(work) {
  return (...parameters) => {
    try {
      work(...parameters);
    } catch {
      // The suite runs without it.
    }
  };
}

const write = guard((/** @type {object} */ exchange) => {
  if (file === undefined) file = openSync(join(String(folder), `${pid}.${threadId}.jsonl`), 'a', 0o600);
  writeSync(file, `${JSON.stringify(exchange)}\n`);
});

/** Frames of code that is not the project's. */
const FOREIGN = /^node:|[\\/]node_modules[\\/]/;
const MOST_FRAMES = 100;
const MOST_CALLERS = 10;

/** Lists the files in the stack, other than this one, the innermost first. @type {() => string[]} */
function filesOfStack() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  /** @type {NodeJS.CallSite[]} */
  let sites = [];
  Error.stackTraceLimit = MOST_FRAMES;
  Error.prepareStackTrace = (_, all) => (sites = all);
  void new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const files = sites
    .map((site) => String(site.getFileName() || ''))
    .filter((name) => /^(?:file:|[\\/]|\w:\\)/.test(name) && !name.startsWith(__dirname));
  return [...new Set(files)];
}

/** Lists the files of the project in a stack, the innermost first. @type {(stack?: string[]) => string[]} */
function callers(stack = filesOfStack()) {
  const own = stack.filter((name) => !FOREIGN.test(name)).slice(0, MOST_CALLERS);
  if (own.length > 0) lastCallers = own;
  return lastCallers;
}

/** Returns the number of an application, the same one each time. @type {(app: object) => number} */
function numberOf(app) {
  const number = numbers.get(app) || ++lastNumber;
  numbers.set(app, number);
  return number;
}

/** Koa and clients: neither their servers nor the functions that they get are the application. */
const PASSING = /[\\/]node_modules[\\/](?:koa|supertest|chai-http)[\\/]/;

/** Returns the number of the application of a server; 0: unknown. @type {(server: any) => number} */
function numberOfServer(server) {
  const [listener = server] = server.listeners('request');
  // An application of Express or Connect has methods, and is the same function each time.
  return passing.has(server) && Object.keys(listener).length === 0 ? 0 : numberOf(listener);
}

/** A body, whole or without any byte. */
class Body {
  constructor() {
    /** @type {Buffer[]} */
    this.pieces = [];
    this.size = 0;
  }

  /** @type {(piece: any, encoding?: any) => void} */
  add(piece, encoding) {
    if (piece === null || piece === undefined || typeof piece === 'function') return;
    const bytes =
      typeof piece === 'string'
        ? Buffer.from(piece, /** @type {BufferEncoding} */ (typeof encoding === 'string' ? encoding : 'utf8'))
        : Buffer.from(piece);
    this.size += bytes.length;
    if (this.size <= MOST_BODY) this.pieces.push(bytes);
    else this.pieces = [];
  }

  toJSON() {
    return { size: this.size, bytes: Buffer.concat(this.pieces).toString('base64') };
  }
}

/** @typedef {{ callers: string[], app: number }} Origin app: the number of the application; 0: unknown */

/**
 * Observes a request and its response, which are those of Node, or like them.
 * @type {(request: any, response: any, origin: Origin) => void}
 */
function observe(request, response, origin) {
  const { method, url } = request;
  const [sent, received] = [new Body(), new Body()];
  const startedAt = now();
  let hasEnd = false;
  const finish = guard(() => {
    if (!open.delete(finish)) return;
    // Nobody has read the body of a request without a socket.
    const { payload } = request._lightMyRequest || {};
    if (sent.size === 0 && (typeof payload === 'string' || Buffer.isBuffer(payload))) sent.add(payload);
    const isWhole = request.complete !== false;
    const [, ...lines] = String(response._header || '').split('\r\n');
    write({
      ...{ ...origin, startedAt, endedAt: now(), method, url, fields: pairs(request.rawHeaders), sent },
      ...(!isWhole && { lacks: 'the request was not complete when it was answered' }),
      ...(!response._header && { lacks: 'the client stopped before the response' }),
      response: {
        status: response.statusCode,
        fields: lines.filter(Boolean).map(fieldOf),
        received,
        hasNoEnd: !hasEnd,
      },
    });
  });
  open.add(finish);
  observeBody(request, sent, () => {
    if (hasEnd) finish();
  });
  // The `end` of light-my-request calls `write`.
  let isEnding = false;
  wrap(response, 'write', (piece, encoding) => isEnding || received.add(piece, encoding));
  wrap(
    response,
    'end',
    (piece, encoding) => {
      isEnding = true;
      received.add(piece, encoding);
    },
    () => {
      hasEnd = true;
      if (request.complete !== false) finish();
    },
  );
  response.once('close', () => {
    const { complete, socket } = request;
    // It was answered before the rest of it has come.
    if (hasEnd && complete === false && socket && !socket.destroyed) socket.once('close', finish);
    else finish();
  });
}

/**
 * Calls back before and after a method of this object, which may get another prototype.
 * @type {(object: any, name: string, before: (...args: any[]) => void, after?: () => void) => void}
 */
function wrap(object, name, before, after = () => {}) {
  const [observeBefore, observeAfter] = [guard(before), guard(after)];
  /** @this {any} */
  object[name] = function (/** @type {any[]} */ ...parameters) {
    observeBefore(...parameters);
    const result = Reflect.apply(Object.getPrototypeOf(this)[name], this, parameters);
    observeAfter();
    return result;
  };
}

/**
 * The parser of Node passes a body to `push`, unless the response has ended before it came: then to nobody, but it is a
 * part of the request.
 * @type {(request: any, body: Body, onEnd: () => void) => void}
 */
function observeBody(request, body, onEnd) {
  const { _dump: dump, push } = request;
  let isDumped = false;
  request.push = (/** @type {any} */ piece, /** @type {any} */ encoding) => {
    guard(() => body.add(piece, encoding))();
    const result = isDumped && piece !== null ? true : Reflect.apply(push, request, [piece, encoding]);
    if (piece === null) guard(onEnd)();
    return result;
  };
  if (dump)
    request._dump = () => {
      Reflect.apply(dump, request, []);
      isDumped = true;
      request._dumped = false;
    };
}

/** @type {(line: string) => [string, string]} */
function fieldOf(line) {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

/** @type {(all: string[]) => string[][]} */
function pairs(all) {
  return all.flatMap((name, i) => (i % 2 === 0 ? [[name, all[i + 1]]] : []));
}

/** Servers: supertest, or any client, sends requests to a port of this process. */
function observeServers() {
  subscribe(
    'tracing:net.server.listen:asyncStart',
    guard(({ server }) => callersOf.set(server, callers())),
  );
  subscribe(
    'http.server.request.start',
    guard(({ request, response, server }) => {
      const origin = { callers: callersOf.get(server) || lastCallers, app: numberOfServer(server) };
      observe(request, response, origin);
    }),
  );
  const { createServer } = http;
  // Fastify makes its server at once, and injects requests later.
  http.createServer = (/** @type {any[]} */ ...parameters) => {
    const server = Reflect.apply(createServer, http, parameters);
    guard(() => {
      const stack = filesOfStack();
      callers(stack);
      if (PASSING.test(stack[0])) passing.add(server);
      numberOfServer(server);
    })();
    return server;
  };
}

/** Requests without a socket: light-my-request, which is `inject()` of Fastify, makes a response of Node by itself. */
function observeInjected() {
  const { IncomingMessage, ServerResponse } = http;
  const { assignSocket } = ServerResponse.prototype;
  /** @this {any} */
  ServerResponse.prototype.assignSocket = function (/** @type {any[]} */ ...parameters) {
    Reflect.apply(assignSocket, this, parameters);
    const { req } = this;
    guard(() => {
      if (req && !(req instanceof IncomingMessage) && Array.isArray(req.rawHeaders))
        observe(req, this, { callers: callers(), app: lastNumber });
    })();
  };
}

/** The classes of Hono that have `fetch`, and its functions that are observed. */
const bases = new WeakSet();
const fetches = new WeakSet();
/** A request that an application passes on to another one is a part of the first. */
const inside = new AsyncLocalStorage();

/** Applications whose `fetch` answers: `app.request()` of Hono. */
function observeFetch() {
  subscribe(HONO, guard(observeHono));
  require('./hono-hooks.cjs').addHooks();
}

/** @type {(Hono: any) => void} */
function observeHono(Hono) {
  const Base = Object.getPrototypeOf(Hono);
  /** @this {any} @type {any} */
  const Observed = function (/** @type {any[]} */ ...parameters) {
    const app = Reflect.construct(Base, parameters, new.target);
    guard(() => observeApp(app, { callers: callers(), app: numberOf(app) }))();
    return app;
  };
  Observed.prototype = Base.prototype;
  Object.setPrototypeOf(Observed, Base);
  Object.setPrototypeOf(Hono, Observed);
  const { basePath } = Base.prototype;
  if (bases.has(Base) || typeof basePath !== 'function') return;
  bases.add(Base);
  // Makes an instance of the base, which no constructor of a subclass sees.
  Base.prototype.basePath = function (/** @type {any[]} */ ...parameters) {
    const app = Reflect.apply(basePath, this, parameters);
    guard(() => {
      numbers.set(app, numberOf(this));
      observeApp(app, { callers: callers(), app: numberOf(app) });
    })();
    return app;
  };
}

/** @type {(app: any, origin: Origin) => void} */
function observeApp(app, origin) {
  if (fetches.has(app.fetch)) return;
  app.fetch = observed(app.fetch, origin);
  fetches.add(app.fetch);
}

/** @type {(fetch: Function, origin: Origin) => (...parameters: any[]) => any} */
function observed(fetch, origin) {
  /** @this {any} */
  return function (request, ...others) {
    const isPassedOn = inside.getStore() || (others[0] && others[0].incoming);
    const finish = isPassedOn ? null : began(request, origin);
    if (finish === null) return Reflect.apply(fetch, this, [request, ...others]);
    const answer = inside.run(true, () => Reflect.apply(fetch, this, [request, ...others]));
    guard(() => (typeof answer.then === 'function' ? answer.then(finish, () => {}) : finish(answer)))();
    return answer;
  };
}

/**
 * Copies a Request; returns what copies its Response.
 * @type {(request: any, origin: Origin) => ((response: any) => void) | null}
 */
function began(request, origin) {
  try {
    const [startedAt, sent] = [now(), request.clone()];
    const { pathname, search } = new URL(request.url);
    const copyBoth = async (/** @type {any} */ response) => {
      const copy = response.clone();
      const [endedAt, bodies] = [now(), [new Body(), new Body()]];
      for (const [i, one] of [sent, copy].entries()) bodies[i].add(await one.arrayBuffer());
      write({
        ...{ ...origin, startedAt, endedAt, method: request.method, url: pathname + search },
        ...{ fields: [...request.headers], sent: bodies[0] },
        response: { status: copy.status, fields: [...copy.headers], received: bodies[1], hasNoEnd: false },
      });
    };
    return guard((response) => void copyBoth(response).catch(() => {}));
  } catch {
    return null;
  }
}

if (folder) {
  for (const begin of [observeServers, observeInjected, observeFetch]) guard(begin)();
  process.once('exit', () => open.forEach((finish) => finish()));
}
