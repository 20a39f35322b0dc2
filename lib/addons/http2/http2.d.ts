import type { Figures } from '../../core/contracts/figure-names.js';
import type { Count } from '../../core/contracts/quantities.js';

/** What HTTP/2 adds to results, and to the counters of connections. */

declare module '../../core/contracts/stats.js' {
  interface Stats {
    /** of a run that speaks HTTP/2 */
    http2?: {
      /** @experimental */
      codes?: Http2Code[];
    } & Figures['http2'];
  }
}

declare module '../../core/contracts/connection.js' {
  interface TransportTotals {
    /** connections that speak HTTP/2 */
    http2Opened: number;
    /** connections of HTTP/1.1 to servers without HTTP/2 */
    http2Fallbacks: number;
    /** requests sent on them */
    http2Streams: number;
    /** for each of them, the streams of its connection that had not ended */
    http2InFlight: number;
    /** by the server */
    http2Resets: number;
    http2GoAways: number;
    /** connections that ended because the server broke the protocol */
    http2Violations: number;
    /** requests that waited for a stream of their connection, and how long, ms */
    http2Waits: number;
    http2WaitTime: number;
    /** absent: no stream or connection of HTTP/2 was ended by the server */
    http2Codes?: Http2Code[];
  }
}

/** streams or connections of HTTP/2 that ended for the same reason */
export interface Http2Code {
  /** `reset` of a stream by the server; `goAway`: it ended the connection; `violation`: it broke the protocol */
  event: 'reset' | 'goAway' | 'violation';
  /** of RFC 9113, section 7 */
  code: string;
  count: Count;
  /** the first one: what the server did, or the debug data of GOAWAY */
  message?: string;
}
