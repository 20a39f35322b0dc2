/**
 * @import { BodyAccount } from '../body-memory.js'
 * @import { Endpoint } from '../endpoint.js'
 * @import { Request } from '../flow/types.js'
 *
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, any>} headers names in lower case; parsed when first read
 * @property {string[] | null} setCookies
 * @property {string | undefined} contentEncoding
 * @property {Buffer | null} body null if it is not needed
 * @property {Buffer | null} [excerpt] its beginning, of an error, if `readsExcerpt` of the receiver returned true
 * @property {number} bodyBytes
 * @property {string} statusMessage
 * @property {string[]} rawHeaders names and values in turn, as received
 * @property {string} [httpVersion] undici does not tell it
 * @property {Request} [request] set where after-hooks can read it
 * @property {(string | Buffer)[]} [messages] of a WebSocket
 * @property {{ code: number, reason: string }} [close] of a WebSocket that was closed
 *
 * @typedef {'status' | 'head' | 'body'} Needs the parts of a response that are needed; each includes the one before it
 *
 * @typedef {object} Receiver what an exchange ends with: one of the two is called, once, perhaps before `send` returns
 * @property {(response: Response, now: number) => void} onResponse its last byte has arrived; `now`: instant of the call, later
 *   than `endedAt` if something else was called first
 * @property {(error: Error, response?: Response) => void} onError there is no complete response; or, with a response, it is not
 *   as the operation expects it
 * @property {(statusCode: number) => boolean} [readsExcerpt] called at the head of an error whose body is not needed: whether to
 *   keep its beginning
 *
 * @typedef {object} Connection a connection to one endpoint, opened when needed; one exchange at a time
 * @property {(request: Request, needs: Needs, receiver: Receiver) => void} send
 * @property {(error: Error) => void} abort ends the connection, and the current exchange with this error
 * @property {() => void} close
 * @property {boolean} isDead after abort or close
 * @property {boolean} isConnecting
 * @property {boolean} [isOpen] of a WebSocket: messages can be sent
 * @property {boolean} wasSent the request of the last exchange was written
 * @property {boolean} wasReused on a connection that had carried another request
 * @property {boolean} sawBytes at least one byte of its response arrived
 * @property {number} connectedAt when a connection was opened for it, instant of the clock; 0 if none was
 * @property {number} sentAt
 * @property {number} firstByteAt
 * @property {number} endedAt the last byte of its response
 *
 * @typedef {object} Timings called with durations in ms
 * @property {(ms: number) => void} connect opening a connection, including the name lookup, without TLS
 * @property {(ms: number) => void} tls its handshake
 * @property {(ms: number) => void} ttfb from the request to the first byte of its response
 *
 * @typedef {object} TransportTotals
 * @property {number} opened
 * @property {number} reused requests sent on a connection that had carried another one
 * @property {number} closedByServer
 * @property {number} discarded connections closed because of unexpected bytes
 * @property {number} bytesSent
 * @property {number} bytesReceived
 * @property {number} messagesSent by WebSockets
 * @property {number} messagesReceived
 * @property {number} messagesUnread received messages that no operation expected
 *
 * @typedef {object} Transport
 * @property {(endpoint: Endpoint, bodies?: BodyAccount, group?: object) => Connection} connect `bodies` counts the
 *   bodies that it keeps; with pipelining, connections of one group and endpoint share a socket
 * @property {() => TransportTotals} totals
 * @property {() => Promise<void>} close waits until all sockets are closed
 *
 * @typedef {object} TransportOptions
 * @property {number} maxBodySize maximum bytes of a kept body
 * @property {number} maxHeaderSize bytes of a head
 * @property {number} maxHeaderFields of a response
 * @property {boolean} [lookupEach] looks up names for every connection instead of once
 * @property {typeof import('node:dns').lookup} [lookup] finds addresses
 * @property {Timings} [timings]
 * @property {number} [pipelining] requests in flight on a connection; more than 1 needs the capability
 *
 * @typedef {object} TransportEntry
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string[]} capabilities run options that this transport supports and others may not
 * @property {() => Promise<{ open: (options: TransportOptions) => Transport }>} load
 */
export {};
