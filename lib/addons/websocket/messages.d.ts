import type { Figures } from '../../core/contracts/figure-names.js';

/** What WebSockets add to results, and to the counters of connections. */

declare module '../../core/contracts/stats.js' {
  interface Stats {
    /**
     * of a flow with WebSockets; `unexpected`: received, and no operation expected them; of these `unexpectedGreetings`
     * before the first one was sent on their connection, and `surplus` on one where an operation takes any message as
     * its answer
     */
    messages?: Figures['messages'];
  }
}

declare module '../../core/contracts/connection.js' {
  interface TransportTotals {
    messagesSent: number;
    messagesReceived: number;
    /** received messages that no operation expected */
    messagesUnread: number;
    /** those of them that arrived before the first message was sent on their connection */
    greetingsUnread: number;
    /**
     * those of them that arrived later on a connection where an operation takes any message as its answer: the answer
     * to one message may have been taken as that to another
     */
    messagesSurplus: number;
  }
}
