/**
 * @import { Request } from '../flow/types.js'
 * @import { ConnectTo, Endpoint } from '../http/endpoint.js'
 * @import { AddressFigures } from '../measure/types.js'
 * @import { BodyAccount } from '../process/body-memory.js'
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
 * @property {(response: Response, now: number) => void} onResponse its last byte has arrived; `now`: when that was
 *   read, or later if something else was called first
 * @property {(error: Error, response?: Response) => void} onError there is no complete response; or, with a response,
 *   it is not as the operation expects it
 * @property {(statusCode: number) => boolean} [readsExcerpt] called at the head of an error whose body is not needed:
 *   whether to keep its beginning
 *
 * @typedef {object} Connection a connection to one endpoint, opened when needed; one exchange at a time
 * @property {(request: Request, needs: Needs, receiver: Receiver) => void} send
 * @property {(error: Error) => void} abort ends the connection, and the current exchange with this error; or delivers
 *   the response that has arrived
 * @property {() => void} close
 * @property {boolean} isDead after abort or close
 * @property {boolean} hasArrived the response has arrived completely, and `onResponse` was not called yet
 * @property {boolean} isConnecting
 * @property {boolean} [isOpen] of a WebSocket: messages can be sent
 * @property {boolean} wasSent the request of the last exchange was written
 * @property {boolean} wasReused on a connection that had carried another request
 * @property {boolean} sawBytes at least one byte of its response arrived
 * @property {number} connectedAt when a connection was opened for it, instant of the clock; 0 if none was
 * @property {number} sentAt
 * @property {number} firstByteAt
 * @property {number} endedAt the last byte of its response
 * @property {number} bytesOut of the request, head and body; NaN: not known
 * @property {number} bytesIn of its response that have arrived
 * @property {Link | null} link the open connection; null if there is none, or if links are not tracked
 *
 * @typedef {object} Link one open connection, for a log of requests
 * @property {number} number given by the log; 0: none yet
 * @property {string} address where it leads: `10.0.0.7:80`
 *
 * @typedef {{ update: (ms: number) => void }} TimeRecorder
 *
 * @typedef {object} Timings the recorders of durations; read for each one, as those of the warm-up are not recorded
 * @property {TimeRecorder} connect opening a connection, including the name lookup, without TLS
 * @property {TimeRecorder} tls its handshake
 * @property {TimeRecorder} ttfb from the request to the first byte of its response
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
 * @property {number} greetingsUnread those of them that arrived before the first message was sent on their connection
 * @property {number} messagesSurplus those of them that arrived later on a connection where an operation takes any
 *   message as its answer: the answer to one message may have been taken as that to another
 *
 * @typedef {object} Transport
 * @property {(endpoint: Endpoint, bodies?: BodyAccount, group?: object) => Connection} connect `bodies` counts the
 *   bodies that it keeps; with pipelining, connections of one group and endpoint share a socket
 * @property {() => TransportTotals} totals
 * @property {{ toJSON: () => AddressFigures[], reset: () => void }} addresses of names that have several; reset:
 *   those of the warm-up do not count
 * @property {() => Promise<void>} close waits until all sockets are closed
 *
 * @typedef {object} TransportSettings
 * @property {number} maxBodySize maximum bytes of a kept body
 * @property {number} maxHeaderSize bytes of a head
 * @property {number} maxHeaderFields of a response
 * @property {string} [resolver] a DNS server, asked instead of the system
 * @property {boolean} [dnsCache] looks up names once, not for every connection; default: true
 * @property {typeof import('node:dns').lookup} [lookup] finds addresses
 * @property {Timings} [timings]
 * @property {(now: number) => void} [onFirstRead] called with the arrival of the first response of a turn of the event
 *   loop, if responses are not delivered when they are read
 * @property {boolean} [tracksLinks] connections say where they lead
 * @property {number} [pipelining] requests in flight on a connection; more than 1 needs the capability
 *
 * @typedef {object} AddressOptions
 * @property {4 | 6} [family] only addresses of this family
 * @property {ConnectTo} [connectTo]
 * @property {number} [turn] where the first connection begins: threads begin at different addresses
 *
 * @typedef {TransportSettings & AddressOptions} TransportOptions
 *
 * @typedef {object} TransportEntry
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string[]} capabilities run options that this transport supports and others may not
 * @property {string[]} [refusedFields] request fields that it cannot send, in lower case
 * @property {string[]} [missingIn] runtimes that replace it by something else, as process.versions names them
 * @property {() => Promise<TransportClient>} load
 *
 * @typedef {{ open: (options: TransportOptions) => Transport }} TransportClient
 */
export {};
