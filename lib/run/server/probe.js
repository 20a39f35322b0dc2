import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

/**
 * @typedef {object} ServerAddress where a server is expected
 * @property {string} origin `http://127.0.0.1:8000`
 * @property {string} [socketPath] of a unix socket, instead of host and port
 *
 * @typedef {{ isReady: boolean, what: string }} Answer what: completes "GET http://localhost:3000/health …"
 */

/** A server that accepts connections does so at once; one that starts may answer late. */
const CONNECT_MS = 2000;
const ANSWER_MS = 10_000;
const PORTS = { 'http:': 80, 'https:': 443 };

/**
 * @param {ServerAddress} place
 * @returns {Promise<boolean>} whether something accepts a connection there
 */
export function accepts({ origin, socketPath }) {
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
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/**
 * @param {string} url
 * @param {{ socketPath?: string, insecure?: boolean }} options insecure: certificates are not verified
 * @returns {Promise<Answer>} ready: the status is 2xx or 3xx; redirects are not followed
 */
export function answers(url, { socketPath, insecure = false }) {
  return new Promise((resolve) => {
    const { get } = url.startsWith('https:') ? https : http;
    const request = get(url, {
      agent: false,
      timeout: ANSWER_MS,
      rejectUnauthorized: !insecure,
      ...(socketPath !== undefined && { socketPath }),
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)));
    request.once('error', (error) => resolve({ isReady: false, what: `failed: ${reasonOf(error)}` }));
    request.once('response', (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve({ isReady: statusCode >= 200 && statusCode < 400, what: `answered ${statusCode}` });
    });
  });
}

/** A name with several addresses fails with several errors. @type {(error: any) => string} */
function reasonOf({ errors: [first] = [], message, code }) {
  return message || first?.message || code;
}
