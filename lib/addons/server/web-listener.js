import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { messageOf } from '../../core/text/error-text.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * @typedef {{ fetch: (request: Request, node: { incoming: IncomingMessage, outgoing: ServerResponse }) => Response |
 *   Promise<Response> }} FetchApplication
 */

/** The request cannot be expressed as a `Request`: an invalid Host, or a method such as TRACE. */
const BAD_REQUEST = 400;

/**
 * Lets an application whose requests and responses are those of `fetch` answer requests of Node. Bodies are streamed; a
 * client that leaves aborts the `signal` of its request.
 * @type {(app: FetchApplication) => (request: IncomingMessage, response: ServerResponse) => Promise<void>}
 */
export function webListener(app) {
  return async (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) left.abort();
    });
    let request;
    try {
      request = requestOf(incoming, outgoing, left.signal);
    } catch (error) {
      fail(outgoing, BAD_REQUEST, error);
      return;
    }
    try {
      await send(await app.fetch(request, { incoming, outgoing }), incoming, outgoing);
    } catch (error) {
      fail(outgoing, 500, error);
    }
  };
}

/** @type {(incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal) => Request} */
function requestOf(incoming, outgoing, signal) {
  const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
  // A path that begins with // is no other host, and an absolute URL has its own.
  const base = `${scheme}://${incoming.headers.host ?? 'localhost'}`;
  const href = url.startsWith('/') ? base + url : new URL(url, base).href;
  const init = { method, headers, signal };
  if (method === 'GET' || method === 'HEAD') return new Request(href, init);
  const streamed = { ...init, body: bodyOf(incoming, outgoing), duplex: /** @type {const} */ ('half') };
  return new Request(href, streamed);
}

/**
 * Returns the body. The rest that the application does not read is discarded at the end of the response.
 * @type {(incoming: IncomingMessage, outgoing: ServerResponse) => ReadableStream<Uint8Array>}
 */
function bodyOf(incoming, outgoing) {
  /** The application gets nothing more. */
  let isOver = false;
  const discard = () => {
    isOver = true;
    incoming.resume();
  };
  return new ReadableStream({
    start(controller) {
      /** @type {(settle: () => void) => void} */
      const end = (settle) => {
        if (!isOver) settle();
        isOver = true;
      };
      incoming.pause();
      incoming.on('data', (chunk) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if (Number(controller.desiredSize) <= 0) incoming.pause();
      });
      incoming.once('end', () => end(() => controller.close()));
      incoming.once('close', () => end(() => controller.error(new Error('the client has closed the connection'))));
      incoming.once('error', (error) => end(() => controller.error(error)));
      outgoing.once('finish', discard);
    },
    pull: () => void incoming.resume(),
    cancel: discard,
  });
}

/** @type {(response: Response, incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>} */
async function send(response, { method }, outgoing) {
  if (typeof response?.headers?.getSetCookie !== 'function')
    throw new Error('fetch() of the target returned no Response');
  if (response.bodyUsed) throw new Error('the body of the response was read already');
  const { status, statusText, headers, body } = response;
  outgoing.statusCode = status;
  outgoing.statusMessage = statusText;
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  if (body === null || !hasBody) {
    await body?.cancel();
    outgoing.end();
    return;
  }
  // The head is sent with the first bytes of the body, unless those take a while.
  setImmediate(() => outgoing.headersSent || outgoing.flushHeaders());
  await pipeline(Readable.fromWeb(/** @type {any} */ (body)), outgoing);
}

/** Fails a response, or cuts it off. @type {(outgoing: ServerResponse, status: number, error: any) => void} */
function fail(outgoing, status, error) {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  // Restify replaces `writeHead()` of every response of the process by one that returns nothing.
  outgoing.statusCode = status;
  outgoing.setHeader('content-type', 'text/plain');
  outgoing.end(messageOf(error));
}
