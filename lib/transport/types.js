/**
 * @import { Endpoint, Request } from '../flow/types.js'
 *
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, any>} headers names in lower case; made when first looked at
 * @property {string[] | null} setCookies
 * @property {string | undefined} contentEncoding
 * @property {Buffer | null} body null when it was not asked for
 * @property {number} bodyBytes
 *
 * @typedef {'status' | 'head' | 'body'} Wants what somebody will look at; each includes the one before it
 *
 * @typedef {object} Connection keeps one connection to an endpoint, opened when needed; one exchange at a time
 * @property {(request: Request, wants: Wants) => Promise<Response>} send rejects with what went wrong
 * @property {(error: Error) => void} abort ends the exchange under way with this error, and the connection
 * @property {() => void} close
 * @property {boolean} isDead after abort or close
 * @property {boolean} isConnecting
 * @property {boolean} wasSent the request of the last exchange went out
 * @property {boolean} wasReused on a connection that had carried another before
 * @property {boolean} sawBytes of a response to it
 * @property {number} connectedAt instant at which a connection was made for it; 0 if it did not come to that
 * @property {number} sentAt
 * @property {number} firstByteAt
 * @property {number} endedAt the last byte of its response
 *
 * @typedef {object} Timings is told how long things took, ms
 * @property {(ms: number) => void} connect to the open connection, looking up the name included, TLS not
 * @property {(ms: number) => void} tls its handshake
 * @property {(ms: number) => void} ttfb from the request to the first byte of a response
 *
 * @typedef {object} TransportTotals
 * @property {number} opened
 * @property {number} reused requests sent on a connection that had carried one before
 * @property {number} closedByServer
 * @property {number} discarded given up by us, as bytes came on them that answer no request
 * @property {number} bytesSent
 * @property {number} bytesReceived
 *
 * @typedef {object} Transport
 * @property {(endpoint: Endpoint) => Connection} connect
 * @property {() => TransportTotals} totals
 * @property {() => Promise<void>} close waits until no socket is left
 *
 * @typedef {object} TransportOptions
 * @property {number} maxBodySize bytes that are kept of a body
 * @property {number} maxHeaderSize bytes of a head
 * @property {number} maxHeaderFields of a response
 * @property {boolean} [lookupEach] names are looked up for every connection, not once
 * @property {typeof import('node:dns').lookup} [lookup] finds addresses
 * @property {Timings} [timings]
 * @property {number} [pipelining] requests in flight on a connection; the wire alone
 *
 * @typedef {object} TransportEntry
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {() => Promise<{ open: (options: TransportOptions) => Transport }>} load
 */
export {};
