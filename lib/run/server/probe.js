import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

/** @import { Answer } from '../types.js' */

/**
 * @typedef {object} ServerAddress where a server is expected
 * @property {string} origin `http://127.0.0.1:8000`
 * @property {string} [socketPath] of a unix socket, instead of host and port
 *
 */

/** A server that accepts connections does so at once; one that starts may answer late. */
const CONNECT_MS = 2000;
const PORTS = { 'http:': 80, 'https:': 443 };

/**
 * Finds out whether something accepts a connection at a place. The signal ends the wait.
 * @type {(place: ServerAddress, signal?: AbortSignal) => Promise<boolean>}
 */
export function accepts({ origin, socketPath }, signal) {
  return new Promise((resolve) => {
    const { hostname, port, protocol } = new URL(origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    const ownPort = Number(port) || PORTS[/** @type {keyof typeof PORTS} */ (protocol)];
    const socket = net.connect(socketPath === undefined ? { host, port: ownPort } : { path: socketPath });
    const settle = (/** @type {boolean} */ is) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(CONNECT_MS, () => settle(false));
    signal?.addEventListener('abort', () => settle(false));
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/**
 * @param {string} url
 * @param {object} options
 * @param {string} [options.socketPath]
 * @param {boolean} [options.insecure] certificates are not verified
 * @param {AbortSignal} [options.signal] ends the wait for the head of the response
 * @returns {Promise<Answer>} ready: the status is 2xx or 3xx; redirects are not followed
 */
export function answers(url, { socketPath, insecure = false, signal }) {
  return new Promise((resolve) => {
    const { get } = url.startsWith('https:') ? https : http;
    const request = get(url, {
      agent: false,
      signal,
      rejectUnauthorized: !insecure,
      ...(socketPath !== undefined && { socketPath }),
    });
    // `on`: a response that is destroyed may fail after it.
    request.on('error', (error) =>
      resolve({ isReady: false, what: signal?.aborted ? 'was not answered' : `failed: ${reasonOf(error)}` }),
    );
    request.once('response', (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve({ isReady: statusCode >= 200 && statusCode < 400, what: `answered ${statusCode}` });
    });
  });
}

/** Returns the reason. A name with several addresses fails with several errors. @type {(error: any) => string} */
function reasonOf({ errors: [first] = [], message, code }) {
  return message || first?.message || code;
}
