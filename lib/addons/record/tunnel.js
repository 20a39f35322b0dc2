import net from 'node:net';
import { TLSSocket } from 'node:tls';

import { addressOf } from '../../core/http/url-parts.js';
import { BAD_GATEWAY, pipeBoth } from './upgrade.js';

/** @import { Duplex } from 'node:stream' */
/** @import { Authority } from './certificate.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Upgrade } from './upgrade.js' */

/**
 * @typedef {object} TunnelContext
 * @property {boolean} isForward
 * @property {Authority} [authority]
 * @property {Recorder} recorder
 * @property {(socket: Duplex, origin: URL) => void} serve reads the requests of a connection
 * @property {(socket: Duplex) => void} hold
 * @property {() => boolean} isEnding the recording ends, and its connections with it
 */

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const REFUSED = 'HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n';
/** The first byte of TLS (RFC 8446 5.1): a handshake. */
const HANDSHAKE = 0x16;
/** The first line of a request, or its beginning. `PRI *` is that of HTTP/2 (RFC 9113 3.4), which is not read. */
const REQUEST = /^(?!PRI(?: |$))[A-Z]{1,20}(?: (?:[/*].*|h|ht|htt|https?|https?:.*)?)?$/s;
/** The longest method, a space, and the scheme of a URL. */
const REQUEST_BYTES = 27;

/**
 * Opens a tunnel, as CONNECT asks a forward proxy to. The first bytes of the client show the protocol: HTTP is read,
 * TLS too if there is an authority for it; all else is forwarded in both directions, and reported as not recorded.
 * @type {(upgrade: Upgrade, context: TunnelContext) => void}
 */
export function openTunnel({ request, socket, head }, context) {
  const { isForward, recorder, hold } = context;
  hold(socket);
  socket.on('error', () => socket.destroy());
  const address = `http://${request.url}`;
  if (!isForward || !URL.canParse(address)) {
    recorder.lack('CONNECT asks for a tunnel, which only a forward proxy opens; see --proxy');
    socket.end(REFUSED);
    return;
  }
  const { hostname, port } = addressOf(new URL(address));
  let isConnected = false;
  const server = net.connect(port, hostname, () => {
    isConnected = true;
    socket.write(ESTABLISHED);
    if (head.length > 0) socket.unshift(head);
    // In some protocols the server sends the first bytes, so these are forwarded before the protocol is known.
    server.pipe(socket);
    socket.once('data', (/** @type {Buffer} */ first) => {
      socket.pause();
      socket.unshift(first);
      server.unpipe(socket);
      enter({ socket, server, first, host: String(request.url) }, context);
    });
  });
  hold(server);
  socket.once('close', () => server.destroy());
  // A client may end a tunnel that it has not used.
  socket.once('end', () => server.end());
  server.once('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => {
    if (!isConnected) recorder.lack(`${request.url} did not answer: ${code ?? message}`);
    socket.end(isConnected ? '' : BAD_GATEWAY);
  });
}

/**
 * @type {(tunnel: { socket: Duplex, server: net.Socket, first: Buffer, host: string }, context: TunnelContext) => void}
 */
function enter({ socket, server, first, host }, { authority, ...context }) {
  const { recorder, serve } = context;
  const isTls = first[0] === HANDSHAKE;
  const isHttp = REQUEST.test(first.subarray(0, REQUEST_BYTES).toString('latin1'));
  if (isHttp || (isTls && authority)) server.destroy();
  if (isHttp) serve(socket, new URL(`http://${host}`));
  else if (isTls && authority) decrypt(socket, new URL(`https://${host}`), { authority, ...context });
  else {
    const reason = isTls
      ? 'it is tunnelled, and cannot be read without --ca'
      : 'it is tunnelled, and neither TLS nor HTTP';
    recorder.lack(`${isTls ? 'TLS to ' : ''}${host}: ${reason}`);
    pipeBoth(socket, server);
  }
}

/** @type {(socket: Duplex, origin: URL, context: Required<Omit<TunnelContext, 'isForward'>>) => void} */
function decrypt(socket, origin, { authority, recorder, serve, hold, isEnding }) {
  const secure = new TLSSocket(/** @type {net.Socket} */ (socket), {
    isServer: true,
    secureContext: authority.contextFor(addressOf(origin).hostname),
    SNICallback(name, done) {
      try {
        done(null, authority.contextFor(name));
      } catch (error) {
        done(/** @type {Error} */ (error));
      }
    },
    ALPNProtocols: ['http/1.1'],
  });
  hold(secure);
  let isOpen = false;
  /** @type {NodeJS.ErrnoException | null} */
  let failure = null;
  secure.once('secure', () => {
    isOpen = true;
    serve(secure, origin);
  });
  secure.on('error', (error) => {
    failure ??= error;
    secure.destroy();
  });
  secure.once('end', () => {
    if (!isOpen) secure.destroy();
  });
  secure.once('close', () => {
    if (isOpen) return;
    const code = failure?.code ?? 'it closed the connection';
    const why =
      failure === null && isEnding()
        ? 'the handshake was in flight when the recording ended'
        : `the client refused it, does it trust the authority of --ca? (${code})`;
    recorder.lack(`TLS to ${origin.host}: ${why}`);
  });
}
