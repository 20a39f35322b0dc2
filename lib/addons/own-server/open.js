import { isIP } from 'node:net';
import { hostname } from 'node:os';

import { asUrlHost, isLoopback, withoutBrackets } from '../../core/http/url-parts.js';

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */
/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * @typedef {object} OwnServer
 * @property {number} port 0: any free port
 * @property {string} [host] name or address where it listens; default: 127.0.0.1
 * @property {number} [backlog] connections that wait to be accepted
 * @property {string[]} [methods] that it answers; default: all
 * @property {boolean} [isProxy] requests name the servers that they are for
 * @property {(why: string) => void} [onRefused]
 */

const EVENTS = new Set(['request', 'checkContinue', 'checkExpectation', 'upgrade']);
const DEFAULT_PORT = 80;

/**
 * Lets a server of this tool listen: all of them are opened here. It answers requests for its own names alone, so that
 * no web page can use it by DNS rebinding: such a page has a name that its author owns. A request without a Host field
 * is none of a browser.
 * @throws {NodeJS.ErrnoException} it cannot listen there
 * @type {(server: Server, own: OwnServer) => Promise<AddressInfo>}
 */
export async function openServer(server, { port, host = '127.0.0.1', backlog, methods, isProxy = false, onRefused }) {
  let isOwn = (/** @type {string} */ _) => false;
  /** The last Host that was answered: most clients have one. */
  let known = '';
  /** @type {(request: IncomingMessage) => [status: string, why: string, allow?: string] | null} */
  const faultOf = ({ method = '', headers: { host: asked } }) => {
    if (methods && !methods.includes(method)) return ['405 Method Not Allowed', method, methods.join(', ')];
    if (asked === undefined || asked === known || isProxy) return null;
    if (!isOwn(asked.toLowerCase())) return ['403 Forbidden', `asks for the host ${asked.slice(0, 100)}`];
    known = asked;
    return null;
  };
  const emit = server.emit.bind(server);
  server.emit = (/** @type {string} */ event, /** @type {any[]} */ ...given) => {
    const fault = EVENTS.has(event) ? faultOf(given[0]) : null;
    if (fault === null) return emit(event, ...given);
    onRefused?.(`${fault[1]}: it was answered with ${fault[0]}`);
    refuse(fault, given[1]);
    return true;
  };
  await new Promise((resolve, reject) => {
    // The listener stays: a later error, such as too many open files, must not end the process.
    server.on('error', reject);
    server.listen({ port, host, backlog }, () => resolve(null));
  });
  const address = /** @type {AddressInfo} */ (server.address());
  isOwn = namesOf(host.toLowerCase(), address.port);
  return address;
}

/**
 * Returns what tells whether a Host field names a server. Beyond this machine it may have another port, behind that of
 * a container, and any address; a name without a dot is one of the local network.
 * @type {(host: string, port: number) => (asked: string) => boolean}
 */
function namesOf(host, port) {
  const own = asUrlHost(host);
  const isLocalOnly = isLoopback(own);
  return (asked) => {
    const [, given, askedPort = DEFAULT_PORT] = /^(\[[\da-f:.]+\]|[^:[\]@/\\\s]+)(?::(\d+))?$/.exec(asked) ?? [];
    if (given === undefined) return false;
    const name = withoutBrackets(given);
    if (isLoopback(name) || name === own) return !isLocalOnly || Number(askedPort) === port;
    return !isLocalOnly && (isIP(name) > 0 || !name.includes('.') || name === hostname().toLowerCase());
  };
}

/** @type {(fault: [status: string, why: string, allow?: string], to: ServerResponse | Socket) => void} */
function refuse([status, why, allow], to) {
  const text = `bench-rest: ${why}\n`;
  const fields = { ...(allow && { Allow: allow }), 'Content-Type': 'text/plain', Connection: 'close' };
  if ('writeHead' in to) {
    to.writeHead(Number(status.slice(0, 3)), fields).end(text);
    return;
  }
  // The client disconnected: no answer is possible.
  to.on('error', () => {});
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(fields).map((field) => field.join(': '))];
  to.end(`${lines.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
}
