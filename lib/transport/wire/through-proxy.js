import { absoluteRequests, explainProxy, openTunnel, refuseBroken } from '../proxy.js';
import { openSocket } from './socket.js';

/** @import { Endpoint, ProxyLeg } from '../../http/endpoint.js' */
/** @import { Wire } from './connection.js' */
/** @import { SocketListener } from './socket.js' */
/** @import { Socket } from 'node:net' */

/**
 * Replaces the wire of the thread for connections to an endpoint that go by a proxy. Connections without one do not pay
 * for it.
 * @type {(wire: Wire, endpoint: Endpoint) => Wire}
 */
export function throughProxy(wire, endpoint) {
  const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
  const rewrite = absoluteRequests(endpoint);
  const common = {
    ...wire,
    explain: (/** @type {any} */ error) => explainProxy(error, proxy),
    connectFailed: (/** @type {unknown} */ _, /** @type {any} */ error) =>
      wire.connectFailed(proxy, error.cause ?? error),
  };
  if (proxy.isTunnel)
    return {
      ...common,
      open: (to, own, listener) => {
        refuseBroken(proxy);
        return openTunnelled(to, own, listener);
      },
    };
  return {
    ...common,
    open: (_, own, listener) => {
      refuseBroken(proxy);
      return openSocket(proxy, own, listener);
    },
    encodeHead: (request, size) => wire.encodeHead(rewrite(request), size),
  };
}

/**
 * Opens a socket to a server through the tunnel of a proxy: TCP, and TLS if the proxy wants it, CONNECT, and TLS to the
 * server. The listener knows the socket to the proxy until it gets that of the server with `onOpen`.
 * @type {(endpoint: Endpoint, wire: Wire, listener: SocketListener) => Socket}
 */
function openTunnelled(endpoint, wire, listener) {
  const { dial, traffic, timings, now, limits } = wire;
  const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
  const dialledAt = now();
  /**
   * It handles an error of the socket to the proxy; openTunnel has a listener of its own.
   * @type {(error: any) => void}
   */
  let onError = (error) => listener.onError(socket, explainProxy(error, proxy));
  const socket = dial(proxy, undefined, () => {
    onError = () => {};
    openTunnel(socket, endpoint, limits.maxHeadBytes, (error) =>
      error ? listener.onError(socket, error) : onTunnel(),
    );
  });
  socket.on('error', (error) => onError(error));
  traffic.add(socket);
  return socket;

  function onTunnel() {
    const connectedAt = now();
    timings.connect.update(connectedAt - dialledAt);
    listener.onConnect(socket, connectedAt);
    if (endpoint.protocol === 'http:') {
      onError = (error) => listener.onError(socket, error);
      follow(socket, () => socket);
      traffic.totals.opened++;
      listener.onOpen(socket, socket);
      socket.resume();
    } else secure(connectedAt);
  }

  /** @type {(connectedAt: number) => void} */
  function secure(connectedAt) {
    let known = socket;
    const inner = dial(
      endpoint,
      undefined,
      () => {
        known = inner;
        traffic.totals.opened++;
        timings.tls.update(now() - connectedAt);
        listener.onOpen(socket, inner);
      },
      socket,
    );
    inner.on('error', (error) => listener.onError(known, error));
    follow(inner, () => known);
    socket.once('close', () => inner.destroy());
    inner.once('close', () => socket.destroy());
  }

  /** @type {(from: Socket, known: () => Socket) => void} */
  function follow(from, known) {
    from.on('data', (chunk) => deliver(known(), chunk));
    from.on('end', () => listener.onEnd(known()));
    from.on('close', () => listener.onError(known(), null));
  }

  /**
   * Through the buffer of all reads: a socket on top of another one cannot read into it.
   * @type {(to: Socket, chunk: Buffer) => void}
   */
  function deliver(to, chunk) {
    const { buffer } = wire;
    for (let at = 0; at < chunk.length; at += buffer.length) {
      const size = chunk.copy(buffer, 0, at);
      listener.onData(to, size);
    }
  }
}
