import { createRequire } from 'node:module';
import { join } from 'node:path';

import { isOurs, makeError } from '../../core/ground/errors.js';
import { messageOf } from '../../core/text/error-text.js';
import { shortened, typeName } from '../../core/text/format-value.js';
import { settlesWithin } from '../../core/run/closing.js';

/** @import { RequestListener, Server, ServerResponse } from 'node:http' */
/** @import { Server as HttpsServer } from 'node:https' */
/** @import { Target } from '../../core/contracts/run.js' */

/**
 * @typedef {object} TargetKind
 * @property {(target: any) => boolean} accepts
 * @property {(target: any) => Server | Promise<Server>} serverOf the server that answers for it, which may listen
 *   already
 */

/** Time limit of an application to get ready: its own ones are shorter, 10 s with Fastify. */
const READY_MS = 60_000;
const LONGEST = 300;

/** What a program may pass as `target`. The first kind that accepts it is used. @type {TargetKind[]} */
const KINDS = [
  { accepts: isServer, serverOf: (server) => server },
  // Fastify: its routes and plugins are complete when it is ready.
  {
    accepts: ({ ready, server }) => isFunction(ready) && isServer(server),
    serverOf: async (app) => {
      await app.ready();
      return app.server;
    },
  },
  // Hapi
  {
    accepts: ({ initialize, listener }) => isFunction(initialize) && isServer(listener),
    serverOf: async (app) => {
      if (!app.listener.listening) await app.initialize();
      return app.listener;
    },
  },
  // Nest.
  {
    accepts: ({ init, getHttpServer }) => isFunction(init) && isFunction(getHttpServer),
    serverOf: async (app) => {
      await app.init();
      return app.getHttpServer();
    },
  },
  // Restify, and wrappers like it
  { accepts: ({ server }) => isServer(server), serverOf: ({ server }) => server },
  // A router of Express, which cannot answer without a route.
  {
    accepts: (target) => isListener(target) && isFunction(target.handle) && !isFunction(target.listen),
    serverOf: (router) => serverFor((request, response) => router(request, response, lastOf(response))),
  },
  // Express, Connect, and every (req, res) function
  { accepts: isListener, serverOf: serverFor },
  // Koa, Restana
  { accepts: ({ callback }) => isFunction(callback), serverOf: (app) => serverFor(app.callback()) },
  // Hono, h3 2, and modules of Bun, Deno and workers
  {
    accepts: ({ fetch }) => isFunction(fetch),
    serverOf: async (app) => {
      const { webListener } = await import('./web-listener.js');
      return serverFor(webListener(app));
    },
  },
  // h3 1
  {
    accepts: ({ handler, stack }) => isFunction(handler) && Array.isArray(stack),
    serverOf: (app) => serverFor(packageOfH3().toNodeListener(app)),
  },
  // Polka, tinyhttp
  {
    accepts: ({ handler, use }) => isFunction(use) && isListener(handler),
    serverOf: (app) => serverFor((request, response) => app.handler(request, response)),
  },
];

/** Reports whether a value is a server, or an application of a framework. @type {(value: unknown) => boolean} */
export function isTarget(value) {
  return kindOf(value) !== undefined;
}

/**
 * Returns the server that answers for a target, which may listen already. `readyMs` is a time limit.
 * @throws {Error} E_RUN_OPTIONS; `cause` is what the application threw when it was made ready
 * @type {(target: Target, readyMs?: number) => Promise<Server | HttpsServer>}
 */
export async function serverOf(target, readyMs = READY_MS) {
  const { serverOf: open } = /** @type {TargetKind} */ (kindOf(target));
  try {
    // Some applications throw at once.
    const opening = (async () => open(target))();
    if (!(await settlesWithin(opening, readyMs))) throw new Error(`it is not ready after ${readyMs / 1000} s`);
    const server = await opening;
    if (!isServer(server)) throw new Error('it has no http.Server');
    return server;
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    const problems = `runOptions.target: the application cannot be used: ${shortened(messageOf(cause), LONGEST)}`;
    throw makeError('E_RUN_OPTIONS', { problems }, { cause });
  }
}

/** @type {(value: any) => TargetKind | undefined} */
function kindOf(value) {
  const hasProperties = typeof value === 'object' || isFunction(value);
  if (value === null || !hasProperties) return undefined;
  try {
    return KINDS.find(({ accepts }) => accepts(value));
  } catch {
    // A property of it throws.
    return undefined;
  }
}

/** Explains why a value is no target, beyond the expectation. @type {(target: any) => string | undefined} */
export function refuseTarget(target) {
  if (typeof target === 'string') return 'expected a server or an application of this process: write a URL as baseUrl';
  if (isClass(target)) return `is the class ${target.name}: pass an instance of it`;
  if (isFunction(target)) return 'is a function of one parameter: write (request, response), or { fetch: handler }';
  if (isFunction(target?.then)) return 'is a promise: await it, and pass the application';
  return undefined;
}

/** @type {(value: any) => value is Server} */
function isServer(value) {
  return (
    typeof value?.listening === 'boolean' && [value.listen, value.address, value.close, value.once].every(isFunction)
  );
}

/** Reports whether a value is a listener: a function that takes the response. @type {(value: any) => boolean} */
function isListener(value) {
  return isFunction(value) && value.length !== 1 && !isClass(value);
}

/** @type {(value: any) => boolean} */
function isClass(value) {
  return isFunction(value) && /^class\b/.test(Function.prototype.toString.call(value));
}

/** @type {(value: unknown) => value is Function} */
function isFunction(value) {
  return typeof value === 'function';
}

/** @type {(listener: RequestListener) => Promise<Server>} */
async function serverFor(listener) {
  // The application returned it.
  if (!isFunction(listener)) throw new Error(`${typeName(listener)} instead of a (request, response) function`);
  const { createServer } = await import('node:http');
  return createServer(listener);
}

/** Answers requests without a route, as `next`. @type {(response: ServerResponse) => (error?: unknown) => void} */
function lastOf(response) {
  return (error) => {
    response.statusCode = error === undefined || error === null || error === 'router' ? 404 : 500;
    response.end();
  };
}

/** The application alone answers no request of Node. @type {() => { toNodeListener: (app: any) => RequestListener }} */
function packageOfH3() {
  for (const file of [process.argv[1], join(process.cwd(), 'index.js')]) {
    try {
      const h3 = createRequire(file)('h3');
      // h3 2 has other applications.
      if (isFunction(h3.toNodeListener) && !isFunction(h3.H3)) return h3;
    } catch {
      // It is not installed there.
    }
  }
  const problems = 'runOptions.target is an application of h3 1, whose package was not found: pass toNodeListener(app)';
  throw makeError('E_RUN_OPTIONS', { problems });
}
