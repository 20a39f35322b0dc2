import { makeError } from '../ground/errors.js';
import { systemError } from '../ground/system-errors.js';
import { missingCredentials } from '../http/proxy.js';
import { writeAddress } from '../http/url-parts.js';
import { explainBind } from './addresses.js';

/** @import { Socket } from 'node:net' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Endpoint, ProxyLeg } from '../http/endpoint.js' */
/** @import { Proxy } from '../http/proxy.js' */

const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [^\r\n]*)?\r\n/;
/** The beginning of a status line. An answer that begins otherwise is refused before it has a whole head. */
const VERSION = /^HTTP\/1\.[01] /;
const VERSION_BYTES = 9;

/**
 * Asks a proxy for a tunnel to a server (CONNECT, RFC 9110 9.3.6). The socket to the proxy is ready to be written; the
 * caller destroys it after an error. When `onEnd` is called, the socket is paused, and belongs to the caller. If
 * `onEnd(null)` throws, as TLS does with options that OpenSSL cannot read, `onEnd` is called again with that error.
 * @type {(socket: Socket, endpoint: Endpoint, maxHeadBytes: number, onEnd: (error: Error | null) => void) => void}
 */
export function openTunnel(socket, endpoint, maxHeadBytes, onEnd) {
  const answer = new ConnectAnswer(endpoint, maxHeadBytes);
  const listeners = {
    data: (/** @type {Buffer} */ chunk) => {
      try {
        if (answer.feed(chunk)) finish(null);
      } catch (error) {
        finish(/** @type {Error} */ (error));
      }
    },
    end: () => finish(answer.closed()),
    error: (/** @type {Error} */ cause) => finish(answer.closed(cause)),
    close: () => finish(answer.closed()),
  };
  /** @type {(error: Error | null) => void} */
  const finish = (error) => {
    for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
    socket.pause();
    if (answer.excess !== '') socket.unshift(Buffer.from(answer.excess, 'latin1'));
    onEnd(error);
  };
  for (const [name, listener] of Object.entries(listeners)) socket.on(name, listener);
  socket.write(connectHead(endpoint), 'latin1');
}

/** @type {(endpoint: Endpoint) => string} */
function connectHead(endpoint) {
  // The port is never left out (RFC 9112 3.2.3).
  const to = writeAddress(endpoint.hostname, endpoint.port);
  const { authorization } = /** @type {ProxyLeg} */ (endpoint.proxy);
  const credentials = authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`;
  return `CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n${credentials}\r\n`;
}

/** The answer of a proxy to CONNECT. Nothing but its status matters: a length has no meaning here. */
export class ConnectAnswer {
  #endpoint;
  #proxy;
  #maxHeadBytes;
  /** What has arrived and is not read. */
  #text = '';
  /** Bytes of interim answers, which were read: they count in the limit of the head. */
  #read = 0;
  /** Bytes that the server has sent before a request, as a server of HTTP/2 may. */
  excess = '';

  /** @param {Endpoint} endpoint @param {number} maxHeadBytes */
  constructor(endpoint, maxHeadBytes) {
    this.#endpoint = endpoint;
    this.#proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** @throws {Error} E_PROXY_AUTH, E_PROXY_REFUSED, E_PROXY_ANSWER @type {(chunk: Buffer) => boolean} */
  feed(chunk) {
    this.#text += chunk.toString('latin1');
    for (;;) {
      if (this.#text.length >= VERSION_BYTES && !VERSION.test(this.#text))
        throw this.#malformed('something else than HTTP/1.1');
      const end = this.#text.indexOf(HEAD_END);
      if (this.#read + (end < 0 ? this.#text.length : end) > this.#maxHeadBytes)
        throw this.#malformed(`a head of more than ${this.#maxHeadBytes} bytes`);
      if (end < 0) return false;
      const status = Number(STATUS_LINE.exec(this.#text)?.[1]);
      if (!status) throw this.#malformed('a malformed status line');
      const after = end + HEAD_END.length;
      if (status >= 200) return this.#accept(status, this.#text.slice(after));
      // An interim answer (RFC 9110 15.2)
      this.#read += after;
      this.#text = this.#text.slice(after);
    }
  }

  /** Creates the error of a proxy that closed the connection. @type {(cause?: unknown) => Error} */
  closed(cause) {
    return makeError('E_PROXY_CLOSED', this.#names(), { cause });
  }

  /** @type {(status: number, excess: string) => true} */
  #accept(status, excess) {
    if (status === 407) throw missingCredentials(this.#proxy);
    if (status >= 300) throw makeError('E_PROXY_REFUSED', { ...this.#names(), status, host: this.#endpoint.hostname });
    if (this.#endpoint.version?.isInClear) this.excess = excess;
    // In HTTP/1.1 and in TLS the server sends nothing before the client does.
    else if (excess !== '')
      throw this.#malformed(`${status} and ${excess.length} bytes that the server cannot have sent`);
    return true;
  }

  /** @type {(what: string) => Error} */
  #malformed(what) {
    return makeError('E_PROXY_ANSWER', { ...this.#names(), what });
  }

  #names() {
    return { proxy: this.#proxy.name, to: writeAddress(this.#endpoint.hostname, this.#endpoint.port) };
  }
}

/**
 * Creates a function that rewrites requests for a proxy that is spoken to without a tunnel (as copies): their target is
 * the whole URL (RFC 9112 3.2.2), and they have the credentials for the proxy.
 * @type {(endpoint: Endpoint) => (request: Request) => Request}
 */
export function absoluteRequests({ origin, proxy }) {
  const own = proxy?.authorization ? ['proxy-authorization', proxy.authorization] : [];
  return (request) => ({ ...request, path: origin + request.path, extra: [...(request.extra ?? []), ...own] });
}

/**
 * Explains why there is no connection to a proxy. Where this machine has no file or port left, the proxy is not the
 * reason.
 * @param {any} error of a socket
 * @param {Proxy} proxy
 * @returns {Error}
 */
export function explainProxy(error, proxy) {
  const explained = explainBind(error);
  const known = systemError(error.code ?? error.errors?.[0]?.code ?? '');
  if (explained !== error || known?.exhausted) return explained;
  const code = known?.kind === 'tls' ? 'E_PROXY_TLS' : 'E_PROXY_CONNECT';
  const reason = error.message || error.errors?.[0]?.message || error.code;
  return makeError(code, { proxy: proxy.name, reason }, { cause: error });
}

/** @throws {Error} E_PROXY_URL @type {(proxy: ProxyLeg) => void} */
export function refuseBroken(proxy) {
  if (proxy.problem !== null) throw makeError('E_PROXY_URL', { from: proxy.from, reason: proxy.problem });
}
